package faults

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/navseam/navseam/seam"
)

// differs says how an answer is not the outcome that was expected, or is empty.
func (o outcome) differs(got answer, fill func(string) string) string {
	if o.Error != "" {
		return o.differsFrom(got)
	}
	if got.err != nil {
		return fmt.Sprintf("want an answer, got %s: %v", seam.CodeOf(got.err), got.err)
	}
	switch result := got.result.(type) {
	case seam.Locations:
		return o.differsAt(result, fill)
	case seam.HoverResult:
		return o.differsIn(result)
	default:
		return fmt.Sprintf("got a %T", got.result)
	}
}

// differsFrom compares a failure.
func (o outcome) differsFrom(got answer) string {
	if got.err == nil {
		return fmt.Sprintf("want %s, got the answer %+v", o.Error, got.result)
	}
	err := seam.AsError(got.err)
	var server *seam.ServerError
	errors.As(got.err, &server)
	switch {
	case err.Code != o.Error:
		return fmt.Sprintf("want %s, got %s: %v", o.Error, err.Code, err)
	case o.Reason != "" && err.Reason != o.Reason:
		return fmt.Sprintf("want the reason %q, got %q: %v", o.Reason, err.Reason, err)
	case err.Limit != o.Limit:
		return fmt.Sprintf("want the limit %q, got %q: %v", o.Limit, err.Limit, err)
	case o.Server != 0 && (server == nil || server.Code != o.Server):
		return fmt.Sprintf("want the server's error %d, got %v: %v", o.Server, server, err)
	case !strings.Contains(err.Message, o.Says):
		return fmt.Sprintf("want an error that says %q, got %v", o.Says, err)
	default:
		return ""
	}
}

func (o outcome) differsAt(got seam.Locations, fill func(string) string) string {
	items := make([]string, len(got.Items))
	for i, item := range got.Items {
		items[i] = item.URI + " " + shortRange(item.Range)
	}
	want := make([]string, len(o.Locations))
	for i, item := range o.Locations {
		want[i] = fill(item)
	}
	switch {
	case o.Hover != nil:
		return "want a hover, got locations"
	case o.Count != nil && len(items) != *o.Count:
		return fmt.Sprintf("want %d locations, got %d", *o.Count, len(items))
	case o.Count == nil && !slices.Equal(items, want):
		return fmt.Sprintf("want the locations %q, got %q", want, items)
	}
	return o.differsInWhole(got.Completeness)
}

func (o outcome) differsIn(got seam.HoverResult) string {
	var want *string
	if err := json.Unmarshal(o.Hover, &want); err != nil {
		return "want locations, got a hover"
	}
	switch {
	case (want == nil) != (got.Hover == nil):
		return fmt.Sprintf("want the hover %s, got %+v", o.Hover, got.Hover)
	case want != nil && *want != got.Hover.Contents:
		return fmt.Sprintf("want the hover %q, got %q", *want, got.Hover.Contents)
	case want != nil && (got.Hover.Range != nil) != (o.Range != ""), o.Range != "" && shortRange(*got.Hover.Range) != o.Range:
		return fmt.Sprintf("want the range %q, got %v", o.Range, got.Hover.Range)
	}
	return o.differsInWhole(got.Completeness)
}

func (o outcome) differsInWhole(got seam.Completeness) string {
	want := seam.Unknown.String()
	if o.Completeness != "" {
		want = o.Completeness
	}
	if want != got.String() {
		return fmt.Sprintf("want an answer of completeness %s, got %s", want, got)
	}
	return ""
}

// shortRange writes a range as the rows do.
func shortRange(r seam.Range) string {
	return fmt.Sprintf("%d:%d-%d:%d", r.Start.Line, r.Start.Character, r.End.Line, r.End.Character)
}
