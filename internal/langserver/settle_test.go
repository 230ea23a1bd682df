package langserver

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/fakeserver"
	"github.com/navseam/navseam/seam"
)

// saying is a hover with that text.
func saying(text string) fakeserver.Action {
	return fakeserver.Action{Result: raw(`{"contents":"` + text + `"}`)}
}

func nothing() fakeserver.Action { return fakeserver.Action{Result: raw(`null`)} }

func working(kind string) fakeserver.Message {
	return fakeserver.Message{Method: "$/progress", Params: raw(`{"token":"t","value":{"kind":"` + kind + `","title":"Indexing"}}`)}
}

// When an answer counts, after a start: how often the server is asked, and what is known then.
func TestSettling(t *testing.T) {
	const soon = 10 * time.Millisecond
	refused := func(code string) fakeserver.Action {
		return fakeserver.Action{Error: raw(`{"code":` + code + `,"message":"not now"}`)}
	}
	busy := func(answer fakeserver.Action, kind string) fakeserver.Action {
		answer.Notify = []fakeserver.Message{working(kind)}
		return answer
	}
	logged := fakeserver.Action{Notify: []fakeserver.Message{{Method: "$/progress", Params: raw(`{"token":"t","value":{"kind":"end"}}`)}}}
	cases := []struct {
		name    string
		ready   ReadyWhen
		settle  time.Duration
		started fakeserver.Action // at initialized
		answers []fakeserver.Action
		asked   int
		text    string
		want    seam.Completeness
	}{
		{"nothing is known", ReadyWhen{}, 0, fakeserver.Action{}, []fakeserver.Action{saying("a")}, 1, "a", seam.Unknown},
		{"the server holds its answers back", ReadyWhen{Answers: true}, 0, fakeserver.Action{}, []fakeserver.Action{saying("a")}, 1, "a", seam.Complete},
		{"two agree, nothing is known", ReadyWhen{}, soon, fakeserver.Action{}, []fakeserver.Action{saying("a")}, 2, "a", seam.Unknown},
		{"two agree", ReadyWhen{Answers: true}, soon, fakeserver.Action{}, []fakeserver.Action{saying("a")}, 2, "a", seam.Complete},
		{"they differ first", ReadyWhen{Answers: true}, soon, fakeserver.Action{}, []fakeserver.Action{saying("a"), saying("b")}, 3, "b", seam.Complete},
		{"nothing first", ReadyWhen{Answers: true}, soon, fakeserver.Action{}, []fakeserver.Action{nothing(), saying("b")}, 3, "b", seam.Complete},
		{"signal", ReadyWhen{Progress: "t"}, soon, logged, []fakeserver.Action{saying("a")}, 2, "a", seam.Complete},
		{
			"an answer while it works does not count",
			ReadyWhen{Progress: "Indexing"},
			soon,
			fakeserver.Action{Notify: []fakeserver.Message{working("begin"), working("end")}},
			[]fakeserver.Action{busy(saying("a"), "begin"), saying("a")},
			0, "", 0,
		},
		{"changed meanwhile", ReadyWhen{Answers: true}, 0, fakeserver.Action{}, []fakeserver.Action{refused("-32801"), refused("-32801"), saying("a")}, 3, "a", seam.Complete},
		{"cancelled by the server", ReadyWhen{}, 0, fakeserver.Action{}, []fakeserver.Action{refused("-32802"), saying("a")}, 2, "a", seam.Unknown},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := begin(t, fakeserver.Script{On: map[string][]fakeserver.Action{
				"initialized": {c.started}, "textDocument/hover": c.answers,
			}}, func(config *Config) {
				config.ReadyWhen = c.ready
				config.Freshness.Settle = c.settle
			})
			if c.asked == 0 { // it works for ever: the answer is not final
				<-h.server.Started()
				ctx, cancel := context.WithCancel(t.Context())
				q := h.query("a.go", seam.OpHover)
				q.Draft = func(draft seam.Result) {
					require.Equal(t, seam.HoverResult{Hover: &seam.Hover{Contents: "a"}, Completeness: seam.Incomplete}, draft)
					cancel()
				}
				_, err := h.server.Query(ctx, q)
				require.Equal(t, seam.CodeCancelled, seam.CodeOf(err))
				require.Len(t, h.wait("textDocument/hover", 1), 1)
				return
			}
			result, err := h.ask("a.go", seam.OpHover)
			require.NoError(t, err)
			require.Equal(t, seam.HoverResult{Hover: &seam.Hover{Contents: c.text}, Completeness: c.want}, result)
			h.wait("textDocument/hover", c.asked)

			result, err = h.ask("a.go", seam.OpHover)
			require.NoError(t, err)
			require.Equal(t, c.want, result.(seam.HoverResult).Completeness)
			h.wait("textDocument/hover", c.asked+1) // nothing changed: once is enough
		})
	}
}

// Answers that never agree, a signal that never comes, and a refusal that never ends have the
// time that a server has to become ready.
func TestNeverSettled(t *testing.T) {
	t.Run("answers", func(t *testing.T) {
		var turns []fakeserver.Action
		for range 500 {
			turns = append(turns, saying("a"), saying("b"))
		}
		h := begin(t, fakeserver.Script{On: on("textDocument/hover", turns...)}, func(c *Config) {
			c.ReadyWhen, c.Freshness.Settle, c.ReadyTimeout = ReadyWhen{Answers: true}, time.Millisecond, 100*time.Millisecond
		})
		result, err := h.ask("a.go", seam.OpHover)
		require.NoError(t, err)
		require.Equal(t, seam.Incomplete, result.(seam.HoverResult).Completeness)
	})
	t.Run("signal", func(t *testing.T) {
		h := begin(t, fakeserver.Script{On: on("textDocument/hover", saying("a"))}, func(c *Config) {
			c.ReadyWhen, c.ReadyTimeout = ReadyWhen{Status: "quiescent"}, 10*time.Millisecond
		})
		result, err := h.ask("a.go", seam.OpHover)
		require.NoError(t, err)
		require.Equal(t, seam.HoverResult{Hover: &seam.Hover{Contents: "a"}, Completeness: seam.Incomplete}, result)
	})
	t.Run("refusal", func(t *testing.T) {
		refused := fakeserver.Action{Error: raw(`{"code":-32801,"message":"not now"}`)}
		h := begin(t, fakeserver.Script{On: on("textDocument/hover", refused)}, func(c *Config) { c.ReadyTimeout = 50 * time.Millisecond })
		_, err := h.ask("a.go", seam.OpHover)
		require.Equal(t, seam.CodeProviderFailed, seam.CodeOf(err))
		require.ErrorContains(t, err, "not now")
	})
}

// A server that reads the workspace from its first document on: the question waits until it has,
// and does not where there is nothing to read.
func TestReadyAfterOpen(t *testing.T) {
	when := ReadyWhen{Progress: "Indexing", AfterOpen: true}
	t.Run("work", func(t *testing.T) {
		end := working("end")
		end.DelayMS = 50
		h := begin(t, fakeserver.Script{On: map[string][]fakeserver.Action{
			"textDocument/didOpen": {{Notify: []fakeserver.Message{working("begin"), end}}},
			"textDocument/hover":   {saying("a")},
		}}, func(c *Config) { c.ReadyWhen = when })
		result, err := h.ask("a.go", seam.OpHover)
		require.NoError(t, err)
		require.Equal(t, seam.Complete, result.(seam.HoverResult).Completeness)
		require.False(t, h.server.Status().Late)
		require.Len(t, h.wait("textDocument/didOpen", 1), 1)
	})
	t.Run("nothing to read", func(t *testing.T) {
		h := begin(t, fakeserver.Script{On: on("textDocument/hover", saying("a"))}, func(c *Config) { c.ReadyWhen = when })
		result, err := h.ask("a.go", seam.OpHover) // long before ReadyTimeout
		require.NoError(t, err)
		require.Equal(t, seam.Incomplete, result.(seam.HoverResult).Completeness)
		require.True(t, h.server.Status().Late)
	})
	t.Run("work that does not end", func(t *testing.T) {
		h := begin(t, fakeserver.Script{On: on("textDocument/didOpen", fakeserver.Action{Notify: []fakeserver.Message{working("begin")}})},
			func(c *Config) { c.ReadyWhen, c.ReadyTimeout = when, 100*time.Millisecond })
		result, err := h.ask("a.go", seam.OpHover)
		require.NoError(t, err)
		require.Equal(t, seam.Incomplete, result.(seam.HoverResult).Completeness)
	})
}

// The order of locations says nothing; all else does.
func TestSame(t *testing.T) {
	at := func(uri string, line int) seam.Location {
		return seam.Location{URI: uri, Range: seam.Range{Start: seam.Position{Line: line}, End: seam.Position{Line: line, Character: 1}}}
	}
	list := func(items ...seam.Location) seam.Result { return seam.Locations{Items: items} }
	text := func(s string) seam.Result { return seam.HoverResult{Hover: &seam.Hover{Contents: s}} }
	cases := []struct {
		name string
		a, b seam.Result
		want bool
	}{
		{"none", list(), list(), true},
		{"order", list(at("a", 1), at("b", 2)), list(at("b", 2), at("a", 1)), true},
		{"one more", list(at("a", 1)), list(at("a", 1), at("b", 2)), false},
		{"another line", list(at("a", 1)), list(at("a", 2)), false},
		{"another file", list(at("a", 1)), list(at("b", 1)), false},
		{"texts", text("x"), text("x"), true},
		{"other texts", text("x"), text("y"), false},
		{"nothing twice", seam.HoverResult{}, seam.HoverResult{}, true},
		{"nothing and a text", seam.HoverResult{}, text("x"), false},
		{"kinds", list(), seam.HoverResult{}, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.want, same(c.a, c.b))
			require.Equal(t, c.want, same(c.b, c.a))
		})
	}
}
