package host

import (
	"encoding/json"
	"maps"
	slashpath "path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/navseam/navseam/seam"
)

// Validate checks a configuration that was made in Go as [Parse] does one from a file. Its
// error, LSP_INVALID_CONFIG, names every key that is wrong: servers.<id>.<key>.
func (c Config) Validate() error {
	if problems := c.problems(); len(problems) > 0 {
		return failure(problems, problem.String)
	}
	return nil
}

// problems lists what is wrong, in the order of the keys.
func (c Config) problems() []problem {
	var v validator
	v.structure(reflect.ValueOf(c), nil)
	if len(c.Servers)+len(c.Modules) == 0 {
		v.add(problemf(path{"servers"}, "at least one server is required here, or a module under modules: "+
			"give an id, and under it its command or path and the files that it serves"))
	}
	for _, id := range slices.Sorted(maps.Keys(c.Servers)) {
		v.server(id, c.Servers[id])
	}
	for _, id := range slices.Sorted(maps.Keys(c.Modules)) {
		v.module(id, c.Modules[id])
		if _, taken := c.Servers[id]; taken {
			v.addKey(problemf(path{"modules", id}, "a server has this id: choose another"))
		}
	}
	for i, root := range c.SourceRoots {
		v.absolute(path{"sourceRoots"}.at(i), root)
	}
	return v.problems
}

func (v *validator) absolute(at path, given string) {
	if !filepath.IsAbs(given) {
		v.add(problemf(at, "must be an absolute path, not %s%s", quoted(given), homeHint(given)))
	}
}

func homeHint(path string) string {
	if strings.HasPrefix(path, "~") {
		return ": in a config file, write ${env:HOME} for ~"
	}
	return ""
}

type validator struct{ problems []problem }

func (v *validator) add(p problem) { v.problems = append(v.problems, p) }

// addKey notes that the last key of the path is wrong itself.
func (v *validator) addKey(p problem) {
	p.key = true
	v.add(p)
}

// structure checks what the tags say.
func (v *validator) structure(value reflect.Value, at path) {
	for _, f := range fieldsOf(value.Type()) {
		v.value(value.Field(f.index), at.to(f.name), f)
	}
}

func (v *validator) value(value reflect.Value, at path, f field) {
	switch value.Kind() {
	case reflect.Int:
		if n := value.Int(); n < int64(f.min) || n > int64(f.max) {
			v.add(problemf(at, "must be %s, not %d", f.number(), n))
		}
	case reflect.String:
		v.text(value.String(), at, f)
	case reflect.Struct:
		v.structure(value, at)
	case reflect.Pointer:
		if !value.IsNil() {
			v.structure(value.Elem(), at)
		}
	case reflect.Slice:
		for i := range value.Len() {
			v.value(value.Index(i), at.at(i), field{})
		}
	case reflect.Map:
		for _, key := range value.MapKeys() {
			v.value(value.MapIndex(key), at.to(key.String()), field{})
		}
	case reflect.Interface:
		if _, err := json.Marshal(value.Interface()); err != nil {
			v.add(problemf(at, "cannot be sent as JSON: %v", err))
		}
	}
}

func (v *validator) text(text string, at path, f field) {
	switch {
	case f.required && strings.TrimSpace(text) == "":
		v.add(problemf(at, "is required and must not be blank"))
	case f.enum != nil && !slices.Contains(f.enum, text):
		v.add(problemf(at, "must be %s, not %s", strings.Join(f.choices(), " or "), quoted(text)))
	case strings.ContainsRune(text, 0):
		v.add(problemf(at, "must not contain a zero byte"))
	case f.pattern != "" && !regexp.MustCompile(f.pattern).MatchString(text):
		v.add(problemf(at, "must be %s, not %s", f.form, quoted(text)))
	}
}

// server checks what the tags cannot say.
func (v *validator) server(id string, s Server) {
	at := path{"servers", id}
	if strings.TrimSpace(id) == "" {
		v.addKey(problemf(at, "the id of a server must not be blank"))
	}
	if s.Configuration != nil && s.Settings != nil {
		v.add(problemf(at.to("settings"), "cannot go with configuration: keep one of them"))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		if !isVariable(name) {
			v.addKey(problemf(at.to("env", name), "is no name of a variable: it must not be empty or contain ="))
		}
	}
	for i, name := range s.EnvAllow {
		if !isVariable(name) {
			v.add(problemf(at.to("envAllow").at(i), "%s is no name of a variable: it must not be empty or contain =", quoted(name)))
		}
	}
	v.routes(at, s.routes())
	v.rootMarkers(at.to("rootMarkers"), s.RootMarkers)
	v.freshness(at.to("freshness"), s.Freshness)
	v.readyWhen(at.to("readyWhen"), s.ReadyWhen)
}

func isVariable(name string) bool {
	return strings.TrimSpace(name) != "" && !strings.ContainsAny(name, "=\x00")
}

// rootMarkers wants what can be the name of something in a folder.
func (v *validator) rootMarkers(at path, markers []string) {
	for i, marker := range markers {
		_, malformed := slashpath.Match(marker, "")
		switch {
		case strings.TrimSpace(marker) == "":
			v.add(problemf(at.at(i), "must not be blank: name a file or folder, such as go.mod"))
		case strings.ContainsAny(marker, `/\`), marker == ".", marker == "..":
			v.add(problemf(at.at(i), "must be the name of a file or folder in the project, such as go.mod, and no path, not %s", quoted(marker)))
		case malformed != nil:
			v.add(problemf(at.at(i), "must be a name or a pattern, such as *.sln, not %s: in a pattern each [ needs a ]", quoted(marker)))
		case strings.Trim(marker, "*") == "":
			v.add(problemf(at.at(i), "must not be %s, which makes every folder a project", quoted(marker)))
		case slices.Contains(markers[:i], marker):
			v.add(problemf(at.at(i), "%s is given twice: keep one", quoted(marker)))
		}
	}
}

func (v *validator) readyWhen(at path, r *ReadyWhen) {
	if r == nil {
		return
	}
	signals := 0
	for _, given := range []bool{r.Progress != "", r.Log != "", r.Status != "", r.Answers} {
		if given {
			signals++
		}
	}
	if signals != 1 {
		v.add(problemf(at, "must have exactly one of progress, log, status and answers, not %d", signals))
	}
	if r.AfterOpen && r.Progress == "" {
		v.add(problemf(at.to("afterOpen"), "goes with progress alone: leave it out"))
	}
	if _, err := regexp.Compile(r.Log); err != nil {
		v.add(problemf(at.to("log"), "must be a Go regular expression: %v", err))
	}
}

// routes has a registry, which owns the rules, judge each route by itself, and then those
// of the entry together.
func (v *validator) routes(at path, r seam.Routes) {
	extensions, names := at.to("extensionToLanguage"), at.to("fileNameToLanguage")
	if len(r.Extensions)+len(r.FileNames) == 0 {
		v.add(problemf(extensions, `at least one entry is required here or under fileNameToLanguage, such as ".go": go`))
		return
	}
	before := len(v.problems)
	for _, key := range slices.Sorted(maps.Keys(r.Extensions)) {
		v.route(extensions.to(key), seam.Routes{Extensions: map[string]string{key: r.Extensions[key]}})
	}
	for _, key := range slices.Sorted(maps.Keys(r.FileNames)) {
		v.route(names.to(key), seam.Routes{FileNames: map[string]string{key: r.FileNames[key]}})
	}
	if len(v.problems) == before {
		v.route(extensions, r)
	}
}

func (v *validator) route(at path, routes seam.Routes) {
	if _, err := seam.NewRegistry().Register(routesOnly{routes: routes}); err != nil {
		v.addKey(problemf(at, "%s", strings.TrimPrefix(err.Error(), "provider "+routesOnly{}.ID()+": ")))
	}
}

// routesOnly is a provider for a registry to look at.
type routesOnly struct {
	seam.Provider
	routes seam.Routes
}

func (routesOnly) ID() string            { return "candidate" }
func (r routesOnly) Routes() seam.Routes { return r.routes }
