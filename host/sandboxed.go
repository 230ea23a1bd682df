package host

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/navseam/navseam/host/sandbox"
	"github.com/navseam/navseam/internal/circuit"
	"github.com/navseam/navseam/internal/egress"
	"github.com/navseam/navseam/seam"
)

// sandboxed is what one module's entry means to its provider. The configuration is valid.
func (c Config) sandboxed(id string, o Options) (sandbox.Config, error) {
	m := c.Modules[id]
	config := sandbox.Config{
		ID:     id,
		Routes: m.routes(),
		Path:   m.Path,
		SHA256: m.SHA256,
		Engine: m.Engine,
		Limits: sandbox.Limits{
			MemoryBytes:   int64(m.Limits.MemoryBytes),
			CallTimeout:   milliseconds(m.Limits.CallTimeoutMs),
			LoadTimeout:   milliseconds(m.Limits.LoadTimeoutMs),
			Instances:     m.Limits.Instances,
			ResponseBytes: m.Limits.ResponseBytes,
			Locations:     m.Limits.Locations,
			DocumentBytes: int64(m.MaxDocumentBytes),
			IdleTimeout:   milliseconds(m.Limits.IdleTimeoutMs),
		},
		Grants: sandbox.Grants{
			Workspace:  m.Grants.Files.Workspace,
			Mounts:     m.Grants.Files.Mounts,
			HTTP:       m.Grants.rules(),
			CacheBytes: int64(m.Grants.Cache.Bytes),
		},
		Complete:     m.Complete,
		Circuit:      circuit.Limit{Failures: m.Circuit.Failures, Cooldown: milliseconds(m.Circuit.CooldownMs)},
		SourceRoots:  c.SourceRoots,
		QueryTimeout: milliseconds(c.Limits.QueryTimeoutMs),
		CacheDir:     o.CacheDir,
		Log:          o.Log,
		Trace:        o.Trace,
	}
	if m.Config != nil {
		encoded, err := json.Marshal(m.Config)
		if err != nil {
			return sandbox.Config{}, seam.Errorf(seam.CodeInvalidConfig, "%s: cannot be sent as JSON: %w", path{"modules", id, "config"}, err)
		}
		config.Settings = encoded
	}
	return config, nil
}

func (m Module) routes() seam.Routes {
	return seam.Routes{Extensions: m.ExtensionToLanguage, FileNames: m.FileNameToLanguage}
}

// checkMounts finds the folders that a module is to read.
func (m Module) checkMounts(id string) error {
	mounts := m.Grants.Files.Mounts
	for _, name := range slices.Sorted(maps.Keys(mounts)) {
		at := path{"modules", id, "grants", "files", "mounts", name}
		info, err := os.Stat(mounts[name])
		switch {
		case err != nil:
			return seam.Errorf(seam.CodeInvalidConfig, "%s: the folder %s cannot be read: %w", at, mounts[name], reason(err))
		case !info.IsDir():
			return seam.Errorf(seam.CodeInvalidConfig, "%s: %s is no folder", at, mounts[name])
		}
	}
	return nil
}

// reason is an error of the file system without the path.
func reason(err error) error {
	if of := (*fs.PathError)(nil); errors.As(err, &of) {
		return of.Err
	}
	return err
}

func (g Grants) rules() []egress.Rule {
	var rules []egress.Rule
	for _, r := range g.HTTP {
		rules = append(rules, r.rule())
	}
	return rules
}

func (r HTTPRule) rule() egress.Rule {
	return egress.Rule{
		URL:       r.URL,
		Methods:   r.Methods,
		Headers:   r.Headers,
		Private:   r.Private,
		BodyBytes: int64(r.BodyBytes),
		Timeout:   milliseconds(r.TimeoutMs),
	}
}
