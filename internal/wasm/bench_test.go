package wasm_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/wasm"
)

// goGuest builds a small provider in Go, whose runtime makes it a large module.
func goGuest(t testing.TB) []byte {
	t.Helper()
	dir := t.TempDir()
	const source = `package main

import "fmt"

//go:wasmexport hover
func hover(line, character int32) int32 {
	fmt.Println(line, character)
	return 0
}

func main() {}
`
	require.NoError(t, os.WriteFile(filepath.Join(dir, "guest.go"), []byte(source), 0o600))
	build := exec.Command("go", "build", "-buildmode=c-shared", "-o", "guest.wasm", "guest.go")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=", "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	b, err := os.ReadFile(filepath.Join(dir, "guest.wasm"))
	require.NoError(t, err)
	return b
}

// TestGoGuestFits: half of each budget is enough for a Go guest.
func TestGoGuestFits(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a Go guest")
	}
	b := goGuest(t)
	m, err := wasm.Read(b)
	require.NoError(t, err)
	half := wasm.DefaultBudgets()
	half.ModuleBytes /= 2
	half.Functions /= 2
	half.FunctionBytes /= 2
	half.Locals /= 2
	half.Depth /= 2
	half.Targets /= 2
	half.TableElements /= 2
	half.DataSegments /= 2
	half.FunctionWork /= 2
	half.Work /= 2
	half.WorkPerByte /= 2
	require.Empty(t, m.Features)
	require.Empty(t, m.Excesses(half))
}

func BenchmarkRead(b *testing.B) {
	guest := goGuest(b)
	b.SetBytes(int64(len(guest)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := wasm.Read(guest); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRewrite(b *testing.B) {
	guest := goGuest(b)
	m, err := wasm.Read(guest)
	require.NoError(b, err)
	b.SetBytes(int64(len(guest)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Rewrite(guest, wasm.Rewrite{Entries: true, TableMax: 100_000}); err != nil {
			b.Fatal(err)
		}
	}
}
