package host

// DefaultConfig is a configuration with every default, no server and no module.
func DefaultConfig() Config {
	return Config{
		Servers: map[string]Server{},
		Modules: map[string]Module{},
		Limits:  Limits{Processes: 8, QueryTimeoutMs: 60_000},
		Tool: ToolConfig{
			MaxLocations:   100,
			MaxResultChars: 16_000,
			TimeoutMs:      60_000,
			Snippets:       true,
			Format:         FormatLines,
		},
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
		Freshness: Freshness{
			Notify:          true,
			Touch:           TouchAll,
			TouchLimit:      64,
			BeyondLimit:     BeyondIncomplete,
			RestartOnDelete: true,
			SettleMs:        500,
			Skip: []string{
				".git", ".hg", ".jj", ".svn", ".cache", ".gradle", ".mypy_cache", ".pytest_cache", ".ruff_cache",
				".tox", ".venv", "__pycache__", "node_modules",
			},
			Events: true,
		},
		Circuit: Circuit{Failures: 5, CooldownMs: 30_000},
	}
}

// DefaultModule is a module with every default and no grants. Its path and its files are
// still missing: these have none.
func DefaultModule() Module {
	return Module{
		Engine:           EngineWazero,
		MaxDocumentBytes: 4_000_000,
		Limits: ModuleLimits{
			MemoryBytes:   128 << 20,
			CallTimeoutMs: 2_000,
			LoadTimeoutMs: 5_000,
			Instances:     2,
			ResponseBytes: 4 << 20,
			Locations:     100_000,
			IdleTimeoutMs: 900_000,
		},
		Circuit: Circuit{Failures: 5, CooldownMs: 30_000},
	}
}

// DefaultHTTPRule is a rule with every default. Its url is still missing.
func DefaultHTTPRule() HTTPRule {
	return HTTPRule{BodyBytes: 4 << 20, TimeoutMs: 30_000}
}
