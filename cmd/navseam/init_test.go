package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host"
)

// Each known server alone, and all of them together, make a configuration that can be read.
func TestConfigText(t *testing.T) {
	known, err := knownServers()
	require.NoError(t, err)
	const path = `/opt/my "tools"/${env:HOME}/ü&<b>#: /server`
	var all []foundServer
	owners := map[string]string{}
	for _, server := range known {
		t.Run(server.ID, func(t *testing.T) {
			require.NotEmpty(t, server.Language)
			require.NotEmpty(t, server.Install)
			config, err := host.Parse(host.Source{Name: "config.yaml", Data: []byte(configText([]foundServer{{knownServer: server, path: path}}))})
			require.NoError(t, err)
			require.Len(t, config.Servers, 1)
			got := config.Servers[server.ID]
			require.Equal(t, path, got.Command, "nothing in it is expanded")
			require.Equal(t, server.Args, got.Args)
			require.Equal(t, server.Extensions, got.ExtensionToLanguage)
			require.Equal(t, server.FileNames, got.FileNameToLanguage)
		})
		f := foundServer{knownServer: server, path: path}
		f.Extensions = f.claim(owners, server.Extensions)
		f.FileNames = f.claim(owners, server.FileNames)
		all = append(all, f)
	}
	config, err := host.Parse(host.Source{Name: "config.yaml", Data: []byte(configText(all))})
	require.NoError(t, err)
	require.Contains(t, config.Servers, "typescript-language-server")
	require.NotContains(t, config.Servers, "vtsls", "the first one has its files")
	require.Equal(t, false, config.Servers["pyright"].CancelRequests)
	require.Equal(t, map[string]any{"tsserver": map[string]any{"useSyntaxServer": "never", "useClientFileWatcher": true}},
		config.Servers["typescript-language-server"].InitializationOptions)
}

// A server that has to leave some of its files to another says so.
func TestConfigTextOfSharedFiles(t *testing.T) {
	owners := map[string]string{}
	one := foundServer{knownServer: knownServer{ID: "one"}, path: "/one"}
	one.Extensions = one.claim(owners, map[string]string{".a": "a"})
	two := foundServer{knownServer: knownServer{ID: "two"}, path: "/two"}
	two.Extensions = two.claim(owners, map[string]string{".a": "a", ".b": "b"})
	text := configText([]foundServer{one, two})
	require.Contains(t, text, "    # Left to one: .a\n    extensionToLanguage: {\".b\": b}\n")
	config, err := host.Parse(host.Source{Name: "config.yaml", Data: []byte(text)})
	require.NoError(t, err)
	require.Equal(t, map[string]string{".b": "b"}, config.Servers["two"].ExtensionToLanguage)
}
