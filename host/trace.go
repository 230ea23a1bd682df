package host

import (
	"os"
	"strings"

	"github.com/navseam/navseam/internal/trace"
	"github.com/navseam/navseam/providers/stdio"
)

// Trace is a log of what providers are asked and what they answer: a line of JSON for each
// message of a language server and for each call of a module. Texts of documents and secrets
// are not in it. Close it after the hosts that write to it.
type Trace = trace.Log

// OpenTrace begins a trace at the end of a file, which is made where there is none. See
// docs/troubleshooting.md for what is in it.
func OpenTrace(path string) (*Trace, error) {
	log, err := trace.Open(path)
	if err != nil {
		return nil, err
	}
	log.Hide(secretVariables(os.Environ())...)
	return log, nil
}

// secretVariables are the values of the variables that no server gets by itself.
func secretVariables(environment []string) (values []string) {
	_, dropped := stdio.Environment(environment, nil, nil)
	isSecret := map[string]bool{}
	for _, name := range dropped {
		isSecret[name] = !strings.HasPrefix(name, "NAVSEAM_") // of which one names the config file
	}
	for _, pair := range environment {
		if name, value, _ := strings.Cut(pair, "="); isSecret[name] {
			values = append(values, value)
		}
	}
	return values
}

// secrets are the values of a configuration that no trace shows: those of headers, and those
// that servers get as variables.
func (c Config) secrets() (values []string) {
	for _, server := range c.Servers {
		for _, value := range server.Env {
			values = append(values, value)
		}
	}
	for _, module := range c.Modules {
		for _, rule := range module.Grants.HTTP {
			for _, value := range rule.Headers {
				values = append(values, value)
			}
		}
	}
	return values
}
