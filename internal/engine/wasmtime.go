//go:build wasmtime && cgo

package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/bytecodealliance/wasmtime-go/v39"

	"github.com/navseam/navseam/abi"
)

const (
	hasWasmtime = true

	wasmtimeModule  = "github.com/bytecodealliance/wasmtime-go/v39"
	wasmtimeVersion = "v39.0.1"
	wasmtimeFile    = "module" // of a cache entry: the serialized code
)

// wasmtimeCode is serialized: each instance has a wasmtime engine of its own, since what
// interrupts a call, the epoch, belongs to an engine, and with it everything compiled.
type wasmtimeCode struct {
	image       *image
	imports     []wasmtimeImport
	exports     []wasmtimeExport
	memoryPages uint32
	cached      bool
	took        time.Duration
}

// wasmtimeImport is what the module imports, in its order; function is nil for what there
// is not.
type wasmtimeImport struct {
	name     string
	function *Function
}

// wasmtimeExport is one of Options.Exports; known is false for one that the module lacks.
type wasmtimeExport struct {
	name   string
	known  bool
	params []wasmtime.ValKind
}

// newWasmtimeEngine allows WebAssembly 2.0 and nothing newer.
func newWasmtimeEngine() *wasmtime.Engine {
	config := wasmtime.NewConfig()
	config.SetEpochInterruption(true)
	config.SetMaxWasmStack(wasmtimeStack())
	config.SetWasmBulkMemory(true)
	config.SetWasmMultiValue(true)
	config.SetWasmReferenceTypes(true)
	config.SetWasmSIMD(true)
	config.SetWasmRelaxedSIMD(false)
	config.SetWasmThreads(false)
	config.SetWasmMultiMemory(false)
	config.SetWasmMemory64(false)
	config.SetWasmTailCall(false)
	config.SetWasmFunctionReferences(false)
	config.SetWasmGC(false)
	config.SetWasmWideArithmetic(false)
	return wasmtime.NewEngineWithConfig(config)
}

func compileWasmtime(code []byte, o Options) (Code, error) {
	start := time.Now()
	var w *wasmtimeCode
	entry := entryName(Wasmtime, moduleVersion(wasmtimeModule, wasmtimeVersion), code)
	cached, err := openCache(o.CacheDir).compile(entry, func(folder string) (err error) {
		w, err = compileWasmtimeIn(folder, code, o)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: compile: %w", Wasmtime, err)
	}
	w.cached, w.took = cached, time.Since(start)
	return w, nil
}

// compileWasmtimeIn takes the code from a folder or else puts it there, "" for neither.
func compileWasmtimeIn(folder string, code []byte, o Options) (*wasmtimeCode, error) {
	engine := newWasmtimeEngine()
	defer engine.Close()

	file := filepath.Join(folder, wasmtimeFile)
	if folder != "" {
		if serialized, err := os.ReadFile(file); err == nil {
			module, err := wasmtime.NewModuleDeserialize(engine, serialized)
			if err != nil {
				return nil, err
			}
			defer module.Close()
			return newWasmtimeCode(module, serialized, o)
		}
	}
	module, err := wasmtime.NewModule(engine, code)
	if err != nil {
		return nil, err
	}
	defer module.Close()
	serialized, err := module.Serialize()
	if err != nil {
		return nil, err
	}
	if folder != "" {
		if err := os.WriteFile(file, serialized, 0o600); err != nil {
			return nil, err
		}
	}
	return newWasmtimeCode(module, serialized, o)
}

func newWasmtimeCode(module *wasmtime.Module, serialized []byte, o Options) (*wasmtimeCode, error) {
	w := &wasmtimeCode{memoryPages: o.MemoryPages, exports: make([]wasmtimeExport, len(o.Exports))}
	for i, name := range o.Exports {
		w.exports[i].name = name
	}
	for _, export := range module.Exports() {
		kind := export.Type()
		if memory := kind.MemoryType(); memory != nil && export.Name() == abi.ExportMemory {
			if least := memory.Minimum(); least > uint64(o.MemoryPages) {
				return nil, fmt.Errorf("min %d pages of memory over limit of %d", least, o.MemoryPages)
			}
		}
		function := kind.FuncType()
		if function == nil {
			continue
		}
		for i := range w.exports {
			if e := &w.exports[i]; e.name == export.Name() {
				e.known, e.params = true, wasmtimeKinds(function.Params())
			}
		}
	}
	for _, imported := range module.Imports() {
		w.imports = append(w.imports, findImport(imported, o.Functions))
	}
	w.image = newImage(serialized)
	return w, nil
}

func findImport(imported *wasmtime.ImportType, functions []Function) wasmtimeImport {
	name := ""
	if imported.Name() != nil {
		name = *imported.Name()
	}
	found := wasmtimeImport{name: imported.Module() + "." + name}
	for i := range functions {
		if f := &functions[i]; f.Module == imported.Module() && f.Name == name {
			found.function = f
		}
	}
	return found
}

func (w *wasmtimeCode) Cached() bool        { return w.cached }
func (w *wasmtimeCode) Took() time.Duration { return w.took }
func (w *wasmtimeCode) Close() error        { return w.image.close() }
