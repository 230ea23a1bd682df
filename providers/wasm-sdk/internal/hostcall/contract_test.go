package hostcall

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/abi"
)

// Every import of the ABI is declared once, with its name and signature, and nothing else is.
func TestDeclarationsAreThoseOfTheABI(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "imports_wasip1.go", nil, parser.ParseComments)
	require.NoError(t, err)
	declared := map[string]string{}
	for _, declaration := range file.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok {
			continue
		}
		name := importName(t, function)
		require.NotContains(t, declared, name)
		declared[name] = signatureOf(t, function.Type).String()
	}
	want := map[string]string{}
	for _, function := range abi.Functions() {
		want[function.Name] = function.Signature.String()
	}
	require.Equal(t, want, declared)
}

func importName(t *testing.T, function *ast.FuncDecl) string {
	t.Helper()
	for _, comment := range function.Doc.List {
		if directive, found := strings.CutPrefix(comment.Text, "//go:wasmimport "); found {
			module, name, _ := strings.Cut(directive, " ")
			require.Equal(t, abi.Module, module, function.Name.Name)
			return name
		}
	}
	require.Fail(t, "a function without go:wasmimport", function.Name.Name)
	return ""
}

func signatureOf(t *testing.T, f *ast.FuncType) abi.Signature {
	t.Helper()
	values := func(list *ast.FieldList) []abi.ValueType {
		var types []abi.ValueType
		if list == nil {
			return nil
		}
		for _, field := range list.List {
			for range max(1, len(field.Names)) {
				types = append(types, valueTypes(t, field.Type)...)
			}
		}
		return types
	}
	return abi.Signature{Params: values(f.Params), Results: values(f.Results)}
}

// valueTypes is how the Go compiler hands a parameter over.
func valueTypes(t *testing.T, expression ast.Expr) []abi.ValueType {
	t.Helper()
	switch e := expression.(type) {
	case *ast.SelectorExpr:
		require.Equal(t, "Pointer", e.Sel.Name)
		return []abi.ValueType{abi.I32}
	case *ast.Ident:
		switch e.Name {
		case "int32", "uint32":
			return []abi.ValueType{abi.I32}
		case "int64":
			return []abi.ValueType{abi.I64}
		case "string":
			return []abi.ValueType{abi.I32, abi.I32}
		}
	}
	require.Fail(t, "a type that the ABI does not have")
	return nil
}
