package trace

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

const (
	concealed = "[hidden]"

	// maxText is the length of the longest text that is shown. Longer ones are source or
	// documentation, wherever they stand.
	maxText = 512

	// maxPayload is the size of the largest payload that is shown.
	maxPayload = 256 << 10
)

// scope is where in a message a value stands.
type scope struct {
	settings bool // in what a server is configured with
	text     bool // in what is text of documents or about them
	progress bool // in a message whose token names a work
}

// isText reports whether a member holds text of documents, or about them.
func isText(name string, value any) bool {
	switch name {
	case "contents", "documentation":
		return true
	case "text", "newText", "insertText", "value":
		_, isObject := value.(map[string]any) // as that of a progress is
		return !isObject
	}
	return false
}

// payload gives the value of a message as it may be written.
func (h *hidden) payload(raw json.RawMessage, in scope) any {
	switch {
	case len(raw) == 0:
		return nil
	case len(raw) > maxPayload:
		return fmt.Sprintf("[payload: %d bytes]", len(raw))
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil { // not reached: the message was valid
		return fmt.Sprintf("[payload: %d bytes]", len(raw))
	}
	return h.value(value, in)
}

func (h *hidden) value(value any, in scope) any {
	switch v := value.(type) {
	case string:
		return h.string(v, in)
	case json.Number:
		if h.in(v.String()) {
			return concealed
		}
	case []any:
		h.array(v, in)
	case map[string]any:
		return h.object(v, in)
	}
	return value
}

func (h *hidden) array(values []any, in scope) {
	secret := false // the value of the flag before
	for i, value := range values {
		text, isText := value.(string)
		if secret {
			values[i] = conceal(value)
		} else {
			values[i] = h.value(value, in)
		}
		secret = isText && secretFlag(text)
	}
}

func (h *hidden) object(members map[string]any, in scope) map[string]any {
	shown := make(map[string]any, len(members))
	pair := secretPair(members)
	for i, name := range slices.Sorted(maps.Keys(members)) {
		value, below := members[name], in
		below.settings = in.settings || name == "initializationOptions" || name == "settings"
		below.text = in.text || !below.settings && isText(name, value)
		below.progress = false
		secret := secretName(name) && !(in.progress && name == "token")
		if below.text && name == "kind" && (value == "markdown" || value == "plaintext") {
			below.text = false
		}
		switch {
		case secret || pair && name == "value":
			value = conceal(value)
		default:
			value = h.value(value, below)
		}
		if h.in(name) || len(name) > maxText || secretTexts.MatchString(name) {
			name = fmt.Sprintf("%s %d", concealed, i+1)
		}
		shown[name] = value
	}
	return shown
}

// secretPair finds objects such as {"name": "API_TOKEN", "value": "…"}.
func secretPair(members map[string]any) bool {
	for _, label := range []string{"name", "key", "id", "variable", "header"} {
		if name, ok := members[label].(string); ok && secretName(name) {
			return true
		}
	}
	return false
}

// conceal leaves of a secret whether there is one.
func conceal(value any) any {
	switch value.(type) {
	case nil, bool:
		return value
	}
	return concealed
}

func (h *hidden) string(text string, in scope) string {
	switch {
	case h.in(text):
		return concealed
	case len(text) > maxText: // which takes long to look through
		return summary(text)
	case secretTexts.MatchString(text) || in.settings && randomText(text):
		return concealed
	case in.text:
		return summary(text)
	}
	return text
}

// label is a text that stands outside the payload.
func (h *hidden) label(text string) string { return h.string(text, scope{}) }

// summary stands for a text: enough to see whether two are the same.
func summary(text string) string {
	if text == "" {
		return text
	}
	hash := sha256.Sum256([]byte(text))
	return fmt.Sprintf("[text: %d bytes, sha256 %x]", len(text), hash[:6])
}
