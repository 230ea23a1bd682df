package sandbox_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host/sandbox"
	"github.com/navseam/navseam/seam"
)

// Code that runs for long without a loop and without recursion: calls in a row, to functions
// that call nothing, or to the host. Engines look at the deadline at the heads of loops.
func TestHostileRows(t *testing.T) {
	const f64 = 0x7c
	getCallSet := []byte{0x20, 2, 0x10, 2, 0x21, 2} // local 2 = function 2 of local 2
	call := func(f byte) []byte { return []byte{0x20, 0, 0x10, f} }
	end := []byte{0x0b}
	zero := []byte{0x41, 0, 0x0b}
	roots := func(n int) []byte { return slices.Concat([]byte{0x20, 0}, bytes.Repeat([]byte{0x9f}, n)) }
	function := func(locals []byte, code ...[]byte) []byte {
		body := append(locals, bytes.Join(code, nil)...)
		return append(number(len(body)), body...)
	}
	oneFloat := func() []byte { return []byte{1, 1, f64} }
	none := func() []byte { return []byte{0} }
	calling := func(leaves ...[]byte) parts {
		p := smallest()
		p.types = append(p.types, []byte{0x60, 1, f64, 1, f64})
		p.functions = [][]byte{{1}}
		p.code = [][]byte{function(oneFloat(), bytes.Repeat(getCallSet, 20_000), zero)}
		for _, leaf := range leaves {
			p.functions = append(p.functions, []byte{2})
			p.code = append(p.code, leaf)
		}
		return p
	}
	logging := smallest()
	logging.imports = append(logging.imports, slices.Concat(name("navseam_v1"), name("log"), []byte{0, 2}))
	logging.types = append(logging.types, []byte{0x60, 3, i32, i32, i32, 0})
	logging.memories = [][]byte{append([]byte{0}, number(1024)...)}
	logging.exports[1] = slices.Concat(name("goToDefinition"), []byte{0, 2})
	log64MiB := []byte{0x41, 1, 0x41, 0, 0x41, 0x80, 0x80, 0x80, 0x20, 0x10, 1} // log(1, 0, 64 MiB)
	logging.code = [][]byte{function(none(), bytes.Repeat(log64MiB, 2_000), zero)}

	modules := map[string]parts{
		"long leaves":       calling(function(none(), roots(100_000), end)),
		"rows of leaves":    calling(function(none(), bytes.Repeat(append(call(3), 0x1a), 20_000), []byte{0x20, 0}, end), function(none(), roots(250), end)),
		"calls of the host": logging,
	}
	onEveryEngine(t, func(t *testing.T, engine string) {
		h, root := startHeart(t, engine), hostileRoot(t)
		for what, p := range modules {
			t.Run(what, func(t *testing.T) {
				config := configOf(filepath.Join(t.TempDir(), "rows.wasm"), engine)
				shortly(&config)
				config.Limits.MemoryBytes = 128 << 20
				require.NoError(t, os.WriteFile(config.Path, p.module(), 0o600))
				var provider *sandbox.Provider
				h.requireAlive(t, func() { provider = provide(t, config) })
				h.requireAlive(t, func() {
					began := time.Now()
					_, err := seam.Ask(t.Context(), provider, seam.OpGoToDefinition, target(root, "a.toy", 0, 0))
					require.Equal(t, late, seam.CodeOf(err), "%v", err)
					require.Equal(t, "modules.toy.limits.callTimeoutMs", seam.AsError(err).Limit)
					require.Less(t, time.Since(began), config.Limits.CallTimeout+leeway())
				})
			})
		}
	})
}
