package langserver

import (
	"encoding/json"
	"fmt"

	"github.com/navseam/navseam/seam"
)

// The part of the Language Server Protocol 3.17 that the four operations need.
// Names and shapes are the specification's.

// methods of the four operations, and the server capability that offers each.
var operationMethods = [seam.OperationCount]string{
	seam.OpGoToDefinition:     "textDocument/definition",
	seam.OpFindReferences:     "textDocument/references",
	seam.OpGoToImplementation: "textDocument/implementation",
	seam.OpHover:              "textDocument/hover",
}

type initializeParams struct {
	ProcessID             *int              `json:"processId"` // null: the server may live in another pid space
	ClientInfo            clientInfo        `json:"clientInfo"`
	RootURI               string            `json:"rootUri"`
	WorkspaceFolders      []workspaceFolder `json:"workspaceFolders"`
	InitializationOptions json.RawMessage   `json:"initializationOptions"`
	Capabilities          json.RawMessage   `json:"capabilities"`
}

type clientInfo struct {
	Name string `json:"name"`
}

type workspaceFolder struct {
	URI  string `json:"uri"`
	Name string `json:"name"`
}

// clientCapabilities is what this client does, and no more. Watched files are advertised only
// where they are told: some servers then stop watching by themselves. Only utf-16 is offered,
// because servers take the first that is.
func clientCapabilities(tellsFiles bool) json.RawMessage {
	watched := ""
	if tellsFiles {
		watched = `, "didChangeWatchedFiles": {"dynamicRegistration": true, "relativePatternSupport": true}`
	}
	return json.RawMessage(fmt.Sprintf(capabilitiesFormat, watched))
}

const capabilitiesFormat = `{
	"general": {"positionEncodings": ["utf-16"]},
	"window": {"workDoneProgress": true},
	"workspace": {"workspaceFolders": true, "configuration": true%s},
	"textDocument": {
		"synchronization": {"dynamicRegistration": false},
		"hover": {"contentFormat": ["markdown", "plaintext"]},
		"definition": {"linkSupport": true},
		"implementation": {"linkSupport": true},
		"references": {}
	},
	"experimental": {"serverStatusNotification": true}
}`

type textDocumentIdentifier struct {
	URI string `json:"uri"`
}

type textDocumentItem struct {
	URI        string `json:"uri"`
	LanguageID string `json:"languageId"`
	Version    int    `json:"version"`
	Text       string `json:"text"`
}

type didOpenParams struct {
	TextDocument textDocumentItem `json:"textDocument"`
}

type didCloseParams struct {
	TextDocument textDocumentIdentifier `json:"textDocument"`
}

type didChangeParams struct {
	TextDocument   versionedIdentifier `json:"textDocument"`
	ContentChanges []fullText          `json:"contentChanges"`
}

type versionedIdentifier struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
}

type fullText struct {
	Text string `json:"text"`
}

type queryParams struct {
	TextDocument textDocumentIdentifier `json:"textDocument"`
	Position     seam.Position          `json:"position"`
	Context      *referenceContext      `json:"context,omitempty"`
}

type referenceContext struct {
	IncludeDeclaration bool `json:"includeDeclaration"`
}

type watchedFilesParams struct {
	Changes []fileEvent `json:"changes"`
}

type fileEvent struct {
	URI  string `json:"uri"`
	Type uint8  `json:"type"` // 1 created, 2 changed, 3 deleted
}

// configurationSettings is the parameter of workspace/didChangeConfiguration.
type configurationSettings struct {
	Settings json.RawMessage `json:"settings"`
}

var jsonNull = json.RawMessage("null")

// orNull makes an absent member an explicit null.
func orNull(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return jsonNull
	}
	return raw
}
