package langserver

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func progress(token, value string) json.RawMessage {
	return json.RawMessage(`{"token":` + token + `,"value":` + value + `}`)
}

func TestReadySignals(t *testing.T) {
	begin := progress(`"t"`, `{"kind":"begin","title":"Indexing"}`)
	end := progress(`"t"`, `{"kind":"end"}`)
	cases := []struct {
		name string
		when ReadyWhen
		give func(a *activity)
		want bool
	}{
		{"nothing to wait for", ReadyWhen{}, func(*activity) {}, true},
		{"answers", ReadyWhen{Answers: true}, func(*activity) {}, true},
		{"progress by title", ReadyWhen{Progress: "Indexing"}, func(a *activity) { a.progress(begin); a.progress(end) }, true},
		{"progress by token", ReadyWhen{Progress: "t"}, func(a *activity) { a.progress(begin); a.progress(end) }, true},
		{"progress has not ended", ReadyWhen{Progress: "Indexing"}, func(a *activity) { a.progress(begin) }, false},
		{"another progress", ReadyWhen{Progress: "Building"}, func(a *activity) { a.progress(begin); a.progress(end) }, false},
		{"number token", ReadyWhen{Progress: "7"}, func(a *activity) { a.progress(progress(`7`, `{"kind":"end"}`)) }, true},
		{"log", ReadyWhen{Log: regexp.MustCompile(`Found \d+ source`)}, func(a *activity) { a.logged(json.RawMessage(`{"type":3,"message":"Found 12 source files"}`)) }, true},
		{"another log", ReadyWhen{Log: regexp.MustCompile(`Found \d+ source`)}, func(a *activity) { a.logged(json.RawMessage(`{"message":"Found none"}`)) }, false},
		{"status", ReadyWhen{Status: "quiescent"}, func(a *activity) { a.status(json.RawMessage(`{"quiescent":true}`)) }, true},
		{"busy status", ReadyWhen{Status: "quiescent"}, func(a *activity) { a.status(json.RawMessage(`{"quiescent":false}`)) }, false},
		{"nonsense", ReadyWhen{Status: "quiescent"}, func(a *activity) {
			a.status(json.RawMessage(`7`))
			a.progress(json.RawMessage(`"x"`))
			a.logged(json.RawMessage(`[]`))
		}, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a := newActivity(c.when)
			a.handshaken()
			c.give(a)
			require.Equal(t, c.want, a.isReady())
		})
	}
}

func TestProgressForPeople(t *testing.T) {
	a := newActivity(ReadyWhen{})
	require.Empty(t, a.current())
	a.progress(progress(`1`, `{"kind":"begin","title":"Loading","percentage":0}`))
	require.Equal(t, "Loading: 0%", a.current())
	a.progress(progress(`1`, `{"kind":"report","message":"pkg a","percentage":40.4}`))
	require.Equal(t, "Loading: 40% pkg a", a.current())
	a.progress(progress(`2`, `{"kind":"begin","title":"Checking"}`))
	require.Equal(t, "Checking", a.current())
	a.progress(progress(`2`, `{"kind":"end"}`))
	a.progress(progress(`2`, `{"kind":"end"}`))
	require.Equal(t, "Loading: 40% pkg a", a.current())
	a.progress(progress(`1`, `{"kind":"end","message":"done"}`))
	require.Empty(t, a.current())
	for range 10 * maxWorks { // a server that never ends what it begins
		a.progress(progress(`"x"`, `{"kind":"begin","title":"x"}`))
	}
	require.Len(t, a.works, 1)
}

func TestRegistrations(t *testing.T) {
	var r registrations
	require.False(t, r.has("textDocument/hover"))
	r.register(json.RawMessage(`{"registrations":[{"id":"1","method":"textDocument/hover"},{"id":"2","method":"x"}]}`))
	require.True(t, r.has("textDocument/hover"))
	r.unregister(json.RawMessage(`{"unregisterations":[{"id":"1","method":"textDocument/hover"}]}`))
	require.False(t, r.has("textDocument/hover"))
	require.True(t, r.has("x"))
	r.register(json.RawMessage(`nonsense`))
}

func readyLog() ReadyWhen { return ReadyWhen{Log: regexp.MustCompile(`Found \d+ source file`)} }
