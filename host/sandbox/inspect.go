package sandbox

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/navseam/navseam/abi"
	"github.com/navseam/navseam/internal/wasm"
	"github.com/navseam/navseam/seam"
)

// Inspect says what a file is, as a provider module: what it can be asked, what it asks
// for, and what is wrong with it. No code of it runs.
func Inspect(data []byte) Report {
	report, _ := inspect(data)
	return report
}

func inspect(data []byte) (Report, *wasm.Module) {
	hash := sha256.Sum256(data)
	kind := wasm.Kind(data)
	r := Report{Kind: kind.String(), Size: len(data), SHA256: hex.EncodeToString(hash[:])}
	if kind != wasm.Core {
		r.problemf("the file is %s: %s", kind, kind.Hint())
		return r, nil
	}
	m, err := wasm.Read(data)
	if err != nil {
		r.problemf("the module is damaged: %v: copy or build it again", err)
		return r, nil
	}
	for _, feature := range m.Features {
		r.problemf("it uses %s: %s", feature, feature.Hint())
	}
	if len(m.Features) > 0 {
		return r, m // the rest may not have been read
	}
	if r.budgets(m); len(r.Problems) > 0 {
		return r, m // there may be a million of what the rest would list
	}
	r.imports(m)
	r.exports(m)
	r.memory(m)
	return r, m
}

func (r *Report) problemf(format string, args ...any) {
	r.Problems = append(r.Problems, fmt.Sprintf(format, args...))
}

// imports lists them and checks each: the module that it comes from, its name, its type.
func (r *Report) imports(m *wasm.Module) {
	known := importable()
	for _, i := range m.Imports {
		line := ImportReport{Module: i.Module, Name: i.Name, Signature: i.Signature.String()}
		if i.Kind != wasm.FunctionKind {
			line.Signature = i.Kind.String()
		}
		f, ok := known[i.Module+"."+i.Name]
		switch {
		case !ok && i.Kind == wasm.MemoryKind:
			r.problemf("it imports its memory, as %q.%q: build it with a memory of its own, exported as %q", i.Module, i.Name, abi.ExportMemory)
		case !ok && i.Module != abi.Module && i.Module != abi.WASI:
			r.problemf("it imports %q.%q %s, but imports come only from %s and %s", i.Module, i.Name, line.Signature, abi.Module, abi.WASI)
		case !ok:
			r.problemf("it imports %q.%q %s, which does not exist", i.Module, i.Name, line.Signature)
		case i.Kind != wasm.FunctionKind || !i.Signature.Equal(f.Signature):
			r.problemf("it imports %s.%s as %s, but that is a function %s", i.Module, i.Name, line.Signature, f.Signature)
		case f.Grant != abi.NoGrant:
			line.Grant = f.Grant.String()
		}
		if ok && i.Module == abi.Module {
			r.ABI = 1
		}
		if !slices.Contains(r.Imports, line) { // every Go guest has some twice
			r.Imports = append(r.Imports, line)
		}
		if line.Grant != "" && !slices.Contains(r.Permissions, line.Grant) {
			r.Permissions = append(r.Permissions, line.Grant)
		}
	}
	slices.Sort(r.Permissions)
	if r.ABI == 0 {
		r.problemf("it imports no function from %s, so it was not made for navseam: hand results over with %s.locations or %s.hover", abi.Module, abi.Module, abi.Module)
	}
}

// importable has everything that a module may import, by module and name.
func importable() map[string]abi.Import {
	all := map[string]abi.Import{}
	for _, f := range abi.Functions() {
		all[abi.Module+"."+f.Name] = f
	}
	for _, f := range abi.WASIFunctions() {
		all[abi.WASI+"."+f.Name] = abi.Import{Name: f.Name, Signature: f.Signature}
	}
	return all
}

func (r *Report) exports(m *wasm.Module) {
	exported := func(name string, want abi.Signature) bool {
		index := slices.IndexFunc(m.Exports, func(e wasm.Export) bool { return e.Name == name })
		if index < 0 {
			return false
		}
		if m.Exports[index].Kind != wasm.FunctionKind {
			r.problemf("it exports %q as a %s, but that is a function %s", name, m.Exports[index].Kind, want)
			return false
		}
		if got, _ := m.Function(name); !got.Equal(want) {
			r.problemf("it exports %q as %s, but that is %s", name, got, want)
			return false
		}
		return true
	}
	before := len(r.Problems)
	for _, op := range seam.Operations() {
		if name := abi.OperationExport(op); exported(name, abi.OperationSignature()) {
			r.Operations = append(r.Operations, name)
		}
	}
	r.Initialize = exported(abi.ExportInitialize, abi.InitializeSignature())
	r.Load = exported(abi.ExportLoad, abi.LoadSignature())
	has := func(e wasm.Export) bool { return e.Name == abi.ExportStart }
	if len(r.Problems) > before {
		return
	}
	if !r.Initialize && slices.ContainsFunc(m.Exports, has) {
		r.problemf("it is a command: it exports %s and no %s. Build a reactor: with Go -buildmode=c-shared, with clang -mexec-model=reactor, with Rust crate-type cdylib", abi.ExportStart, abi.ExportInitialize)
	}
	if len(r.Operations) == 0 {
		r.problemf("it exports none of goToDefinition, findReferences, goToImplementation and hover: export at least one, as %s", abi.OperationSignature())
	}
}

func (r *Report) memory(m *wasm.Module) {
	exported := slices.ContainsFunc(m.Exports, func(e wasm.Export) bool {
		return e.Name == abi.ExportMemory && e.Kind == wasm.MemoryKind
	})
	if !exported {
		r.problemf("it does not export its memory: export it as %q", abi.ExportMemory)
	}
	if len(m.Memories) > 0 {
		r.MinMemory = m.Memories[0].Min * wasm.PageBytes
		r.MaxMemory = m.Memories[0].Max * wasm.PageBytes
	}
}

// budgets tells how much the module has of what engines spend time and memory on.
func (r *Report) budgets(m *wasm.Module) {
	for _, e := range m.Measures(wasm.DefaultBudgets()) {
		r.Budgets = append(r.Budgets, Budget{e.What, e.Have, e.Budget})
		if e.Have > e.Budget {
			r.problemf("it is too large to be compiled safely: %s", e)
		}
	}
	if m.Misplaced != "" {
		r.problemf("no instance of it can begin: %s", m.Misplaced)
	}
}
