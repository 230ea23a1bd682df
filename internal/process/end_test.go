package process

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// fakeFamily writes down when it was signalled and says when it is gone.
type fakeFamily struct {
	begin                time.Time
	endsAfter            time.Duration // after that signal
	endsBy               string
	terminated, killed   time.Duration // since begin, -1: never
	terminates, killings int
}

func (f *fakeFamily) terminate() { f.terminated = time.Since(f.begin); f.terminates++ }
func (f *fakeFamily) release()   {}

func (f *fakeFamily) kill() {
	if f.killings++; f.killings == 1 {
		f.killed = time.Since(f.begin)
	}
}

func (f *fakeFamily) gone(within time.Duration, cut <-chan struct{}) bool {
	return poll(f.living, within, cut)
}

func (f *fakeFamily) living() []int {
	since := map[string]time.Duration{"SIGTERM": f.terminated, "SIGKILL": f.killed}[f.endsBy]
	if f.endsBy != "" && since >= 0 && time.Since(f.begin) >= since+f.endsAfter {
		return nil
	}
	return []int{7, 8}
}

func TestLadder(t *testing.T) {
	const grace = time.Second
	tests := []struct {
		name       string
		family     fakeFamily
		killAfter  time.Duration // when Kill is called, if at all
		terminates int
		killed     time.Duration
		survivors  []int
	}{
		{"A-174 SIGTERM is enough", fakeFamily{endsBy: "SIGTERM", endsAfter: grace / 2}, 0, 1, -1, nil},
		{"A-174 SIGKILL after the grace", fakeFamily{endsBy: "SIGKILL", endsAfter: grace / 2}, 0, 1, grace, nil},
		{"Kill cuts the grace short", fakeFamily{endsBy: "SIGKILL"}, grace / 4, 1, grace / 4, nil},
		{"Kill at once", fakeFamily{endsBy: "SIGKILL"}, -1, 0, 0, nil},
		{"A-175 a survivor is reported", fakeFamily{}, 0, 1, grace, []int{7, 8}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := test.family
				f.begin, f.terminated, f.killed = time.Now(), -1, -1
				p := &Process{family: &f, grace: grace, killing: newFlag()}
				switch {
				case test.killAfter < 0:
					p.Kill()
				case test.killAfter > 0:
					time.AfterFunc(test.killAfter, p.Kill)
				}
				err := p.end()
				require.Equal(t, test.terminates, f.terminates, "SIGTERM at most once")
				require.Equal(t, test.killed, f.killed)
				if test.survivors == nil {
					require.NoError(t, err)
					return
				}
				var left *SurvivorsError
				require.ErrorAs(t, err, &left)
				require.Equal(t, test.survivors, left.PIDs)
				require.ErrorContains(t, err, "[7 8]")
				require.Less(t, time.Since(f.begin), grace+killWait+time.Second, "the wait is bounded")
			})
		})
	}
}
