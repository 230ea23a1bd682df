package seam_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

func TestRoutesAreChecked(t *testing.T) {
	cases := []struct {
		name   string
		id     string
		routes seam.Routes
		code   seam.Code // empty: accepted
	}{
		{"A-003 empty id", "", extensions(".go", "go"), seam.CodeInvalidProvider},
		{"A-003 blank id", " \t", extensions(".go", "go"), seam.CodeInvalidProvider},
		{"A-003 surrounding blanks are kept", " ts ", extensions(".go", "go"), ""},
		{"A-005 no routes", "p", seam.Routes{}, seam.CodeInvalidProvider},
		{"A-006 lower case and dot", "p", extensions("TS", "typescript"), ""},
		{"A-007 empty", "p", extensions("", "x"), seam.CodeInvalidProvider},
		{"A-007 dot", "p", extensions(".", "x"), seam.CodeInvalidProvider},
		{"A-007 slash", "p", extensions("a/b", "x"), seam.CodeInvalidProvider},
		{"A-007 backslash", "p", extensions(`.a\b`, "x"), seam.CodeInvalidProvider},
		{"A-007 star", "p", extensions("*", "x"), ""},
		{"A-007 blank", "p", extensions(". ", "x"), ""},
		{"A-007 blank inside", "p", extensions(".b c", "x"), ""},
		{"A-007 widened: compound suffix", "p", extensions(".tar.gz", "x"), ""},
		{"A-007 two dots in a row", "p", extensions("..gz", "x"), seam.CodeInvalidProvider},
		{"A-007 trailing dot", "p", extensions(".gz.", "x"), seam.CodeInvalidProvider},
		{"A-008 blank language", "p", extensions(".go", " "), seam.CodeInvalidProvider},
		{"A-008 language is not trimmed", "p", extensions(".go", " go "), ""},
		{"A-009 same key twice", "p", extensions(".ts", "a", "TS", "b"), seam.CodeInvalidProvider},
		{"file name", "p", seam.Routes{FileNames: map[string]string{"Makefile": "make"}}, ""},
		{"file name with a folder", "p", seam.Routes{FileNames: map[string]string{"a/Makefile": "make"}}, seam.CodeInvalidProvider},
		{"blank file name", "p", seam.Routes{FileNames: map[string]string{" ": "make"}}, seam.CodeInvalidProvider},
		{"file name without language", "p", seam.Routes{FileNames: map[string]string{"Makefile": ""}}, seam.CodeInvalidProvider},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := seam.NewRegistry().Register(&recorder{id: c.id, routes: c.routes})
			if c.code == "" {
				require.NoError(t, err)
				return
			}
			require.Equal(t, c.code, seam.CodeOf(err), "%v", err)
		})
	}
}

func TestRouting(t *testing.T) {
	registry := seam.NewRegistry()
	routes := seam.Routes{
		Extensions: map[string]string{
			".ts": "typescript", ".CS": "csharp", "gz": "gzip", ".blade.php": "blade", ".php": "php", ".git": "never", ".d": "never",
		},
		FileNames: map[string]string{"Makefile": "make", "go.mod": "gomod", ".bashrc": "bash"},
	}
	_, err := registry.Register(&recorder{id: "p", routes: routes})
	require.NoError(t, err)
	cases := []struct{ name, path, language string }{ // no language: no route
		{"A-019 case", "Foo.TS", "typescript"},
		{"A-019 final extension", "foo.d.ts", "typescript"},
		{"A-019 final of a compound", "a.tar.gz", "gzip"},
		{"A-019 widened: longest suffix first", "v/Home.Blade.PHP", "blade"},
		{"A-019 shorter suffix", "home.php", "php"},
		{"A-020 backslash", `C:\proj\Main.CS`, "csharp"},
		{"A-020 mixed separators", `a\b/c.ts`, "typescript"},
		{"A-020 dot in a folder only", `dir.ts\file`, ""},
		{"A-021 file name", "sub/Makefile", "make"},
		{"A-021 file name is case-sensitive", "makefile", ""},
		{"A-021 file name before extension", "x/go.mod", "gomod"},
		{"A-021 dot file by its name", ".bashrc", "bash"},
		{"A-021 no dot", "README", ""},
		{"A-021 leading dot is no extension", "x/.git", ""},
		{"A-021 dot in folder", "dir.d/file", ""},
		{"A-021 dot file with extension", ".a.ts", "typescript"},
		{"A-022 trailing dot", "a.ts.", ""},
		{"A-022 trailing separator", "a.ts/", ""},
		{"A-022 nothing is decoded", "a.ts?x", ""},
		{"A-022 nothing is trimmed", "a.ts ", ""},
		{"empty path", "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			language, ok := routes.Language(c.path)
			require.Equal(t, c.language, language)
			require.Equal(t, c.language != "", ok)
			result, err := registry.Query(t.Context(), seam.Request{FilePath: c.path})
			if c.language == "" {
				require.Equal(t, seam.CodeUnavailable, seam.CodeOf(err))
				require.ErrorContains(t, err, c.path)
				return
			}
			require.NoError(t, err)
			require.Equal(t, "p "+c.language, answeredBy(result))
		})
	}
}
