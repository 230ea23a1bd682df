package seam_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

// callers branch on the code, through any wrapping.
func TestErrorsKeepTheirCode(t *testing.T) {
	err := seam.Errorf(seam.CodeProviderFailed, "server gopls: %w", io.ErrUnexpectedEOF)
	wrapped := fmt.Errorf("while asking: %w", err)
	require.Equal(t, seam.CodeProviderFailed, seam.CodeOf(wrapped))
	require.ErrorIs(t, wrapped, io.ErrUnexpectedEOF)
	require.Equal(t, "server gopls: unexpected EOF", err.Error())
	var coded *seam.Error
	require.ErrorAs(t, wrapped, &coded)
	require.Equal(t, seam.CodeTimeout, seam.CodeOf(context.DeadlineExceeded))
	require.Equal(t, seam.CodeCancelled, seam.CodeOf(context.Canceled))
	require.Equal(t, seam.CodeInternal, seam.CodeOf(errors.New("no code")))
	require.Nil(t, seam.AsError(nil))
	require.Empty(t, seam.CodeOf(nil))
}

// a timeout says so, a cause with a code is kept, a plain cause is told.
func TestContextError(t *testing.T) {
	require.NoError(t, seam.ContextError(t.Context()))

	late, cancel := context.WithTimeout(t.Context(), -time.Second)
	defer cancel()
	err := seam.ContextError(late)
	require.Equal(t, seam.CodeTimeout, seam.CodeOf(err))
	require.ErrorIs(t, err, context.DeadlineExceeded)

	ctx, stop := context.WithCancelCause(t.Context())
	stop(nil)
	err = seam.ContextError(ctx)
	require.Equal(t, seam.CodeCancelled, seam.CodeOf(err))
	require.ErrorIs(t, err, context.Canceled)

	ctx, stop = context.WithCancelCause(t.Context())
	stop(seam.Errorf(seam.CodeDisposed, "closed"))
	require.Equal(t, seam.CodeDisposed, seam.CodeOf(seam.ContextError(ctx)))

	ctx, stop = context.WithCancelCause(t.Context())
	stop(io.ErrClosedPipe)
	err = seam.ContextError(ctx)
	require.Equal(t, seam.CodeCancelled, seam.CodeOf(err))
	require.ErrorIs(t, err, io.ErrClosedPipe)
	require.ErrorIs(t, err, context.Canceled)
}

// the codes, and the JSON that commands and tools print.
func TestErrorJSON(t *testing.T) {
	cases := []struct {
		err  *seam.Error
		want string
	}{
		{seam.Errorf(seam.CodeUnavailable, "none"), `{"code":"LSP_UNAVAILABLE","message":"none"}`},
		{seam.Errorf(seam.CodeSourceRejected, "gone").WithReason(seam.ReasonMissing), `{"code":"LSP_SOURCE_REJECTED","message":"gone","reason":"missing"}`},
		{&seam.Error{Code: seam.CodeTimeout, Message: "late", Limit: "startTimeoutMs", Retryable: true, RetryAfter: 1500 * time.Millisecond}, `{"code":"LSP_TIMEOUT","message":"late","limit":"startTimeoutMs","retryable":true,"retryAfterMs":1500}`},
		{seam.Errorf(seam.CodeProviderFailed, "said: %w", &seam.ServerError{Code: -32001, Message: "no", Data: json.RawMessage(`[1]`)}), `{"code":"LSP_PROVIDER_FAILED","message":"said: no (code -32001)","server":{"code":-32001,"message":"no","data":[1]}}`},
	}
	for _, c := range cases {
		got, err := json.Marshal(c.err)
		require.NoError(t, err)
		require.JSONEq(t, c.want, string(got))
	}
}
