package main

import (
	_ "embed"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/goccy/go-yaml"
)

// knownServer is a language server that init looks for.
type knownServer struct {
	ID         string            `yaml:"id"`
	Language   string            `yaml:"language"`
	Command    string            `yaml:"command"`
	Args       []string          `yaml:"args"`
	Extensions map[string]string `yaml:"extensionToLanguage"`
	FileNames  map[string]string `yaml:"fileNameToLanguage"`
	Install    string            `yaml:"install"`
	More       string            `yaml:"more"` // lines for its entry in the configuration
}

//go:embed servers.yaml
var knownServersYAML []byte

func knownServers() ([]knownServer, error) {
	var servers []knownServer
	err := yaml.UnmarshalWithOptions(knownServersYAML, &servers, yaml.Strict())
	return servers, err
}

// foundServer is one that is installed, with the files that are left for it.
type foundServer struct {
	knownServer
	path string   // of its program
	gave []string // extensions and file names that another server has
	to   []string // those servers
}

// findServers looks for programs on PATH, and gives each file to the first server that
// serves it.
func findServers(known []knownServer) (found []foundServer, missing []knownServer) {
	owners := map[string]string{}
	for _, server := range known {
		path, err := exec.LookPath(server.Command)
		if err != nil || !filepath.IsAbs(path) { // a relative one is another program in another folder
			missing = append(missing, server)
			continue
		}
		f := foundServer{knownServer: server, path: path}
		f.Extensions = f.claim(owners, server.Extensions)
		f.FileNames = f.claim(owners, server.FileNames)
		found = append(found, f)
	}
	return found, missing
}

// claim returns those of the routes that nobody has yet.
func (f *foundServer) claim(owners, routes map[string]string) map[string]string {
	own := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(routes)) {
		owner, taken := owners[key]
		switch {
		case !taken:
			owners[key] = f.ID
			own[key] = routes[key]
		default:
			f.gave = append(f.gave, key)
			if !slices.Contains(f.to, owner) {
				f.to = append(f.to, owner)
			}
		}
	}
	return own
}

// idle reports whether others serve all of its files.
func (f *foundServer) idle() bool { return len(f.Extensions)+len(f.FileNames) == 0 }
