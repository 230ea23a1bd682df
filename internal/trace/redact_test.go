package trace

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	planted = "pl4nted-Marker"   // known: it was hidden
	unknown = "unkn0wn-Marker77" // not known: the place tells
)

// written is the lines of a trace of these messages.
func written(t *testing.T, messages ...string) string {
	t.Helper()
	file := &memory{}
	l := newLog(file, 0, maxFileBytes)
	l.Hide(planted)
	w := l.Wire("fake", "/w")
	for i, body := range messages {
		require.True(t, json.Valid([]byte(body)), body)
		w.Message(i%2 == 0, []byte(body), len(body))
	}
	require.NoError(t, l.Close())
	lines(t, file.String())
	return file.String()
}

func TestSecretsInEveryPlace(t *testing.T) {
	tests := map[string][]string{
		"opened text":         {`{"method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a","languageId":"go","version":1,"text":"$"}}}`},
		"changed text":        {`{"method":"textDocument/didChange","params":{"contentChanges":[{"text":"a $ b"}]}}`},
		"hover, one string":   {`{"id":1,"method":"textDocument/hover"}`, `{"id":1,"result":{"contents":"$"}}`},
		"hover, markup":       {`{"id":1,"method":"textDocument/hover"}`, `{"id":1,"result":{"contents":{"kind":"markdown","value":"$"}}}`},
		"hover, list":         {`{"id":1,"result":{"contents":["$",{"language":"$","value":"$"}]}}`},
		"hover, odd":          {`{"id":1,"result":{"contents":{"kind":"$","x":["$"]}}}`},
		"edit of the server":  {`{}`, `{"id":1,"method":"workspace/applyEdit","params":{"edit":{"changes":{"file:///a":[{"newText":"$"}]}}}}`},
		"secret by name":      {`{"id":1,"method":"initialize","params":{"initializationOptions":{"auth":{"x":"$"},"apiKey":"$","list":{"passwords":["$"]}}}}`},
		"number of that name": {`{"method":"m","params":{"settings":{"apiToken":7700077}}}`},
		"names with dots":     {`{"method":"m","params":{"settings":{"server.access_token":"$"}}}`},
		"name and value":      {`{"method":"m","params":{"settings":{"env":[{"name":"API_TOKEN","value":"$"}]}}}`},
		"flag and argument":   {`{"method":"m","params":{"settings":{"args":["--token","$"]}}}`},
		"flag with argument":  {`{"method":"m","params":{"settings":{"args":["--token=$"]}}}`},
		"random in settings":  {`{"method":"workspace/didChangeConfiguration","params":{"settings":{"a":{"licence":"$AbCdEf0123456789"}}}}`},
		"asked settings": {
			`{}`, `{"id":7,"method":"workspace/configuration","params":{"items":[{}]}}`, `{"id":7,"result":[{"licence":"$AbCdEf0123456789"}]}`,
		},
		"address with password": {`{"method":"m","params":{"settings":{"proxy":"http://me:$@proxy.example"}}}`},
		"address with query":    {`{"method":"m","params":{"index":"https://a.example/?access_token=$"}}`},
		"bearer":                {`{"method":"m","params":{"x":"Bearer $"}}`},
		"JSON in a text":        {`{}`, `{"method":"window/logMessage","params":{"message":"got {\"password\": \"$\"}"}}`},
		"assignment":            {`{}`, `{"method":"window/logMessage","params":{"message":"API_TOKEN=$"}}`},
		"token of a service":    {`{}`, `{"method":"window/logMessage","params":{"message":"with ghp_$"}}`},
		"private key":           {`{}`, `{"method":"window/logMessage","params":{"message":"-----BEGIN RSA PRIVATE KEY-----\n$"}}`},
		"long text":             {`{}`, `{"method":"window/logMessage","params":{"message":"$` + strings.Repeat("x", maxText) + `"}}`},
		"large payload":         {`{}`, `{"method":"m","params":["$","` + strings.Repeat(`x","`, maxPayload/4) + `"]}`},
		"a key":                 {`{"method":"m","params":{"token=$":1,"` + strings.Repeat("x", maxText) + `$":1}}`},
	}
	for name, messages := range tests {
		for _, marker := range []string{planted, unknown} {
			t.Run(name, func(t *testing.T) {
				var filled []string
				for _, message := range messages {
					filled = append(filled, strings.ReplaceAll(message, "$", marker))
				}
				text := written(t, filled...)
				require.NotContains(t, text, marker)
				require.NotContains(t, text, "7700077")
			})
		}
	}
}

// What is known to be secret is in no place at all.
func TestHiddenValuesInEveryPlace(t *testing.T) {
	for name, message := range map[string]string{
		"parameter":    `{"method":"m","params":{"a":["x $ y"]}}`,
		"key":          `{"method":"m","params":{"$":1}}`,
		"method":       `{"method":"$"}`,
		"id":           `{"id":"$","method":"m"}`,
		"result":       `{"id":1,"result":"$"}`,
		"location":     `{"id":1,"result":[{"uri":"file:///$/a.go"}]}`,
		"error":        `{"id":1,"error":{"code":-1,"message":"no $","data":{"x":["$"]}}}`,
		"escaped":      `{"method":"m","params":{"a":"\u0070l4nted-Marker"}}`,
		"progress":     `{"method":"$/progress","params":{"token":"$","value":{"kind":"begin","title":"$"}}}`,
		"odd envelope": `{"method":"m","Params":{"a":"$"},"other":"$"}`,
	} {
		t.Run(name, func(t *testing.T) {
			require.NotContains(t, written(t, strings.ReplaceAll(message, "$", planted)), planted)
		})
	}
}

func TestFormsOfHiddenValues(t *testing.T) {
	var h Log
	h.Hide("Bearer abc123", "first line\nsecond \"line\"", "with space&more", "  padded ", "short", t.TempDir(), "bad\xffbyte")
	for _, text := range []string{
		"abc123", "x first line", `second "line"`, `second \"line\"`, "with+space%26more", "with%20space&more", "padded", "bad\ufffdbyte",
	} {
		require.True(t, h.hidden.in(text), text)
	}
	for _, text := range []string{"Bearer", "abc12", "short", "first", t.TempDir()} {
		require.False(t, h.hidden.in(text), text)
	}
}

// A trace is of use: what is no secret and no text stays.
func TestWhatIsShown(t *testing.T) {
	text := written(
		t,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri":"file:///w","initializationOptions":{"tsserver":{"useSyntaxServer":"never"},"maxTsServerMemory":3072,"token":null,"useToken":true}}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"capabilities":{"semanticTokensProvider":{"legend":{"tokenTypes":["type"]}},"hoverProvider":true}}}`,
		`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///w/a.go","text":"package a\n"}}}`,
		`{"jsonrpc":"2.0","method":"$/progress","params":{"token":"load-1","value":{"kind":"begin","title":"Loading"}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///w/a.go"},"position":{"line":1,"character":2}}}`,
		`{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"no package"}}`,
	)
	all := lines(t, text)
	require.Equal(t, []string{"begin", "request", "reply", "notification", "notification", "request", "failure", "end"}, kinds(all))
	payload := func(i int) string {
		data, err := json.Marshal(all[i]["payload"])
		require.NoError(t, err)
		return string(data)
	}
	require.JSONEq(t, `{"rootUri":"file:///w","initializationOptions":{"tsserver":{"useSyntaxServer":"never"},"maxTsServerMemory":3072,"token":null,"useToken":true}}`, payload(1))
	require.JSONEq(t, `{"capabilities":{"semanticTokensProvider":{"legend":{"tokenTypes":["type"]}},"hoverProvider":true}}`, payload(2))
	// The hash is that of "package a\n", as sha256sum gives it.
	require.JSONEq(t, `{"textDocument":{"uri":"file:///w/a.go","text":"[text: 10 bytes, sha256 7b39baa38a2e]"}}`, payload(3))
	require.JSONEq(t, `{"token":"load-1","value":{"kind":"begin","title":"Loading"}}`, payload(4))
	require.JSONEq(t, `{"textDocument":{"uri":"file:///w/a.go"},"position":{"line":1,"character":2}}`, payload(5))
	require.JSONEq(t, `{"code":-32603,"message":"no package"}`, payload(6))
	require.Equal(t, "textDocument/hover", all[6]["method"])
	require.Contains(t, all[6], "ms")
	require.NotContains(t, all[5], "ms")
	require.EqualValues(t, 2, all[6]["id"])
	require.Equal(t, []any{"sent", "received"}, []any{all[5]["direction"], all[6]["direction"]})
	require.Equal(t, []any{"fake", "/w", 1.0}, []any{all[1]["provider"], all[1]["workspace"], all[1]["connection"]})
}
