package stdio

import (
	"encoding/json"
	"log/slog"
	"regexp"
	"time"

	"github.com/navseam/navseam/internal/circuit"
	"github.com/navseam/navseam/internal/langserver"
	"github.com/navseam/navseam/internal/trace"
	"github.com/navseam/navseam/seam"
)

// Config describes one language server. Nothing is defaulted here: package host owns
// the defaults and the ranges.
type Config struct {
	ID       string
	Routes   seam.Routes
	Command  string // absolute path, or a bare name to look up on PATH
	Args     []string
	Env      map[string]string // added to the environment
	EnvAllow []string          // names that the scrub lets through

	RootMarkers []string // of the folders of a workspace that get servers of their own; see [workspace.View.Project]

	InitializationOptions json.RawMessage // verbatim
	Configuration         json.RawMessage // one answer to every configuration item
	Settings              json.RawMessage // answers by section

	MaxMessageBytes  int
	MaxStderrBytes   int
	MaxDocumentBytes int

	StartTimeout    time.Duration
	ReadyTimeout    time.Duration
	ShutdownTimeout time.Duration
	KillGrace       time.Duration
	QueryTimeout    time.Duration // for callers without a deadline
	IdleTimeout     time.Duration // 0: a server is never stopped for being idle
	DocumentIdle    time.Duration // 0: documents stay open while the server lives

	ReadyWhen      ReadyWhen
	Freshness      Freshness
	Transient      bool // open and close the document around each query
	OpenDocuments  int
	Instances      int // processes a project may have
	CancelRequests bool
	Circuit        Circuit

	SourceRoots []string // folders outside the workspace that may be asked about
	Supervisor  []string // argument vector of a program that calls process supervision; see host.Options
	Log         *slog.Logger
	Trace       *trace.Log // of what is said on the wire; nil: none
}

// ReadyWhen names the signal by which the server shows that its answers are whole. At
// most one field is set.
type ReadyWhen struct {
	Progress string // title or token of a work-done progress that ends
	Log      string // regular expression for a window/logMessage
	Status   string // "quiescent"
	Answers  bool   // the server holds back answers until they are right

	AfterOpen   bool // the progress begins at the first document that is opened
	AfterChange bool // the signal comes again after files came or went
}

// Freshness says how a server learns of what changed on disk beside its open documents.
type Freshness struct {
	Notify          bool          // workspace/didChangeWatchedFiles
	Touch           Touch         // which files are opened, asked about once and closed
	TouchLimit      int           // the most files that one query touches
	RestartOnMore   bool          // more need a fresh process, instead of more queries
	RestartOnDelete bool          // a file that is gone needs a fresh process
	Settle          time.Duration // how far apart two answers are that agree, after a start or a change; 0: the first counts
	RestartOn       []string      // patterns of files whose change needs a fresh process
	Watch           []string      // patterns of files that matter to it beside those that it is asked about
	Skip            []string      // names of folders that are not looked into
	Events          bool          // use the system's events where it has any, else look at each file
}

// looks reports whether anything is done about what changed.
func (f Freshness) looks() bool {
	return f.Notify || f.Touch != TouchNone || f.RestartOnDelete || len(f.RestartOn) > 0
}

// Touch says which files are touched.
type Touch = langserver.Touch

// None, one of each folder that has only new ones, those that were created, or all that changed.
const (
	TouchNone    = langserver.TouchNone
	TouchFolders = langserver.TouchFolders
	TouchNew     = langserver.TouchNew
	TouchAll     = langserver.TouchAll
)

// Circuit says when a server that keeps failing is left alone, and for how long.
type Circuit = circuit.Limit

// server gives the part of the configuration that one process needs.
func (c Config) server(executable string, env []string) (langserver.Config, error) {
	ready := langserver.ReadyWhen{
		Progress: c.ReadyWhen.Progress, Status: c.ReadyWhen.Status, Answers: c.ReadyWhen.Answers,
		AfterOpen: c.ReadyWhen.AfterOpen, AfterChange: c.ReadyWhen.AfterChange,
	}
	if c.ReadyWhen.Log != "" {
		pattern, err := regexp.Compile(c.ReadyWhen.Log)
		if err != nil {
			return langserver.Config{}, seam.Errorf(seam.CodeInvalidConfig, "server %q: readyWhen.log: %w", c.ID, err)
		}
		ready.Log = pattern
	}
	documents := langserver.Leased
	if c.Transient {
		documents = langserver.Transient
	}
	return langserver.Config{
		ID:                    c.ID,
		Path:                  executable,
		Args:                  c.Args,
		Env:                   env,
		Supervisor:            c.Supervisor,
		InitializationOptions: c.InitializationOptions,
		Configuration:         c.Configuration,
		Settings:              c.Settings,
		MaxMessageBytes:       c.MaxMessageBytes,
		MaxStderrBytes:        c.MaxStderrBytes,
		StartTimeout:          c.StartTimeout,
		ReadyTimeout:          c.ReadyTimeout,
		ShutdownTimeout:       c.ShutdownTimeout,
		KillGrace:             c.KillGrace,
		ReadyWhen:             ready,
		Documents:             documents,
		OpenDocuments:         c.OpenDocuments,
		CancelRequests:        c.CancelRequests,
		Freshness: langserver.Freshness{
			Language:        c.Routes.Language,
			Watch:           c.Freshness.Watch,
			RestartOn:       c.Freshness.RestartOn,
			Notify:          c.Freshness.Notify,
			Touch:           c.Freshness.Touch,
			TouchLimit:      c.Freshness.TouchLimit,
			RestartOnMore:   c.Freshness.RestartOnMore,
			RestartOnDelete: c.Freshness.RestartOnDelete,
			Settle:          c.Freshness.Settle,
		},
		Log:   c.Log,
		Trace: c.Trace,
	}, nil
}
