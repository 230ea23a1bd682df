// The quickstart asks the four questions about navseam's own source and prints what answers:
// gopls about Go, and the example module about a GraphQL schema. Nothing in a question or an
// answer says which. It is also the example of embedding the library: open, query, close. Run
// it in a clone of the repository; it needs Go and nothing else.
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
	"slices"
	"strings"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/seam"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, stdout, stderr io.Writer) (err error) {
	mod, err := goCommand(ctx, ".", "env", "GOMOD")
	if err != nil {
		return err
	}
	root := filepath.Dir(mod)
	fmt.Fprintln(stderr, "Building gopls as tools.mod names it: a minute or two the first time, nothing after that ...")
	gopls, err := goCommand(ctx, root, "tool", "-modfile=tools.mod", "-n", "gopls")
	if err != nil {
		return fmt.Errorf("%w: is this a clone of navseam?", err)
	}

	fmt.Fprintln(stderr, "Building the example module with the Go at hand ...")
	built, err := os.MkdirTemp("", "navseam-quickstart")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(built)) }()
	wasm := filepath.Join(built, "graphql.wasm")
	if _, err := goCommand(ctx, root, "build", "-C", "examples/wasm-provider", "-buildmode=c-shared", "-o", wasm, "."); err != nil {
		return err
	}

	server := host.DefaultServer()
	server.Command = gopls
	server.Args = []string{"serve"}
	server.ExtensionToLanguage = map[string]string{".go": "go"}
	module := host.DefaultModule()
	module.Path = wasm
	module.ExtensionToLanguage = map[string]string{".graphql": "graphql"}
	config := host.DefaultConfig()
	config.Servers["gopls"] = server
	config.Modules["graphql"] = module
	h, err := host.Open(ctx, config, host.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.Close(context.Background())) }()

	fmt.Fprintln(stderr, "Starting gopls: it reads the repository before its first answer ...")
	for _, q := range []question{
		{seam.OpGoToDefinition, "providers/stdio/provider.go", "var _ seam.Provider", "Provider"},
		{seam.OpFindReferences, "seam/provider.go", "func Ask(", "Ask"},
		{seam.OpGoToImplementation, "seam/provider.go", "type Provider interface", "Provider"},
		{seam.OpHover, "host/host.go", "h.registry.Query(", "Query"},
		{seam.OpGoToImplementation, schema, "interface Owner", "Owner"},
		{seam.OpHover, schema, "implements Node &", "Node"},
	} {
		position, err := q.position(root)
		if err != nil {
			return err
		}
		result, err := h.Query(ctx, seam.Request{
			Operation: q.operation, FilePath: q.file, Position: position, WorkspaceRoot: root,
		})
		if err != nil {
			return fmt.Errorf("%s of %s: %s: %w", q.operation, q.symbol, seam.CodeOf(err), err)
		}
		line, character := position.OneBased()
		fmt.Fprintf(stdout, "%s of %s at %s:%d:%d\n", q.operation, q.symbol, q.file, line, character)
		show(stdout, root, result)
	}
	return nil
}

const schema = "examples/wasm-provider/sample/schema.graphql"

// goCommand runs the go command in a folder and returns what it prints. What it builds as a
// shared library is a WebAssembly module; the tools are for this machine.
func goCommand(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	if slices.Contains(args, "-buildmode=c-shared") {
		cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	}
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}
