package host

import (
	"cmp"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/navseam/navseam/seam"
)

// Source is the text of a configuration and what it refers to.
type Source struct {
	Name string // for messages, usually the path
	Data []byte

	// Dir is the value of ${configDir} and what relative paths are relative to. Without
	// it, there may be neither.
	Dir string

	// LookupEnv gives the value of ${env:NAME}; nil means the process's environment.
	LookupEnv func(name string) (string, bool)
}

// Load reads a config file. All that is wrong with it is told in one LSP_INVALID_CONFIG,
// each thing with its line and column. Nothing is looked for: only what the file names
// will ever run.
func Load(path string) (Config, error) { return LoadWith(path, nil) }

// LoadWith is [Load] with the values of ${env:NAME} from a function; nil means the process's
// environment.
func LoadWith(path string, lookupEnv func(name string) (string, bool)) (Config, error) {
	unreadable := func(err error) error {
		return seam.Errorf(seam.CodeInvalidConfig, "%s: the config file cannot be read: %w", path, reason(err))
	}
	file, err := os.Open(path)
	if err != nil {
		return Config{}, unreadable(err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxSourceBytes+1))
	if err != nil {
		return Config{}, unreadable(err)
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return Config{}, unreadable(err)
	}
	return Parse(Source{Name: path, Data: data, Dir: filepath.Dir(absolute), LookupEnv: lookupEnv})
}

// Parse reads a configuration: one YAML document, strictly. It expands ${configDir} and
// ${env:NAME}, fills in the defaults and validates the result.
func Parse(source Source) (Config, error) {
	doc, wrong := readDocument(source.Data)
	if wrong != nil {
		return Config{}, source.failure([]problem{*wrong}, unreadable(string(source.Data)))
	}
	d := source.decoder(doc)
	config := DefaultConfig()
	d.remember(nil, beginningOf(doc.root), nil)
	d.decode(doc.root, reflect.ValueOf(&config).Elem(), nil, field{})
	source.resolve(config)
	d.add(config.problems())
	if len(d.problems) > 0 {
		return Config{}, source.failure(d.problems, d.secrets)
	}
	return config, nil
}

func (s Source) decoder(doc document) *decoder {
	lookup := s.LookupEnv
	if lookup == nil {
		lookup = os.LookupEnv
	}
	return &decoder{
		document: doc,
		expander: expander{s.Dir, lookup},
		places:   map[string]place{},
		secrets:  secrets{nodes: map[ast.Node]bool{}},
	}
}

// resolve makes the paths of a configuration absolute.
func (s Source) resolve(config Config) {
	for i, root := range config.SourceRoots {
		config.SourceRoots[i] = s.absolute(root)
	}
	for id, module := range config.Modules {
		module.Path = s.absolute(module.Path)
		for name, dir := range module.Grants.Files.Mounts {
			module.Grants.Files.Mounts[name] = s.absolute(dir)
		}
		config.Modules[id] = module
	}
}

// absolute resolves a path. What does not name a path clearly is left for validation to
// refuse.
func (s Source) absolute(path string) string {
	unclear := strings.TrimSpace(path) == "" || strings.HasPrefix(path, "~")
	if unclear || s.Dir == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(s.Dir, path)
}

// add reports what is wrong with the decoded values, except where decoding failed: there
// it is a consequence.
func (d *decoder) add(problems []problem) {
	decoding := d.problems
	for _, p := range problems {
		known := false
		for _, q := range decoding {
			known = known || q.path.holds(p.path) || !p.key && p.path.holds(q.path)
		}
		if !known {
			d.report(p, position{})
		}
	}
}

// failure shows each problem as "name:line:column: what is wrong" over an excerpt, where
// there is no secret in that.
func (s Source) failure(problems []problem, hidden secrets) error {
	text := strings.TrimPrefix(string(s.Data), byteOrderMark)
	return failure(problems, func(p problem) string {
		where := cmp.Or(s.Name, "configuration")
		if p.source.line > 0 {
			where += ":" + strconv.Itoa(p.source.line) + ":" + strconv.Itoa(p.source.column)
		}
		message := where + ": " + p.String()
		if shown := excerpt(text, p.source); shown != "" && !hidden.hide(p.source.line) {
			message += "\n" + shown
		}
		return message
	})
}
