package mcp

import (
	"context"
	"encoding/json"
	"os"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/tool"
)

// BenchmarkCall is one call, and 200 at once, of a provider that answers at once, beside a
// tool of the bare library that does nothing.
func BenchmarkCall(b *testing.B) {
	faces := map[string]func(b *testing.B, in, out *os.File){
		"bare": func(b *testing.B, in, out *os.File) {
			s := sdk.NewServer(&sdk.Implementation{Name: "bare", Version: "1"}, nil)
			s.AddTool(&sdk.Tool{Name: tool.Name, InputSchema: tool.InputSchema()}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
				return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "it is known"}}}, nil
			})
			_ = s.Run(context.Background(), &sdk.IOTransport{Reader: in, Writer: out})
		},
		"navseam": func(b *testing.B, in, out *os.File) {
			made := tool.New(provider(knows), tool.Config{MaxLocations: 100, MaxResultChars: 16000, MaxSourceBytes: 1 << 20})
			defer made.Close()
			s := New(Options{
				Tool:    func(context.Context) (*tool.Tool, error) { return made, nil },
				Folders: Folders{Named: []string{b.TempDir()}},
			})
			defer s.Close()
			_ = s.ServeStdio(context.Background(), Stdio{In: in, Out: out})
			_ = out.Close()
		},
	}
	for _, name := range []string{"bare", "navseam"} {
		b.Run(name, func(b *testing.B) {
			session, over := overPipes(b, faces[name])
			b.Run("one", func(b *testing.B) {
				for b.Loop() {
					benchmarkAsk(b, session)
				}
			})
			b.Run("200", func(b *testing.B) {
				for b.Loop() {
					var calls sync.WaitGroup
					for range 200 {
						calls.Go(func() { benchmarkAsk(b, session) })
					}
					calls.Wait()
				}
			})
			require.NoError(b, session.Close())
			<-over
		})
	}
}

func overPipes(b *testing.B, face func(b *testing.B, in, out *os.File)) (*sdk.ClientSession, chan struct{}) {
	b.Helper()
	inRead, inWrite, err := os.Pipe()
	require.NoError(b, err)
	outRead, outWrite, err := os.Pipe()
	require.NoError(b, err)
	over := make(chan struct{})
	go func() {
		defer close(over)
		face(b, inRead, outWrite)
		_ = inRead.Close()
	}()
	session, err := newClient(nil).Connect(b.Context(), &sdk.IOTransport{Reader: outRead, Writer: inWrite}, &sdk.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	require.NoError(b, err)
	return session, over
}

func benchmarkAsk(b *testing.B, session *sdk.ClientSession) {
	result, err := session.CallTool(b.Context(), &sdk.CallToolParams{Name: tool.Name, Arguments: json.RawMessage(question)})
	if err != nil || result.IsError {
		b.Error(err, result)
	}
}
