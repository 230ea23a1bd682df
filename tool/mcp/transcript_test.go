package mcp

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write what the server says into the transcripts")

// Sessions as clients of that version hold them, line by line: "> " is sent, "< " is what
// comes back. What is not of the protocol is masked.
func TestTranscripts(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(paths), 3)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			require.NoError(t, err)
			require.Len(t, archive.Files, 1)
			heard := play(t, string(archive.Files[0].Data))
			if *update {
				archive.Files[0].Data = []byte(heard)
				require.NoError(t, os.WriteFile(path, txtar.Format(archive), 0o600))
			}
			require.Equal(t, string(archive.Files[0].Data), heard)
		})
	}
}

// play holds a session, and returns it as it went.
func play(t *testing.T, session string) string {
	t.Helper()
	c := rawSession(t, serverOf(t, knows), nil)
	var went strings.Builder
	for line := range strings.Lines(session) {
		switch {
		case strings.HasPrefix(line, "> "):
			c.send(strings.TrimSuffix(line[2:], "\n"))
			went.WriteString(line)
		case strings.HasPrefix(line, "<"):
			went.WriteString("< " + masked(t, c.read()) + "\n")
		default:
			went.WriteString(line)
		}
	}
	require.NoError(t, c.in.Close())
	require.NoError(t, <-c.over)
	_, err := c.out.ReadByte()
	require.Error(t, err, "the server said more")
	return went.String()
}

// masked leaves out what the tool and the build say.
func masked(t *testing.T, line string) string {
	t.Helper()
	var message any
	require.NoError(t, json.Unmarshal([]byte(line), &message))
	mask(message)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	require.NoError(t, e.Encode(message))
	return strings.TrimSpace(b.String())
}

func mask(value any) {
	switch value := value.(type) {
	case map[string]any:
		for key, part := range value {
			switch key {
			case "text", "instructions", "description", "inputSchema", metaKey:
				value[key] = "…"
			default:
				mask(part)
			}
		}
	case []any:
		for _, part := range value {
			mask(part)
		}
	}
}
