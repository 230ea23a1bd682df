package host

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExpand(t *testing.T) {
	lookup := func(name string) (string, bool) {
		value, ok := map[string]string{"A": "alpha", "EMPTY": "", "NESTED": "${env:A}", "ProgramFiles(x86)": `C:\x86`}[name]
		return value, ok
	}
	for _, c := range []struct{ name, dir, text, want string }{
		{"nothing to do", "/c", "gopls", "gopls"},
		{"empty", "/c", "", ""},
		{"the folder", "/c", "${configDir}/bin", "/c/bin"},
		{"a folder of Windows", `C:\Users\Ann Ä\cfg`, `${configDir}\bin\x.exe`, `C:\Users\Ann Ä\cfg\bin\x.exe`},
		{"a share of Windows", `\\host\share$`, `${configDir}/x`, `\\host\share$/x`},
		{"variables", "/c", "${env:A}:${env:A}${env:EMPTY}!", "alpha:alpha!"},
		{"a name with parentheses", "/c", "${env:ProgramFiles(x86)}", `C:\x86`},
		{"once only", "/c", "${env:NESTED}", "${env:A}"},
		{"escaped", "/c", "$${env:A}", "${env:A}"},
		{"escaped between", "/c", "${env:A}$${x}${env:A}", "alpha${x}alpha"},
		{"escaped and never closed", "/c", "$${", "${"},
		{"an escape before a variable", "/c", "$${${env:A}", "${alpha"},
		{"lone dollars", "/c", "$ $A $$ a$", "$ $A $$ a$"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := expander{c.dir, lookup}.expand(c.text)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
	for _, c := range []struct{ name, dir, text, want string }{
		{"unset", "/c", "x${env:NOPE}", "the environment variable NOPE is not set: set it, or write the value here"},
		{"unknown", "/c", "${HOME}", `${HOME} is unknown: there are ${configDir} and ${env:NAME}; write "$${" for the characters themselves`},
		{"no name", "/c", "${env:}", `${env:} is unknown: there are ${configDir} and ${env:NAME}; write "$${" for the characters themselves`},
		{"never closed", "/c", "${env:A", `"${" has no "}": close it, or write "$${" for the characters themselves`},
		{"no folder", "", "${configDir}", "${configDir} has no value: this configuration is not in a file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := expander{c.dir, lookup}.expand(c.text)
			require.EqualError(t, err, c.want)
		})
	}
}

// Expansion happens in command, args, env and sourceRoots, and nowhere else.
func TestWhereExpansionHappens(t *testing.T) {
	config, err := parse(t, `
servers:
  "${env:HOME}":
    command: ${env:HOME}/bin/x
    args: ["--home=${env:HOME}"]
    env: {"${env:A}": "${env:HOME}"}
    envAllow: ["${env:HOME}"]
    extensionToLanguage: {".${env:HOME}": "${env:HOME}"}
    fileNameToLanguage: {"${env:X}": "${env:HOME}"}
    initializationOptions: "${env:HOME}"
    settings: {"${env:HOME}": ["${env:NOPE}", "$${"]}
    readyWhen: {progress: "${env:HOME}"}
sourceRoots: ["${env:HOME}/src"]
`)
	require.NoError(t, err)
	s := config.Servers["${env:HOME}"]
	require.Equal(t, homeFolder(t)+"/bin/x", s.Command)
	require.Equal(t, []string{"--home=" + homeFolder(t)}, s.Args)
	require.Equal(t, map[string]string{"${env:A}": homeFolder(t)}, s.Env)
	require.Equal(t, []string{"${env:HOME}"}, s.EnvAllow)
	require.Equal(t, map[string]string{".${env:HOME}": "${env:HOME}"}, s.ExtensionToLanguage)
	require.Equal(t, map[string]string{"${env:X}": "${env:HOME}"}, s.FileNameToLanguage)
	require.Equal(t, "${env:HOME}", s.InitializationOptions)
	require.Equal(t, map[string]any{"${env:HOME}": []any{"${env:NOPE}", "$${"}}, s.Settings)
	require.Equal(t, "${env:HOME}", s.ReadyWhen.Progress)
	require.Equal(t, []string{homeFolder(t) + "/src"}, config.SourceRoots)
}
