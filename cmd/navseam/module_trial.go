package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/host/sandbox"
)

// trialUsage explains the flags of a trial in the help of each command that has them.
const trialUsage = `  --grant GRANT     what the module may reach beside the document; may be repeated
  --engine NAME     what runs it; default: wazero
  --language ID     the language of the documents; default: what their names say
  --config JSON     what the module reads as its configuration; @FILE reads it from a file`

// trial is a module with all that it is tried with. It becomes a configuration of one
// module, so that it runs exactly as it would when deployed.
type trial struct {
	file     string // the module's
	engine   string
	language string
	settings any
	grants   host.Grants
}

func (t *trial) flags(o options) {
	o.Func("grant", "", func(text string) error { return addGrant(&t.grants, text) })
	o.StringVar(&t.engine, "engine", host.DefaultModule().Engine, "")
	o.StringVar(&t.language, "language", "", "")
	o.Func("config", "", func(text string) (err error) {
		t.settings, err = settingsFrom(text)
		return err
	})
}

// maxSettingsBytes bounds a configuration that is read from a file.
const maxSettingsBytes = 16 << 20

// settingsFrom reads JSON or, after an @, a file of it. Numbers stay as they are written.
func settingsFrom(text string) (settings any, err error) {
	data := []byte(text)
	if file, ok := strings.CutPrefix(text, "@"); ok {
		if data, err = readRegular(file, maxSettingsBytes); err != nil {
			return nil, err
		}
	}
	if err := json.Unmarshal(data, &settings); err != nil {
		return nil, err // Decode would not look at what follows the value
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	err = decoder.Decode(&settings)
	return settings, err
}

// inspect reads the module, and refuses what other arguments would cure.
func (t trial) inspect() (sandbox.Report, error) {
	if engines := sandbox.Engines(); !slices.Contains(engines, t.engine) {
		if t.engine == host.EngineWasmtime {
			return sandbox.Report{}, usagef("this navseam was built without %s: build it with CGO_ENABLED=1 and -tags %s, or use %s",
				t.engine, t.engine, strings.Join(engines, " or "))
		}
		return sandbox.Report{}, usagef("there is no engine %q: use %s", t.engine, strings.Join(engines, " or "))
	}
	data, err := readModule(t.file)
	if err != nil {
		return sandbox.Report{}, err
	}
	report := sandbox.Inspect(data)
	return report, missingGrants(t.file, report, t.grants)
}

// config is the configuration that has the module answer for the files of these names.
func (t trial) config(names ...string) (host.Config, error) {
	path, err := filepath.Abs(t.file)
	if err != nil {
		return host.Config{}, err
	}
	module := host.DefaultModule()
	module.Path, module.Engine, module.Grants, module.Config = path, t.engine, t.grants, t.settings
	module.FileNameToLanguage = map[string]string{}
	for _, name := range names {
		module.FileNameToLanguage[name] = t.languageOf(name)
	}
	config := host.DefaultConfig()
	config.Modules[t.id()] = module
	return config, nil
}

// id names the module in messages.
func (t trial) id() string {
	name := strings.TrimSuffix(filepath.Base(t.file), ".wasm")
	if strings.TrimSpace(name) == "" {
		return "module"
	}
	return name
}

// languageOf is the language that was given, else that of a known server for such files,
// else the extension.
func (t trial) languageOf(name string) string {
	if t.language != "" {
		return t.language
	}
	extension := strings.ToLower(filepath.Ext(name))
	known, err := knownServers()
	if err != nil {
		known = nil // a test reads them
	}
	for _, server := range known {
		for _, language := range []string{server.FileNames[name], server.Extensions[extension]} {
			if language != "" {
				return language
			}
		}
	}
	if extension == "" || extension == "." || extension == ".txt" {
		return "plaintext"
	}
	return extension[1:]
}
