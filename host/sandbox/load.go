package sandbox

import (
	"context"
	"errors"
	"strings"

	"github.com/navseam/navseam/internal/engine"
	"github.com/navseam/navseam/internal/wasm"
	"github.com/navseam/navseam/seam"
)

// load makes a release of the module's file as it is now.
func (p *Provider) load(ctx context.Context) (*release, error) {
	type file struct {
		data  []byte
		stamp stamp
		err   error
	}
	read := make(chan file, 1)
	go func() { // a hung mount holds nobody but this
		data, stamp, err := readModule(p.config.Path)
		read <- file{data, stamp, err}
	}()
	select {
	case f := <-read:
		if f.err != nil {
			return nil, seam.Errorf(seam.CodeInvalidConfig, "module %q: %w", p.config.ID, f.err).WithReason(seam.AsError(f.err).Reason)
		}
		r, err := p.compile(ctx, f.data)
		if err != nil {
			return nil, err
		}
		r.stamp = f.stamp
		return r, nil
	case <-ctx.Done():
		return nil, seam.ContextError(ctx)
	}
}

// compile checks the bytes and makes code of them that can be stopped anywhere.
func (p *Provider) compile(ctx context.Context, data []byte) (*release, error) {
	report, m := inspect(data)
	problems := report.Problems
	if len(problems) == 0 {
		problems = p.config.admit(report)
	}
	if len(problems) > 0 {
		return nil, seam.Errorf(seam.CodeInvalidConfig, "module %q (%s) is refused: %s", p.config.ID, p.config.Path, strings.Join(problems, "; "))
	}
	code, err := m.Rewrite(data, wasm.Rewrite{Entries: p.config.Engine != engine.Wasmtime, TableMax: tableMax(len(m.Tables))})
	if err != nil {
		return nil, seam.Errorf(seam.CodeInvalidConfig, "module %q (%s) cannot be made interruptible: %w", p.config.ID, p.config.Path, err)
	}
	compiled, err := engine.Compile(ctx, p.config.Engine, code, engine.Options{
		Functions:   hostFunctions(),
		Exports:     calledExports(),
		MemoryPages: uint32(p.config.Limits.MemoryBytes / wasm.PageBytes),
		CacheDir:    p.config.CacheDir,
	})
	if errors.Is(err, engine.ErrInterrupted) {
		return nil, seam.ContextError(ctx)
	}
	if err != nil {
		return nil, seam.Errorf(seam.CodeInvalidConfig, "module %q (%s) is not valid WebAssembly 2.0, or cannot be compiled: %w", p.config.ID, p.config.Path, err)
	}
	r := &release{provider: p, report: report, code: compiled, spaces: map[any]*space{}}
	for _, name := range report.Operations {
		op, err := seam.ParseOperation(name)
		if err != nil {
			return nil, err
		}
		r.operations[op] = true
	}
	return r, nil
}

// maxTableElements is what all tables of an instance may grow to together: they are no part
// of the memory limit. Each may have as many as the budgets let it begin with.
const maxTableElements = 1 << 20

func tableMax(tables int) uint32 {
	return uint32(max(maxTableElements/max(tables, 1), int(wasm.DefaultBudgets().TableElements)))
}
