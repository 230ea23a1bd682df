package langserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/navseam/navseam/seam"
)

var errHoverContents = errors.New("hover contents are no text, markup or list of these")

// parseHover turns an answer to textDocument/hover into markdown. Null, and contents
// that come out empty, are no hover.
func parseHover(raw json.RawMessage) (*seam.Hover, error) {
	if absent(raw) {
		return nil, nil
	}
	var reply struct {
		Contents json.RawMessage `json:"contents"`
		Range    json.RawMessage `json:"range"`
	}
	if err := json.Unmarshal(raw, &reply); err != nil {
		return nil, errors.New("it is no object or null")
	}
	contents, err := hoverContents(reply.Contents)
	if err != nil || contents == "" {
		return nil, err
	}
	hover := &seam.Hover{Contents: contents}
	if absent(reply.Range) {
		return hover, nil
	}
	r, ok := (&cursor{data: reply.Range}).span()
	if !ok {
		return nil, errors.New("the hover's range is none")
	}
	hover.Range = &r
	return hover, nil
}

// hoverContents renders the three forms: MarkupContent, MarkedString, and a list of
// MarkedString.
func hoverContents(raw json.RawMessage) (string, error) {
	if !bytes.HasPrefix(raw, []byte("[")) {
		return hoverPart(raw, true)
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(raw, &parts); err != nil {
		return "", errHoverContents
	}
	rendered := make([]string, 0, len(parts))
	for _, part := range parts {
		text, err := hoverPart(part, false)
		if err != nil {
			return "", err
		}
		if text != "" {
			rendered = append(rendered, text)
		}
	}
	return strings.Join(rendered, "\n\n"), nil
}

// hoverPart renders a string, a language and value pair as a fenced block, or, where it
// is allowed, markup. Kind wins over language.
func hoverPart(raw json.RawMessage, markup bool) (string, error) {
	var text string
	if absent(raw) {
		return "", errHoverContents
	}
	if json.Unmarshal(raw, &text) == nil {
		return text, nil
	}
	var object struct {
		Kind     *string `json:"kind"`
		Language *string `json:"language"`
		Value    *string `json:"value"`
	}
	if json.Unmarshal(raw, &object) != nil || object.Value == nil {
		return "", errHoverContents
	}
	switch {
	case object.Kind != nil:
		if !markup || *object.Kind != "markdown" && *object.Kind != "plaintext" {
			return "", errHoverContents
		}
		return *object.Value, nil
	case object.Language != nil:
		return fenced(*object.Language, *object.Value), nil
	default:
		return "", errHoverContents
	}
}

// fenced makes a code block whose fence is longer than any in the text.
func fenced(language, value string) string {
	longest, run := 2, 0
	for i := range len(value) {
		if value[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	return fence + language + "\n" + value + "\n" + fence
}
