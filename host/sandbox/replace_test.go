package sandbox_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host/sandbox"
	"github.com/navseam/navseam/seam"
)

// install puts a file in the place of another in one step, as a deployer should.
func install(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(to+".new", data, 0o644))
	require.NoError(t, os.Rename(to+".new", to))
}

// A changed file takes the place of the module while queries run, and none of them fails.
func TestReplacementOfAChangedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "module.wasm")
	install(t, echoModule, path)
	config := configOf(path, sandbox.Engines()[0])
	var warned warnings
	config.Log = slog.New(slog.NewTextHandler(&warned, &slog.HandlerOptions{Level: slog.LevelWarn}))
	provider, root := provide(t, config), toyRoot(t)
	at := target(root, "sample.toy", 0, 4)

	stop, failed := make(chan struct{}), make(chan error, 1)
	go func() {
		defer close(failed)
		for {
			select {
			case <-stop:
				return
			default:
			}
			if _, err := provider.GoToDefinition(t.Context(), at); err != nil {
				failed <- err
				return
			}
		}
	}()
	// Both answer hover, in other words.
	contents := func() string {
		answer, err := provider.Hover(t.Context(), at)
		require.NoError(t, err)
		return answer.Hover.Contents
	}
	require.Equal(t, "a.toy", contents())
	install(t, specModule, path)
	eventually(t, func() bool { return contents() == "def area" }, "the new module answers")
	close(stop)
	require.NoError(t, <-failed)
	require.Equal(t, 1, provider.Status().Replaced)

	// What is no module is not taken, and said.
	install(t, "doc.go", path)
	eventually(t, func() bool { return provider.Status().ReplaceErr != nil }, "the refusal is told")
	require.Equal(t, seam.CodeInvalidConfig, seam.CodeOf(provider.Status().ReplaceErr))
	require.Equal(t, "def area", contents())

	require.NoError(t, os.Remove(path))
	eventually(t, func() bool {
		err := provider.Status().ReplaceErr
		return err != nil && errors.Is(err, fs.ErrNotExist)
	}, "the missing file is told")
	require.Equal(t, "def area", contents())

	install(t, specModule, path)
	eventually(t, func() bool { return provider.Status().ReplaceErr == nil }, "all is well again")
	require.Equal(t, 1, provider.Status().Replaced, "it is the module that answers already")

	require.NoError(t, os.Remove(path))
	eventually(t, func() bool { return strings.Contains(warned.String(), "cannot be read any more") }, "the log has it too")
}

// warnings is a log that may be read while it is written.
type warnings struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *warnings) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

func (w *warnings) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

func TestReplacementKeepsThePin(t *testing.T) {
	path := filepath.Join(t.TempDir(), "module.wasm")
	install(t, echoModule, path)
	data, err := sandbox.ReadModule(path)
	require.NoError(t, err)
	config := configOf(path, sandbox.Engines()[0])
	config.SHA256 = sandbox.Inspect(data).SHA256
	provider := provide(t, config)
	install(t, specModule, path)
	eventually(t, func() bool { return provider.Status().ReplaceErr != nil }, "the refusal is told")
	require.Contains(t, provider.Status().ReplaceErr.Error(), "pins")
	require.Equal(t, config.SHA256, provider.Status().SHA256)
}

// Nobody waits for a start that is not theirs to wait for, and nobody is told another's
// deadline.
func TestStartsOutliveTheirCallers(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, engine string) {
		provider, root := provide(t, configOf("testdata/modules/slowload.wasm", engine)), toyRoot(t)
		at := target(root, "sample.toy", 0, 0)
		hurried, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		_, err := provider.Hover(hurried, at)
		require.Equal(t, seam.CodeTimeout, seam.CodeOf(err), "%v", err)
		answer, err := provider.Hover(t.Context(), at)
		require.NoError(t, err)
		require.Equal(t, "loaded", answer.Hover.Contents)
		require.Equal(t, 1, provider.Status().Workspaces[0].Starts)
	})
}
