package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/navseam/navseam/abi"
	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/host/sandbox"
	"github.com/navseam/navseam/internal/egress"
	"github.com/navseam/navseam/seam"
)

// grantsUsage explains --grant in the help of each command that has it.
const grantsUsage = `GRANT, one for each --grant, is

  files                   read the workspace
  files:NAME=FOLDER       read another folder, which the module knows as NAME
  http:URL                GET and HEAD what begins with URL, on the public internet
  http:METHOD,...=URL     the same with other methods, such as http:GET,POST=URL
  http-private:URL        the same, also on this machine and in private networks
  cache, cache:BYTES      keep up to so many bytes, 16 MiB by default`

const (
	workspaceMount    = "workspace" // that files alone grants
	defaultCacheBytes = 16 << 20
)

// grantForm is what a grant may be written as, for messages.
const grantForm = "files, files:NAME=FOLDER, http:URL, http-private:URL, cache or cache:BYTES"

// addGrant reads one --grant.
func addGrant(into *host.Grants, text string) error {
	kind, rest, detailed := strings.Cut(text, ":")
	switch kind {
	case "files":
		if !detailed {
			into.Files.Workspace = true
			return nil
		}
		return addMount(into, rest)
	case "http":
		return addRule(into, rest, false)
	case "http-private":
		return addRule(into, rest, true)
	case "cache":
		return addCache(into, rest, detailed)
	default:
		return errors.New("there is no such grant: use " + grantForm)
	}
}

func addMount(into *host.Grants, text string) error {
	name, folder, ok := strings.Cut(text, "=")
	if !ok || name == "" || folder == "" {
		return errors.New("write files:NAME=FOLDER")
	}
	if name == workspaceMount {
		return errors.New("that name is the workspace's: write files alone, or choose another NAME")
	}
	if _, twice := into.Files.Mounts[name]; twice {
		return fmt.Errorf("there are two folders %s: give each another NAME", name)
	}
	absolute, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	info, err := os.Stat(absolute)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is no folder", folder)
	}
	if into.Files.Mounts == nil {
		into.Files.Mounts = map[string]string{}
	}
	into.Files.Mounts[name] = absolute
	return nil
}

func addRule(into *host.Grants, text string, private bool) error {
	rule := host.DefaultHTTPRule()
	rule.URL, rule.Private = text, private
	if methods, url, ok := strings.Cut(text, "="); ok && !strings.Contains(methods, ":") {
		rule.Methods, rule.URL = strings.Split(methods, ","), url
	}
	if rule.URL == "" {
		return errors.New("write http:URL, such as http:https://example.com/api/")
	}
	client, err := egress.New([]egress.Rule{{URL: rule.URL, Methods: rule.Methods, Private: private}})
	if err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "http rule 0: ")) // it is the only one here
	}
	client.Close()
	into.HTTP = append(into.HTTP, rule)
	return nil
}

func addCache(into *host.Grants, text string, detailed bool) error {
	into.Cache.Bytes = defaultCacheBytes
	if !detailed {
		return nil
	}
	bytes, err := strconv.Atoi(text)
	if err != nil || bytes <= 0 {
		return errors.New("write cache:BYTES with a whole number, such as cache:1048576")
	}
	into.Cache.Bytes = bytes
	return nil
}

// missingGrants names for each grant that a module asks for and does not get the flag that
// gives it.
func missingGrants(module string, report sandbox.Report, given host.Grants) error {
	granted := map[string]bool{
		abi.Files.String(): given.Files.Workspace || len(given.Files.Mounts) > 0,
		abi.HTTP.String():  len(given.HTTP) > 0,
		abi.Cache.String(): given.Cache.Bytes > 0,
	}
	flags := map[string]string{
		abi.Files.String(): "--grant files for the workspace, or --grant files:NAME=FOLDER for another folder",
		abi.HTTP.String():  "--grant http:URL",
		abi.Cache.String(): "--grant cache",
	}
	var missing []error
	for _, grant := range report.Permissions {
		if !granted[grant] {
			missing = append(missing, usageError{seam.Errorf(seam.CodeInvalidConfig, "%s imports %s and was not granted %s: give %s",
				module, strings.Join(importsFor(report, grant), ", "), grant, flags[grant])})
		}
	}
	return errors.Join(missing...)
}

func importsFor(report sandbox.Report, grant string) []string {
	var names []string
	for _, i := range report.Imports {
		if i.Grant == grant && !slices.Contains(names, i.Name) {
			names = append(names, i.Name)
		}
	}
	return names
}
