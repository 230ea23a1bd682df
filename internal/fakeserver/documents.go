package fakeserver

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// document is one that the client has open.
type document struct {
	text    string
	version int
}

type textParams struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Text    string `json:"text"`
		Version int    `json:"version"`
	} `json:"textDocument"`
	ContentChanges []struct {
		Range json.RawMessage `json:"range"`
		Text  string          `json:"text"`
	} `json:"contentChanges"`
}

// note keeps the open documents, and returns the document that a message is about.
func (s *server) note(m envelope) string {
	var p textParams
	if json.Unmarshal(m.Params, &p) != nil {
		return ""
	}
	uri := p.TextDocument.URI
	before, open := s.open[uri]
	must := func(ok bool, rule string) {
		if !ok {
			s.log.violation(fmt.Sprintf("%s: %s: %s", m.Method, rule, uri))
		}
	}
	switch m.Method {
	case "textDocument/didOpen":
		must(!open, "the document is open")
		s.open[uri] = document{p.TextDocument.Text, p.TextDocument.Version}
	case "textDocument/didChange":
		must(open, "the document is not open")
		must(!open || p.TextDocument.Version > before.version, "the version does not grow")
		must(len(p.ContentChanges) == 1 && p.ContentChanges[0].Range == nil, "not one change of the full text")
		if n := len(p.ContentChanges); n > 0 {
			s.open[uri] = document{p.ContentChanges[n-1].Text, p.TextDocument.Version}
		}
	case "textDocument/didClose":
		must(open, "the document is not open")
		delete(s.open, uri)
	}
	return uri
}

// filler returns what puts the placeholders' values into a JSON text.
func (s *server) filler(m envelope, uri string) func(string) string {
	d := s.open[uri]
	values := strings.NewReplacer(
		"$id", string(m.ID),
		"$uri", inString(uri),
		"$root", inString(s.root),
		"$text", inString(d.text),
		"$version", strconv.Itoa(d.version),
		"$xff", "\xff",
	)
	return values.Replace
}

// inString is a text as it stands between the quotes of a JSON string.
func inString(text string) string {
	var quoted strings.Builder
	e := json.NewEncoder(&quoted)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string in memory cannot fail
	return strings.TrimSuffix(quoted.String()[1:], "\"\n")
}
