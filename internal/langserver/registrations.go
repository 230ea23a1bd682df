package langserver

import (
	"encoding/json"
	"sync"

	"github.com/navseam/navseam/internal/changes"
)

// maxRegistrations bounds what a server can make us keep.
const maxRegistrations = 4096

// registrations is what the server registered after the handshake, by id.
type registrations struct {
	mu       sync.Mutex
	made     map[string]registration
	watchers int // of all
}

func (r *registrations) has(method string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, reg := range r.made {
		if reg.Method == method {
			return true
		}
	}
	return false
}

// watches reports whether the server wants to know of a change. See [watcher.matches].
func (r *registrations) watches(kind changes.Kind, rel, abs string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, reg := range r.made {
		for _, w := range reg.watchers {
			if w.matches(kind, rel, abs) {
				return true
			}
		}
	}
	return false
}

// register takes the params of client/registerCapability.
func (r *registrations) register(params json.RawMessage) {
	var p struct {
		Registrations []registration `json:"registrations"`
	}
	_ = json.Unmarshal(params, &p) // what can't be read registers nothing
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.made == nil {
		r.made = make(map[string]registration)
	}
	for _, reg := range p.Registrations {
		r.forget(reg.ID)
		if len(r.made) >= maxRegistrations {
			continue
		}
		if reg.Method == "workspace/didChangeWatchedFiles" {
			reg.watchers = parseWatchers(reg.Options, maxRegistrations-r.watchers)
			r.watchers += len(reg.watchers)
		}
		reg.Options = nil
		r.made[reg.ID] = reg
	}
}

// unregister takes the params of client/unregisterCapability, in which the
// specification itself misspells "unregisterations".
func (r *registrations) unregister(params json.RawMessage) {
	var p struct {
		Misspelt []registration `json:"unregisterations"`
		Spelt    []registration `json:"unregistrations"`
	}
	_ = json.Unmarshal(params, &p)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, reg := range append(p.Misspelt, p.Spelt...) {
		r.forget(reg.ID)
	}
}

func (r *registrations) forget(id string) {
	r.watchers -= len(r.made[id].watchers)
	delete(r.made, id)
}

type registration struct {
	ID      string          `json:"id"`
	Method  string          `json:"method"`
	Options json.RawMessage `json:"registerOptions"`

	watchers []watcher
}
