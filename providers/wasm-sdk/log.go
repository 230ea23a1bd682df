package wasmsdk

import (
	"github.com/navseam/navseam/abi"
	"github.com/navseam/navseam/providers/wasm-sdk/internal/hostcall"
)

// Level is the weight of a log line.
type Level uint32

// The levels.
const (
	Debug = Level(abi.LogDebug)
	Info  = Level(abi.LogInfo)
	Warn  = Level(abi.LogWarn)
	Error = Level(abi.LogError)
)

// Log writes a line into the host's log, which bounds its length and their number. What is
// printed to stdout or stderr arrives there too.
func Log(level Level, line string) { hostcall.Log(uint32(level), line) }
