package faults

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

const (
	hurry  = 300 * time.Millisecond // the deadline of a caller in a hurry
	margin = time.Second            // how late it may be back, on a machine that has time
)

// TestDeadlines: whatever a server does, a caller is back at its deadline, and the next one is
// served within its own.
func TestDeadlines(t *testing.T) {
	var late lateness
	t.Run("rows", func(t *testing.T) {
		for _, r := range rows(t) {
			t.Run(r.name, func(t *testing.T) {
				t.Parallel()
				onSite(t, r, func(s *site) {
					outcomes := append([]outcome{r.Expect}, r.Then...)
					last := outcomes[len(outcomes)-1]
					if r.Expect.DeadlineMS > 0 {
						s.start()
					}
					got := s.askInTime(hurry, &late)
					if !givenUp(got) {
						require.Empty(t, differsFromAll(outcomes, got, s.fill), "the caller in a hurry")
					}
					if r.Expect.Error == seam.CodeTimeout && s.wasAsked() {
						outcomes = []outcome{last} // the first was had by the caller in a hurry
					}
					got = s.askInTime(last.deadline(), &late)
					require.Empty(t, differsFromAll(outcomes, got, s.fill), "the next caller")
				})
			})
		}
	})
	caller, control := late.worst()
	t.Logf("of %d callers at their deadlines the latest was back %v late, and the latest of the control timers %v", late.count(), caller, control)
}

// wasAsked reports whether the question has come as far as the server.
func (s *site) wasAsked() bool {
	method := map[string]string{
		"goToDefinition": "textDocument/definition", "findReferences": "textDocument/references",
		"goToImplementation": "textDocument/implementation", "hover": "textDocument/hover",
	}[s.row.Ask]
	return len(s.events(method)) > 0
}

// givenUp reports whether an answer is what a caller gets at its deadline, whatever the row
// says: that it has passed, or the latest answer there was, as one that may be a part.
func givenUp(got answer) bool {
	switch result := got.result.(type) {
	case seam.Locations:
		return result.Completeness == seam.Incomplete
	case seam.HoverResult:
		return result.Completeness == seam.Incomplete
	default:
		return seam.CodeOf(got.err) == seam.CodeTimeout
	}
}

// differsFromAll is empty when an answer is one of the outcomes.
func differsFromAll(outcomes []outcome, got answer, fill func(string) string) (all []string) {
	for _, o := range outcomes {
		how := o.differs(got, fill)
		if how == "" {
			return nil
		}
		all = append(all, how)
	}
	return all
}

// askInTime asks, and fails the test when the answer is out later than the deadline and the
// margin. A control timer tells how late the machine itself is.
func (s *site) askInTime(within time.Duration, late *lateness) answer {
	s.t.Helper()
	control := make(chan time.Duration, 1)
	began := time.Now()
	timer := time.AfterFunc(within, func() { control <- time.Since(began) - within })
	got := s.ask(within)
	caller := time.Since(began) - within
	if timer.Stop() {
		return got // before the deadline
	}
	machine := late.add(caller, <-control)
	require.Less(s.t, caller, machine+margin, "the caller is back late; the latest control timer so far was %v late", machine)
	return got
}

// lateness collects how late callers and control timers were.
type lateness struct {
	mu               sync.Mutex
	callers, control []time.Duration
}

// add returns how late the machine itself has been so far.
func (l *lateness) add(caller, control time.Duration) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.callers = append(l.callers, caller)
	l.control = append(l.control, control)
	return slices.Max(l.control)
}

func (l *lateness) count() int { return len(l.callers) }

func (l *lateness) worst() (caller, control time.Duration) {
	if len(l.callers) == 0 {
		return 0, 0
	}
	return slices.Max(l.callers), slices.Max(l.control)
}
