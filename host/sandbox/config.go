package sandbox

import (
	"encoding/json"
	"log/slog"
	"time"

	"github.com/navseam/navseam/internal/circuit"
	"github.com/navseam/navseam/internal/egress"
	"github.com/navseam/navseam/internal/trace"
	"github.com/navseam/navseam/seam"
)

// Config describes one module. Nothing is defaulted here: package host owns the defaults
// and the ranges.
type Config struct {
	ID       string
	Routes   seam.Routes
	Path     string // of the module's file
	SHA256   string // in hexadecimal; "" when the deployment does not pin it
	Engine   string // one of Engines
	Limits   Limits
	Grants   Grants
	Settings json.RawMessage // what the module reads as its config; nil means {}
	Complete bool            // the deployment vouches that answers are whole
	Circuit  circuit.Limit

	SourceRoots  []string      // folders outside the workspace that may be asked about
	QueryTimeout time.Duration // for callers without a deadline
	CacheDir     string        // for compiled code; "" for none
	Log          *slog.Logger
	Trace        *trace.Log // of the calls of the module; nil: none
}

// Limits bound what a module may use.
type Limits struct {
	MemoryBytes   int64         // of an instance; whole pages of 64 KiB
	CallTimeout   time.Duration // one operation
	LoadTimeout   time.Duration // of each instance: the start function, _initialize and load
	Instances     int           // in a workspace
	ResponseBytes int           // of what an operation hands over
	Locations     int           // that an operation hands over
	DocumentBytes int64         // the largest source file that is served to it
	IdleTimeout   time.Duration // an unused instance ends after this; 0: never
}

// Grants are what the module may reach beside the question. The zero value is nothing.
type Grants struct {
	Workspace  bool              // files: read the workspace, as mount "workspace"
	Mounts     map[string]string // files: read these folders (absolute), by mount name
	HTTP       []egress.Rule
	CacheBytes int64 // 0: no cache
}
