package faults

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/fakeserver"
)

// Every row comes out as it says.
func TestOutcomes(t *testing.T) {
	for _, r := range rows(t) {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			onSite(t, r, func(s *site) {
				for i, want := range append([]outcome{r.Expect}, r.Then...) {
					if i > 0 {
						time.Sleep(time.Duration(r.PauseMS) * time.Millisecond)
					}
					if want.DeadlineMS > 0 {
						s.start()
					}
					got := s.ask(want.deadline())
					require.Empty(t, want.differs(got, s.fill), "question %d", i+1)
				}
				if r.Starts > 0 {
					require.Len(t, s.events("start"), r.Starts, "processes")
				}
				s.checkReplies()
			})
		})
	}
}

// checkReplies compares what the server got to its own requests.
func (s *site) checkReplies() {
	s.t.Helper()
	if s.row.Replies == nil {
		return
	}
	_, err := fakeserver.WaitLog(s.log, patient, func(all []fakeserver.Event) bool {
		return fakeserver.Count(all, "reply") >= len(s.row.Replies)
	})
	require.NoError(s.t, err)
	got := s.events("reply")
	require.Len(s.t, got, len(s.row.Replies), "replies")
	for i, want := range s.row.Replies {
		require.Equal(s.t, string(want.ID), string(got[i].ID))
		require.Equal(s.t, want.Error != 0, got[i].Failed, "%s", got[i].Params)
		if want.Error != 0 {
			var failure struct{ Code int64 }
			require.NoError(s.t, json.Unmarshal(got[i].Params, &failure))
			require.Equal(s.t, want.Error, failure.Code)
			continue
		}
		var wanted, given any
		require.NoError(s.t, json.Unmarshal([]byte(s.fill(string(want.Result))), &wanted))
		require.NoError(s.t, json.Unmarshal(got[i].Params, &given))
		require.True(s.t, within(wanted, given), "want %s, got %s", want.Result, got[i].Params)
	}
}

// within reports whether a value has all that is wanted. Objects may have more.
func within(wanted, given any) bool {
	switch wanted := wanted.(type) {
	case map[string]any:
		object, ok := given.(map[string]any)
		for key, value := range wanted {
			member, has := object[key]
			ok = ok && has && within(value, member)
		}
		return ok
	case []any:
		list, ok := given.([]any)
		ok = ok && len(list) == len(wanted)
		for i := 0; ok && i < len(list); i++ {
			ok = within(wanted[i], list[i])
		}
		return ok
	default:
		return wanted == given
	}
}
