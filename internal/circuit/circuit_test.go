package circuit

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/seam"
)

var errDied = errors.New("died")

// A-167 corrected: failures are counted, and too many in a row open the circuit, each time
// for twice as long.
func TestBreaker(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	b := Breaker{Limit: Limit{Failures: 3, Cooldown: time.Second}}
	b.Failed(now, errDied)
	b.Failed(now, errDied)
	require.Zero(t, b.Open(now))
	require.True(t, b.Remembers(now))
	require.Equal(t, 2, b.Failures())
	b.Failed(now, errDied)
	require.Equal(t, time.Second, b.Open(now))
	require.Equal(t, 250*time.Millisecond, b.Open(now.Add(750*time.Millisecond)))

	now = now.Add(time.Second) // half open: one more failure is enough
	require.Zero(t, b.Open(now))
	b.Failed(now, errDied)
	require.Equal(t, 2*time.Second, b.Open(now))
	for range 20 {
		b.Failed(now, errDied)
	}
	require.Equal(t, 16*time.Second, b.Open(now))

	b.Succeeded()
	require.Zero(t, b.Open(now))
	require.Zero(t, b.Failures())
	require.NoError(t, b.Last())
	require.False(t, b.Remembers(now))
	b.Failed(now, errDied)
	require.Zero(t, b.Open(now), "the limit is still there")
}

func TestBreakerForgets(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	b := Breaker{Limit: Limit{Failures: 3, Cooldown: time.Second}}
	require.False(t, b.Remembers(now))
	b.Failed(now, errDied)
	require.True(t, b.Remembers(now.Add(time.Second)))
	require.False(t, b.Remembers(now.Add(time.Minute)))
}

func TestRefusal(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	b := Breaker{Limit: Limit{Failures: 1, Cooldown: time.Second}}
	for _, noun := range []string{"server", "module"} {
		b.Failed(now, errDied)
		err := b.Refusal(noun, "alpha", time.Second)
		require.Equal(t, seam.CodeUnavailable, err.Code)
		require.Equal(t, time.Second, err.RetryAfter)
		require.True(t, err.Retryable)
		require.ErrorIs(t, err, errDied)
		require.ErrorContains(t, err, noun+` "alpha" failed too often`)
		require.ErrorContains(t, err, "died")
	}
}
