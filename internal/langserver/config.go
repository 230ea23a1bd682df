package langserver

import (
	"encoding/json"
	"log/slog"
	"regexp"
	"time"

	"github.com/navseam/navseam/internal/trace"
)

// Config says how one language server is run. Nothing is defaulted here.
type Config struct {
	ID   string   // provider id, for messages
	Path string   // executable, resolved
	Args []string // without the program's name
	Env  []string // the whole environment

	// Supervisor is the argument vector of the program that ends the server's
	// processes when this one dies. See process.Command.
	Supervisor []string

	InitializationOptions json.RawMessage // verbatim; nil is null
	Configuration         json.RawMessage // one answer for every configuration item
	Settings              json.RawMessage // answers by section; used when Configuration is nil

	MaxMessageBytes int
	MaxStderrBytes  int

	StartTimeout    time.Duration // spawn to the end of the handshake
	ReadyTimeout    time.Duration // handshake to the ready signal
	ShutdownTimeout time.Duration // shutdown, exit and the process's own end
	KillGrace       time.Duration // SIGTERM to SIGKILL

	ReadyWhen      ReadyWhen
	Documents      DocumentMode
	OpenDocuments  int  // the most that stay open
	CancelRequests bool // whether an abandoned request is cancelled, or left to run out

	Freshness Freshness

	Log   *slog.Logger
	Trace *trace.Log // nil: nobody wants one
}

// DocumentMode says what happens to a document after a query.
type DocumentMode uint8

// Leased documents stay open and are brought up to date before each query.
// Transient ones are opened and closed around each query.
const (
	Leased DocumentMode = iota
	Transient
)

// ReadyWhen is the signal by which a server shows that its answers are whole. At
// most one field is set; with none, and with Answers, nothing is waited for.
type ReadyWhen struct {
	Progress string         // title or token of a work-done progress that ends
	Log      *regexp.Regexp // matches a window/logMessage
	Status   string         // "quiescent": experimental/serverStatus says so
	Answers  bool           // the server holds its answers back until they are right

	// AfterOpen is for a server that begins to read the workspace at its first document: the
	// signal is waited for after that was opened, unless no such progress begins soon.
	AfterOpen bool

	// AfterChange is for a server that gives the signal again after files came or went: it is
	// waited for then too, though not for long.
	AfterChange bool
}

func (r ReadyWhen) signals() bool { return r.Progress != "" || r.Log != nil || r.Status != "" }

// known reports whether anything tells that the server has read the workspace.
func (r ReadyWhen) known() bool { return r.signals() || r.Answers }

// isProgress reports whether a work is the one whose end is waited for.
func (r ReadyWhen) isProgress(w work) bool {
	return r.Progress != "" && (r.Progress == w.title || r.Progress == w.token)
}

// beginTimeout is how soon after its first document a server begins the work of AfterOpen, if it
// has any. It is wide: clangd took 108 ms on a machine with more to do than it could.
const beginTimeout = 2 * time.Second

// writeTimeout is how long a server may leave a message unread in its pipe. It is
// wide: a single-threaded server does not read while it computes.
const writeTimeout = 30 * time.Second
