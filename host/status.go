package host

import (
	"maps"
	"slices"

	"github.com/navseam/navseam/host/sandbox"
	"github.com/navseam/navseam/providers/stdio"
)

// Status is what the host is doing at one moment.
type Status struct {
	Providers []ProviderStatus // by id; those that failed come last
}

// ProviderStatus is one provider. Err is why a lenient configuration left it out; neither
// Server nor Module is set then.
type ProviderStatus struct {
	ID     string
	Kind   string // KindNative or KindModule
	Err    error
	Server stdio.Status   // of a language server
	Module sandbox.Status // of a module
}

// The kinds of providers.
const (
	KindNative = "native"
	KindModule = "module"
)

// Status may be called at any time.
func (h *Host) Status() Status {
	now := h.current()
	var status Status
	for _, id := range slices.Sorted(maps.Keys(now.providers)) {
		one := ProviderStatus{ID: id, Kind: now.config.kind(id)}
		switch p := now.providers[id].(type) {
		case *stdio.Provider:
			one.Server = p.Status()
		case *sandbox.Provider:
			one.Module = p.Status()
		}
		status.Providers = append(status.Providers, one)
	}
	for _, id := range slices.Sorted(maps.Keys(now.failed)) {
		status.Providers = append(status.Providers, ProviderStatus{ID: id, Kind: now.config.kind(id), Err: now.failed[id]})
	}
	return status
}

func (c Config) kind(id string) string {
	if _, ok := c.Modules[id]; ok {
		return KindModule
	}
	return KindNative
}
