package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"strconv"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// echo is the least that is a tool of the bare library, for comparison. With arguments,
// the command line of a language server, it passes questions on to that: the least that
// any tool over a language server costs.
func echo() {
	answer := func(arguments json.RawMessage) string { return string(arguments) }
	if len(os.Args) > 1 {
		answer = startBareServer(os.Args[1], os.Args[2:]...).ask
	}
	server := sdk.NewServer(&sdk.Implementation{Name: "echo", Version: "1"}, nil)
	server.AddTool(&sdk.Tool{Name: "lsp", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, request *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: answer(request.Params.Arguments)}}}, nil
	})
	if err := server.Run(context.Background(), &sdk.StdioTransport{}); err != nil {
		os.Exit(1)
	}
}

// bareServer is a language server behind pipes. It must say nothing but replies. It ends
// with its input, and a fault in it ends this process.
type bareServer struct {
	mu  sync.Mutex
	in  io.Writer
	out *bufio.Reader
}

func startBareServer(command string, args ...string) *bareServer {
	cmd := exec.Command(command, args...)
	in, err := cmd.StdinPipe()
	must(err)
	out, err := cmd.StdoutPipe()
	must(err)
	must(cmd.Start())
	s := &bareServer{in: in, out: bufio.NewReaderSize(out, 1<<16)}
	s.ask(json.RawMessage(`{"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}`))
	s.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	return s
}

// ask sends a method and its params, and says how long the reply is.
func (s *bareServer) ask(question json.RawMessage) string {
	var asked struct {
		Method string
		Params json.RawMessage
	}
	must(json.Unmarshal(question, &asked))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, asked.Method, asked.Params))
	header, err := textproto.NewReader(s.out).ReadMIMEHeader()
	must(err)
	length, err := strconv.Atoi(header.Get("Content-Length"))
	must(err)
	_, err = s.out.Discard(length)
	must(err)
	return fmt.Sprintf("%d bytes", length)
}

func (s *bareServer) send(body string) {
	_, err := fmt.Fprintf(s.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	must(err)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
