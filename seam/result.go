package seam

import "encoding/json"

// Completeness says how far an answer may be trusted to be whole.
type Completeness uint8

// What is known of an answer. Unknown is the zero value: nothing says that the
// answer is partial, and nothing proves that it is whole.
const (
	Unknown Completeness = iota
	Complete
	Incomplete // still indexing, stale index, or truncated: not evidence of absence
)

// String returns "unknown", "complete" or "incomplete".
func (c Completeness) String() string {
	switch c {
	case Complete:
		return "complete"
	case Incomplete:
		return "incomplete"
	default:
		return "unknown"
	}
}

// MarshalText makes a Completeness its name in JSON.
func (c Completeness) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// Result is an answer: [Locations] or [HoverResult], and nothing else.
type Result interface {
	json.Marshaler
	sealed()
}

// Locations is the answer to the three navigation operations, in the provider's
// order, without duplicates. WorkspaceURI is the canonical file: URI of the root
// and the only thing to make the items relative against.
type Locations struct {
	Items        []Location
	WorkspaceURI string
	Completeness Completeness
}

// Hover is what is known of the thing at a position: markdown, and the range that
// it is about where the provider says so.
type Hover struct {
	Contents string `json:"contents"`
	Range    *Range `json:"range,omitempty"`
}

// HoverResult is the answer to hover. A nil Hover means that there is nothing to
// show, which is a success.
type HoverResult struct {
	Hover        *Hover
	Completeness Completeness
}

func (Locations) sealed()   {}
func (HoverResult) sealed() {}

// MarshalJSON gives {"kind":"locations","locations":[{"uri","range"}],"resolvedWorkspaceUri","completeness"},
// zero-based.
func (l Locations) MarshalJSON() ([]byte, error) {
	items := l.Items
	if items == nil {
		items = []Location{}
	}
	return json.Marshal(struct {
		Kind         string       `json:"kind"`
		Locations    []Location   `json:"locations"`
		WorkspaceURI string       `json:"resolvedWorkspaceUri"`
		Completeness Completeness `json:"completeness"`
	}{"locations", items, l.WorkspaceURI, l.Completeness})
}

// MarshalJSON gives {"kind":"hover","hover":{"contents","range"} or null,"completeness"}.
func (h HoverResult) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Kind         string       `json:"kind"`
		Hover        *Hover       `json:"hover"`
		Completeness Completeness `json:"completeness"`
	}{"hover", h.Hover, h.Completeness})
}
