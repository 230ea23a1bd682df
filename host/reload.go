package host

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/navseam/navseam/seam"
)

// Reload puts another configuration in the place of the present one, in one step: a query
// sees the one or the other. An entry that did not change keeps its warm servers and
// instances; what is replaced answers the queries that it has begun, and is closed then.
// When something is wrong with the configuration, nothing changes.
func (h *Host) Reload(ctx context.Context, config Config) error {
	h.changing.Lock()
	defer h.changing.Unlock()
	if h.lifetime.Err() != nil {
		return errClosed()
	}
	if err := config.Validate(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(h.lifetime, cancel)()
	h.options.Trace.Hide(config.secrets()...)
	old := h.current()
	next, made := h.prepare(ctx, old, config)
	err := h.replace(ctx, old, next)
	for _, provider := range made {
		if err != nil || next.providers[provider.ID()] != provider {
			h.discard(provider)
		}
	}
	return err
}

// replace publishes what was prepared, unless something is wrong with it.
func (h *Host) replace(ctx context.Context, old, next deployment) error {
	if h.lifetime.Err() != nil {
		return errClosed()
	}
	if err := seam.ContextError(ctx); err != nil {
		return err
	}
	if len(next.failed) > 0 && !next.config.Lenient {
		return joined(next.failed)
	}
	replaced, added := changes(old.providers, next.providers)
	if _, err := h.registry.Replace(slices.Sorted(maps.Keys(replaced)), added...); err != nil {
		return err
	}
	h.publish(next)
	h.pool.SetLimit(next.config.Limits.Processes)
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
// out which of them may not be registered together. Nothing is published; what is made
// and then not used is for the caller to discard.
func (h *Host) prepare(ctx context.Context, old deployment, config Config) (next deployment, made []provider) {
	next = deployment{config: config, providers: map[string]provider{}, failed: map[string]error{}}
	ids := config.ids()
	candidates := make([]provider, len(ids))
	failures := make([]error, len(ids))
	build := builder{host: h, config: config, compiling: make(chan struct{}, compilers)}
	var building sync.WaitGroup
	for i, id := range ids {
		if kept := old.providers[id]; kept != nil && old.config.same(config, id) {
			candidates[i] = kept
			continue
		}
		building.Go(func() { candidates[i], failures[i] = build.provider(ctx, id) })
	}
	building.Wait()
	trial := seam.NewRegistry()
	for i, id := range ids {
		candidate, err := candidates[i], failures[i]
		if err == nil && candidate != old.providers[id] {
			made = append(made, candidate)
		}
		if err == nil {
			_, err = trial.Register(candidate)
		}
		if err != nil {
			next.failed[id] = err
			continue
		}
		next.providers[id] = candidate
	}
	return next, made
}

// ids are those of all entries, servers and modules.
func (c Config) ids() []string {
	ids := slices.Collect(maps.Keys(c.Servers))
	ids = slices.AppendSeq(ids, maps.Keys(c.Modules))
	slices.Sort(ids)
	return ids
}

// same reports whether an entry is configured alike in both, as far as its processes,
// instances and answers can tell.
func (c Config) same(other Config, id string) bool {
	return reflect.DeepEqual(c.Servers[id], other.Servers[id]) &&
		reflect.DeepEqual(c.Modules[id], other.Modules[id]) &&
		reflect.DeepEqual(c.SourceRoots, other.SourceRoots) &&
		c.Limits.QueryTimeoutMs == other.Limits.QueryTimeoutMs
}

// changes tells what goes from what comes.
func changes(old, next map[string]provider) (replaced map[string]provider, added []seam.Provider) {
	replaced = map[string]provider{}
	for id, present := range old {
		if next[id] != present {
			replaced[id] = present
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
func (h *Host) drain(replaced provider, limit time.Duration) {
	h.draining.Go(func() {
		ctx, cancel := context.WithTimeout(h.lifetime, limit)
		defer cancel()
		if err := replaced.Drain(ctx); err != nil {
			h.closeUnused(replaced) // the queries were cut short; what answered them still has to go
		}
	})
}

// discard closes what was prepared and then not published.
func (h *Host) discard(prepared provider) {
	h.draining.Go(func() { h.closeUnused(prepared) })
}

func (h *Host) closeUnused(p provider) {
	if err := p.Close(context.Background()); err != nil {
		h.options.Log.Error("what is no longer used was not closed cleanly", "provider", p.ID(), "error", err)
	}
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
