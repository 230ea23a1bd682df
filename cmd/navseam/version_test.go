package main

import (
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVersionText(t *testing.T) {
	platform := runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH + "\nengines: wazero, other"
	engines := []string{"wazero", "other"}
	require.Equal(t, "navseam (unknown version)\n"+platform, versionText(&debug.BuildInfo{}, engines))
	require.Equal(t, "navseam v1.2.3\n"+platform, versionText(&debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, engines))
	require.Equal(t, "navseam (devel)\ncommit abc 2026-01-02T03:04:05Z, with local changes\n"+platform,
		versionText(&debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{
			{Key: "vcs.revision", Value: "abc"},
			{Key: "vcs.time", Value: "2026-01-02T03:04:05Z"},
			{Key: "vcs.modified", Value: "true"},
		}}, engines))
}
