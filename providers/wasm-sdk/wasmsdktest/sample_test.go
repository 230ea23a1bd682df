//go:build !wasip1

package wasmsdktest

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"

	"github.com/navseam/navseam/abi"
	wasmsdk "github.com/navseam/navseam/providers/wasm-sdk"
	"github.com/navseam/navseam/providers/wasm-sdk/internal/sample"
	"github.com/navseam/navseam/seam"
)

// provider is package sample, natively or as a module.
type provider struct {
	load                  func() int32
	goToDefinition, hover func(line, character uint32) int32
}

func native() provider {
	return provider{
		func() int32 { return wasmsdk.Load(sample.Load) },
		func(line, character uint32) int32 { return wasmsdk.Navigate(sample.Navigate, line, character) },
		func(line, character uint32) int32 { return wasmsdk.Hover(sample.Hover, line, character) },
	}
}

func (g *guestInstance) provider() provider {
	return provider{g.load, g.export("goToDefinition"), g.export("hover")}
}

// host has everything that there is, and each of its documents is a line of orders.
func host(documents ...string) *Host {
	h := &Host{
		Documents: map[string]string{},
		Language:  "orders",
		Remaining: 1500 * time.Millisecond,
		Mounts: map[string]fs.FS{
			"workspace": fstest.MapFS{
				"ä/deep/b.txt": {Data: []byte("bb")},
				"a.txt":        {Data: []byte(strings.Repeat("a", 100_000))},
				"empty.txt":    {},
			},
		},
		HTTP: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			content, _ := io.ReadAll(r.Body)
			w.Header().Set("X-Answer", r.Header.Get("X-Ask")+"!")
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, r.Method, " ", r.URL.Path, " ", string(content), strings.Repeat(".", 5000))
		}),
		Cache: map[string][]byte{"long": []byte(strings.Repeat("x", 5000))},
	}
	for _, text := range documents {
		h.Documents[text] = text
	}
	return h
}

// An answer is the same whether the code runs natively or as a module.
func TestSample(t *testing.T) {
	lookAtSources(t)
	full := compile(t, wazero.NewRuntimeConfigInterpreter(), buildGuest(t, "full"))
	defer full.runtime.Close(context.Background())
	providers := map[string]func(t *testing.T) provider{
		"native": func(*testing.T) provider { return native() },
		"module": func(t *testing.T) provider { return full.instantiate(t).provider() },
	}
	for name, start := range providers {
		t.Run(name, func(t *testing.T) {
			t.Run("navigation", func(t *testing.T) { testNavigation(t, start(t)) })
			t.Run("hover", func(t *testing.T) { testHover(t, start(t)) })
			t.Run("load", func(t *testing.T) { testLoad(t, start(t)) })
			t.Run("nothing granted", func(t *testing.T) { testNothingGranted(t, start(t)) })
		})
	}
	t.Run("a panic ends the instance", func(t *testing.T) {
		guest := full.instantiate(t)
		answer := host("panic").Ask(t, guest.export("goToDefinition"), "panic", seam.Position{})
		require.Equal(t, abi.Status(-1), answer.Status)
		require.Error(t, guest.err)
		require.Contains(t, guest.stderr.String(), "panic: of the author")
	})
	t.Run("goroutines get their turn at the end of a call", func(t *testing.T) {
		guest, h := full.instantiate(t), host("behind", "loaded")
		h.Ask(t, guest.export("goToDefinition"), "behind", seam.Position{})
		answer := h.Ask(t, guest.export("goToDefinition"), "loaded", seam.Position{})
		require.Equal(t, []wasmsdk.Location{sample.At("from behind", 0)}, answer.Locations)
	})
}

func testNavigation(t *testing.T, p provider) {
	many := make([]wasmsdk.Location, 10_000)
	for i := range many {
		many[i] = sample.At(fmt.Sprintf("file%d", i/3), i)
	}
	cases := map[string]Answer{
		"here":        {Locations: []wasmsdk.Location{sample.At("here", 0), sample.At("läng/orders", 0)}},
		"nothing":     {},
		"incomplete":  {Incomplete: true},
		"many":        {Locations: many},
		"unsupported": {Status: abi.Unsupported, Message: "here: this operation is not supported here"},
		"unavailable": {Status: abi.Unavailable, Message: "here: no index"},
		"fail":        {Status: abi.Failed, Message: "broken"},
		"walk workspace": {Locations: []wasmsdk.Location{
			sample.At("workspace/a.txt", 100_000), sample.At("workspace/empty.txt", 0), sample.At("workspace/ä/deep/b.txt", 2),
		}},
		"walk elsewhere": {
			Status:  abi.Failed,
			Message: "stat .: file_stat elsewhere: there is no mount elsewhere",
		},
	}
	for text, want := range cases {
		t.Run(text, func(t *testing.T) {
			require.Equal(t, want, host(text).Ask(t, p.goToDefinition, text, seam.Position{}))
		})
	}
	t.Run("the place", func(t *testing.T) {
		h := host()
		h.Documents["a/b"] = "\n\nhere"
		answer := h.Ask(t, p.goToDefinition, "a/b", seam.Position{Line: 2, Character: 4})
		require.Equal(t, sample.At("a/b", 2), answer.Locations[0])
	})
}

func testHover(t *testing.T, p provider) {
	onFirstLine := sample.At("", 0).Range
	contents := func(text string) Answer { return Answer{Hover: &seam.Hover{Contents: text}} }
	cases := map[string]Answer{
		"nothing":                  {},
		"ranged":                   {}, // no text, no hover
		"bare":                     contents("só"),
		"ranged **b**":             {Hover: &seam.Hover{Contents: "**b**", Range: &onFirstLine}},
		"log 語":                    {Log: []Line{{wasmsdk.Debug, "語"}, {wasmsdk.Error, ""}}},
		"remaining":                contents("1.5s"),
		"read workspace/a.txt":     contents(strings.Repeat("a", 100_000)),
		"read workspace/empty.txt": {},
		"read workspace/gone":      {Status: abi.Failed, Message: "file_open workspace/gone: open gone: file does not exist"},
		"read workspace/../a":      {Status: abi.Failed, Message: "file_open workspace/../a: the path is not clean or leaves the mount"},
		"get http://h/p":           contents("404 a! POST /p body" + strings.Repeat(".", 5000)),
		"get http://%":             {Status: abi.Failed, Message: `http_request http://%: parse "http://%": invalid URL escape "%"`},
		"cache new":                contents("false"),
		"cache long":               contents(strings.Repeat("x", 5000) + "true"),
	}
	for text, want := range cases {
		t.Run(text, func(t *testing.T) {
			require.Equal(t, want, host(text).Ask(t, p.hover, text, seam.Position{}))
		})
	}
	t.Run("the cache is kept", func(t *testing.T) {
		h := host("cache k")
		h.Ask(t, p.hover, "cache k", seam.Position{})
		require.Equal(t, contents("+true"), h.Ask(t, p.hover, "cache k", seam.Position{}))
		require.Equal(t, "++", string(h.Cache["k"]))
	})
}

func testLoad(t *testing.T, p provider) {
	h := host("loaded")
	require.Equal(t, Answer{Status: abi.Unavailable, Message: "the config has no member as"}, h.Load(t, p.load))
	h.Config = `{"as": 1}`
	failed := h.Load(t, p.load)
	require.Equal(t, abi.Failed, failed.Status)
	require.Contains(t, failed.Message, "the module's config in the deployment: json: cannot unmarshal number")
	h.Config = `{"as": "` + strings.Repeat("name", 1000) + `", "other": []}`
	require.Equal(t, Answer{}, h.Load(t, p.load))
	answer := h.Ask(t, p.goToDefinition, "loaded", seam.Position{})
	require.Equal(t, strings.Repeat("name", 1000), answer.Locations[0].Path)
}

func testNothingGranted(t *testing.T, p provider) {
	cases := map[string]string{
		"read workspace/a.txt": "file_open workspace/a.txt: files are not granted: set Host.Mounts",
		"get http://h/p":       "http_request http://h/p: http is not granted: set Host.HTTP",
		"cache k":              "cache_put k: the cache is not granted: set Host.Cache",
	}
	for text, want := range cases {
		h := Host{Documents: map[string]string{text: text}}
		require.Equal(t, Answer{Status: abi.Failed, Message: want}, h.Ask(t, p.hover, text, seam.Position{}))
	}
}
