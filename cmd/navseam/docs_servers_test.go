package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/navseam/navseam/host"
)

// Every configuration on the page about servers can be read, and those of the servers that
// init knows are what init writes.
func TestServersPage(t *testing.T) {
	known, err := knownServers()
	require.NoError(t, err)
	written := map[string]host.Server{}
	for _, server := range known {
		written[server.ID] = onlyServer(t, configText([]foundServer{{knownServer: server, path: server.Command}}))
	}
	// These are not in servers.yaml; the page says why.
	others := map[string]bool{"typescript-native": true, "astro": true, "tailwind": true}

	page := readPage(t, "servers.md")
	version := regexp.MustCompile("`[^`]*(@v?\\d+\\.\\d+|==\\d+\\.\\d+)[^`]*`|\\(\\d+[.\\d]*( in Debian 12[^)]*)?\\)|\\(14 in Debian 12")
	seen := map[string]bool{}
	for _, s := range page {
		for _, b := range s.blocks {
			require.Equal(t, "yaml", b.language, s.title)
			config, err := host.Parse(host.Source{Name: s.title, Data: []byte(b.text)})
			require.NoError(t, err)
			require.Len(t, config.Servers, 1, s.title)
			for id, server := range config.Servers {
				require.False(t, seen[id], "%s is there twice", id)
				seen[id] = true
				require.Regexp(t, version, s.text, "%s has no version", id)
				require.Contains(t, page[1].text, "["+s.title+"](#"+anchor(s.title)+")", "the overview lacks %s", s.title)
				want, isKnown := written[id]
				require.NotEqual(t, others[id], isKnown, "%s: in servers.yaml, or named above, and not both", id)
				if isKnown {
					require.Equal(t, want, server, "what init writes, and what the page shows")
				}
				require.Equal(t, others[id], strings.Contains(s.text, "Not looked for by `navseam init`"), id)
			}
		}
	}
	require.Len(t, seen, len(written)+len(others))
}

// onlyServer reads a configuration with one server.
func onlyServer(t *testing.T, text string) host.Server {
	t.Helper()
	config, err := host.Parse(host.Source{Name: "config.yaml", Data: []byte(text)})
	require.NoError(t, err)
	require.Len(t, config.Servers, 1)
	for _, server := range config.Servers {
		return server
	}
	return host.Server{} // not reached
}
