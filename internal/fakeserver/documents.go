package fakeserver

import (
	"encoding/json"
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
		Text string `json:"text"`
	} `json:"contentChanges"`
}

// note keeps the open documents, and returns the document that a message is about.
func (s *server) note(m envelope) string {
	var p textParams
	if json.Unmarshal(m.Params, &p) != nil {
		return ""
	}
	uri := p.TextDocument.URI
	switch m.Method {
	case "textDocument/didOpen":
		s.open[uri] = document{p.TextDocument.Text, p.TextDocument.Version}
	case "textDocument/didChange":
		if n := len(p.ContentChanges); n > 0 {
			s.open[uri] = document{p.ContentChanges[n-1].Text, p.TextDocument.Version}
		}
	case "textDocument/didClose":
		delete(s.open, uri)
	}
	return uri
}

// fill puts what is known into the placeholders of a JSON text.
func (s *server) fill(text, uri string) string {
	if !strings.Contains(text, "$") {
		return text
	}
	quoted, _ := json.Marshal(s.open[uri].text)
	return strings.NewReplacer(
		"$uri", uri,
		"$root", s.root,
		"$text", string(quoted[1:len(quoted)-1]),
		"$version", strconv.Itoa(s.open[uri].version),
	).Replace(text)
}
