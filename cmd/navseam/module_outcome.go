package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/navseam/navseam/seam"
)

// testReport is what a test of a module finds.
type testReport struct {
	File       string            `json:"file"`
	SHA256     string            `json:"sha256"`
	OK         bool              `json:"ok"`
	Engine     string            `json:"engine"`
	Problems   []string          `json:"problems,omitempty"` // why it was refused
	Err        *seam.Error       `json:"error,omitempty"`    // why it could not be loaded
	CompileMs  float64           `json:"compileMs"`
	Cached     bool              `json:"cached"` // it had been compiled before
	LoadMs     float64           `json:"loadMs"` // of an instance
	Operations []operationReport `json:"operations"`
}

// operationReport counts how the questions of one operation were answered.
type operationReport struct {
	Operation   string    `json:"operation"`
	Answered    int       `json:"answered"`
	Empty       int       `json:"empty"` // of those answered, with nothing
	Unsupported int       `json:"unsupported"`
	Unavailable int       `json:"unavailable"`
	Failed      int       `json:"failed"` // as the module itself said
	Skipped     int       `json:"skipped"`
	SlowestMs   float64   `json:"slowestMs"`
	Faults      []trouble `json:"faults"`
	Notes       []trouble `json:"notes,omitempty"` // the first of what was unavailable, and of what failed
}

// trouble is a question that was not answered.
type trouble struct {
	File     string        `json:"file"`
	Position seam.Position `json:"position"`
	TookMs   float64       `json:"tookMs"`
	Err      *seam.Error   `json:"error"`
}

func (r *testReport) failed(err error) { r.Err = seam.AsError(err) }

func milliseconds(d time.Duration) float64 {
	return float64(d.Microseconds()) / 1000
}

// add counts one answer.
func (r *operationReport) add(result seam.Result, err error, file string, position seam.Position, took time.Duration) {
	r.SlowestMs = max(r.SlowestMs, milliseconds(took))
	what := trouble{file, position, milliseconds(took), seam.AsError(err)}
	switch code := seam.CodeOf(err); {
	case err == nil:
		r.Answered++
		if isEmpty(result) {
			r.Empty++
		}
	case code == seam.CodeCancelled:
		r.Skipped++
	case code == seam.CodeUnsupportedOperation:
		r.Unsupported++
	case code == seam.CodeUnavailable:
		r.note(r.Unavailable == 0, what)
		r.Unavailable++
	case code == seam.CodeProviderFailed && what.Err.Reason == "": // a status, and not the end of an instance
		r.note(r.Failed == 0, what)
		r.Failed++
	default:
		r.Faults = append(r.Faults, what)
	}
}

func (r *operationReport) note(first bool, what trouble) {
	if first {
		r.Notes = append(r.Notes, what)
	}
}

func isEmpty(result seam.Result) bool {
	switch answer := result.(type) {
	case seam.Locations:
		return len(answer.Items) == 0
	case seam.HoverResult:
		return answer.Hover == nil
	}
	return false
}

// printTested gives the verdict.
func (c *console) printTested(r testReport) int {
	faults := 0
	for _, op := range r.Operations {
		faults += len(op.Faults)
	}
	r.OK = len(r.Problems) == 0 && r.Err == nil && faults == 0
	var err error
	if c.json {
		err = c.printJSON(r)
	} else {
		err = c.print(r.text(faults))
	}
	if err == nil && !r.OK {
		return statusFailed // the report says why
	}
	return c.report(err)
}

func (r testReport) text(faults int) string {
	var s sheet
	s.add("file", r.File)
	s.add("sha256", r.SHA256)
	switch {
	case len(r.Problems) > 0:
		s.add("verdict", "refused")
		s.list("problems", r.Problems)
		return s.String()
	case r.Err != nil:
		s.add("engine", r.Engine)
		s.add("verdict", "it could not be loaded: "+describe(r.Err))
		return s.String()
	}
	how := "compiled"
	if r.Cached {
		how = "compiled before, read"
	}
	s.add("engine", fmt.Sprintf("%s, %s in %s, loaded in %s", r.Engine, how, duration(r.CompileMs), duration(r.LoadMs)))
	for _, op := range r.Operations {
		s.list(op.Operation, op.lines())
	}
	if faults > 0 {
		s.add("verdict", fmt.Sprintf("faults: %d", faults))
	} else {
		s.add("verdict", "no faults")
	}
	return s.String()
}

func duration(ms float64) string {
	if ms < 10 {
		return fmt.Sprintf("%.2f ms", ms)
	}
	return fmt.Sprintf("%.0f ms", ms)
}

// lines are a summary, and what went wrong.
func (r operationReport) lines() []string {
	var parts []string
	for _, count := range []struct {
		n    int
		what string
	}{
		{r.Answered - r.Empty, "answered"},
		{r.Empty, "answered with nothing"},
		{r.Unsupported, "not supported"},
		{r.Unavailable, "not available"},
		{r.Failed, "failed"},
		{len(r.Faults), "faults"},
		{r.Skipped, "not asked"},
	} {
		if count.n > 0 {
			parts = append(parts, fmt.Sprintf("%s: %d", count.what, count.n))
		}
	}
	lines := []string{strings.Join(parts, ", ") + "; the slowest took " + duration(r.SlowestMs)}
	for _, note := range append(r.Notes, r.Faults...) {
		lines = append(lines, note.String())
	}
	return lines
}

func (t trouble) String() string {
	line, column := t.Position.OneBased()
	return fmt.Sprintf("%s:%d:%d after %s: %s", t.File, line, column, duration(t.TookMs), describe(t.Err))
}
