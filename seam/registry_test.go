package seam_test

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

// recorder answers every question with its id and the language it was given.
type recorder struct {
	id     string
	routes seam.Routes
	ask    func(context.Context, seam.Operation, seam.Target) error
}

func (r *recorder) ID() string          { return r.id }
func (r *recorder) Routes() seam.Routes { return r.routes }

func (r *recorder) locations(ctx context.Context, op seam.Operation, t seam.Target) (seam.Locations, error) {
	if r.ask != nil {
		if err := r.ask(ctx, op, t); err != nil {
			return seam.Locations{}, err
		}
	}
	return seam.Locations{Items: []seam.Location{{URI: r.id + " " + t.LanguageID}}}, nil
}

func (r *recorder) GoToDefinition(ctx context.Context, t seam.Target) (seam.Locations, error) {
	return r.locations(ctx, seam.OpGoToDefinition, t)
}

func (r *recorder) FindReferences(ctx context.Context, t seam.Target) (seam.Locations, error) {
	return r.locations(ctx, seam.OpFindReferences, t)
}

func (r *recorder) GoToImplementation(ctx context.Context, t seam.Target) (seam.Locations, error) {
	return r.locations(ctx, seam.OpGoToImplementation, t)
}

func (r *recorder) Hover(ctx context.Context, t seam.Target) (seam.HoverResult, error) {
	_, err := r.locations(ctx, seam.OpHover, t)
	return seam.HoverResult{Hover: &seam.Hover{Contents: r.id}}, err
}

func answeredBy(result seam.Result) string { return result.(seam.Locations).Items[0].URI }

// extensions makes routes of key, language, key, language, …
func extensions(pairs ...string) seam.Routes {
	routes := seam.Routes{Extensions: map[string]string{}}
	for i := 0; i < len(pairs); i += 2 {
		routes.Extensions[pairs[i]] = pairs[i+1]
	}
	return routes
}

func ask(t *testing.T, r *seam.Registry, path string) (string, seam.Code) {
	t.Helper()
	result, err := r.Query(t.Context(), seam.Request{FilePath: path})
	if err != nil {
		return "", seam.CodeOf(err)
	}
	return answeredBy(result), ""
}

// a registry is registered with, and asked. It lists nothing, probes nothing and
// passes nothing through.
func TestRegistrySurface(t *testing.T) {
	var methods []string
	for method := range reflect.TypeFor[*seam.Registry]().Methods() {
		methods = append(methods, method.Name)
	}
	require.ElementsMatch(t, []string{"Register", "Replace", "Query"}, methods)
}

// an extension has one owner; who it is, is the deployment's choice.
func TestRegistryConflicts(t *testing.T) {
	registry := seam.NewRegistry()
	_, err := registry.Register(&recorder{id: "a", routes: extensions(".ts", "typescript")})
	require.NoError(t, err)

	// the id is reserved; the message names it.
	_, err = registry.Register(&recorder{id: "a", routes: extensions(".js", "javascript")})
	require.Equal(t, seam.CodeConflict, seam.CodeOf(err))
	require.ErrorContains(t, err, `"a"`)

	// an extension is owned, whatever the language; the message names it.
	_, err = registry.Register(&recorder{id: "b", routes: extensions(".aa", "x", "TS", "other", ".zz", "x")})
	require.Equal(t, seam.CodeConflict, seam.CodeOf(err))
	require.ErrorContains(t, err, ".ts")

	// nothing of the refused provider stayed.
	_, err = registry.Register(&recorder{id: "b", routes: extensions(".aa", "x", ".zz", "x")})
	require.NoError(t, err)

	// the order of the checks.
	for _, c := range []struct {
		name     string
		provider *recorder
		says     string
	}{
		{"A-011 blank id before routes", &recorder{id: " "}, "blank"},
		{"A-011 taken id before routes", &recorder{id: "a"}, "taken"},
		{"A-011 routes before conflicts", &recorder{id: "c", routes: extensions(".ts", "x", "a/b", "x")}, "not usable"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := registry.Register(c.provider)
			require.ErrorContains(t, err, c.says)
		})
	}
	_, err = registry.Register(nil)
	require.Equal(t, seam.CodeInvalidProvider, seam.CodeOf(err))
}

func TestRelease(t *testing.T) {
	registry := seam.NewRegistry()
	releaseA, err := registry.Register(&recorder{id: "a", routes: extensions(".ts", "x", ".js", "x")})
	require.NoError(t, err)
	_, err = registry.Register(&recorder{id: "go", routes: extensions(".go", "go")})
	require.NoError(t, err)

	releaseA() // id and extensions are free together
	_, code := ask(t, registry, "f.ts")
	require.Equal(t, seam.CodeUnavailable, code)
	_, code = ask(t, registry, "f.js")
	require.Equal(t, seam.CodeUnavailable, code)
	by, _ := ask(t, registry, "f.go") // another language is not touched
	require.Equal(t, "go go", by)

	_, err = registry.Register(&recorder{id: "a", routes: extensions(".ts", "new")})
	require.NoError(t, err)
	releaseA() // bound to its own registration, and idempotent
	by, _ = ask(t, registry, "f.ts")
	require.Equal(t, "a new", by)
}

// the order of registration does not matter.
func TestOrderDoesNotMatter(t *testing.T) {
	one := &recorder{id: "one", routes: extensions(".php", "php")}
	two := &recorder{id: "two", routes: extensions(".blade.php", "blade")}
	for _, order := range [][]seam.Provider{{one, two}, {two, one}} {
		registry := seam.NewRegistry()
		for _, p := range order {
			_, err := registry.Register(p)
			require.NoError(t, err)
		}
		by, _ := ask(t, registry, "x.blade.php")
		require.Equal(t, "two blade", by)
		by, _ = ask(t, registry, "x.php")
		require.Equal(t, "one php", by)
	}
}

// the provider gets the caller's request as it is, plus
// the language of its own route.
func TestProviderGetsTheRequest(t *testing.T) {
	want := seam.Target{FilePath: "no/such/x.go", Position: seam.Position{Line: -3, Character: 1 << 40}, WorkspaceRoot: "nowhere", LanguageID: "go"}
	var got seam.Target
	var gotOp seam.Operation
	registry := seam.NewRegistry()
	_, err := registry.Register(&recorder{id: "go", routes: extensions(".go", "go"), ask: func(_ context.Context, op seam.Operation, t seam.Target) error {
		got, gotOp = t, op
		return nil
	}})
	require.NoError(t, err)
	for _, op := range seam.Operations() {
		_, err := registry.Query(t.Context(), seam.Request{Operation: op, FilePath: want.FilePath, Position: want.Position, WorkspaceRoot: want.WorkspaceRoot})
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.Equal(t, op, gotOp)
	}
	// the set of operations is closed.
	_, err = registry.Query(t.Context(), seam.Request{Operation: seam.OperationCount, FilePath: "x.go"})
	require.Equal(t, seam.CodeInvalidArgs, seam.CodeOf(err))
}

func TestReplace(t *testing.T) {
	registry := seam.NewRegistry()
	_, err := registry.Register(&recorder{id: "a", routes: extensions(".ts", "old")})
	require.NoError(t, err)
	_, err = registry.Register(&recorder{id: "b", routes: extensions(".go", "go")})
	require.NoError(t, err)

	// A conflict with one that stays leaves everything as it was.
	_, err = registry.Replace([]string{"a"}, &recorder{id: "c", routes: extensions(".go", "x")})
	require.Equal(t, seam.CodeConflict, seam.CodeOf(err))
	_, err = registry.Replace([]string{"no such"})
	require.Equal(t, seam.CodeInvalidProvider, seam.CodeOf(err))
	by, _ := ask(t, registry, "x.ts")
	require.Equal(t, "a old", by)

	release, err := registry.Replace([]string{"a", "b"},
		&recorder{id: "b", routes: extensions(".ts", "new")}, &recorder{id: "a", routes: extensions(".go", "new")})
	require.NoError(t, err)
	by, _ = ask(t, registry, "x.ts")
	require.Equal(t, "b new", by)
	release()
	_, code := ask(t, registry, "x.ts")
	require.Equal(t, seam.CodeUnavailable, code)
}

// A query that reaches a provider just replaced and closed is answered by the
// successor; one whose provider was closed for good is LSP_DISPOSED.
func TestDisposedProvider(t *testing.T) {
	registry := seam.NewRegistry()
	disposed := seam.Errorf(seam.CodeDisposed, "closed")
	old := &recorder{id: "old", routes: extensions(".go", "go")}
	old.ask = func(context.Context, seam.Operation, seam.Target) error {
		_, err := registry.Replace([]string{"old"}, &recorder{id: "new", routes: extensions(".go", "go")})
		require.NoError(t, err)
		return disposed
	}
	_, err := registry.Register(old)
	require.NoError(t, err)
	by, _ := ask(t, registry, "x.go")
	require.Equal(t, "new go", by)

	closed := &recorder{id: "closed", routes: extensions(".ts", "ts"), ask: func(context.Context, seam.Operation, seam.Target) error { return disposed }}
	release, err := registry.Register(closed)
	require.NoError(t, err)
	_, code := ask(t, registry, "x.ts")
	require.Equal(t, seam.CodeDisposed, code)
	// taken out while the query runs, it is not routed elsewhere.
	closed.ask = func(context.Context, seam.Operation, seam.Target) error {
		release()
		return disposed
	}
	_, code = ask(t, registry, "x.ts")
	require.Equal(t, seam.CodeDisposed, code)
}

// Queries see one set or the other, never a mixture or a gap.
func TestReplaceHammer(t *testing.T) {
	registry := seam.NewRegistry()
	pair := func(generation int) []seam.Provider {
		name := fmt.Sprint(generation)
		return []seam.Provider{
			&recorder{id: "a", routes: extensions(".a", name)},
			&recorder{id: "b", routes: extensions(".b", name)},
		}
	}
	_, err := registry.Replace(nil, pair(0)...)
	require.NoError(t, err)
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				for _, path := range []string{"x.a", "x.b"} {
					if _, err := registry.Query(t.Context(), seam.Request{FilePath: path}); err != nil {
						t.Errorf("%s: %v", path, err)
						return
					}
				}
			}
		})
	}
	for generation := range 500 {
		_, err := registry.Replace([]string{"a", "b"}, pair(generation)...)
		require.NoError(t, err)
	}
	close(stop)
	readers.Wait()
}

func BenchmarkQuery(b *testing.B) {
	registry := seam.NewRegistry()
	_, err := registry.Register(&recorder{id: "go", routes: extensions(".go", "go")})
	require.NoError(b, err)
	request := seam.Request{FilePath: "some/folder/file.go"}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := registry.Query(b.Context(), request); err != nil {
			b.Fatal(err)
		}
	}
}
