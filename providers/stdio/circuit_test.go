package stdio

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

// A-167 corrected: failures are counted, and too many in a row open the circuit, each time
// for twice as long.
func TestBreaker(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	b := breaker{limit: Circuit{Failures: 3, Cooldown: time.Second}}
	died := errors.New("died")
	b.failed(now, died)
	b.failed(now, died)
	require.Zero(t, b.open(now))
	require.True(t, b.remembers(now))
	b.failed(now, died)
	require.Equal(t, time.Second, b.open(now))
	require.Equal(t, 250*time.Millisecond, b.open(now.Add(750*time.Millisecond)))

	now = now.Add(time.Second) // half open: one more failure is enough
	require.Zero(t, b.open(now))
	b.failed(now, died)
	require.Equal(t, 2*time.Second, b.open(now))
	for range 20 {
		b.failed(now, died)
	}
	require.Equal(t, 16*time.Second, b.open(now))

	err := b.refusal("gopls", b.open(now))
	coded := seam.AsError(err)
	require.Equal(t, seam.CodeUnavailable, coded.Code)
	require.Equal(t, 16*time.Second, coded.RetryAfter)
	require.ErrorIs(t, err, died)
	require.ErrorContains(t, err, "gopls")

	b.succeeded()
	require.Zero(t, b.open(now))
	require.False(t, b.remembers(now))
	b.failed(now, died)
	require.Zero(t, b.open(now))
}

func TestBreakerForgets(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	b := breaker{limit: Circuit{Failures: 3, Cooldown: time.Second}}
	b.failed(now, errors.New("died"))
	require.True(t, b.remembers(now.Add(time.Second)))
	require.False(t, b.remembers(now.Add(time.Minute)))
}
