package host

// Module says which WebAssembly module answers for some files, and what it may use. Begin
// with [DefaultModule].
type Module struct {
	Path   string `yaml:"path" required:"true" expand:"true" doc:"The module's file. A relative one is relative to the folder of the config file. When it changes, the new one takes its place."`
	SHA256 string `yaml:"sha256" form:"64 hexadecimal digits" pattern:"^([0-9A-Fa-f]{64})?$" doc:"The hash that the file has to have; any other file is refused. navseam check shows it."`

	ExtensionToLanguage map[string]string `yaml:"extensionToLanguage" doc:"The files that it serves, by extension, each with its LSP language id: {\".ts\": typescript}; the dot may be left out. This or fileNameToLanguage has an entry."`
	FileNameToLanguage  map[string]string `yaml:"fileNameToLanguage" doc:"The files that it serves, by exact base name: {Makefile: makefile}."`

	Engine           string       `yaml:"engine" enum:"wazero,wazero-interpreter,wasmtime" doc:"What runs it. wazero compiles it; wazero-interpreter runs it slowly, on any machine; wasmtime is only there in a navseam that was built with it."`
	Limits           ModuleLimits `yaml:"limits" doc:"What it may use."`
	MaxDocumentBytes int          `yaml:"maxDocumentBytes" min:"1" doc:"The largest source file that it is asked about."`
	Grants           Grants       `yaml:"grants" doc:"What it may reach beside the file that the question is about. By default nothing: a module that asks for more is refused."`
	Config           any          `yaml:"config" doc:"What it reads as its own configuration, as JSON."`
	Complete         bool         `yaml:"complete" doc:"true: you vouch that its answers are whole, so that they count as complete unless it says otherwise."`
	Circuit          Circuit      `yaml:"circuit" doc:"When a module that keeps failing in a workspace is left alone, with all of its operations: no question reaches it then."`
}

// What Module.Engine may be. The last needs a build of navseam with the tag wasmtime.
const (
	EngineWazero      = "wazero"
	EngineInterpreter = "wazero-interpreter"
	EngineWasmtime    = "wasmtime"
)

// ModuleLimits are what a module may use.
type ModuleLimits struct {
	MemoryBytes   int `yaml:"memoryBytes" min:"65536" max:"1073741824" doc:"Memory of an instance, in whole pages of 65536 bytes. One instruction may fill all of it, and no engine interrupts an instruction: for 1 GiB that is a fifth of a second, on wazero-interpreter two seconds and a half."`
	CallTimeoutMs int `yaml:"callTimeoutMs" min:"1" doc:"How long one question may take it."`
	LoadTimeoutMs int `yaml:"loadTimeoutMs" min:"1" doc:"How long an instance may take to start: its start function, _initialize and load together."`
	Instances     int `yaml:"instances" min:"1" max:"64" doc:"Instances that a workspace may have. Each answers one query at a time."`
	ResponseBytes int `yaml:"responseBytes" min:"1" doc:"How much an answer may hold. Locations beyond that are left out, and the answer counts as incomplete."`
	Locations     int `yaml:"locations" min:"1" doc:"How many locations an answer may hold. More are left out, and the answer counts as incomplete."`
	IdleTimeoutMs int `yaml:"idleTimeoutMs" min:"0" doc:"An instance that nobody has asked for this long is ended. 0: never."`
}

// Grants are what a module may reach. The zero value is nothing.
type Grants struct {
	Files FileGrant  `yaml:"files" doc:"Folders that it may read."`
	HTTP  []HTTPRule `yaml:"http" doc:"Requests that it may send. Of the rules that fit a request the one with the longest path counts."`
	Cache CacheGrant `yaml:"cache" doc:"A store that its instances in one workspace share."`
}

// FileGrant names folders that a module may read, and nothing in them that leads out.
type FileGrant struct {
	Workspace bool              `yaml:"workspace" doc:"Whether it may read the workspace, by the name workspace."`
	Mounts    map[string]string `yaml:"mounts" expand:"true" doc:"Other folders, each by the name that it reads it under: {index: ./index}. A relative one is relative to the folder of the config file."`
}

// HTTPRule allows some requests. Begin with [DefaultHTTPRule].
type HTTPRule struct {
	URL       string            `yaml:"url" required:"true" doc:"What the address begins with: scheme, host, port and path, in whole segments of the path."`
	Methods   []string          `yaml:"methods" doc:"The methods; GET and HEAD if there are none."`
	Headers   map[string]string `yaml:"headers" expand:"true" secret:"true" doc:"Headers to add to the requests that this rule allows. The module never sees them, and no message shows their values."`
	Private   bool              `yaml:"private" doc:"Whether the address may be one of this machine or of a private network."`
	BodyBytes int               `yaml:"bodyBytes" min:"1" max:"1073741824" doc:"The largest body, of a request and of a response."`
	TimeoutMs int               `yaml:"timeoutMs" min:"1" doc:"From the request to the end of the response. The call that sends it ends earlier where limits.callTimeoutMs or limits.loadTimeoutMs says so."`
}

// CacheGrant is a store for a module.
type CacheGrant struct {
	Bytes int `yaml:"bytes" min:"0" doc:"How much it may keep there. 0: it has none."`
}
