package seam

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Registry routes queries to providers. It is safe for concurrent use; a query
// takes no lock.
type Registry struct {
	mu      sync.Mutex // one writer at a time
	current atomic.Pointer[table]
}

// table is what is registered at one moment. It is never changed, only replaced.
type table struct {
	entries map[string]*entry // by provider id
	routes  map[string][]route
}

// entry is one registration; its address is its identity.
type entry struct {
	id       string
	provider Provider
	keys     map[string]string // route key to language id
}

// route is what a key leads to. A key has one route until deployments may name
// fallbacks.
type route struct {
	entry    *entry
	language string
}

// NewRegistry returns an empty registry.
func NewRegistry() *Registry {
	r := &Registry{}
	r.current.Store(&table{})
	return r
}

// Register adds a provider, all of its routes or none. The release function takes
// it out again; a second call of it does nothing.
func (r *Registry) Register(p Provider) (release func(), err error) {
	return r.Replace(nil, p)
}

// Replace takes the providers with the old ids out and puts the new ones in, in one
// step: every query sees the one set or the other. Queries in flight go on with the
// provider they began with; it is for its owner to close it when they are done. The
// release function takes out what was put in.
func (r *Registry) Replace(old []string, providers ...Provider) (release func(), err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	kept := maps.Clone(r.current.Load().entries)
	for _, id := range old {
		if kept[id] == nil {
			return nil, Errorf(CodeInvalidProvider, "provider %q is not registered and cannot be replaced", id)
		}
		delete(kept, id)
	}
	next := newTable(kept)
	added := make([]*entry, 0, len(providers))
	for _, p := range providers {
		e, err := next.add(p)
		if err != nil {
			return nil, err
		}
		added = append(added, e)
	}
	r.current.Store(next)
	return sync.OnceFunc(func() { r.remove(added) }), nil
}

// remove takes out those of the entries that are still registered.
func (r *Registry) remove(entries []*entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	kept := maps.Clone(r.current.Load().entries)
	for _, e := range entries {
		if kept[e.id] == e {
			delete(kept, e.id)
		}
	}
	r.current.Store(newTable(kept))
}

func newTable(entries map[string]*entry) *table {
	t := &table{entries: entries, routes: make(map[string][]route)}
	if t.entries == nil {
		t.entries = make(map[string]*entry)
	}
	for _, e := range entries {
		t.claim(e)
	}
	return t
}

func (t *table) claim(e *entry) {
	for key, language := range e.keys {
		t.routes[key] = append(t.routes[key], route{e, language})
	}
}

// add checks everything before it changes anything.
func (t *table) add(p Provider) (*entry, error) {
	if p == nil {
		return nil, Errorf(CodeInvalidProvider, "the provider is nil")
	}
	id := p.ID()
	if strings.TrimSpace(id) == "" {
		return nil, Errorf(CodeInvalidProvider, "the provider's id is blank: name it")
	}
	if t.entries[id] != nil {
		return nil, Errorf(CodeConflict, "provider id %q is taken: ids are unique", id)
	}
	keys, err := p.Routes().normalize()
	if err != nil {
		e := AsError(err)
		return nil, &Error{Code: e.Code, Message: "provider " + id + ": " + e.Message}
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if owners := t.routes[key]; len(owners) > 0 {
			return nil, Errorf(CodeConflict, "provider %q: %s is served by provider %q already: let only one of them have it",
				id, strings.TrimPrefix(key, "/"), owners[0].entry.id)
		}
	}
	e := &entry{id, p, keys}
	t.entries[id] = e
	t.claim(e)
	return e, nil
}

// lookup returns the best route of a path.
func (t *table) lookup(path string) (route, bool) {
	for key := range routeKeys(path) {
		if routes := t.routes[key]; len(routes) > 0 {
			return routes[0], true
		}
	}
	return route{}, false
}

// Request is one query. Every field is required; nothing is defaulted.
type Request struct {
	Operation     Operation
	FilePath      string // absolute, or relative to the workspace root
	Position      Position
	WorkspaceRoot string
}

// Query asks the provider that serves the file. The file's name alone selects it;
// whether there is such a file is the provider's to say.
func (r *Registry) Query(ctx context.Context, q Request) (Result, error) {
	if !q.Operation.Valid() {
		return nil, Errorf(CodeInvalidArgs, "operation %d is none of the four", q.Operation)
	}
	var disposed error
	var asked *entry
	for {
		rt, ok := r.current.Load().lookup(q.FilePath)
		switch {
		case disposed != nil && (!ok || rt.entry == asked):
			return nil, disposed
		case !ok:
			return nil, Errorf(CodeUnavailable,
				"no provider serves \"%s\": add its extension or file name to a provider of the configuration", q.FilePath)
		}
		result, err := Ask(ctx, rt.entry.provider, q.Operation, Target{
			FilePath:      q.FilePath,
			Position:      q.Position,
			WorkspaceRoot: q.WorkspaceRoot,
			LanguageID:    rt.language,
		})
		if err == nil || CodeOf(err) != CodeDisposed {
			return result, err
		}
		// Replaced between the look-up and the call: ask the successor. A registration
		// never comes back, so this ends.
		disposed, asked = err, rt.entry
	}
}
