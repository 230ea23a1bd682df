package host

import (
	"maps"
	"slices"

	"github.com/navseam/navseam/providers/stdio"
)

// Status is what the host is doing at one moment.
type Status struct {
	Providers []ProviderStatus // by id
}

// ProviderStatus is one provider. Err is why a lenient configuration left it out; the rest
// is empty then.
type ProviderStatus struct {
	ID     string
	Kind   string // "native"
	Err    error
	Server stdio.Status
}

// Status may be called at any time.
func (h *Host) Status() Status {
	now := h.current()
	var status Status
	for _, id := range slices.Sorted(maps.Keys(now.providers)) {
		status.Providers = append(status.Providers, ProviderStatus{ID: id, Kind: "native", Server: now.providers[id].Status()})
	}
	for _, id := range slices.Sorted(maps.Keys(now.failed)) {
		status.Providers = append(status.Providers, ProviderStatus{ID: id, Kind: "native", Err: now.failed[id]})
	}
	return status
}
