package host

import (
	"encoding/json"
	"time"

	"github.com/navseam/navseam/providers/stdio"
	"github.com/navseam/navseam/seam"
)

// provider is what one server's entry means to its provider. The configuration is valid.
func (c Config) native(id string, o Options) (stdio.Config, error) {
	s := c.Servers[id]
	config := stdio.Config{
		ID:               id,
		Routes:           s.routes(),
		Command:          s.Command,
		Args:             s.Args,
		Env:              s.Env,
		EnvAllow:         s.EnvAllow,
		RootMarkers:      s.RootMarkers,
		MaxMessageBytes:  s.MaxMessageBytes,
		MaxStderrBytes:   s.MaxStderrBytes,
		MaxDocumentBytes: s.MaxDocumentBytes,
		StartTimeout:     milliseconds(s.StartTimeoutMs),
		ReadyTimeout:     milliseconds(s.ReadyTimeoutMs),
		ShutdownTimeout:  milliseconds(s.ShutdownTimeoutMs),
		KillGrace:        milliseconds(s.KillGraceMs),
		QueryTimeout:     milliseconds(c.Limits.QueryTimeoutMs),
		IdleTimeout:      milliseconds(s.IdleTimeoutMs),
		DocumentIdle:     milliseconds(s.DocumentIdleMs),
		Transient:        s.Documents == DocumentsTransient,
		OpenDocuments:    s.OpenDocuments,
		Instances:        s.Instances,
		CancelRequests:   s.CancelRequests,
		Freshness:        s.Freshness.native(),
		Circuit:          stdio.Circuit{Failures: s.Circuit.Failures, Cooldown: milliseconds(s.Circuit.CooldownMs)},
		SourceRoots:      c.SourceRoots,
		Supervisor:       o.Supervisor,
		Log:              o.Log,
		Trace:            o.Trace,
	}
	if s.ReadyWhen != nil {
		config.ReadyWhen = stdio.ReadyWhen(*s.ReadyWhen)
	}
	for _, free := range []struct {
		key   string
		value any
		into  *json.RawMessage
	}{
		{"initializationOptions", s.InitializationOptions, &config.InitializationOptions},
		{"configuration", s.Configuration, &config.Configuration},
		{"settings", s.Settings, &config.Settings},
	} {
		if free.value == nil {
			continue
		}
		encoded, err := json.Marshal(free.value)
		if err != nil {
			return stdio.Config{}, seam.Errorf(seam.CodeInvalidConfig, "%s: cannot be sent as JSON: %w", path{"servers", id, free.key}, err)
		}
		*free.into = encoded
	}
	return config, nil
}

func (f Freshness) native() stdio.Freshness {
	touch := map[string]stdio.Touch{
		TouchNone: stdio.TouchNone, TouchFolders: stdio.TouchFolders, TouchNew: stdio.TouchNew, TouchAll: stdio.TouchAll,
	}
	return stdio.Freshness{
		Notify:          f.Notify,
		Touch:           touch[f.Touch],
		TouchLimit:      f.TouchLimit,
		RestartOnMore:   f.BeyondLimit == BeyondRestart,
		RestartOnDelete: f.RestartOnDelete,
		Settle:          milliseconds(f.SettleMs),
		RestartOn:       f.RestartOn,
		Watch:           f.Watch,
		Skip:            f.Skip,
		Events:          f.Events,
	}
}

func (s Server) routes() seam.Routes {
	return seam.Routes{Extensions: s.ExtensionToLanguage, FileNames: s.FileNameToLanguage}
}

func milliseconds(n int) time.Duration { return time.Duration(n) * time.Millisecond }
