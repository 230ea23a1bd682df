package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/fakeserver"
)

// TestMain is the command when a test asks for it.
func TestMain(m *testing.M) {
	if os.Getenv("FAKESERVER_MAIN") != "" {
		main()
	}
	fakeserver.Main()
	os.Exit(m.Run())
}

func file(t *testing.T, text string) string {
	path := filepath.Join(t.TempDir(), "row.json")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestCommand(t *testing.T) {
	row := file(t, `{"about": "says a word and ends", "server": {"on": {"start": [{"raw": "word", "exit": 5}]}}}`)
	log := filepath.Join(t.TempDir(), "log")
	cmd := exec.Command(os.Args[0], "-log", log, row)
	cmd.Env = append(os.Environ(), "FAKESERVER_MAIN=1")
	out, err := cmd.Output()
	var status *exec.ExitError
	require.ErrorAs(t, err, &status)
	require.Equal(t, 5, status.ExitCode())
	require.Equal(t, "word", string(out))
	events, err := fakeserver.ReadLog(log)
	require.NoError(t, err)
	require.Equal(t, 1, fakeserver.Count(events, "start"))
}

func TestRefusals(t *testing.T) {
	cases := map[string]struct {
		args []string
		says string
	}{
		"no row":        {nil, "want one row"},
		"two rows":      {[]string{"a", "b"}, "got 2"},
		"unknown flag":  {[]string{"-x"}, "-x"},
		"no such file":  {[]string{filepath.Join(t.TempDir(), "none")}, "none"},
		"no JSON":       {[]string{file(t, `{`)}, "unexpected end"},
		"no script":     {[]string{file(t, `{}`)}, "no member server"},
		"unknown fault": {[]string{file(t, `{"server": {"eatBiscuits": true}}`)}, "eatBiscuits"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := script(c.args, io.Discard)
			require.ErrorContains(t, err, c.says)
		})
	}
}
