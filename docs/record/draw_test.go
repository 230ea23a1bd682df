package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDraw(t *testing.T) {
	long := strings.Repeat("語", columns+1)
	texts := textsOf(t, draw([]take{
		{"navseam query hover a.go:1 --symbol <&>", "\tfunc(a <-chan int) & more\n\n" + long + "\n"},
		{"navseam query findReferences b.go:2 --symbol b", strings.Repeat("b.go:1:1\n", rows+2) + "14 locations in 1 file.\n"},
	}))
	want := []string{
		"$ navseam query hover a.go:1 --symbol <&>",
		"    func(a <-chan int) & more",
		strings.Repeat("語", columns-1) + "…",
		"$ navseam query findReferences b.go:2 --symbol b",
	}
	for range rows - 2 {
		want = append(want, "b.go:1:1")
	}
	require.Equal(t, append(want, "(4 more lines)", "14 locations in 1 file."), texts)
}

// An answer that fits is whole, to its last line.
func TestDrawWhole(t *testing.T) {
	texts := textsOf(t, draw([]take{{"navseam", strings.Repeat("x\n", rows)}}))
	require.Len(t, texts, 1+rows)
	require.Equal(t, "x", texts[rows])
}

// The picture in the tree shows commands that ask what this program asks, and is small.
func TestRecording(t *testing.T) {
	picture, err := os.ReadFile(filepath.Join("..", "recording.svg"))
	require.NoError(t, err)
	require.LessOrEqual(t, len(picture), maxBytes)
	var commands []string
	for _, text := range textsOf(t, picture) {
		if command, ok := strings.CutPrefix(text, "$ "); ok {
			commands = append(commands, command)
		}
	}
	require.Len(t, commands, len(questions()))
	for i, q := range questions() {
		require.True(t, strings.HasPrefix(commands[i], "navseam query "+q.operation+" "+q.file+":"), commands[i])
		require.True(t, strings.HasSuffix(commands[i], " --symbol "+q.symbol), commands[i])
	}
}

// Each question finds its line, on which its symbol stands.
func TestQuestions(t *testing.T) {
	for _, q := range questions() {
		args, err := q.args(filepath.Join("..", ".."))
		require.NoError(t, err)
		require.Contains(t, q.code, q.symbol)
		require.Equal(t, []string{"query", q.operation}, args[:2])
	}
	_, err := question{"hover", "README.md", "no such text " + "anywhere", "x"}.args(filepath.Join("..", ".."))
	require.ErrorContains(t, err, `README.md no longer contains "no such text anywhere"`)
}

// textsOf reads the texts of a picture, which has to be well-formed.
func textsOf(t *testing.T, picture []byte) []string {
	t.Helper()
	var texts []string
	var current *strings.Builder
	decoder := xml.NewDecoder(strings.NewReader(string(picture)))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return texts
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			if token.Name.Local == "text" {
				current = &strings.Builder{}
			}
		case xml.CharData:
			if current != nil {
				current.Write(token)
			}
		case xml.EndElement:
			if token.Name.Local == "text" {
				texts = append(texts, current.String())
				current = nil
			}
		}
	}
}
