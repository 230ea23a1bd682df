package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/seam"
)

// configVariable names the config file where -c does not.
const configVariable = "NAVSEAM_CONFIG"

// configPath is the config file to use: the one that was given, else that of the
// environment, else that of the user. It is never looked for in a workspace, which would
// let any checkout say what runs.
func (c *console) configPath(given string) (string, error) {
	if given != "" {
		return given, nil
	}
	if named := c.getenv(configVariable); named != "" {
		return named, nil
	}
	folder, err := os.UserConfigDir()
	if err != nil {
		return "", seam.Errorf(seam.CodeInvalidConfig,
			"no configuration was named, and there is no folder for the user's own: %w: name a file with -c, or in %s", err, configVariable)
	}
	return filepath.Join(folder, "navseam", "config.yaml"), nil
}

// loadConfig reads the config file.
func (c *console) loadConfig(given string) (host.Config, string, error) {
	path, err := c.configPath(given)
	if err != nil {
		return host.Config{}, "", err
	}
	named := given != "" || c.getenv(configVariable) != ""
	if _, err := os.Stat(path); !named && errors.Is(err, fs.ErrNotExist) {
		return host.Config{}, "", seam.Errorf(seam.CodeInvalidConfig,
			"there is no configuration: -c names none, %s is not set, and there is no %s: \"navseam init\" writes one", configVariable, path)
	}
	config, err := host.LoadWith(path, c.tracing.lookupEnv)
	return config, path, err
}
