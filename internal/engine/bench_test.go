package engine

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkCall compares a call of an empty-handed function with the same call of the
// engine's own API, under the same context.
func BenchmarkCall(b *testing.B) {
	ctx, cancel := context.WithTimeout(b.Context(), time.Hour)
	defer cancel()
	for _, name := range Names() {
		guest := instantiated(b, compiled(b, name, "guest", guestExports()...), nil)
		stack := []uint64{1, 2}
		require.NoError(b, guest.Call(ctx, exportAdd, stack))

		b.Run(name+"/bare", func(b *testing.B) {
			bare := bareCall(guest, exportAdd)
			b.ReportAllocs()
			for b.Loop() {
				if err := bare(ctx, stack); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/ours", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := guest.Call(ctx, exportAdd, stack); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// bareCall calls the engine without anything of ours.
func bareCall(guest Instance, export int) func(context.Context, []uint64) error {
	if wazero, ok := guest.(*wazeroInstance); ok {
		return wazero.functions[export].CallWithStack
	}
	return bareWasmtimeCall(guest, export)
}

// BenchmarkHostFunction is a call that calls the host once.
func BenchmarkHostFunction(b *testing.B) {
	for _, name := range Names() {
		guest := instantiated(b, compiled(b, name, "guest", guestExports()...), &record{})
		stack := []uint64{1, 2}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				stack[0] = 1
				if err := guest.Call(b.Context(), exportPeek, stack); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkInstance makes an instance, calls it and closes it.
func BenchmarkInstance(b *testing.B) {
	for _, name := range Names() {
		code := compiled(b, name, "guest", guestExports()...)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				guest, err := code.Instantiate(b.Context(), nil)
				if err != nil {
					b.Fatal(err)
				}
				if err := guest.Call(b.Context(), exportNothing, nil); err != nil {
					b.Fatal(err)
				}
				guest.Close()
			}
		})
	}
}

// BenchmarkInterrupt reports the time from a cancel to the return of a call that would run
// for ever.
func BenchmarkInterrupt(b *testing.B) {
	for _, name := range Names() {
		code := compiled(b, name, "guest", guestExports()...)
		b.Run(name, func(b *testing.B) {
			var late time.Duration
			for b.Loop() {
				guest, err := code.Instantiate(b.Context(), nil)
				require.NoError(b, err)
				ctx, cancel := context.WithCancel(b.Context())
				canceled := make(chan time.Time, 1)
				time.AfterFunc(time.Millisecond, func() { canceled <- time.Now(); cancel() })
				require.ErrorIs(b, guest.Call(ctx, exportLoop, nil), ErrInterrupted)
				late += time.Since(<-canceled)
				guest.Close()
			}
			b.ReportMetric(float64(late.Nanoseconds())/float64(b.N), "late-ns/op")
		})
	}
}
