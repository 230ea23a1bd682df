package trace

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Both sides count their own requests: the id alone does not tell whose a reply is.
func TestRepliesFindTheirRequests(t *testing.T) {
	text := written(
		t,
		`{"id":1,"method":"ours"}`,
		`{"id":1,"method":"theirs"}`,
		`{"id":1,"result":null}`,
		`{"id":"1","result":null}`,
		`{"id":1,"result":null}`,
	)
	var methods []any
	for _, line := range lines(t, text)[1:6] {
		methods = append(methods, line["method"])
	}
	require.Equal(t, []any{"ours", "theirs", "theirs", "ours", nil}, methods)
}

func TestMessagesThatNobodyKept(t *testing.T) {
	file := &memory{}
	l := newLog(file, 0, maxFileBytes)
	l.Wire("fake", "/w").Message(false, nil, 1<<30)
	require.NoError(t, l.Close())
	line := lines(t, file.String())[1]
	require.Equal(t, []any{"unread", float64(1 << 30)}, []any{line["kind"], line["bytes"]})
}

func TestRequestsWithoutReplyAreBounded(t *testing.T) {
	l := newLog(&memory{}, 0, maxFileBytes)
	w := l.Wire("fake", "/w")
	for i := range 2 * maxAsked {
		w.line(time.Now(), true, fmt.Appendf(nil, `{"id":%d,"method":"m"}`, i), 0)
	}
	require.Len(t, w.sent, maxAsked)
	require.NoError(t, l.Close())
}
