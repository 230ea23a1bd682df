package host

import (
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var updateDocs = flag.Bool("update", false, "write docs/config.md and docs/config.schema.json anew")

// The documents say what the structs say. go test ./host -run TestDocuments -update writes them.
func TestDocuments(t *testing.T) {
	for file, want := range map[string][]byte{
		"../docs/config.md":          Reference(),
		"../docs/config.schema.json": Schema(),
	} {
		if *updateDocs {
			require.NoError(t, os.MkdirAll("../docs", 0o755))
			require.NoError(t, os.WriteFile(file, want, 0o644))
		}
		got, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, string(want), strings.ReplaceAll(string(got), "\r\n", "\n"), "run go test ./host -run TestDocuments -update")
	}
}

// What the documents show works.
func TestDocumentedConfigsParse(t *testing.T) {
	examples := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(Reference()), -1)
	require.Len(t, examples, 4)
	for _, example := range examples {
		_, err := parse(t, example[1])
		require.NoError(t, err)
	}
}

// Every key has a name, a meaning that fits a table, and a range of which its default is part.
func TestTags(t *testing.T) {
	seen := 0
	var visit func(defaults reflect.Value)
	visit = func(defaults reflect.Value) {
		for _, f := range fieldsOf(defaults.Type()) {
			seen++
			tag := defaults.Type().Field(f.index).Tag
			require.Regexp(t, `^[a-z][A-Za-z0-9]+$`, f.name)
			require.Regexp(t, `^[^|\n]+\.$`, f.doc, f.name)
			if value := defaults.Field(f.index); value.Kind() == reflect.Int {
				require.Regexp(t, `^([01]|65536)$`, tag.Get("min"), f.name)
				require.Regexp(t, `^([1-9]\d*)?$`, tag.Get("max"), f.name)
				require.GreaterOrEqual(t, value.Int(), int64(f.min), f.name)
				require.LessOrEqual(t, value.Int(), int64(f.max), f.name)
			}
			require.Equal(t, announcesSecrets(f.name), f.secret, f.name)
			require.Equal(t, f.pattern != "", f.form != "", f.name)
			if inner := structOf(f.typ); inner != nil {
				value := prefilled(inner)
				if f.typ.Kind() == reflect.Struct {
					value = defaults.Field(f.index)
				}
				visit(value)
			}
		}
	}
	visit(reflect.ValueOf(DefaultConfig()))
	require.Equal(t, 6+2+5+26+10+6+2+11+7+3+2+6+1+2, seen,
		"top level, limits, tool, server, freshness, readyWhen, circuit, module, its limits, grants, files, http, cache, its circuit")
}

// at follows a path in the schema.
func at(t *testing.T, keys ...string) any {
	t.Helper()
	var value any
	require.NoError(t, json.Unmarshal(Schema(), &value))
	for _, key := range keys {
		object, ok := value.(map[string]any)
		require.True(t, ok, key)
		require.Contains(t, object, key)
		value = object[key]
	}
	return value
}

func TestSchema(t *testing.T) {
	server := []string{"properties", "servers", "additionalProperties"}
	key := func(rest ...string) []string { return append(append([]string{}, server...), rest...) }
	module := func(rest ...string) []string {
		return append([]string{"properties", "modules", "additionalProperties", "properties"}, rest...)
	}
	for _, c := range []struct {
		path []string
		want any
	}{
		{[]string{"$schema"}, "https://json-schema.org/draft/2020-12/schema"},
		{[]string{"type"}, "object"},
		{[]string{"anyOf"}, []any{
			map[string]any{"required": []any{"servers"}, "properties": map[string]any{"servers": map[string]any{"minProperties": 1.0}}},
			map[string]any{"required": []any{"modules"}, "properties": map[string]any{"modules": map[string]any{"minProperties": 1.0}}},
		}},
		{[]string{"additionalProperties"}, false},
		{[]string{"properties", "servers", "propertyNames", "pattern"}, `\S`},
		{[]string{"properties", "lenient", "default"}, false},
		{[]string{"properties", "limits", "additionalProperties"}, false},
		{[]string{"properties", "limits", "properties", "processes", "maximum"}, 64.0},
		{[]string{"properties", "sourceRoots", "items", "type"}, "string"},
		{[]string{"properties", "tool", "properties", "format", "enum"}, []any{"lines", "grouped"}},
		{[]string{"properties", "tool", "properties", "snippets", "default"}, true},
		{[]string{"properties", "tool", "properties", "maxResultChars", "default"}, 16000.0},
		{key("additionalProperties"), false},
		{key("required"), []any{"command"}},
		{key("anyOf"), []any{
			map[string]any{"required": []any{"extensionToLanguage"}},
			map[string]any{"required": []any{"fileNameToLanguage"}},
		}},
		{key("not"), map[string]any{"required": []any{"configuration", "settings"}}},
		{key("properties", "command", "pattern"), `\S`},
		{key("properties", "env", "additionalProperties", "type"), "string"},
		{key("properties", "rootMarkers", "items", "type"), "string"},
		{key("properties", "killGraceMs", "type"), "integer"},
		{key("properties", "killGraceMs", "minimum"), 1.0},
		{key("properties", "killGraceMs", "maximum"), 2147483647.0},
		{key("properties", "killGraceMs", "default"), 2000.0},
		{key("properties", "idleTimeoutMs", "minimum"), 0.0},
		{key("properties", "documents", "enum"), []any{"leased", "transient"}},
		{key("properties", "documents", "default"), "leased"},
		{key("properties", "cancelRequests", "default"), true},
		{key("properties", "readyWhen", "maxProperties"), 1.0},
		{key("properties", "readyWhen", "properties", "status", "enum"), []any{"quiescent"}},
		{key("properties", "circuit", "properties", "cooldownMs", "default"), 30000.0},
		{key("properties", "settings"), map[string]any{
			"description": "Sent by section: for an item such as python.analysis, the value at that path.",
		}},
		{[]string{"properties", "modules", "additionalProperties", "required"}, []any{"path"}},
		{module("sha256", "pattern"), "^([0-9A-Fa-f]{64})?$"},
		{module("engine", "enum"), []any{"wazero", "wazero-interpreter", "wasmtime"}},
		{module("engine", "default"), "wazero"},
		{module("limits", "properties", "memoryBytes", "maximum"), 1073741824.0},
		{module("limits", "properties", "memoryBytes", "default"), 134217728.0},
		{module("grants", "properties", "http", "items", "required"), []any{"url"}},
		{module("grants", "properties", "http", "items", "additionalProperties"), false},
		{module("grants", "properties", "http", "items", "properties", "bodyBytes", "default"), 4194304.0},
		{module("grants", "properties", "files", "properties", "mounts", "additionalProperties", "type"), "string"},
		{module("grants", "properties", "cache", "properties", "bytes", "minimum"), 0.0},
	} {
		t.Run(strings.Join(c.path, " "), func(t *testing.T) {
			require.Equal(t, c.want, at(t, c.path...))
		})
	}
}
