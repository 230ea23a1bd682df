package rpc

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whoever listens sees all that goes over the wire, in its order, whoever began it.
func TestMessagesAreSeen(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	p := connect(t, Options{
		MaxMessageBytes: 200,
		OnRequest:       func(context.Context, string, json.RawMessage) (any, *Error) { return true, nil },
		OnMessage: func(sent bool, body []byte, size int) {
			mu.Lock()
			defer mu.Unlock()
			seen = append(seen, fmt.Sprintf("%t %d %s", sent, size, body))
		},
	})
	call := p.call("a")
	p.say(`{"id":9,"method":"asked"}`)
	p.hear()
	require.NoError(t, p.conn.Notify("b", nil))
	p.hear()
	large := `{"method":"large","params":"` + strings.Repeat("x", 300) + `"}`
	p.say(large, `{"id":1,"result":null}`)
	_, err := wait(t, call)
	require.NoError(t, err)
	mu.Lock()
	defer mu.Unlock()
	require.Len(t, seen, 6)
	require.JSONEq(t, `{"jsonrpc":"2.0","id":1,"method":"a"}`, strings.TrimPrefix(seen[0], "true 37 "))
	require.Equal(t, []string{
		`false 25 {"id":9,"method":"asked"}`,
		`true 38 {"jsonrpc":"2.0","id":9,"result":true}`,
		`true 30 {"jsonrpc":"2.0","method":"b"}`,
		fmt.Sprintf(`false %d `, len(large)),
		`false 22 {"id":1,"result":null}`,
	}, seen[1:])
}
