package mcp

import (
	"testing"

	"github.com/navseam/navseam/internal/leftover"
)

// Every test ends what it began; here is the proof that nothing of it goes on.
func TestMain(m *testing.M) { leftover.Main(m, "navseam/tool", "modelcontextprotocol/go-sdk") }
