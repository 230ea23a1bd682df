package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/navseam/navseam/seam"
	"github.com/navseam/navseam/tool"
)

const initUsage = `navseam init [flags]

Looks on PATH for the language servers that navseam knows, and writes a configuration that
names those it finds. Read it and change it as you like: navseam runs what it names and looks
for nothing by itself, so a server that you install later has to be added.

  -c, --config   the file to write; default: $NAVSEAM_CONFIG, then the one in your config folder
  --force        write over a file that is there`

func initConfig(_ context.Context, c *console, args []string) int {
	var given string
	var force bool
	o := newOptions("init")
	o.text(&given, "c", "config")
	o.BoolVar(&force, "force", false, "")
	if err := o.none(o.parse(c, args)); err != nil {
		return c.report(err)
	}
	path, err := c.configPath(given)
	if err != nil {
		return c.report(err)
	}
	known, err := knownServers()
	if err != nil {
		return c.report(err)
	}
	found, missing := findServers(known)
	if len(found) == 0 {
		return c.report(seam.Errorf(seam.CodeUnavailable,
			"no language server that navseam knows is on PATH, and nothing was written: install one, or write %s by hand\n%s", path, missingText(missing)))
	}
	if err := writeConfig(path, configText(found), force); err != nil {
		return c.report(err)
	}
	return c.report(c.print(tool.Escape(initText(path, found, missing))))
}

// writeConfig makes the file and its folder. Nobody else needs to read which programs a
// user runs.
func writeConfig(path, text string, force bool) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return unwritable(path, err)
	}
	flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if force {
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	file, err := os.OpenFile(path, flags, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return usagef("%s is there already, and was left as it is: write over it with --force, or another file with -c", path)
	}
	if err != nil {
		return unwritable(path, err)
	}
	_, err = file.WriteString(text)
	if err = errors.Join(err, file.Close()); err != nil {
		return unwritable(path, err)
	}
	return nil
}

func unwritable(path string, err error) error {
	return seam.Errorf(seam.CodeInvalidConfig, "%s cannot be written: %w", path, err)
}

// initText says what was found, what was not, and what to do next.
func initText(path string, found []foundServer, missing []knownServer) string {
	var b strings.Builder
	b.WriteString("Found:\n")
	for _, server := range found {
		note := ""
		if server.idle() {
			note = ", not used: " + strings.Join(server.to, ", ") + " serves its files"
		}
		fmt.Fprintf(&b, "  %-28s %s%s\n", server.ID, server.path, note)
	}
	b.WriteString(missingText(missing))
	fmt.Fprintf(&b, "Written: %s\nRead it, then try \"navseam check --start\" in a folder with code.", path)
	return b.String()
}

func missingText(missing []knownServer) string {
	var b strings.Builder
	if len(missing) > 0 {
		b.WriteString("Not found:\n")
	}
	for _, server := range missing {
		fmt.Fprintf(&b, "  %-28s %s: %s\n", server.ID, server.Language, server.Install)
	}
	return b.String()
}
