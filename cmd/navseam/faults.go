package main

import (
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/seam"
)

// phase is how far a provider came.
type phase int

const (
	anyPhase phase = iota
	configured
	started
	asked
)

// fault is a row of the table of what goes wrong with providers: how it is recognized, what it
// means and what to do. What is not set does not matter.
type fault struct {
	name    string // stable; in the JSON of check
	kind    string // host.KindNative or host.KindModule
	phase   phase
	codes   []seam.Code
	reason  string
	limit   string         // how the name of the limit ends
	symptom *regexp.Regexp // of the message, with what the program itself said
	meaning string
	remedy  string // with {id} of the entry, {install} and {usual} of known servers
}

// What programs say, on stderr or in an error, that tells more than their end.
var (
	saysUsage    = regexp.MustCompile(`(?i)\b(usage:|(unknown|unrecognized|invalid|unexpected|undefined|no such) (option|flag|argument|command|subcommand|parameter)|flag provided but not defined|missing (option|argument|command)|too (many|few) arguments)`)
	saysSettings = regexp.MustCompile(`(?i)\b(initializationOptions|initialization options|settings?|configuration|typescript installation|tsserver|sdk|licen[cs]e)\b`)
	saysRoot     = regexp.MustCompile(`(?i)\b(go\.mod|go\.work|package\.json|tsconfig\.json|cargo\.toml|pom\.xml|build\.gradle|pyproject\.toml|mix\.exs|compile_commands\.json|project root|root (folder|directory)|rootUri|workspace root|not in a (project|module|workspace)|no (project|workspace)|outside (of )?(the |a )?(project|module|workspace))`)
	ofCommand    = regexp.MustCompile(`\bcommand\b`)
	needsGrant   = regexp.MustCompile(`it needs the grant`)
	pinned       = regexp.MustCompile(`the configuration pins`)
	needsMemory  = regexp.MustCompile(`more than limits\.memoryBytes`)
	mount        = regexp.MustCompile(`grants\.files\.mounts`)
)

// faults is the table. The first row that fits counts, so that special ones come first.
// docs/troubleshooting.md shows it, as a test sees to.
func faults() []fault {
	const server, module = host.KindNative, host.KindModule
	code := func(codes ...seam.Code) []seam.Code { return codes }
	wrongArguments := fault{
		name: "wrong-arguments", kind: server, phase: started, codes: code(seam.CodeProviderFailed), reason: seam.ReasonExit,
		meaning: "the process ended before it answered: most often it does not know one of its arguments, or lacks one",
		remedy:  "read the end of its stderr above, run the command by hand, and mend servers.{id}.args{usual}",
	}
	showsUsage := wrongArguments
	showsUsage.symptom = saysUsage
	return []fault{
		// Of the configuration.
		{
			name: "executable-missing", kind: server, phase: configured, codes: code(seam.CodeInvalidConfig), reason: seam.ReasonMissing,
			meaning: "the program is not installed, or not on the PATH that navseam has here",
			remedy:  "{install}, or write its absolute path at servers.{id}.command",
		},
		{
			name: "executable-unusable", kind: server, phase: configured, codes: code(seam.CodeInvalidConfig), symptom: ofCommand,
			meaning: "what servers.{id}.command names cannot be run: a relative path, or no executable file",
			remedy:  "write a name on PATH or the absolute path of an executable file",
		},
		{
			name: "route-conflict", phase: configured, codes: code(seam.CodeConflict),
			meaning: "two entries serve the same files",
			remedy:  "take the extension or file name out of one of them",
		},
		{
			name: "module-missing", kind: module, phase: configured, codes: code(seam.CodeInvalidConfig), reason: seam.ReasonMissing,
			meaning: "there is no file of the module",
			remedy:  "build it or copy it there, or mend modules.{id}.path",
		},
		{
			name: "grant-missing", kind: module, phase: configured, codes: code(seam.CodeInvalidConfig), symptom: needsGrant,
			meaning: "the module asks for more than it is granted",
			remedy:  "if it may have that, add it at modules.{id}.grants; \"navseam module inspect\" shows what it asks for",
		},
		{
			name: "pin-mismatch", kind: module, phase: configured, codes: code(seam.CodeInvalidConfig), symptom: pinned,
			meaning: "the file of the module is another one than was pinned",
			remedy:  "if that is wanted, set modules.{id}.sha256 to the hash shown; else bring the old file back",
		},
		{
			name: "memory-too-small", kind: module, phase: configured, codes: code(seam.CodeInvalidConfig), symptom: needsMemory,
			meaning: "the module begins with more memory than it may have",
			remedy:  "raise modules.{id}.limits.memoryBytes",
		},
		{
			name: "mount-missing", kind: module, phase: configured, codes: code(seam.CodeInvalidConfig), symptom: mount,
			meaning: "a folder that the module is granted is not there",
			remedy:  "make the folder, or mend its path at modules.{id}.grants.files.mounts",
		},
		{
			name: "module-refused", kind: module, phase: configured, codes: code(seam.CodeInvalidConfig),
			meaning: "the file is no module that navseam runs: no WebAssembly, damaged, or for another ABI",
			remedy:  "see all that is wrong with \"navseam module inspect\", and build it anew for version 1 of the ABI (abi/SPEC.md)",
		},

		// Of any start or question.
		{
			name: "no-workspace", codes: code(seam.CodeWorkspaceRequired),
			meaning: "the workspace is no folder that can be used",
			remedy:  "name the folder of your project with -w",
		},
		{
			name: "not-started", kind: server, codes: code(seam.CodeProviderFailed), reason: seam.ReasonNotStarted,
			meaning: "the system does not run the program: it is made for another machine, or what interprets it is missing",
			remedy:  "run the command by hand to see why, and {install}",
		},
		{
			name: "not-a-server", kind: server, codes: code(seam.CodeProviderFailed, seam.CodeTimeout), reason: seam.ReasonNotServer,
			meaning: "the program writes text where a language server writes messages: it is another program, or needs an argument to speak LSP over stdio",
			remedy:  "mend servers.{id}.command and args: many want --stdio, serve or lsp{usual}",
		},
		showsUsage,
		{
			name: "wants-settings", kind: server, codes: code(seam.CodeProviderFailed), symptom: saysSettings,
			meaning: "the server says that it lacks a setting",
			remedy:  "read its message, and set that at servers.{id}.initializationOptions or servers.{id}.settings",
		},
		{
			name: "wrong-project-root", kind: server, codes: code(seam.CodeProviderFailed), symptom: saysRoot,
			meaning: "the server does not find a project in the folder that it was started in",
			remedy:  "name the folder of the project with -w, or what marks it at servers.{id}.rootMarkers",
		},
		wrongArguments,
		{
			name: "broken-protocol", kind: server, codes: code(seam.CodeProviderFailed), reason: seam.ReasonBreach,
			meaning: "what the server writes cannot be told apart into messages: it is broken, or something else writes to its stdout",
			remedy:  "start it without a wrapper and without debug output, or use another version of it",
		},
		{
			name: "crashed", kind: server, phase: asked, codes: code(seam.CodeProviderFailed), reason: seam.ReasonExit,
			meaning: "the server ended while it was asked",
			remedy:  "read the end of its stderr above; use another version of it, and report that to its makers",
		},
		{
			name: "too-slow-to-start", kind: server, codes: code(seam.CodeTimeout), limit: "startTimeoutMs",
			meaning: "the server did not finish its handshake in time",
			remedy:  "raise servers.{id}.startTimeoutMs; if that does not help, it is no language server on stdio, or waits for something{usual}",
		},
		{
			name: "too-slow-to-be-ready", kind: server, codes: code(seam.CodeTimeout), limit: "readyTimeoutMs",
			meaning: "the signal of readyWhen did not come in time, so that answers may be partial",
			remedy:  "raise servers.{id}.readyTimeoutMs, or mend servers.{id}.readyWhen if the server gives no such signal",
		},
		{
			name: "too-slow-to-answer", codes: code(seam.CodeTimeout), limit: "queryTimeoutMs",
			meaning: "there was no answer in time; in a large project the first one may have to wait until all is read",
			remedy:  "raise limits.queryTimeoutMs, or ask again: a server goes on getting ready",
		},
		{
			name: "handshake-refused", kind: server, phase: started, codes: code(seam.CodeProviderFailed),
			meaning: "the server answered the handshake with an error, or in a dialect that navseam does not speak",
			remedy:  "read its message; use a version of it that speaks LSP 3.16 or later in UTF-16",
		},
		{
			name: "questions-refused", kind: server, phase: asked, codes: code(seam.CodeProviderFailed),
			meaning: "the server answered no question but with errors",
			remedy:  "read its message; ask at another place with \"navseam query\", and make sure that -w is the folder of the project",
		},
		{
			name: "malformed-answer", kind: server, codes: code(seam.CodeMalformedResponse),
			meaning: "the server's answer has no shape that LSP knows",
			remedy:  "use another version of the server, and report that to its makers, with a trace (--trace FILE)",
		},
		{
			name: "left-alone", kind: server, codes: code(seam.CodeUnavailable),
			meaning: "the server failed too often in a row, or all processes are busy, so that it is not asked for a while",
			remedy:  "mend what is told above; servers.{id}.circuit and limits.processes say when and how many",
		},

		// Of a module.
		{
			name: "module-trap", kind: module, reason: seam.ReasonTrap,
			meaning: "the module did what WebAssembly does not allow, and was ended: it ran into a bug, or out of memory",
			remedy:  "tell its author, with the message above; raise modules.{id}.limits.memoryBytes if it says that memory is short",
		},
		{
			name: "module-exit", kind: module, reason: seam.ReasonExit,
			meaning: "the module ended itself, as a provider must not: mostly a failed assertion or a panic",
			remedy:  "tell its author, with the message above",
		},
		{
			name: "module-breach", kind: module, reason: seam.ReasonBreach,
			meaning: "the module used the ABI as it does not allow, and was ended",
			remedy:  "tell its author, with the message above; \"navseam module test\" shows more",
		},
		{
			name: "module-too-slow-to-load", kind: module, codes: code(seam.CodeTimeout), limit: "loadTimeoutMs",
			meaning: "the module did not start in time",
			remedy:  "raise modules.{id}.limits.loadTimeoutMs",
		},
		{
			name: "module-too-slow", kind: module, codes: code(seam.CodeTimeout), limit: "callTimeoutMs",
			meaning: "the module did not answer in time",
			remedy:  "raise modules.{id}.limits.callTimeoutMs, or tell its author",
		},
		{
			name: "module-unavailable", kind: module, codes: code(seam.CodeUnavailable),
			meaning: "what the module needs is not there: an index, a service, a setting",
			remedy:  "read its message, and mend modules.{id}.config, its grants or what it asks for",
		},
		{
			name: "module-failed", kind: module, codes: code(seam.CodeProviderFailed),
			meaning: "the module says that it failed",
			remedy:  "read its message, and mend modules.{id}.config if that is why; else tell its author",
		},
		{
			name: "module-malformed", kind: module, codes: code(seam.CodeMalformedResponse),
			meaning: "the module's answer is not as the ABI wants it",
			remedy:  "tell its author; \"navseam module test\" shows more",
		},
	}
}

// otherFault is what no row knows.
func otherFault() fault {
	return fault{
		name:    "other",
		meaning: "navseam knows nothing more about this than its message",
		remedy:  "see what is said on the wire with --trace FILE",
	}
}

// diagnose finds the row for a failure.
func diagnose(kind string, at phase, err *seam.Error) fault {
	for _, f := range faults() {
		if f.fits(kind, at, err) {
			return f
		}
	}
	return otherFault()
}

func (f fault) fits(kind string, at phase, err *seam.Error) bool {
	return (f.kind == "" || f.kind == kind) &&
		(f.phase == anyPhase || f.phase == at) &&
		(len(f.codes) == 0 || slices.Contains(f.codes, err.Code)) &&
		(f.reason == "" || f.reason == err.Reason) &&
		(f.limit == "" || strings.HasSuffix(err.Limit, f.limit)) &&
		(f.symptom == nil || f.symptom.MatchString(said(err)))
}

// said is what a program said itself, where that can be told from our own words.
func said(err *seam.Error) string {
	if server := (*seam.ServerError)(nil); errors.As(err, &server) {
		return server.Message
	}
	return err.Message
}

// advice is what a fault means for one entry.
type advice struct {
	Fault   string    `json:"fault"`
	Code    seam.Code `json:"code"`
	Reason  string    `json:"reason,omitempty"`
	Limit   string    `json:"limit,omitempty"`
	Meaning string    `json:"meaning"`
	Remedy  string    `json:"remedy"`
}

func (f fault) advice(id, command string, err *seam.Error) advice {
	fill := strings.NewReplacer("{id}", id, "{install}", installHint(command), "{usual}", usualHint(command))
	return advice{f.name, err.Code, err.Reason, err.Limit, fill.Replace(f.meaning), fill.Replace(f.remedy)}
}

// installHint says how to install a program, if it is a known one.
func installHint(command string) string {
	if known, ok := knownProgram(command); ok {
		return "install it: " + known.Install
	}
	return "install it"
}

// usualHint says how a known program is started.
func usualHint(command string) string {
	known, ok := knownProgram(command)
	if !ok {
		return ""
	}
	return "; it is usually started as: " + strings.Join(append([]string{known.Command}, known.Args...), " ")
}

func knownProgram(command string) (knownServer, bool) {
	name := strings.TrimSuffix(filepath.Base(command), filepath.Ext(command))
	known, err := knownServers()
	if err != nil {
		return knownServer{}, false // a test reads them
	}
	for _, server := range known {
		if server.Command == name || server.Command == filepath.Base(command) {
			return server, true
		}
	}
	return knownServer{}, false
}
