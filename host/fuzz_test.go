package host

import (
	"strings"
	"testing"

	"github.com/navseam/navseam/seam"
)

// Whatever the text is, there is no panic: it gives a configuration that validates and
// that a provider can be made of, or an error with its code.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		everyKey,
		everyModuleKey,
		good,
		"servers: {a: &a {command: x}, b: {<<: *a}}",
		"servers: &s {<<: *s}",
		"servers: !!map {? [a] : b}",
		"a: |\n  x\nb: >-\n  y\n",
		"{\"servers\": {\"\": [1, .nan, ~, 'x']}}",
		"%YAML 1.2\n---\n...\n---\n",
		"servers:\r\n\ts: {settings: {1: 2, ${env:X}: $${}}}\r\n",
		"\ufeff# \xff",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		config, err := Parse(Source{Name: "f", Data: []byte(text), Dir: configFolder(t), LookupEnv: func(string) (string, bool) { return "", false }})
		if err != nil {
			if seam.CodeOf(err) != seam.CodeInvalidConfig || !strings.HasPrefix(err.Error(), "f:") {
				t.Fatalf("%v", err)
			}
			return
		}
		if err := config.Validate(); err != nil {
			t.Fatalf("parsed, but does not validate: %v", err)
		}
		for id := range config.Servers {
			if _, err := config.native(id, Options{}); err != nil {
				t.Fatalf("parsed, but is no provider: %v", err)
			}
		}
		for id := range config.Modules {
			if _, err := config.sandboxed(id, Options{}); err != nil {
				t.Fatalf("parsed, but is no provider: %v", err)
			}
		}
	})
}
