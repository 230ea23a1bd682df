package langserver

import (
	"encoding/json"
	"strings"
)

// configurationItems answers workspace/configuration: an array as long as the items.
// With a static configuration each item gets a copy of all of it; with settings, the
// value at its section's dotted path, null where there is none; with neither, null.
func (c Config) configurationItems(params json.RawMessage) []json.RawMessage {
	var p struct {
		Items []struct {
			Section string `json:"section"`
		} `json:"items"`
	}
	_ = json.Unmarshal(params, &p) // no items: an empty answer
	answers := make([]json.RawMessage, len(p.Items))
	for i, item := range p.Items {
		switch {
		case c.Configuration != nil:
			answers[i] = c.Configuration
		default:
			answers[i] = section(c.Settings, item.Section)
		}
	}
	return answers
}

// section follows a dotted path. A key that contains dots itself, as editors write
// them ("editor.tabSize": 4), is found too.
func section(settings json.RawMessage, path string) json.RawMessage {
	if path == "" || len(settings) == 0 {
		return orNull(settings)
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(settings, &object) != nil {
		return jsonNull
	}
	if value, ok := object[path]; ok {
		return value
	}
	for i := strings.LastIndexByte(path, '.'); i > 0; i = strings.LastIndexByte(path[:i], '.') {
		if value, ok := object[path[:i]]; ok {
			return section(value, path[i+1:])
		}
	}
	return jsonNull
}

// announced is the settings of the one workspace/didChangeConfiguration.
func (c Config) announced() json.RawMessage {
	if c.Configuration != nil {
		return c.Configuration
	}
	return orNull(c.Settings)
}
