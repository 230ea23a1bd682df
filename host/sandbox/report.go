package sandbox

// Report is what a module's bytes say about it. No code of the module ran to find out.
type Report struct {
	Kind        string         `json:"kind"` // "core module", or what the file is instead
	Size        int            `json:"size"`
	SHA256      string         `json:"sha256"`
	ABI         int            `json:"abi"`         // version; 0 when it imports none
	Operations  []string       `json:"operations"`  // that it exports
	Permissions []string       `json:"permissions"` // grants that its imports ask for: files, http, cache
	Initialize  bool           `json:"initialize"`
	Load        bool           `json:"load"`
	Imports     []ImportReport `json:"imports"` // in the order of the module, each once
	MinMemory   uint64         `json:"minMemoryBytes"`
	MaxMemory   uint64         `json:"maxMemoryBytes"` // 0: it names none
	Budgets     []Budget       `json:"budgets"`
	Problems    []string       `json:"problems"` // empty: it will be compiled
}

// ImportReport is one import.
type ImportReport struct {
	Module    string `json:"module"`
	Name      string `json:"name"`
	Signature string `json:"signature"`
	Grant     string `json:"grant,omitempty"` // that it needs
}

// Budget is how much of something a module may have, and has.
type Budget struct {
	What  string `json:"what"`
	Used  uint64 `json:"used"`
	Limit uint64 `json:"limit"`
}

// OK reports whether the module can be compiled.
func (r Report) OK() bool { return len(r.Problems) == 0 }
