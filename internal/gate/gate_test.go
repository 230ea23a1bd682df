package gate_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/internal/gate"
)

func isEmpty(g *gate.Gate) bool {
	select {
	case <-g.Empty():
		return true
	default:
		return false
	}
}

func TestGate(t *testing.T) {
	g := gate.New()
	require.True(t, g.Enter())
	require.True(t, g.Enter())
	g.Leave()
	require.False(t, isEmpty(g), "it is open")
	g.Shut()
	require.False(t, g.Enter())
	require.False(t, isEmpty(g), "one is inside")
	g.Shut()
	g.Leave()
	require.True(t, isEmpty(g))
	g.Shut()
	require.False(t, g.Enter())
}

func TestGateThatNobodyWentThrough(t *testing.T) {
	g := gate.New()
	require.False(t, isEmpty(g))
	g.Shut()
	require.True(t, isEmpty(g))
}

func TestHammerGate(t *testing.T) {
	g := gate.New()
	var inside atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for g.Enter() {
				inside.Add(1)
				inside.Add(-1)
				g.Leave()
			}
		})
	}
	g.Shut()
	<-g.Empty()
	require.Zero(t, inside.Load(), "empty means that nobody is inside")
	all.Wait()
}
