//go:build wasmtime && cgo

package engine

import "testing"

func TestTheVersionOfWasmtime(t *testing.T) { requireVersion(t, wasmtimeModule, wasmtimeVersion) }
