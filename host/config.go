package host

// Config is the configuration of a host: what the config file says, with every default
// filled in. Make one with [Load] or [Parse], or begin with [DefaultConfig].
//
// The tags are the one place that says what a key is called, what it may hold and what it
// means: reading, checking, [Schema] and [Reference] follow them.
type Config struct {
	Servers     map[string]Server `yaml:"servers" doc:"The language servers, each under an id of your choice. There is at least one server or module."`
	Modules     map[string]Module `yaml:"modules" doc:"The WebAssembly modules, each under an id that no server has."`
	Limits      Limits            `yaml:"limits" doc:"What all of them share."`
	SourceRoots []string          `yaml:"sourceRoots" expand:"true" doc:"Folders outside the workspace whose files may be asked about too, such as the module cache. A relative one is relative to the folder of the config file."`
	Tool        ToolConfig        `yaml:"tool" doc:"How answers are written for agents, by navseam mcp, and for people, by navseam query."`
	Lenient     bool              `yaml:"lenient" doc:"With an entry that cannot be used (its program is missing, its module is refused, or another serves its files), go on with the others. By default nothing runs then."`
}

// Limits are what all providers of a host share.
type Limits struct {
	Processes      int `yaml:"processes" min:"1" max:"64" doc:"Server processes that may run at once. The one used longest ago makes room for another."`
	QueryTimeoutMs int `yaml:"queryTimeoutMs" min:"1" doc:"How long a query may take when its caller has set no deadline."`
}

// ToolConfig says how answers are written. The host does not use it: it is for whoever shows
// them.
type ToolConfig struct {
	MaxLocations   int    `yaml:"maxLocations" min:"1" doc:"Locations that are shown of an answer. A last line has the number of all."`
	MaxResultChars int    `yaml:"maxResultChars" min:"1" doc:"The longest text of an answer, in UTF-16 units. It is cut between lines."`
	TimeoutMs      int    `yaml:"timeoutMs" min:"1" doc:"How long a call of an agent may take, the start of a server included. A query by navseam query has limits.queryTimeoutMs or its --timeout."`
	Snippets       bool   `yaml:"snippets" doc:"Whether a location shows its source line, where its file is of the workspace or of sourceRoots."`
	Format         string `yaml:"format" enum:"lines,grouped" doc:"lines: a line for each location, path:line:character: source. grouped: a line for each file and its places under it, without sources, which takes a third of the room."`
}

// What ToolConfig.Format may be.
const (
	FormatLines   = "lines"
	FormatGrouped = "grouped"
)

// Server says how one language server is started and spoken to. Begin with
// [DefaultServer].
type Server struct {
	Command  string            `yaml:"command" required:"true" expand:"true" doc:"The program: a name to find on PATH, or an absolute path. It is not run by a shell."`
	Args     []string          `yaml:"args" expand:"true" doc:"Its arguments."`
	Env      map[string]string `yaml:"env" expand:"true" doc:"Variables to add to its environment."`
	EnvAllow []string          `yaml:"envAllow" doc:"Names of variables that it may inherit although they look like secrets (KEY, PASSWORD, SECRET or TOKEN in the name) or begin with NAVSEAM_."`

	ExtensionToLanguage map[string]string `yaml:"extensionToLanguage" doc:"The files that it serves, by extension, each with its LSP language id: {\".go\": go}; the dot may be left out. This or fileNameToLanguage has an entry."`
	FileNameToLanguage  map[string]string `yaml:"fileNameToLanguage" doc:"The files that it serves, by exact base name: {Makefile: makefile}."`

	RootMarkers []string `yaml:"rootMarkers" doc:"Names of files or folders, such as go.mod, or patterns for them, such as *.sln. The nearest folder of the workspace with one of them, from the file that is asked about upwards, gets servers of its own, which start there. Without one, the server of the workspace's root answers. See Project roots."`

	InitializationOptions any `yaml:"initializationOptions" doc:"Sent with the initialize request as it is."`
	Configuration         any `yaml:"configuration" doc:"Sent whole for every configuration item that the server asks for. Not together with settings."`
	Settings              any `yaml:"settings" doc:"Sent by section: for an item such as python.analysis, the value at that path."`

	StartTimeoutMs    int `yaml:"startTimeoutMs" min:"1" doc:"From the start of the process to the end of the handshake."`
	ReadyTimeoutMs    int `yaml:"readyTimeoutMs" min:"1" doc:"How long readyWhen is waited for; then the server is asked all the same."`
	ShutdownTimeoutMs int `yaml:"shutdownTimeoutMs" min:"1" doc:"How long it may take to shut down when asked to, before it is made to."`
	KillGraceMs       int `yaml:"killGraceMs" min:"1" doc:"From a polite signal to the one that it cannot refuse; also how long a given-up request may run on."`

	MaxMessageBytes  int `yaml:"maxMessageBytes" min:"1" doc:"The largest message that it may send."`
	MaxStderrBytes   int `yaml:"maxStderrBytes" min:"1" doc:"How much of the end of its standard error is kept for messages."`
	MaxDocumentBytes int `yaml:"maxDocumentBytes" min:"1" doc:"The largest source file that it is asked about."`

	Instances      int `yaml:"instances" min:"1" max:"64" doc:"Processes that a workspace may have, or with rootMarkers each project in it. Each answers one query at a time."`
	IdleTimeoutMs  int `yaml:"idleTimeoutMs" min:"0" doc:"A process that nobody has asked for this long is stopped. 0: never."`
	OpenDocuments  int `yaml:"openDocuments" min:"1" max:"1024" doc:"Documents that stay open in a process. The one used longest ago is closed first."`
	DocumentIdleMs int `yaml:"documentIdleMs" min:"0" doc:"Open documents are closed when the process has had no query for this long. 0: never."`

	Documents      string     `yaml:"documents" enum:"leased,transient" doc:"leased: a document stays open between queries and is brought up to date before each. transient: it is opened and closed around each query, which is slower."`
	ReadyWhen      *ReadyWhen `yaml:"readyWhen" doc:"The signal by which the server shows that it has read the workspace. Without it, nothing is waited for, and no answer is known to be complete."`
	Freshness      Freshness  `yaml:"freshness" doc:"How the server learns of what changed on disk beside the files that it has open. The defaults are safe for every server; what each server needs makes it faster."`
	CancelRequests bool       `yaml:"cancelRequests" doc:"Whether a request that nobody waits for is cancelled. false lets it run out, for servers that a cancel breaks."`
	Circuit        Circuit    `yaml:"circuit" doc:"When a server that keeps failing is left alone."`
}

// What Server.Documents may be.
const (
	DocumentsLeased    = "leased"
	DocumentsTransient = "transient"
)

// Freshness says how a server learns of what changed on disk, and when its answers count
// after that.
type Freshness struct {
	Notify          bool     `yaml:"notify" doc:"Whether it is told of files that changed, were made or deleted (workspace/didChangeWatchedFiles): those that it serves, those of watch, and those that it registered for."`
	Touch           string   `yaml:"touch" enum:"none,folders,new,all" doc:"Which of its files are also opened, asked about once and closed, for servers that notice nothing else: one of each folder that has only new ones, new ones, or all that changed."`
	TouchLimit      int      `yaml:"touchLimit" min:"1" doc:"Files that one query touches at most."`
	BeyondLimit     string   `yaml:"beyondLimit" enum:"incomplete,restart" doc:"What is done when more changed. incomplete: later queries touch the others, and answers are incomplete until then. restart: a fresh process takes over."`
	RestartOnDelete bool     `yaml:"restartOnDelete" doc:"Whether a fresh process takes over when one of its files was deleted, for servers that nothing else makes forget a file."`
	RestartOn       []string `yaml:"restartOn" doc:"Names of files, or patterns for them as in watch, whose change needs a fresh process."`
	SettleMs        int      `yaml:"settleMs" min:"0" doc:"After its start and after a change, an answer counts when two agree that are this far apart. 0: the first counts."`
	Watch           []string `yaml:"watch" doc:"Names of other files that matter to it, such as go.mod, or patterns for them, such as tsconfig*.json and gen/**/*.proto. A pattern without a slash is for names in any folder, one with a slash for paths below the folder where the server works."`
	Skip            []string `yaml:"skip" doc:"Names of folders in which changes are not looked for. A folder with a CACHEDIR.TAG is never looked into."`
	Events          bool     `yaml:"events" doc:"Whether the system reports changes, where it can (Linux). false: each query looks at every file of the workspace, for file systems that report nothing, such as those of other machines."`
}

// What Freshness.Touch and Freshness.BeyondLimit may be.
const (
	TouchNone        = "none"
	TouchFolders     = "folders"
	TouchNew         = "new"
	TouchAll         = "all"
	BeyondIncomplete = "incomplete"
	BeyondRestart    = "restart"
)

// ReadyWhen names one signal: exactly one of the first four fields is set.
type ReadyWhen struct {
	Progress string `yaml:"progress" doc:"The title or token of a work-done progress that ends."`
	Log      string `yaml:"log" doc:"A Go regular expression that matches a line which the server logs (window/logMessage)."`
	Status   string `yaml:"status" enum:",quiescent" doc:"An experimental/serverStatus notification that says so."`
	Answers  bool   `yaml:"answers" doc:"true: the server holds its answers back until they are right."`

	AfterOpen bool `yaml:"afterOpen" doc:"With progress, for servers that read the workspace from their first document on: the signal is waited for after that was opened. If no such progress begins within 2 s, the server has nothing to read, and its answers are incomplete."`

	AfterChange bool `yaml:"afterChange" doc:"For servers that give the signal again after files came or went, or one of freshness.watch changed: it is waited for then too, for 3 s at most."`
}

// Circuit says when a server that keeps failing is left alone, and for how long.
type Circuit struct {
	Failures   int `yaml:"failures" min:"1" doc:"Failures in a row in one workspace or project after which no process is started."`
	CooldownMs int `yaml:"cooldownMs" min:"1" doc:"For how long."`
}
