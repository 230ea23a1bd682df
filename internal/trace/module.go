package trace

import (
	"net/url"
	"regexp"
	"time"
)

// Module is a WebAssembly module in one workspace. The methods of a nil Module do nothing.
type Module struct {
	log                 *Log
	provider, workspace string
}

// Module begins the calls of a module. A nil Log gives a nil Module.
func (l *Log) Module(provider, workspace string) *Module {
	if l == nil {
		return nil
	}
	return &Module{l, provider, workspace}
}

// moduleLine is a call: of the module, or of the host by it.
type moduleLine struct {
	Time      string   `json:"time"`
	Provider  string   `json:"provider"`
	Workspace string   `json:"workspace"`
	Kind      string   `json:"kind"`   // operation, import, http
	Method    string   `json:"method"` // what was called
	Result    any      `json:"result,omitempty"`
	Bytes     *int64   `json:"bytes,omitempty"` // that the module handed over
	Ms        *float64 `json:"ms,omitempty"`
	URL       string   `json:"url,omitempty"` // without user, query and fragment
}

func (m *Module) line(at time.Time, kind, method string) moduleLine {
	h := &m.log.hidden
	return moduleLine{
		Time:      stamp(at),
		Provider:  h.label(m.provider),
		Workspace: h.label(m.workspace),
		Kind:      kind,
		Method:    method,
	}
}

// Operation passes on that an operation ended, with a status of the ABI or the word for what
// ended it.
func (m *Module) Operation(name string, result any, took time.Duration) {
	if m == nil {
		return
	}
	at := time.Now()
	m.log.add(0, func() any {
		line := m.line(at, "operation", name)
		ms := float64(took.Microseconds()) / 1000
		line.Result, line.Ms = result, &ms
		return line
	})
}

// Import passes on a call of a host function, its result, which is nil where it has none, and
// how many bytes it was handed, or -1.
func (m *Module) Import(name string, result any, handed int64) {
	at := time.Now()
	m.log.add(0, func() any {
		line := m.line(at, "import", name)
		line.Result = result
		if handed >= 0 {
			line.Bytes = &handed
		}
		return line
	})
}

// Request passes on that a module asks for an address.
func (m *Module) Request(method, address string) {
	if m == nil {
		return
	}
	at := time.Now()
	m.log.add(len(address), func() any {
		line := m.line(at, "http", shownVerb(method))
		line.URL = m.log.hidden.label(shownURL(address))
		return line
	})
}

var verb = regexp.MustCompile(`^[A-Z]{1,16}$`)

func shownVerb(method string) string {
	if !verb.MatchString(method) {
		return concealed
	}
	return method
}

func shownURL(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" {
		return concealed
	}
	shown := url.URL{Scheme: parsed.Scheme, Host: parsed.Host, Path: parsed.Path}
	return shown.String()
}
