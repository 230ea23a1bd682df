package engine

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTrapsAreTheSameOnEveryEngine(t *testing.T) {
	traps := []struct{ export, kind string }{
		{"unreachable", TrapUnreachable},
		{"load", TrapMemory},
		{"store", TrapMemory},
		{"load far", TrapMemory},
		{"fill", TrapMemory},
		{"divide", TrapDivideByZero},
		{"remainder", TrapDivideByZero},
		{"divide overflow", TrapOverflow},
		{"truncate overflow", TrapOverflow},
		{"truncate nan", TrapConversion},
		{"call type", TrapIndirectCall},
		{"call null", TrapTable},
		{"call outside", TrapTable},
		{"table get", TrapTable},
		{"table fill", TrapTable},
		{"recurse", TrapStackOverflow},
	}
	exports := make([]string, len(traps))
	for i := range traps {
		exports[i] = traps[i].export
	}
	onEach(t, func(t *testing.T, engine string) {
		code := compiled(t, engine, "traps", exports...)
		for i, want := range traps {
			guest := instantiated(t, code, nil)
			err := guest.Call(t.Context(), i, nil)
			var trap *Trap
			require.ErrorAs(t, err, &trap, want.export)
			require.Equal(t, want.kind, trap.Kind, want.export)
			require.NotEmpty(t, trap.Detail, want.export)
			require.Equal(t, "trap: "+want.kind, err.Error())
		}
	})
}

func TestAnErrorOfAHostFunctionIsWhatTheCallReturns(t *testing.T) {
	onEach(t, func(t *testing.T, engine string) {
		code := compiled(t, engine, "guest", guestExports()...)
		guest := instantiated(t, code, &record{fail: func() error { return errHost }})
		require.Same(t, errHost, guest.Call(t.Context(), exportFail, nil))
	})
}

func TestAHostFunctionsErrorWinsOverTheEndOfTheContext(t *testing.T) {
	onEach(t, func(t *testing.T, engine string) {
		code := compiled(t, engine, "guest", guestExports()...)
		ctx, cancel := context.WithCancel(t.Context())
		guest := instantiated(t, code, &record{fail: func() error { cancel(); return errHost }})
		require.Same(t, errHost, guest.Call(ctx, exportFail, nil))
	})
}

func TestAPanicInAHostFunctionEndsTheCallAlone(t *testing.T) {
	onEach(t, func(t *testing.T, engine string) {
		code := compiled(t, engine, "guest", guestExports()...)
		for _, value := range []any{"a bug", errHost} {
			guest := instantiated(t, code, &record{fail: func() error { panic(value) }})
			err := guest.Call(t.Context(), exportFail, nil)
			var panicked *PanicError
			require.ErrorAs(t, err, &panicked)
			require.Equal(t, value, panicked.Value)
			require.Contains(t, string(panicked.Stack), "fault_test.go")
		}
		healthy := instantiated(t, code, &record{})
		require.NoError(t, healthy.Call(t.Context(), exportNothing, nil))
	})
}

func TestFailuresAtInstantiate(t *testing.T) {
	onEach(t, func(t *testing.T, engine string) {
		for name, kind := range map[string]string{"start_trap": TrapUnreachable, "data_outside": TrapMemory} {
			_, err := compiled(t, engine, name).Instantiate(t.Context(), nil)
			var trap *Trap
			require.ErrorAs(t, err, &trap, name)
			require.Equal(t, kind, trap.Kind, name)
		}

		functions := hostFunctions()
		functions[1].Call = func(any, []byte, []uint64) error { return errHost }
		code, err := Compile(t.Context(), engine, module(t, "start_host"), Options{Functions: functions, MemoryPages: 1})
		require.NoError(t, err)
		defer code.Close()
		_, err = code.Instantiate(t.Context(), nil)
		require.Same(t, errHost, err)

		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		_, err = compiled(t, engine, "start_loop").Instantiate(ctx, nil)
		require.ErrorIs(t, err, ErrInterrupted)
	})
}

func TestTheEndOfTheContextEndsTheCall(t *testing.T) {
	onEach(t, func(t *testing.T, engine string) {
		code := compiled(t, engine, "guest", guestExports()...)
		for name, export := range map[string]int{"loop": exportLoop, "tree": exportTree} {
			guest := instantiated(t, code, nil)
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			start := time.Now()
			err := guest.Call(ctx, export, []uint64{62})
			cancel()
			require.ErrorIs(t, err, ErrInterrupted, name)
			require.ErrorIs(t, err, context.DeadlineExceeded, name)
			require.Less(t, time.Since(start), 5*time.Second, name)

			guest = instantiated(t, code, nil)
			ended, end := context.WithCancelCause(t.Context())
			time.AfterFunc(50*time.Millisecond, func() { end(errHost) })
			err = guest.Call(ended, export, []uint64{62})
			require.ErrorIs(t, err, ErrInterrupted, name)
			require.ErrorIs(t, err, errHost, "the cause of the end")
		}
	})
}

func TestACallThatEndsAfterItsContextIsInterrupted(t *testing.T) {
	onEach(t, func(t *testing.T, engine string) {
		ctx, cancel := context.WithCancel(t.Context())
		guest := instantiated(t, compiled(t, engine, "no_memory", "fail"), &record{fail: func() error { cancel(); return nil }})
		require.ErrorIs(t, guest.Call(ctx, 0, nil), ErrInterrupted)
	})
}

func TestADoneContextRunsNothing(t *testing.T) {
	onEach(t, func(t *testing.T, engine string) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := Compile(ctx, engine, module(t, "guest"), Options{})
		require.ErrorIs(t, err, ErrInterrupted)

		code := compiled(t, engine, "guest", guestExports()...)
		_, err = code.Instantiate(ctx, nil)
		require.ErrorIs(t, err, ErrInterrupted)

		guest := instantiated(t, code, &record{fail: func() error { return errors.New("it ran") }})
		require.ErrorIs(t, guest.Call(ctx, exportFail, nil), ErrInterrupted)
		require.NoError(t, guest.Call(t.Context(), exportNothing, nil), "it did not run, so it may be called again")
	})
}

func TestAnInterruptIsOfOneInstanceAlone(t *testing.T) {
	onEach(t, func(t *testing.T, engine string) {
		code := compiled(t, engine, "guest", guestExports()...)
		other, stop := context.WithCancel(t.Context())
		defer stop()
		runs := instantiated(t, code, nil)
		ended := make(chan error, 1)
		go func() { ended <- runs.Call(other, exportLoop, nil) }()

		for range 20 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			require.ErrorIs(t, instantiated(t, code, nil).Call(ctx, exportLoop, nil), ErrInterrupted)
			cancel()
		}
		select {
		case err := <-ended:
			require.FailNow(t, "the other call ended too", "%v", err)
		default:
		}
		stop()
		require.ErrorIs(t, <-ended, ErrInterrupted)
	})
}
