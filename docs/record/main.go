// Record draws docs/recording.svg: a terminal in which navseam is asked a few questions about its own
// source, with what it really answered. It builds the command, gopls and the example module,
// runs the commands that the picture shows, and needs Go and nothing else:
//
//	go run ./docs/record
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, stderr io.Writer) (err error) {
	mod, err := goCommand(ctx, ".", nil, "env", "GOMOD")
	if err != nil {
		return err
	}
	root := filepath.Dir(mod)
	built, err := os.MkdirTemp("", "navseam-record")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(built)) }()
	fmt.Fprintln(stderr, "Building navseam, gopls and the example module ...")
	program := filepath.Join(built, "navseam"+suffix())
	if err := prepare(ctx, root, built, program); err != nil {
		return err
	}

	var takes []take
	for _, q := range questions() {
		args, err := q.args(root)
		if err != nil {
			return err
		}
		fmt.Fprintln(stderr, "navseam", strings.Join(args, " "))
		cmd := exec.CommandContext(ctx, program, args...)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "NAVSEAM_CONFIG="+filepath.Join(built, "config.yaml"))
		cmd.Stderr = stderr
		output, err := cmd.Output()
		if err != nil {
			return fmt.Errorf("navseam %s: %w", strings.Join(args, " "), err)
		}
		takes = append(takes, take{command: "navseam " + strings.Join(args, " "), output: string(output)})
	}
	picture := draw(takes)
	if len(picture) > maxBytes {
		return fmt.Errorf("the picture has %d bytes, and may have %d: ask for less", len(picture), maxBytes)
	}
	return os.WriteFile(filepath.Join(root, "docs", "recording.svg"), picture, 0o644)
}

// suffix is how the names of programs end here.
func suffix() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}

// prepare builds the program, and puts its config into a folder.
func prepare(ctx context.Context, root, folder, program string) error {
	if _, err := goCommand(ctx, root, nil, "build", "-o", program, "./cmd/navseam"); err != nil {
		return err
	}
	gopls, err := goCommand(ctx, root, nil, "tool", "-modfile=tools.mod", "-n", "gopls")
	if err != nil {
		return err
	}
	module := filepath.Join(folder, "graphql.wasm")
	if _, err := goCommand(ctx, root, []string{"GOOS=wasip1", "GOARCH=wasm"},
		"build", "-C", "examples/wasm-provider", "-buildmode=c-shared", "-o", module, "."); err != nil {
		return err
	}
	config := fmt.Sprintf(`servers:
  gopls: {command: %q, args: [serve], extensionToLanguage: {".go": go}, readyWhen: {answers: true}}
modules:
  graphql: {path: %q, extensionToLanguage: {".graphql": graphql}}
`, gopls, module)
	return os.WriteFile(filepath.Join(folder, "config.yaml"), []byte(config), 0o600)
}

// goCommand runs the go command in a folder and returns what it prints.
func goCommand(ctx context.Context, dir string, env []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = slices.Concat(os.Environ(), env)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}
