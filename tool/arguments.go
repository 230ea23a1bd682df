package tool

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/navseam/navseam/internal/nearest"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// The arguments of a call.
const (
	argOperation = "operation"
	argFilePath  = "file_path"
	argLine      = "line"
	argCharacter = "character"
	argSymbol    = "symbol"
)

func argumentNames() []string {
	return []string{argOperation, argFilePath, argLine, argCharacter, argSymbol}
}

// maxArguments bounds the arguments of a call, in bytes. Beyond it they are something else.
const maxArguments = 64 << 10

// parseArguments reads the arguments of a call. Its error names all that is wrong with
// them, each with what was given and what to give.
func parseArguments(raw json.RawMessage) (Question, error) {
	values, err := members(raw)
	if err != nil {
		return Question{}, err
	}
	a := arguments{values: values}
	q := Question{
		Operation: a.operation(),
		File:      a.file(),
		Line:      a.coordinate(argLine, `a whole number from 1, such as 12`),
		Character: a.character(),
		Symbol:    a.symbol(),
	}
	a.position(q)
	a.unknown()
	if len(a.wrong) > 0 {
		return Question{}, seam.Errorf(seam.CodeInvalidArgs, "%s", strings.Join(a.wrong, "; "))
	}
	return q, nil
}

// members takes an object apart.
func members(raw json.RawMessage) (map[string]json.RawMessage, error) {
	const wanted = `give one JSON object, such as {"operation": "hover", "file_path": "main.go", "line": 12, "symbol": "main"}`
	refuse := func(format string, args ...any) error {
		return seam.Errorf(seam.CodeInvalidArgs, "the arguments "+format+": "+wanted, args...)
	}
	raw = bytes.TrimSpace(raw)
	switch {
	case len(raw) > maxArguments:
		return nil, refuse("have %d bytes, and the most is %d", len(raw), maxArguments)
	case len(raw) == 0 || string(raw) == "null":
		return nil, refuse("are missing")
	case !utf8.Valid(raw):
		return nil, refuse("are not UTF-8")
	case !json.Valid(raw): // which bounds how deep they are nested
		return nil, refuse("are not JSON")
	case raw[0] != '{':
		return nil, refuse("are %s", given(raw))
	}
	values := map[string]json.RawMessage{}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	_, err := decoder.Token() // the bracket
	for err == nil && decoder.More() {
		var name json.Token
		if name, err = decoder.Token(); err != nil {
			break
		}
		var value json.RawMessage
		err = decoder.Decode(&value)
		if _, twice := values[name.(string)]; twice {
			return nil, refuse("have %s twice", short(name.(string)))
		}
		values[name.(string)] = value
	}
	if err != nil { // not reached: they are valid JSON
		return nil, refuse("are not JSON (%v)", err)
	}
	return values, nil
}

// arguments reads one value after the other and keeps what is wrong.
type arguments struct {
	values map[string]json.RawMessage
	wrong  []string
}

func (a *arguments) refuse(format string, args ...any) {
	a.wrong = append(a.wrong, fmt.Sprintf(format, args...))
}

func (a *arguments) operation() seam.Operation {
	const wanted = "give goToDefinition, findReferences, goToImplementation or hover"
	name, ok := a.text(argOperation, wanted)
	if !ok {
		return 0
	}
	operation, err := seam.ParseOperation(name)
	if err != nil {
		a.refuse("operation %s is unknown: %s", short(name), wanted)
	}
	return operation
}

// file is not trimmed: a name may begin or end with blanks. A file: URI is taken for the
// path that it stands for.
func (a *arguments) file() string {
	const wanted = "give the path of a source file, absolute or relative to the workspace"
	path, ok := a.text(argFilePath, wanted)
	switch {
	case !ok:
		return ""
	case strings.TrimSpace(path) == "":
		a.refuse("file_path is blank: %s", wanted)
	case len(path) > maxPath:
		a.refuse("file_path has %d bytes, and the most is %d: %s", len(path), maxPath, wanted)
	case len(path) >= len("file:/") && strings.EqualFold(path[:len("file:/")], "file:/"):
		named, err := workspace.PathOf(path)
		if err != nil {
			a.refuse("file_path %s is a URI that stands for no path here: %s", short(path), wanted)
		}
		return named
	}
	return path
}

// maxPath bounds a path, in bytes: systems take no longer ones.
const maxPath = 4_096

// character is 0 when it is absent, or of no use.
func (a *arguments) character() int {
	if isAbsent(a.values[argCharacter]) {
		return 0
	}
	return a.coordinate(argCharacter, "a whole number from 1, or leave it out and give symbol")
}

// symbol is empty when it is absent, or of no use.
func (a *arguments) symbol() string {
	const wanted = "give the symbol's name as it stands on the line, or leave it out and give character"
	if isAbsent(a.values[argSymbol]) {
		return ""
	}
	name, ok := a.text(argSymbol, wanted)
	switch {
	case ok && strings.TrimSpace(name) == "":
		a.refuse("symbol is blank: %s", wanted)
	case len(name) > maxSymbol:
		a.refuse("symbol has %d bytes, and the most is %d: %s", len(name), maxSymbol, wanted)
	case strings.ContainsAny(name, "\r\n"):
		a.refuse("symbol %s has more than one line: %s", short(name), wanted)
	}
	return name
}

// maxSymbol bounds a symbol, in bytes.
const maxSymbol = 1_000

// position wants one of the two that say where on the line.
func (a *arguments) position(q Question) {
	if q.Character == 0 && q.Symbol == "" && isAbsent(a.values[argCharacter]) && isAbsent(a.values[argSymbol]) {
		a.refuse("neither symbol nor character says where on the line: give symbol, the name as it stands there, or character, its column counted from 1")
	}
}

func (a *arguments) unknown() {
	for _, name := range names(a.values) {
		if slices.Contains(argumentNames(), name) {
			continue
		}
		if meant := nearest.Word(name, argumentNames()); meant != "" && len(name) <= maxShown {
			a.refuse("there is no argument %s: did you mean %s?", short(name), meant)
		} else {
			a.refuse("there is no argument %s: the arguments are %s", short(name), strings.Join(argumentNames(), ", "))
		}
		return // one tells enough
	}
}

// text reads a value that has to be text.
func (a *arguments) text(name, wanted string) (string, bool) {
	raw, ok := a.values[name]
	if !ok || string(raw) == "null" {
		a.refuse("%s is missing: %s", name, wanted)
		return "", false
	}
	var text string
	if raw[0] != '"' || json.Unmarshal(raw, &text) != nil {
		a.refuse("%s must be text, not %s: %s", name, given(raw), wanted)
		return "", false
	}
	return text, true
}

// coordinate reads a value that has to be a whole number from 1, written in any way.
func (a *arguments) coordinate(name, wanted string) int {
	raw, ok := a.values[name]
	if !ok || string(raw) == "null" {
		a.refuse("%s is missing: give %s", name, wanted)
		return 0
	}
	number, size := wholeNumber(raw)
	switch size {
	case fits:
		return number
	case tooSmall:
		a.refuse("%s is %s, and lines and characters are counted from 1: give %s", name, given(raw), wanted)
	case tooLarge:
		a.refuse("%s is %s, and the largest is %d: give %s", name, given(raw), seam.MaxCoordinate, wanted)
	default:
		a.refuse("%s must be a whole number, not %s: give %s", name, given(raw), wanted)
	}
	return 0
}

func names(values map[string]json.RawMessage) []string {
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
