//go:build wasmtime

package engine

import "testing"

func TestTheVersionOfWasmtime(t *testing.T) { requireVersion(t, wasmtimeModule, wasmtimeVersion) }
