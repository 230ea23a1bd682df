package langserver

import (
	"encoding/json"
	"sync"
)

// maxRegistrations bounds what a server can make us keep.
const maxRegistrations = 4096

// registrations is what the server registered after the handshake, by id.
type registrations struct {
	mu      sync.Mutex
	methods map[string]string
}

func (r *registrations) has(method string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.methods {
		if m == method {
			return true
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
	if r.methods == nil {
		r.methods = make(map[string]string)
	}
	for _, reg := range p.Registrations {
		if _, again := r.methods[reg.ID]; again || len(r.methods) < maxRegistrations {
			r.methods[reg.ID] = reg.Method
		}
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
		delete(r.methods, reg.ID)
	}
}

type registration struct {
	ID     string `json:"id"`
	Method string `json:"method"`
}
