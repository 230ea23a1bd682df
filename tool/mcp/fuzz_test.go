package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/stretchr/testify/require"
)

// FuzzInput feeds a connection. Whatever comes, it ends in order, what it lets through can
// be sent on, and all that it says is JSON, one message or batch in a line.
func FuzzInput(f *testing.F) {
	for _, seed := range []string{
		"", "\n", "hello\n", handshake, call("1") + "\n" + call("1"), "[" + call(`"a"`) + ",5,{}]\n", "[]", "[[]]", `{"jsonrpc":"2.0","id":1e400}`,
		`{"jsonrpc":"2.0","id":3,"result":{},"error":{"code":1}}`, "\xff\x00\n{", `{"jsonrpc":"2.0","id":"\ud800","method":"ping"}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		var said bytes.Buffer
		c := newLineConn(Stdio{In: bytes.NewReader(input), Out: &said})
		for {
			message, err := c.Read(t.Context())
			if err != nil {
				require.ErrorIs(t, err, io.EOF)
				break
			}
			_, err = jsonrpc.EncodeMessage(message)
			require.NoError(t, err)
			if request, ok := message.(*jsonrpc.Request); ok && request.IsCall() {
				require.NoError(t, c.Write(context.Background(), &jsonrpc.Response{ID: request.ID, Result: json.RawMessage(`{}`)}))
			}
		}
		require.NoError(t, c.Close())
		for line := range bytes.Lines(said.Bytes()) {
			require.True(t, json.Valid(line), "%q", line)
		}
	})
}
