package host

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whatever is wrong with a file, no message shows the value of a header: not from the file,
// and not from the environment.
func TestSecretsAreNotShown(t *testing.T) {
	const secret = "hunter2"
	head := "modules:\n  m:\n    path: m.wasm\n    extensionToLanguage: {.m: m}\n    grants:\n      http:\n"
	for _, c := range []struct {
		name, text string
		want       []string // problems, by place
	}{
		{
			"wrong beside it", head + "        - {url: 7, headers: {Authorization: hunter2}}\n",
			[]string{"7:17: modules.m.grants.http[0].url: must be text (in quotes), not 7"},
		},
		{
			"wrong above and below it",
			head + "        - url: 7\n          headers:\n            A: hunter2\n          private: 8\n",
			[]string{
				"7:16: modules.m.grants.http[0].url: must be text (in quotes), not 7\n   7 |         - url: 7",
				"10:20: modules.m.grants.http[0].private: must be true or false, not 8\n  10 |           private: 8",
			},
		},
		{
			"text for a mapping", head + "        - url: https://a.example/\n          headers: hunter2\n",
			[]string{"8:20: modules.m.grants.http[0].headers: must be a mapping of keys to values, not a value of another kind"},
		},
		{
			"list for a mapping", head + "        - url: https://a.example/\n          headers:\n            - hunter2\n            - A: hunter2\n",
			[]string{"8:11: modules.m.grants.http[0].headers: must be a mapping of keys to values, not a value of another kind"},
		},
		{
			"list for text", head + "        - url: https://a.example/\n          headers: {A: [hunter2]}\n",
			[]string{"8:21: modules.m.grants.http[0].headers.A: must be text, not a value of another kind"},
		},
		{
			"many lines", head + "        - url: https://a.example/\n          headers:\n            A: |\n              one\n              hunter2\n",
			[]string{"8:11: modules.m.grants.http[0].headers: the value of A is empty, has space at an end, or holds a line break or another control character"},
		},
		{
			"many lines in quotes", head + "        - url: https://a.example/\n          headers: {A: \"one\n            hunter2\n            three\", A: 7}\n",
			[]string{"10:21: modules.m.grants.http[0].headers.A: this key is given on line 8 already: keep one"},
		},
		{
			"unknown variable", head + "        - url: https://a.example/\n          headers: {A: \"${hunter2}\"}\n",
			[]string{`8:24: modules.m.grants.http[0].headers.A: holds a ${…} that is unknown: there are ${configDir} and ${env:NAME}; write "$${" for the characters themselves`},
		},
		{
			"unset variable", head + "        - url: https://a.example/\n          headers: {A: \"hunter2${env:NOPE}\"}\n",
			[]string{"8:24: modules.m.grants.http[0].headers.A: the environment variable NOPE is not set: set it, or write the value here"},
		},
		{
			"not a name", head + "        - url: https://a.example/\n          headers: {\"A B\": hunter2}\n", nil,
		},
		{
			"from the environment", head + "        - url: https://a.example/\n          headers: {A: \"${env:CODE_TOKEN}\\n\"}\n",
			[]string{"8:11: modules.m.grants.http[0].headers: the value of A is empty, has space at an end, or holds a line break or another control character"},
		},
		{
			"misspelt", head + "        - url: https://a.example/\n          header: {A: hunter2}\n",
			[]string{"8:11: modules.m.grants.http[0].header: there is no such key: did you mean headers?"},
		},
		{
			"by another name", head + "        - url: https://a.example/\n          auth: hunter2\n",
			[]string{"8:11: modules.m.grants.http[0].auth: there is no such key: the keys here are url, methods, headers, private, bodyBytes, timeoutMs"},
		},
		{
			"in another place", "modules:\n  m:\n    headers: {A: hunter2}\n    path: m.wasm\n    extensionToLanguage: {.m: m}\n",
			[]string{"3:5: modules.m.headers: there is no such key: the keys here are path, sha256, extensionToLanguage, fileNameToLanguage, engine, limits, maxDocumentBytes, grants, config, complete, circuit"},
		},
		{
			"twice", head + "        - url: https://a.example/\n          headers: {A: b}\n          headers: {A: hunter2}\n",
			[]string{"9:11: modules.m.grants.http[0].headers: this key is given on line 8 already: keep one"},
		},
		{
			"anchored elsewhere",
			"modules:\n  m:\n    path: m.wasm\n    config: {a: &a hunter2, b: .nan}\n    extensionToLanguage: {.m: m}\n    grants: {http: [{url: \"https://a.example/\", headers: {A: *a}}]}\n",
			[]string{"4:32: modules.m.config.b: .nan cannot be sent as JSON"},
		},
		{
			"not YAML there", head + "        - url: https://a.example/\n          headers: {A: hunter2]\n", nil,
		},
		{
			"not YAML after it", head + "        - url: https://a.example/\n          headers: {A: \n  hunter2}\nlimits: [\n", nil,
		},
		{
			"a second document", head + "        - url: https://a.example/\n          headers: {A: b}\n--- hunter2\n",
			[]string{"9:1: a second document begins here: a configuration is only one"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := parse(t, c.text)
			require.Error(t, err)
			require.NotContains(t, err.Error(), secret)
			require.NotContains(t, err.Error(), codeToken)
			if c.want != nil {
				var told []string
				for _, problem := range strings.Split("\n"+err.Error(), "\nnavseam.yaml:")[1:] {
					text, _, _ := strings.Cut(problem, "\n     |")
					told = append(told, text)
				}
				require.Equal(t, c.want, told)
			}
		})
	}
}
