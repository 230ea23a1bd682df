package host

// DefaultConfig is a configuration with every default and no server.
func DefaultConfig() Config {
	return Config{
		Servers: map[string]Server{},
		Limits:  Limits{Processes: 8, QueryTimeoutMs: 60_000},
	}
}

// DefaultServer is a server with every default. Its command and its files are still
// missing: these have none.
func DefaultServer() Server {
	return Server{
		StartTimeoutMs:    60_000,
		ReadyTimeoutMs:    30_000,
		ShutdownTimeoutMs: 5_000,
		KillGraceMs:       2_000,
		MaxMessageBytes:   16_000_000,
		MaxStderrBytes:    1_000_000,
		MaxDocumentBytes:  4_000_000,
		Instances:         1,
		IdleTimeoutMs:     900_000,
		OpenDocuments:     16,
		DocumentIdleMs:    60_000,
		Documents:         DocumentsLeased,
		CancelRequests:    true,
		Circuit:           Circuit{Failures: 5, CooldownMs: 30_000},
	}
}
