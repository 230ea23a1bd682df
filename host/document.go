package host

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// A config file is written by hand: beyond these bounds it is something else, and the
// time to parse it grows with the square of either.
const (
	maxSourceBytes = 256 << 10
	maxNesting     = 100
)

// byteOrderMark may begin a file. It is no part of its text.
const byteOrderMark = "\ufeff"

// document is a YAML document that holds one mapping.
type document struct {
	root    ast.Node
	targets map[*ast.AliasNode]ast.Node // what each alias stands for
}

// readDocument parses the source, which has to be one mapping.
func readDocument(data []byte) (document, *problem) {
	if p := checkText(data); p != nil {
		return document{}, p
	}
	text := strings.TrimPrefix(string(data), byteOrderMark)
	tokens := lexer.Tokenize(text)
	if p := checkNesting(tokens); p != nil {
		return document{}, p
	}
	// Keys that are given twice are for the decoder to report, along with all else.
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return document{}, syntaxProblem(err, text)
	}
	root, p := onlyDocument(file)
	if p != nil {
		return document{}, p
	}
	a := anchors{named: map[string]ast.Node{}, targets: map[*ast.AliasNode]ast.Node{}}
	a.resolve(root)
	return document{root, a.targets}, nil
}

func checkText(data []byte) *problem {
	if len(data) > maxSourceBytes {
		return &problem{text: fmt.Sprintf("the file is larger than %d KiB: it is no configuration", maxSourceBytes>>10)}
	}
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			line := bytes.Count(data[:i], []byte("\n")) + 1
			column := utf8.RuneCount(data[bytes.LastIndexByte(data[:i], '\n')+1:i]) + 1
			return &problem{text: "the file is not UTF-8 text here: save it as UTF-8", source: position{line, column}}
		}
		i += size
	}
	return nil
}

// checkNesting looks for what can be nested without end on one line: brackets, and signs
// such as the "-" of a list.
func checkNesting(tokens token.Tokens) *problem {
	brackets, signs, line := 0, 0, 0
	for _, t := range tokens {
		if t.Position.Line != line {
			signs, line = 0, t.Position.Line
		}
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			brackets++
		case token.SequenceEndType, token.MappingEndType:
			brackets--
		case token.SequenceEntryType, token.MappingKeyType, token.AnchorType, token.TagType:
			signs++
		}
		if max(brackets, signs) > maxNesting {
			return &problem{text: fmt.Sprintf("values are nested more than %d deep here", maxNesting), source: placeOf(t)}
		}
	}
	return nil
}

func syntaxProblem(err error, text string) *problem {
	p := &problem{text: "this is not YAML: " + err.Error()}
	var syntax yaml.Error
	if !errors.As(err, &syntax) {
		return p
	}
	p.source = placeOf(syntax.GetToken())
	message := strings.ReplaceAll(syntax.GetMessage(), "'\t'", "tab")
	p.text = "this is not YAML: " + message
	line := ""
	if lines := strings.Split(text, "\n"); p.source.line > 0 && p.source.line <= len(lines) {
		line = lines[p.source.line-1]
	}
	switch {
	case strings.Contains(line, "${"):
		p.text += `; put quotes around a text with ${…} that stands inside [ ] or { }`
	case strings.Contains(message, "tab"):
		p.text += "; indent with blanks"
	}
	return p
}

// onlyDocument is the mapping in a file that has one document and nothing else.
func onlyDocument(file *ast.File) (ast.Node, *problem) {
	if len(file.Docs) == 0 || len(file.Docs) == 1 && file.Docs[0].Body == nil {
		return nil, &problem{text: "the configuration is empty: name at least one server under the key servers, or a module under modules", source: position{1, 1}}
	}
	root := file.Docs[0].Body
	if directive, ok := root.(*ast.DirectiveNode); ok {
		return nil, &problem{text: "directives are not understood: take this line out", source: placeOf(directive.GetToken())}
	}
	if len(file.Docs) > 1 {
		second := file.Docs[1]
		start := second.Start
		if start == nil && second.Body != nil {
			start = second.Body.GetToken()
		}
		return nil, &problem{text: "a second document begins here: a configuration is only one", source: placeOf(start)}
	}
	return root, nil
}

// anchors finds out what aliases stand for, in the order of the text: an alias means the
// last anchor of its name that is complete before it, so that none contains itself.
type anchors struct {
	named   map[string]ast.Node
	targets map[*ast.AliasNode]ast.Node
}

func (a *anchors) resolve(n ast.Node) {
	switch n := n.(type) {
	case *ast.AnchorNode:
		a.resolve(n.Value)
		a.named[n.Name.GetToken().Value] = n.Value
	case *ast.AliasNode:
		if target, ok := a.named[n.Value.GetToken().Value]; ok {
			a.targets[n] = target
		}
	case *ast.TagNode:
		a.resolve(n.Value)
	case *ast.SequenceNode:
		for _, value := range n.Values {
			a.resolve(value)
		}
	case *ast.MappingNode:
		for _, pair := range n.Values {
			a.resolve(pair)
		}
	case *ast.MappingValueNode:
		a.resolve(n.Key)
		a.resolve(n.Value)
	}
}

func placeOf(t *token.Token) position {
	if t == nil || t.Position == nil {
		return position{}
	}
	return position{t.Position.Line, t.Position.Column}
}
