package abi

// Names of the modules that imports may come from. That of the ABI carries its version.
const (
	Module = "navseam_v1"
	WASI   = "wasi_snapshot_preview1"
)

// Grant is what a deployment must allow before a module may import a function.
type Grant uint8

// The grants.
const (
	NoGrant Grant = iota // always available
	Files
	HTTP
	Cache
)

// String returns the key of the grant in a deployment.
func (g Grant) String() string {
	return [...]string{NoGrant: "none", Files: "files", HTTP: "http", Cache: "cache"}[g]
}

// Phase is a set of the times in the life of an instance.
type Phase uint8

// The times, and the sets that the table needs.
const (
	InInitialize Phase = 1 << iota // the start function and _initialize
	InLoad
	InNavigation // goToDefinition, findReferences, goToImplementation
	InHover

	inOperation = InNavigation | InHover
	afterStart  = InLoad | inOperation
	always      = InInitialize | afterStart
)

// Function is one import from [Module]: an index into the table of [Functions].
type Function uint8

// The imports, in the order of the specification.
const (
	Path Function = iota
	Error
	Language
	SourceSize
	Source
	Config
	RemainingMs
	Locations
	Hover
	HoverRange
	Incomplete
	Message
	Log
	FileOpen
	FileSize
	FileRead
	FileClose
	FileStat
	DirRead
	HTTPRequest
	HTTPStatus
	HTTPHeaders
	HTTPRead
	HTTPClose
	CacheGet
	CachePut

	FunctionCount // the length of a table that is indexed by Function
)

// Import says what a function is called, its type, what it needs and when it may be called.
type Import struct {
	Name      string
	Signature Signature
	Grant     Grant
	Phases    Phase
}

// Functions returns the imports of version 1.
func Functions() [FunctionCount]Import {
	return [FunctionCount]Import{
		Path:        {"path", signature("ii:i"), NoGrant, inOperation},
		Error:       {"error", signature("ii:i"), NoGrant, afterStart},
		Language:    {"language", signature("ii:i"), NoGrant, inOperation},
		SourceSize:  {"source_size", signature(":i"), NoGrant, inOperation},
		Source:      {"source", signature("iii:i"), NoGrant, inOperation},
		Config:      {"config", signature("ii:i"), NoGrant, afterStart},
		RemainingMs: {"remaining_ms", signature(":i"), NoGrant, always},
		Locations:   {"locations", signature("ii:"), NoGrant, InNavigation},
		Hover:       {"hover", signature("ii:"), NoGrant, InHover},
		HoverRange:  {"hover_range", signature("iiii:"), NoGrant, InHover},
		Incomplete:  {"incomplete", signature(":"), NoGrant, inOperation},
		Message:     {"message", signature("ii:"), NoGrant, afterStart},
		Log:         {"log", signature("iii:"), NoGrant, always},
		FileOpen:    {"file_open", signature("ii:i"), Files, afterStart},
		FileSize:    {"file_size", signature("i:I"), Files, afterStart},
		FileRead:    {"file_read", signature("iIii:i"), Files, afterStart},
		FileClose:   {"file_close", signature("i:"), Files, afterStart},
		FileStat:    {"file_stat", signature("iii:i"), Files, afterStart},
		DirRead:     {"dir_read", signature("iiii:i"), Files, afterStart},
		HTTPRequest: {"http_request", signature("iiiiiiii:i"), HTTP, afterStart},
		HTTPStatus:  {"http_status", signature("i:i"), HTTP, afterStart},
		HTTPHeaders: {"http_headers", signature("iii:i"), HTTP, afterStart},
		HTTPRead:    {"http_read", signature("iii:i"), HTTP, afterStart},
		HTTPClose:   {"http_close", signature("i:"), HTTP, afterStart},
		CacheGet:    {"cache_get", signature("iiii:i"), Cache, afterStart},
		CachePut:    {"cache_put", signature("iiii:i"), Cache, afterStart},
	}
}
