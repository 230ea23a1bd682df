package sandbox_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host/sandbox"
	"github.com/navseam/navseam/seam"
)

// refused is a file that New refuses, in words that say why.
type refused struct {
	name   string
	file   string // the content is made by the test if that is empty
	data   []byte
	config func(*sandbox.Config)
	says   []string
	weight int
}

// requireRefused makes providers of the files on every engine: each is refused by its
// name, the process lives and holds no more than before.
func requireRefused(t *testing.T, cases []refused) {
	t.Helper()
	folder := t.TempDir()
	onEveryEngine(t, func(t *testing.T, engine string) {
		h := startHeart(t, engine)
		for _, c := range cases {
			t.Run(c.name+c.file, func(t *testing.T) {
				config := hostileConfig(c.file, engine)
				config.Grants = sandbox.Grants{}
				if c.file == "" {
					config.Path = filepath.Join(folder, "made.wasm")
					require.NoError(t, os.WriteFile(config.Path, c.data, 0o600))
				}
				if c.config != nil {
					c.config(&config)
				}
				round := func(times int) func() {
					return func() {
						for range times {
							_, err := sandbox.New(t.Context(), config, inMemory{})
							require.Equal(t, seam.CodeInvalidConfig, seam.CodeOf(err), "%v", err)
							for _, words := range c.says {
								require.ErrorContains(t, err, words)
							}
						}
					}
				}
				h.requireAlive(t, round(1))
				before := footprintNow()
				h.requireAlive(t, round(repetitions(max(c.weight, 1))))
				requireBack(t, before)
			})
		}
	})
}

func TestHostileFilesAreRefused(t *testing.T) {
	module, err := os.ReadFile(specModule)
	require.NoError(t, err)
	text, err := os.ReadFile("../../abi/testdata/spec.wat")
	require.NoError(t, err)
	requireRefused(t, []refused{
		{name: "empty", data: nil, says: []string{"empty"}},
		{name: "a part of the header", data: module[:6], says: []string{"cut off"}},
		{name: "the header alone", data: module[:8], says: []string{"navseam_v1", "memory", "goToDefinition"}},
		{name: "a version to come", data: append([]byte("\x00asm\x02\x00\x00\x00"), module[8:]...), says: []string{"version"}},
		{name: "a component", data: append([]byte("\x00asm\x0d\x00\x01\x00"), module[8:]...), says: []string{"component"}},
		{name: "text", data: []byte("Good day.\n"), says: []string{"text"}},
		{name: "WAT", data: text, says: []string{"WebAssembly text", "wat2wasm"}},
		{name: "HTML", data: []byte("<!DOCTYPE html><title>Not found</title>"), says: []string{"HTML"}},
		{name: "zip", data: append([]byte("PK\x03\x04\x14\x00\x00\x00\x08\x00"), module...), says: []string{"zip"}},
		{name: "gzip", data: []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"), says: []string{"compressed"}},
		{name: "ELF", data: append([]byte("\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x03\x00\x3e\x00"), module...), says: []string{"ELF"}},
		{name: "noise", data: []byte("\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8\xf7\xf6"), says: []string{"not WebAssembly"}},
		{name: "a reference to a type", data: moduleOf(section(1, number(1), []byte{0x60, 1, 0x63, 0, 0})), says: []string{"function references"}},
		{name: "a structure", data: moduleOf(section(1, number(1), []byte{0x5f, 1, i32, 0})), says: []string{"GC"}},
		{name: "junk behind the module", data: append(module[:len(module):len(module)], 0x7f, 1, 2, 3)},

		{file: "import_unknown", says: []string{"run_command", "socket"}},
		{file: "import_signature", says: []string{"path", "(i32, i32) -> i32", "log", "(i32, i32, i32) -> ()"}},
		{file: "import_version", says: []string{"navseam_v2", "locations"}},
		{file: "import_env", says: []string{"env", "system"}},
		{file: "import_memory", says: []string{"memory"}},
		{file: "import_global", says: []string{"path"}},
		{file: "import_table", says: []string{"table"}},
		{file: "import_wasi_unknown", says: []string{"proc_spawn"}},
		{file: "import_wasi_signature", says: []string{"proc_exit", "(i32) -> ()"}},
		{file: "import_wasi_old", says: []string{"wasi_unstable", "proc_exit"}},
		{file: "import_none", says: []string{"navseam_v1"}},
		{file: "memory_missing", says: []string{"memory"}},
		{file: "memory_not_exported", says: []string{"memory"}},
		{file: "memory_function", says: []string{"memory"}},
		{file: "operation_missing", says: []string{"goToDefinition", "findReferences", "goToImplementation", "hover"}},
		{file: "operation_global", says: []string{"hover", "global"}},
		{file: "operation_signature", says: []string{"goToDefinition", "(i32, i32) -> i32"}},
		{file: "load_signature", says: []string{"load", "() -> i32"}},
		{file: "initialize_signature", says: []string{"_initialize", "() -> ()"}},
		{file: "start_only", says: []string{"_start", "_initialize", "reactor"}},
		{file: "memory_min", says: []string{"limits.memoryBytes"}},
		{file: "memory_65535", says: []string{"limits.memoryBytes"}},
		{file: "table_min", says: []string{"table"}},
		{file: "tables_many", says: []string{"table"}},
		{file: "data_outside", says: []string{"data segment"}},
		{file: "elements_outside", says: []string{"element segment"}}, // wazero would leave them out and go on
		{file: "feature_memory64", says: []string{"memory64"}},
		{file: "feature_threads", says: []string{"shared memory"}},
		{file: "feature_atomics", says: []string{"atomics"}},
		{file: "feature_tail_call", says: []string{"tail call"}},
		{file: "feature_exceptions", says: []string{"exceptions"}},
		{file: "feature_multi_memory", says: []string{"multiple memories"}},
		{file: "feature_relaxed_simd", says: []string{"relaxed SIMD"}},
		{file: "feature_extended_const", says: []string{"extended constant"}},
		{file: "code_invalid"},
		{file: "code_type"},

		// Without their grants.
		{file: "file_open", says: []string{"file_open", "grants.files"}},
		{file: "file_stat", says: []string{"file_stat", "grants.files"}},
		{file: "dir_read", says: []string{"dir_read", "grants.files"}},
		{file: "http_get", says: []string{"http_request", "http_status", "http_read", "grants.http"}},
		{file: "cache_big", says: []string{"cache_put", "grants.cache"}},
		{name: "another pin", file: "sleep_once", says: []string{"pins"}, config: func(c *sandbox.Config) {
			c.SHA256 = "0000000000000000000000000000000000000000000000000000000000000000"
		}},
	})
}

// sectionEnds are the offsets in a module at which its sections end.
func sectionEnds(t *testing.T, module []byte) []int {
	t.Helper()
	var ends []int
	for at := 8; at < len(module); {
		size, shift := 0, 0
		for at++; ; at++ { // over the section's id, then its size
			size |= int(module[at]&0x7f) << shift
			shift += 7
			if module[at] < 0x80 {
				break
			}
		}
		at += 1 + size
		ends = append(ends, at)
	}
	require.Equal(t, len(module), ends[len(ends)-1])
	return ends
}

// A module that is cut off anywhere is refused; that is known without compiling it. Only
// one whose last section is gone is a module still: that section has data alone.
func TestHostileTruncations(t *testing.T) {
	module, err := os.ReadFile(specModule)
	require.NoError(t, err)
	ends := sectionEnds(t, module)
	whole := ends[len(ends)-2]
	for length := range module {
		report := sandbox.Inspect(module[:length])
		require.Equal(t, length == whole, report.OK(), "%d bytes: %v", length, report.Problems)
	}
	var cases []refused
	for _, end := range ends[:len(ends)-2] {
		cases = append(cases, refused{name: "at the end of a section", data: module[:end]})
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 16 {
		cases = append(cases, refused{name: "anywhere", data: module[:random.IntN(whole)]})
	}
	requireRefused(t, cases)
}

// A module with damaged bytes is refused, or comes to some end: with an answer or with one
// of the codes of a module's fault.
func TestHostileDamage(t *testing.T) {
	module, err := os.ReadFile(specModule)
	require.NoError(t, err)
	possible := []seam.Code{
		"", seam.CodeInvalidConfig, seam.CodeProviderFailed, seam.CodeMalformedResponse, seam.CodeTimeout,
		seam.CodeUnavailable, seam.CodeUnsupportedOperation,
	}
	file := filepath.Join(t.TempDir(), "damaged.wasm")
	onEveryEngine(t, func(t *testing.T, engine string) {
		h := startHeart(t, engine)
		root := toyRoot(t)
		config := configOf(file, engine)
		shortly(&config)
		loadShortly(&config)
		config.Limits.LoadTimeout = time.Second
		random := rand.New(rand.NewPCG(3, 4))
		h.requireAlive(t, func() {
			for range 20 * repetitions(1) {
				damaged := append([]byte(nil), module...)
				for range 1 + random.IntN(3) {
					damaged[8+random.IntN(len(damaged)-8)] = byte(random.Uint32())
				}
				require.NoError(t, os.WriteFile(file, damaged, 0o600))
				provider, err := sandbox.New(t.Context(), config, files())
				if err != nil {
					require.Equal(t, seam.CodeInvalidConfig, seam.CodeOf(err), "%v", err)
					continue
				}
				for _, op := range seam.Operations() {
					_, err := seam.Ask(t.Context(), provider, op, target(root, "sample.toy", 2, 6))
					require.Contains(t, possible, seam.CodeOf(err), "%s of %x: %v", op, damaged, err)
				}
				closeProvider(t, provider)
			}
		})
	})
}
