package langserver

import (
	"bytes"
	"encoding/json"

	"github.com/navseam/navseam/seam"
)

// capabilities is what a server said in its handshake. An explicit null is the
// same as an absent member, everywhere.
type capabilities struct {
	operations [seam.OperationCount]bool
	openClose  bool // documents can be opened and closed
	change     bool // an open document can be given a new text
}

// parseInitialize reads the result of initialize.
func parseInitialize(id string, result json.RawMessage) (capabilities, error) {
	var reply struct {
		Capabilities *struct {
			PositionEncoding json.RawMessage `json:"positionEncoding"`
			TextDocumentSync json.RawMessage `json:"textDocumentSync"`
			Definition       json.RawMessage `json:"definitionProvider"`
			References       json.RawMessage `json:"referencesProvider"`
			Implementation   json.RawMessage `json:"implementationProvider"`
			Hover            json.RawMessage `json:"hoverProvider"`
		} `json:"capabilities"`
	}
	if err := json.Unmarshal(result, &reply); err != nil || reply.Capabilities == nil {
		return capabilities{}, seam.Errorf(seam.CodeMalformedResponse,
			"server %q answered initialize without capabilities: is %q a language server?", id, id)
	}
	said := reply.Capabilities
	if err := checkEncoding(id, said.PositionEncoding); err != nil {
		return capabilities{}, err
	}
	caps := capabilities{operations: [seam.OperationCount]bool{
		seam.OpGoToDefinition:     offered(said.Definition),
		seam.OpFindReferences:     offered(said.References),
		seam.OpGoToImplementation: offered(said.Implementation),
		seam.OpHover:              offered(said.Hover),
	}}
	caps.openClose, caps.change = parseSync(said.TextDocumentSync)
	return caps, nil
}

func absent(raw json.RawMessage) bool { return len(raw) == 0 || bytes.Equal(raw, jsonNull) }

// offered reports whether a provider capability is there: true or any options.
func offered(raw json.RawMessage) bool {
	return !absent(raw) && !bytes.Equal(raw, []byte("false"))
}

// checkEncoding accepts utf-16, which is also what no answer means.
func checkEncoding(id string, raw json.RawMessage) error {
	if absent(raw) || bytes.Equal(raw, []byte(`"utf-16"`)) {
		return nil
	}
	return seam.Errorf(seam.CodeProviderFailed,
		"server %q counts positions in %s, though only utf-16 was offered: configure it for utf-16", id, raw)
}

// parseSync reads textDocumentSync: a kind (1 full, 2 incremental), or options.
func parseSync(raw json.RawMessage) (openClose, change bool) {
	var kind float64
	if !absent(raw) && json.Unmarshal(raw, &kind) == nil {
		known := kind == 1 || kind == 2
		return known, known
	}
	var options struct {
		OpenClose json.RawMessage `json:"openClose"`
		Change    json.RawMessage `json:"change"`
	}
	if json.Unmarshal(raw, &options) != nil || !bytes.Equal(options.OpenClose, []byte("true")) {
		return false, false
	}
	_ = json.Unmarshal(options.Change, &kind) // anything but a number is no change support
	return true, kind == 1 || kind == 2
}
