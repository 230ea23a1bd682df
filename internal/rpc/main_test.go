package rpc

import (
	"testing"

	"github.com/navseam/navseam/internal/leftover"
)

// Every test ends its connections; here is the proof that this ends their goroutines.
func TestMain(m *testing.M) { leftover.Main(m, "internal/rpc.") }
