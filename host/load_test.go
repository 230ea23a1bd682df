package host

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

// good is a server to put beside the bad things, one line long.
const good = "servers: {s: {command: x, extensionToLanguage: {.x: x}}}\n"

func TestBadConfigs(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{
			"A-038 empty file", "",
			"navseam.yaml:1:1: the configuration is empty: name at least one server under the key servers, or a module under modules",
		},
		{
			"A-038 only a comment", "# nothing\n",
			"navseam.yaml:1:1: the configuration is empty: name at least one server under the key servers, or a module under modules\n" +
				"   1 | # nothing\n" +
				"     | ^",
		},
		{
			"A-038 no servers", "lenient: true\n",
			"navseam.yaml:1:1: servers: at least one server is required here, or a module under modules: give an id, and under it its command or path and the files that it serves\n" +
				"   1 | lenient: true\n" +
				"     | ^",
		},
		{
			"A-038 empty table", "\nservers: {}\n",
			"navseam.yaml:2:1: servers: at least one server is required here, or a module under modules: give an id, and under it its command or path and the files that it serves\n" +
				"   2 | servers: {}\n" +
				"     | ^",
		},
		{
			"A-036 no table", "servers: [gopls]\n",
			"navseam.yaml:1:1: servers: must be a mapping of keys to values, not a list\n" +
				"   1 | servers: [gopls]\n" +
				"     | ^",
		},
		{
			"A-039 blank id", "servers:\n  \"\": {command: x, extensionToLanguage: {.x: x}}\n",
			"navseam.yaml:2:3: servers.\"\": the id of a server must not be blank\n" +
				"   2 |   \"\": {command: x, extensionToLanguage: {.x: x}}\n" +
				"     |   ^",
		},
		{
			"A-037 nothing given", "servers:\n  gopls:\n",
			"navseam.yaml:2:3: servers.gopls.command: is required and must not be blank\n" +
				"   2 |   gopls:\n" +
				"     |   ^\n" +
				"navseam.yaml:2:3: servers.gopls.extensionToLanguage: at least one entry is required here or under fileNameToLanguage, such as \".go\": go\n" +
				"   2 |   gopls:\n" +
				"     |   ^",
		},
		{
			"A-040 zero", "servers:\n  gopls:\n    command: gopls\n    extensionToLanguage: {.go: go}\n    killGraceMs: 0\n",
			"navseam.yaml:5:18: servers.gopls.killGraceMs: must be a whole number from 1 to 2147483647, not 0\n" +
				"   5 |     killGraceMs: 0\n" +
				"     |                  ^",
		},
		{
			"A-041 text", "servers:\n  gopls:\n    command: gopls\n    extensionToLanguage: {.go: go}\n    maxStderrBytes: 1MB\n",
			"navseam.yaml:5:21: servers.gopls.maxStderrBytes: must be a whole number from 1 to 2147483647, not the text \"1MB\"\n" +
				"   5 |     maxStderrBytes: 1MB\n" +
				"     |                     ^",
		},
		{
			"unknown key", good + "limits: {proceses: 3}\n",
			"navseam.yaml:2:10: limits.proceses: there is no such key: did you mean processes?\n" +
				"   2 | limits: {proceses: 3}\n" +
				"     |          ^",
		},
		{
			"unknown key like none", good + "plugins: {}\n",
			"navseam.yaml:2:1: plugins: there is no such key: the keys here are servers, modules, limits, sourceRoots, tool, lenient\n" +
				"   2 | plugins: {}\n" +
				"     | ^",
		},
		{
			"key given twice", good + "lenient: true\nlenient: false\n",
			"navseam.yaml:3:1: lenient: this key is given on line 2 already: keep one\n" +
				"   3 | lenient: false\n" +
				"     | ^",
		},
		{
			"server given twice", "servers:\n  s: {command: x, extensionToLanguage: {.x: x}}\n  s: {command: y, extensionToLanguage: {.y: y}}\n",
			"navseam.yaml:3:3: servers.s: this key is given on line 2 already: keep one\n" +
				"   3 |   s: {command: y, extensionToLanguage: {.y: y}}\n" +
				"     |   ^",
		},
		{
			"second document", good + "---\n" + good,
			"navseam.yaml:2:1: a second document begins here: a configuration is only one\n" +
				"   2 | ---\n" +
				"     | ^",
		},
		{
			"list", "- a\n- b\n",
			"navseam.yaml:1:1: the configuration must be a mapping of keys to values, not a list\n" +
				"   1 | - a\n" +
				"     | ^",
		},
		{
			"text", "gopls\n",
			"navseam.yaml:1:1: the configuration must be a mapping of keys to values, not the text \"gopls\"\n" +
				"   1 | gopls\n" +
				"     | ^",
		},
		{
			"directive", "%YAML 1.2\n---\n" + good,
			"navseam.yaml:1:1: directives are not understood: take this line out\n" +
				"   1 | %YAML 1.2\n" +
				"     | ^",
		},
		{
			"tag", good + "lenient: !!bool true\n",
			"navseam.yaml:2:10: lenient: tags such as !!bool are not understood: write the value alone\n" +
				"   2 | lenient: !!bool true\n" +
				"     |          ^",
		},
		{
			"not closed", good + "sourceRoots: [a, b\n",
			"navseam.yaml:2:14: this is not YAML: sequence end token ']' not found\n" +
				"   2 | sourceRoots: [a, b\n" +
				"     |              ^",
		},
		{
			"tab", good + "limits:\n\tprocesses: 1\n",
			"navseam.yaml:3:1: this is not YAML: found character tab that cannot start any token; indent with blanks\n" +
				"   3 | \tprocesses: 1\n" +
				"     | ^",
		},
		{
			"variable without quotes", "servers: {s: {command: x, args: [${env:HOME}], extensionToLanguage: {.x: x}}}\n",
			"navseam.yaml:1:35: this is not YAML: ',' or ']' must be specified; put quotes around a text with ${…} that stands inside [ ] or { }\n" +
				"   1 | servers: {s: {command: x, args: [${env:HOME}], extensionToLanguage: {.x: x}}}\n" +
				"     |                                   ^",
		},
		{
			"unset variable", "servers:\n  s:\n    command: ${env:NOPE}/x\n    extensionToLanguage: {.x: x}\n",
			"navseam.yaml:3:14: servers.s.command: the environment variable NOPE is not set: set it, or write the value here\n" +
				"   3 |     command: ${env:NOPE}/x\n" +
				"     |              ^",
		},
		{
			"unset variables in a list and a mapping",
			"servers:\n  s:\n    command: x\n    extensionToLanguage: {.x: x}\n    args:\n      - a\n      - \"${env:NOPE}\"\n    env:\n      B: '${nope}'\n",
			"navseam.yaml:7:9: servers.s.args[1]: the environment variable NOPE is not set: set it, or write the value here\n" +
				"   7 |       - \"${env:NOPE}\"\n" +
				"     |         ^\n" +
				"navseam.yaml:9:10: servers.s.env.B: ${nope} is unknown: there are ${configDir} and ${env:NAME}; write \"$${\" for the characters themselves\n" +
				"   9 |       B: '${nope}'\n" +
				"     |          ^",
		},
		{
			"number for text", "servers:\n  s:\n    command: x\n    extensionToLanguage: {.x: x}\n    args: [-p, 8080]\n",
			"navseam.yaml:5:16: servers.s.args[1]: must be text (in quotes), not 8080\n" +
				"   5 |     args: [-p, 8080]\n" +
				"     |                ^",
		},
		{
			"text for a list", "servers:\n  s:\n    command: x\n    extensionToLanguage: {.x: x}\n    args: serve\n",
			"navseam.yaml:5:11: servers.s.args: must be a list, such as [a, b], not the text \"serve\"\n" +
				"   5 |     args: serve\n" +
				"     |           ^",
		},
		{
			"list for text", "servers:\n  s:\n    command:\n      - x\n    extensionToLanguage: {.x: x}\n",
			"navseam.yaml:3:5: servers.s.command: must be text, not a list\n" +
				"   3 |     command:\n" +
				"     |     ^",
		},
		{
			"no value in a mapping", "servers:\n  s:\n    command: x\n    extensionToLanguage: {.x: x}\n    env: {A: }\n",
			"navseam.yaml:5:11: servers.s.env.A: must be text (in quotes), not an empty value\n" +
				"   5 |     env: {A: }\n" +
				"     |           ^",
		},
		{
			"yes for true", good + "lenient: yes\n",
			"navseam.yaml:2:10: lenient: must be true or false, not the text \"yes\"\n" +
				"   2 | lenient: yes\n" +
				"     |          ^",
		},
		{
			"signals", "servers:\n  s:\n    command: x\n    extensionToLanguage: {.x: x}\n    readyWhen:\n      log: 'a('\n      answers: true\n",
			"navseam.yaml:5:5: servers.s.readyWhen: must have exactly one of progress, log, status and answers, not 2\n" +
				"   5 |     readyWhen:\n" +
				"     |     ^\n" +
				"navseam.yaml:6:12: servers.s.readyWhen.log: must be a Go regular expression: error parsing regexp: missing closing ): `a(`\n" +
				"   6 |       log: 'a('\n" +
				"     |            ^",
		},
		{
			"language of the wrong type is told once", "servers:\n  s:\n    command: x\n    extensionToLanguage: {.x: 1}\n",
			"navseam.yaml:4:31: servers.s.extensionToLanguage.\".x\": must be text (in quotes), not 1\n" +
				"   4 |     extensionToLanguage: {.x: 1}\n" +
				"     |                               ^",
		},
		{
			"not a file name", "servers:\n  s:\n    command: x\n    fileNameToLanguage: {a: a, b/c: d}\n",
			"navseam.yaml:4:32: servers.s.fileNameToLanguage.\"b/c\": file name \"b/c\" is not usable: write a base name such as \"Makefile\"\n" +
				"   4 |     fileNameToLanguage: {a: a, b/c: d}\n" +
				"     |                                ^",
		},
		{
			"configured twice", "servers:\n  s:\n    command: x\n    extensionToLanguage: {.x: x}\n    settings: {a: 1}\n    configuration: 5\n",
			"navseam.yaml:5:5: servers.s.settings: cannot go with configuration: keep one of them\n" +
				"   5 |     settings: {a: 1}\n" +
				"     |     ^",
		},
		{
			"not JSON",
			"servers:\n  s:\n    command: x\n    extensionToLanguage: {.x: x}\n    settings:\n      a: [.nan, -.inf]\n      b: {1: x}\n      c: 99999999999999999999\n      d: '99999999999999999999'\n",
			"navseam.yaml:6:11: servers.s.settings.a[0]: .nan cannot be sent as JSON\n" +
				"   6 |       a: [.nan, -.inf]\n" +
				"     |           ^\n" +
				"navseam.yaml:6:17: servers.s.settings.a[1]: -.inf cannot be sent as JSON\n" +
				"   6 |       a: [.nan, -.inf]\n" +
				"     |                 ^\n" +
				"navseam.yaml:7:11: servers.s.settings.b: a key must be text (in quotes), not 1\n" +
				"   7 |       b: {1: x}\n" +
				"     |           ^\n" +
				"navseam.yaml:8:10: servers.s.settings.c: 99999999999999999999 is too large for a number: put it in quotes if it is text\n" +
				"   8 |       c: 99999999999999999999\n" +
				"     |          ^",
		},
		{
			"alias without anchor", "servers:\n  s:\n    command: *x\n    args: &x [*x]\n    extensionToLanguage: {.x: x}\n",
			"navseam.yaml:3:14: servers.s.command: no anchor &x is complete before this alias\n" +
				"   3 |     command: *x\n" +
				"     |              ^\n" +
				"navseam.yaml:4:15: servers.s.args[0]: no anchor &x is complete before this alias\n" +
				"   4 |     args: &x [*x]\n" +
				"     |               ^",
		},
		{
			"not UTF-8", good + "# caf\xe9\n",
			"navseam.yaml:2:6: the file is not UTF-8 text here: save it as UTF-8\n" +
				"   2 | # caf\ufffd\n" +
				"     |      ^",
		},
		{
			"columns count characters", "servers:\n  日本: {command: é, extensionToLanguage: {.x: x}, instances: 0}\n",
			"navseam.yaml:2:61: servers.\"日本\".instances: must be a whole number from 1 to 64, not 0\n" +
				"   2 |   日本: {command: é, extensionToLanguage: {.x: x}, instances: 0}\n" +
				"     |                                                             ^",
		},
		{
			"CRLF", "servers:\r\n  s:\r\n    command: x\r\n    extensionToLanguage: {.x: x}\r\n    instances: 0\r\n",
			"navseam.yaml:5:16: servers.s.instances: must be a whole number from 1 to 64, not 0\n" +
				"   5 |     instances: 0\n" +
				"     |                ^",
		},
		{
			"byte order mark", "\ufefflenient: 1\n" + good,
			"navseam.yaml:1:10: lenient: must be true or false, not 1\n" +
				"   1 | lenient: 1\n" +
				"     |          ^",
		},
		{
			"a problem in what was merged in is at the anchor",
			"servers:\n  a: &a {command: x, extensionToLanguage: {.x: x}, instances: 0}\n  b: {<<: *a, instances: 1, extensionToLanguage: {.y: y}}\n",
			"navseam.yaml:2:63: servers.a.instances: must be a whole number from 1 to 64, not 0\n" +
				"   2 |   a: &a {command: x, extensionToLanguage: {.x: x}, instances: 0}\n" +
				"     |                                                               ^",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			config, err := parse(t, c.text)
			require.EqualError(t, err, c.want)
			require.Equal(t, seam.CodeInvalidConfig, seam.CodeOf(err))
			require.Zero(t, config)
		})
	}
}

// Everything that is wrong is told at once, in the order of the file.
func TestAllProblemsAtOnce(t *testing.T) {
	_, err := parse(t, `lenient: maybe
servers:
  gopls:
    comand: gopls
    extensionToLanguage: {.go: ""}
    args: [1]
  pyright:
    command: ${env:NOPE}
    extensionToLanguage: {.py: python}
    openDocuments: 2000
`)
	var told []string
	for _, match := range regexp.MustCompile(`(?m)^navseam.yaml:(\d+:\d+: \S+): `).FindAllStringSubmatch(err.Error(), -1) {
		told = append(told, match[1])
	}
	require.Equal(t, []string{
		"1:10: lenient",
		"3:3: servers.gopls.command",
		"4:5: servers.gopls.comand",
		`5:27: servers.gopls.extensionToLanguage.".go"`,
		"6:12: servers.gopls.args[0]",
		"8:14: servers.pyright.command",
		"10:20: servers.pyright.openDocuments",
	}, told)
}

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("a", 200) + "X" + strings.Repeat("b", 200)
	for _, c := range []struct {
		name, source string
		at           position
		want         string
	}{
		{"tab kept", "\tab", position{1, 3}, "   1 | \tab\n     | \t ^"},
		{"past the end", "ab", position{1, 9}, "   1 | ab\n     |   ^"},
		{"no such line", "ab", position{2, 1}, ""},
		{"nowhere", "ab", position{}, ""},
		{"escape sequences do nothing", "a\x1b[2Jb", position{1, 1}, "   1 | a\ufffd[2Jb\n     | ^"},
		{
			"long line", long,
			position{1, 201},
			"   1 | " + strings.Repeat("a", 60) + "X" + strings.Repeat("b", 59) + "\n     | " + strings.Repeat(" ", 60) + "^",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, excerpt(c.source, c.at))
		})
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "navseam.yaml")
	require.NoError(t, os.WriteFile(file, []byte(`
servers:
  s:
    command: ${configDir}/x
    args: ["${env:NAVSEAM_TEST_VALUE}"]
    extensionToLanguage: {.x: x}
sourceRoots: [../elsewhere]
`), 0o600))
	t.Setenv("NAVSEAM_TEST_VALUE", "from the environment")
	t.Chdir(dir)
	config, err := Load("navseam.yaml")
	require.NoError(t, err)
	here, err := os.Getwd()
	require.NoError(t, err)
	require.Equal(t, here+"/x", config.Servers["s"].Command)
	require.Equal(t, []string{"from the environment"}, config.Servers["s"].Args)
	require.Equal(t, []string{filepath.Join(filepath.Dir(here), "elsewhere")}, config.SourceRoots)
}

func TestLoadFailures(t *testing.T) {
	t.Chdir(t.TempDir())
	_, err := Load("missing.yaml")
	require.Equal(t, seam.CodeInvalidConfig, seam.CodeOf(err))
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.True(t, strings.HasPrefix(err.Error(), "missing.yaml: the config file cannot be read: "), err)

	require.NoError(t, os.Mkdir("folder", 0o700))
	_, err = Load("folder")
	require.Equal(t, seam.CodeInvalidConfig, seam.CodeOf(err))
	require.ErrorContains(t, err, "folder: the config file cannot be read: ")

	require.NoError(t, os.WriteFile("big.yaml", []byte("#"+strings.Repeat("x", 300<<10)), 0o600))
	_, err = Load("big.yaml")
	require.EqualError(t, err, "big.yaml: the file is larger than 256 KiB: it is no configuration")

	require.NoError(t, os.WriteFile("bad.yaml", []byte("servers: 1\n"), 0o600))
	_, err = Load("bad.yaml")
	require.EqualError(t, err, "bad.yaml:1:10: servers: must be a mapping of keys to values, not 1\n   1 | servers: 1\n     |          ^")
	var coded *seam.Error
	require.True(t, errors.As(err, &coded))
}

// Small texts that would take very long or very much to read are refused.
func TestHostileConfigs(t *testing.T) {
	laughs := "servers:\n  s:\n    command: x\n    extensionToLanguage: {.x: x}\n    settings:\n      a0: &a0 [1]\n"
	for i := range 30 {
		before, name := "*a"+string(rune('0'+i%10))+strings.Repeat("_", i/10), "a"+string(rune('0'+(i+1)%10))+strings.Repeat("_", (i+1)/10)
		laughs += "      " + name + ": &" + name + " [" + before + " , " + before + " ]\n"
	}
	_, err := parse(t, laughs)
	require.ErrorContains(t, err, "the aliases make the configuration too large: write fewer")

	for _, open := range []string{"[", "{a: ", "- ", "? ", "!x ", "&x "} {
		_, err = parse(t, "servers: "+strings.Repeat(open, 50_000))
		require.ErrorContains(t, err, "values are nested more than 100 deep here")
	}
}

// A configuration without a file has no folder to be relative to.
func TestParseWithoutAFolder(t *testing.T) {
	_, err := Parse(Source{Data: []byte(good + "sourceRoots: [a]\n")})
	require.EqualError(t, err, `configuration:2:15: sourceRoots[0]: must be an absolute path, not "a"`+"\n   2 | sourceRoots: [a]\n     |               ^")
}
