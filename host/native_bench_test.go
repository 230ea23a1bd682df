package host_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// BenchmarkNative asks gopls the same hot questions about golang.org/x/tools in three ways:
//
//	open-query-close  LSP over bare pipes, the document opened and closed around each query
//	kept-open         the same, the document kept open, and nothing compared with the disk
//	host              through Host.Query, which looks what changed on disk before each
//
// The figure to compare is median-µs: a mean is at the mercy of gopls's collector.
func BenchmarkNative(b *testing.B) {
	root, gopls := toolsAndGopls(b)
	questions := []struct {
		op     seam.Operation
		method string
		file   string
		marker string
	}{
		{seam.OpGoToDefinition, "textDocument/definition", "go/analysis/passes/inspect/inspect.go", "New(pass.Files)"},
		{seam.OpFindReferences, "textDocument/references", "go/ast/inspector/inspector.go", "New(files"},
		{seam.OpHover, "textDocument/hover", "go/analysis/passes/inspect/inspect.go", "New(pass.Files)"},
	}
	for _, q := range questions {
		path := filepath.Join(root, q.file)
		text, err := os.ReadFile(path)
		require.NoError(b, err)
		offset := strings.Index(string(text), q.marker)
		require.Positive(b, offset)
		at, err := seam.NewText(string(text)).Position(offset)
		require.NoError(b, err)
		params := map[string]any{
			"textDocument": map[string]any{"uri": workspace.FileURI(path)},
			"position":     at,
			"context":      map[string]any{"includeDeclaration": true},
		}
		document := map[string]any{"textDocument": map[string]any{
			"uri": workspace.FileURI(path), "languageId": "go", "version": 1, "text": string(text),
		}}
		b.Run(q.op.String()+"/open-query-close", func(b *testing.B) {
			raw := startBare(b, gopls, root)
			measure(b, func() {
				raw.send("textDocument/didOpen", 0, document)
				raw.call(q.method, params)
				raw.send("textDocument/didClose", 0, params)
			})
		})
		b.Run(q.op.String()+"/kept-open", func(b *testing.B) {
			raw := startBare(b, gopls, root)
			raw.send("textDocument/didOpen", 0, document)
			measure(b, func() { raw.call(q.method, params) })
		})
		b.Run(q.op.String()+"/host", func(b *testing.B) {
			server := host.DefaultServer()
			server.Command, server.Args = gopls, []string{"serve"}
			server.ExtensionToLanguage = map[string]string{".go": "go"}
			server.ReadyWhen = &host.ReadyWhen{Answers: true}
			server.Freshness.Touch, server.Freshness.RestartOnDelete, server.Freshness.SettleMs = host.TouchFolders, false, 0
			h, err := host.Open(b.Context(), config(map[string]host.Server{"gopls": server}), host.Options{})
			require.NoError(b, err)
			defer func() { require.NoError(b, h.Close(context.Background())) }()
			b.ReportAllocs()
			measure(b, func() {
				_, err := h.Query(b.Context(), seam.Request{Operation: q.op, FilePath: q.file, Position: at, WorkspaceRoot: root})
				require.NoError(b, err)
			})
		})
	}
}

// measure warms up, and reports the median of single queries.
func measure(b *testing.B, query func()) {
	for range 5 {
		query()
	}
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		query()
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1000, "median-µs")
}

// toolsAndGopls gives a copy of golang.org/x/tools, as gopls itself was made with, and gopls.
func toolsAndGopls(b *testing.B) (root, gopls string) {
	output := func(args ...string) string {
		command := exec.Command("go", args...)
		command.Dir = ".."
		out, err := command.Output()
		require.NoError(b, err)
		return strings.TrimSpace(string(out))
	}
	root, err := filepath.EvalSymlinks(b.TempDir())
	require.NoError(b, err)
	require.NoError(b, os.CopyFS(root, os.DirFS(output("list", "-m", "-modfile=tools.mod", "-f", "{{.Dir}}", "golang.org/x/tools"))))
	return root, output("tool", "-modfile=tools.mod", "-n", "gopls")
}

// bare is the least that can be called an LSP client.
type bare struct {
	b   *testing.B
	in  io.Writer
	out *bufio.Reader
	id  int
}

func startBare(b *testing.B, gopls, root string) *bare {
	command := exec.Command(gopls, "serve")
	command.Dir = root
	in, err := command.StdinPipe()
	require.NoError(b, err)
	out, err := command.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, command.Start())
	b.Cleanup(func() {
		_ = in.Close()
		_ = command.Wait()
	})
	raw := &bare{b: b, in: in, out: bufio.NewReaderSize(out, 1<<16)}
	raw.call("initialize", map[string]any{"processId": nil, "rootUri": workspace.FileURI(root), "capabilities": map[string]any{}})
	raw.send("initialized", 0, map[string]any{})
	return raw
}

func (r *bare) send(method string, id int, params any) {
	message := map[string]any{"jsonrpc": "2.0", "method": method, "params": params}
	if id > 0 {
		message["id"] = id
	}
	r.write(message)
}

func (r *bare) write(message any) {
	body, err := json.Marshal(message)
	require.NoError(r.b, err)
	_, err = fmt.Fprintf(r.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	require.NoError(r.b, err)
}

// call waits for its reply, and answers what the server asks meanwhile.
func (r *bare) call(method string, params any) {
	r.id++
	r.send(method, r.id, params)
	for {
		var m struct {
			ID     json.RawMessage
			Method string
			Error  json.RawMessage
		}
		require.NoError(r.b, json.Unmarshal(r.read(), &m))
		switch {
		case m.Method != "" && m.ID != nil:
			r.write(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": nil})
		case m.Method == "" && string(m.ID) == strconv.Itoa(r.id):
			require.Empty(r.b, m.Error)
			return
		}
	}
}

func (r *bare) read() []byte {
	length := 0
	for {
		line, err := r.out.ReadString('\n')
		require.NoError(r.b, err)
		if line == "\r\n" {
			break
		}
		if value, ok := strings.CutPrefix(line, "Content-Length: "); ok {
			length, err = strconv.Atoi(strings.TrimSpace(value))
			require.NoError(r.b, err)
		}
	}
	body := make([]byte, length)
	_, err := io.ReadFull(r.out, body)
	require.NoError(r.b, err)
	return body
}
