package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/seam"
)

// answerReport is how a provider answered one operation.
type answerReport struct {
	Operation    string      `json:"operation"`
	Outcome      string      `json:"outcome"` // answered, empty, unsupported, refused, failed
	TookMs       float64     `json:"tookMs"`
	Locations    *int        `json:"locations,omitempty"`
	HoverBytes   *int        `json:"hoverBytes,omitempty"`
	Completeness string      `json:"completeness,omitempty"`
	Err          *seam.Error `json:"error,omitempty"`
}

// The outcomes. An empty answer is one, and what a server does not support is no fault of it.
const (
	outcomeAnswered    = "answered"
	outcomeEmpty       = "empty"
	outcomeUnsupported = "unsupported"
	outcomeRefused     = "refused" // with an error of the server's own, as some do where there is nothing
	outcomeFailed      = "failed"
)

func answerReportOf(op seam.Operation, result seam.Result, err error, took time.Duration) answerReport {
	r := answerReport{Operation: op.String(), TookMs: milliseconds(took), Err: seam.AsError(err)}
	switch answer := result.(type) {
	case seam.Locations:
		count := len(answer.Items)
		r.Locations, r.Completeness = &count, answer.Completeness.String()
	case seam.HoverResult:
		size := 0
		if answer.Hover != nil {
			size = len(answer.Hover.Contents)
		}
		r.HoverBytes, r.Completeness = &size, answer.Completeness.String()
	}
	var own *seam.ServerError
	switch {
	case err == nil && isEmpty(result):
		r.Outcome = outcomeEmpty
	case err == nil:
		r.Outcome = outcomeAnswered
	case r.Err.Code == seam.CodeUnsupportedOperation:
		r.Outcome = outcomeUnsupported
	case errors.As(err, &own):
		r.Outcome = outcomeRefused
	default:
		r.Outcome = outcomeFailed
	}
	return r
}

func (r answerReport) String() string {
	took := duration(r.TookMs)
	switch {
	case r.Outcome == outcomeUnsupported:
		return r.Operation + ": not supported"
	case r.Err != nil:
		return fmt.Sprintf("%s: %s after %s: %s", r.Operation, r.Outcome, took, describe(r.Err))
	case r.HoverBytes != nil && r.Outcome == outcomeEmpty:
		return fmt.Sprintf("%s: nothing in %s, %s", r.Operation, took, r.Completeness)
	case r.HoverBytes != nil:
		return fmt.Sprintf("%s: %d bytes in %s, %s", r.Operation, *r.HoverBytes, took, r.Completeness)
	case *r.Locations == 1:
		return fmt.Sprintf("%s: 1 location in %s, %s", r.Operation, took, r.Completeness)
	default:
		return fmt.Sprintf("%s: %d locations in %s, %s", r.Operation, *r.Locations, took, r.Completeness)
	}
}

// askAll has a provider answer the four operations at a place, and tells of each when it is done.
// Each is bounded by limits.queryTimeoutMs, as a query without a deadline is.
func (c *console) askAll(ctx context.Context, h *host.Host, root string, at probe, tell func(answerReport)) {
	for _, op := range seam.Operations() {
		if ctx.Err() != nil {
			return
		}
		shown := c.showProgress(h)
		began := time.Now()
		result, err := h.Query(ctx, seam.Request{Operation: op, FilePath: at.File, Position: at.Position, WorkspaceRoot: root})
		took := time.Since(began)
		shown.end()
		tell(answerReportOf(op, result, err, took))
	}
}

// failures are those of the answers that are faults. That a server refuses a question is one
// only where it refuses all that it supports.
func failures(answers []answerReport) (failed []*seam.Error) {
	var refused []*seam.Error
	answered := false
	for _, a := range answers {
		switch a.Outcome {
		case outcomeFailed:
			failed = append(failed, a.Err)
		case outcomeRefused:
			refused = append(refused, a.Err)
		case outcomeAnswered, outcomeEmpty:
			answered = true
		}
	}
	if !answered && len(failed) == 0 {
		return refused
	}
	return failed
}

// lateSignal is a failure that no query has: the ready signal of a server did not come.
func lateSignal(id string, status host.Status) *seam.Error {
	for _, provider := range status.Providers {
		if provider.ID != id {
			continue
		}
		for _, w := range provider.Server.Workspaces {
			for _, p := range w.Processes {
				if p.Late {
					e := seam.Errorf(seam.CodeTimeout, "server %q gave no ready signal in time", id)
					e.Limit = "readyTimeoutMs"
					return e
				}
			}
		}
	}
	return nil
}
