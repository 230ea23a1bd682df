package host

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/navseam/navseam/providers/stdio"
	"github.com/navseam/navseam/seam"
)

// Reload puts another configuration in the place of the present one, in one step: a query
// sees the one or the other. An entry that did not change keeps its warm servers; what is
// replaced answers the queries that it has begun, and is closed then. When something is
// wrong with the configuration, nothing changes.
func (h *Host) Reload(ctx context.Context, config Config) error {
	h.changing.Lock()
	defer h.changing.Unlock()
	if h.lifetime.Err() != nil {
		return errClosed()
	}
	if err := config.Validate(); err != nil {
		return err
	}
	old := h.current()
	next := h.prepare(old, config)
	if err := seam.ContextError(ctx); err != nil {
		return err
	}
	if len(next.failed) > 0 && !config.Lenient {
		return joined(next.failed)
	}
	replaced, added := changes(old.providers, next.providers)
	if _, err := h.registry.Replace(slices.Sorted(maps.Keys(replaced)), added...); err != nil {
		return err
	}
	h.publish(next)
	h.pool.SetLimit(config.Limits.Processes)
	for _, provider := range replaced {
		h.drain(provider, old.config.queryTimeout())
	}
	return nil
}

func (h *Host) current() deployment {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.active
}

// prepare makes a provider of every entry, keeping those that did not change, and finds
// out which of them may not be registered together. Nothing is published.
func (h *Host) prepare(old deployment, config Config) deployment {
	next := deployment{config: config, providers: map[string]*stdio.Provider{}, failed: map[string]error{}}
	ids := slices.Sorted(maps.Keys(config.Servers))
	made := make([]*stdio.Provider, len(ids))
	failures := make([]error, len(ids))
	var looking sync.WaitGroup
	for i, id := range ids {
		if kept := old.providers[id]; kept != nil && old.config.same(config, id) {
			made[i] = kept
			continue
		}
		looking.Go(func() { made[i], failures[i] = h.provider(config, id) })
	}
	looking.Wait()
	trial := seam.NewRegistry()
	for i, id := range ids {
		err := failures[i]
		if err == nil {
			_, err = trial.Register(made[i])
		}
		if err != nil {
			next.failed[id] = err
			continue
		}
		next.providers[id] = made[i]
	}
	return next
}

func (h *Host) provider(config Config, id string) (*stdio.Provider, error) {
	c, err := config.provider(id, h.options)
	if err != nil {
		return nil, err
	}
	return stdio.New(c, h.pool)
}

// same reports whether a server is configured alike in both, as far as its processes and
// answers can tell.
func (c Config) same(other Config, id string) bool {
	return reflect.DeepEqual(c.Servers[id], other.Servers[id]) &&
		reflect.DeepEqual(c.SourceRoots, other.SourceRoots) &&
		c.Limits.QueryTimeoutMs == other.Limits.QueryTimeoutMs
}

// changes tells what goes from what comes.
func changes(old, next map[string]*stdio.Provider) (replaced map[string]*stdio.Provider, added []seam.Provider) {
	replaced = map[string]*stdio.Provider{}
	for id, provider := range old {
		if next[id] != provider {
			replaced[id] = provider
		}
	}
	for _, id := range slices.Sorted(maps.Keys(next)) {
		if next[id] != old[id] {
			added = append(added, next[id])
		}
	}
	return replaced, added
}

// drain closes a replaced provider once it has answered what it began. The end of the
// host cuts that short.
func (h *Host) drain(provider *stdio.Provider, limit time.Duration) {
	h.draining.Go(func() {
		ctx, cancel := context.WithTimeout(h.lifetime, limit)
		defer cancel()
		err := provider.Drain(ctx)
		if err == nil {
			return
		}
		// The queries were cut short; the processes still have to go.
		if err := provider.Close(context.Background()); err != nil {
			h.options.Log.Error("a replaced server was not closed cleanly", "server", provider.ID(), "error", err)
		}
	})
}

func (c Config) queryTimeout() time.Duration {
	return time.Duration(c.Limits.QueryTimeoutMs) * time.Millisecond
}

func joined(failed map[string]error) error {
	all := make([]error, 0, len(failed))
	for _, id := range slices.Sorted(maps.Keys(failed)) {
		all = append(all, failed[id])
	}
	if len(all) == 1 {
		return all[0]
	}
	return errors.Join(all...)
}
