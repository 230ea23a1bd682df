package fakeserver

import (
	"fmt"
	"strings"
)

// reply is the body of the answer to a request, with its placeholders.
func (s *server) reply(a Action, m envelope, uri string, cancelled bool) string {
	_, open := s.open[uri]
	var answer string
	switch {
	case cancelled:
		answer = `"error":{"code":-32800,"message":"cancelled"}`
	case a.Reply != "":
		return a.Reply
	case s.script.RequireOpen && !open && strings.HasPrefix(m.Method, "textDocument/"):
		answer = `"error":{"code":-32000,"message":"the document is not open"}`
	case a.Error != nil:
		answer = `"error":` + string(a.Error)
	case a.Result != nil:
		answer = `"result":` + string(a.Result)
	case a.Locations > 0:
		answer = `"result":` + manyLocations(a.Locations)
	default:
		answer = s.usual(m.Method)
	}
	if answer == "" {
		answer = `"error":{"code":-32601,"message":"no such method"}`
	}
	if a.Pad > 0 {
		answer = `"pad":"` + padding(a.Pad) + `",` + answer
	}
	if a.IDLast {
		return `{"jsonrpc":"2.0",` + answer + `,"id":$id}`
	}
	return `{"jsonrpc":"2.0","id":$id,` + answer + `}`
}

func manyLocations(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = location(i)
	}
	return "[" + strings.Join(list, ",") + "]"
}

// location is the first character of a line of the document.
func location(line int) string {
	return fmt.Sprintf(`{"uri":"$uri","range":{"start":{"line":%d,"character":0},"end":{"line":%d,"character":1}}}`, line, line)
}

const usualCapabilities = `{"textDocumentSync":{"openClose":true,"change":1},` +
	`"definitionProvider":true,"referencesProvider":true,"implementationProvider":true,"hoverProvider":true}`

// usual is the answer of a well-behaved server, and empty when it knows no such method.
func (s *server) usual(method string) string {
	switch method {
	case "initialize":
		capabilities := usualCapabilities
		if s.script.Capabilities != nil {
			capabilities = string(s.script.Capabilities)
		}
		return `"result":{"capabilities":` + capabilities + `}`
	case "shutdown":
		return `"result":null`
	case "textDocument/definition":
		return `"result":` + location(0)
	case "textDocument/references":
		return `"result":[` + location(0) + `,` + location(1) + `]`
	case "textDocument/implementation":
		return `"result":[` + location(2) + `]`
	case "textDocument/hover":
		return `"result":{"contents":{"kind":"markdown","value":"fake"}}`
	}
	return ""
}
