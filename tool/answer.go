package tool

import (
	"encoding/json"

	"github.com/navseam/navseam/seam"
)

// Answer is what comes of a call.
type Answer struct {
	Text   string // for the model
	Failed bool
	Meta   Meta // for machines
}

// Meta says for machines what Text says for models: the same locations, no more and no
// fewer. Its JSON is one of
//
//	{"operation", "kind": "locations", "locations": [{"uri", "range"}], "total", "shown", "completeness", "workspaceUri"}
//	{"operation", "kind": "hover", "hover": {"contents", "range"} or null, "total", "shown", "completeness"}
//	{"operation", "error": {"code", "message", "reason", "limit", "retryable", "retryAfterMs", "server"}}
//
// with positions counted from zero. Total and shown count locations without duplicates, or
// the UTF-16 units of a hover, of which contents is what is shown. A failure has no
// operation when its arguments named none, and of its error code and message always: see
// [seam.Error].
type Meta struct {
	Operation    string
	Locations    []seam.Location // as shown, in the order of the text
	Hover        *seam.Hover
	Total, Shown int
	Completeness seam.Completeness
	WorkspaceURI string
	Error        *seam.Error // of a failure, which has nothing else

	kind string
}

const (
	kindLocations = "locations"
	kindHover     = "hover"
)

// MarshalJSON gives one of the three shapes.
func (m Meta) MarshalJSON() ([]byte, error) {
	type operation struct {
		Operation string `json:"operation,omitempty"`
		Kind      string `json:"kind,omitempty"`
	}
	type extent struct {
		Total        int               `json:"total"`
		Shown        int               `json:"shown"`
		Completeness seam.Completeness `json:"completeness"`
	}
	first, size := operation{m.Operation, m.kind}, extent{m.Total, m.Shown, m.Completeness}
	switch {
	case m.Error != nil:
		return json.Marshal(struct {
			operation
			Error *seam.Error `json:"error"`
		}{first, m.Error})
	case m.kind == kindHover:
		return json.Marshal(struct {
			operation
			Hover *seam.Hover `json:"hover"`
			extent
		}{first, m.Hover, size})
	default:
		locations := m.Locations
		if locations == nil {
			locations = []seam.Location{}
		}
		return json.Marshal(struct {
			operation
			Locations []seam.Location `json:"locations"`
			extent
			WorkspaceURI string `json:"workspaceUri"`
		}{first, locations, size, m.WorkspaceURI})
	}
}

// maxFailureChars bounds the text of a failure, in UTF-16 units: servers say a lot.
const maxFailureChars = 4_000

// Failure is the answer of a call that failed.
func Failure(err error) Answer {
	failure := seam.AsError(err)
	text := Escape(string(failure.Code) + ": " + failure.Message)
	return cut(Answer{Text: text, Failed: true, Meta: Meta{Error: failure}}, maxFailureChars)
}

// cut shortens the text of a failure.
func cut(answer Answer, limit int) Answer {
	if seam.UTF16Len(answer.Text) > limit {
		answer.Text = firstUnits(answer.Text, limit-1) + "…"
	}
	return answer
}
