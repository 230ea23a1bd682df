package trace

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestModuleLines(t *testing.T) {
	file := &memory{}
	l := newLog(file, 0, maxFileBytes)
	l.Hide(planted)
	m := l.Module("toy", "/w")
	m.Operation("hover", 1, 1500*time.Microsecond)
	m.Operation("goToDefinition", "trap", time.Millisecond)
	m.Import("hover", nil, 12)
	m.Import("file_open", int32(-2), -1)
	m.Request("GET", "https://user:"+unknown+"@a.example/path?q="+unknown+"#"+unknown)
	m.Request(unknown, "::"+unknown)
	m.Request("POST", "https://a.example/"+planted)
	require.NoError(t, l.Close())
	require.NotContains(t, file.String(), planted)
	require.NotContains(t, file.String(), unknown)
	var got []map[string]any
	for _, line := range lines(t, file.String()) {
		if line["provider"] != nil {
			require.Equal(t, []any{"toy", "/w"}, []any{line["provider"], line["workspace"]})
			delete(line, "time")
			delete(line, "provider")
			delete(line, "workspace")
			got = append(got, line)
		}
	}
	require.Equal(t, []map[string]any{
		{"kind": "operation", "method": "hover", "result": 1.0, "ms": 1.5},
		{"kind": "operation", "method": "goToDefinition", "result": "trap", "ms": 1.0},
		{"kind": "import", "method": "hover", "bytes": 12.0},
		{"kind": "import", "method": "file_open", "result": -2.0},
		{"kind": "http", "method": "GET", "url": "https://a.example/path"},
		{"kind": "http", "method": "[hidden]", "url": "[hidden]"},
		{"kind": "http", "method": "POST", "url": "[hidden]"},
	}, got)
}
