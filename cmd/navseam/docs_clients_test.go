package main

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every snippet on the page about clients is what its client reads, and starts navseam with
// arguments that it takes.
func TestClientsPage(t *testing.T) {
	// Where each client looks for a server, by the titles of the page.
	places := map[string][]string{
		"Claude Code":                     {"mcpServers.navseam"},
		"Codex":                           {"mcp_servers.navseam"},
		"Cursor":                          {"mcpServers.navseam"},
		"VS Code":                         {"servers.navseam"},
		"Zed":                             {"context_servers.navseam"},
		"opencode":                        {"mcp.servers.navseam", "mcp.navseam"},
		"Gemini CLI":                      {"mcpServers.navseam"},
		"Many agents, one set of servers": {"mcpServers.navseam"},
	}
	found := map[string][]string{}
	for _, s := range readPage(t, "clients.md") {
		for _, b := range s.blocks {
			switch b.language {
			case "json":
				path, entry := jsonEntry(t, b.text)
				found[s.title] = append(found[s.title], path)
				startsNavseam(t, commandOf(t, entry))
			case "toml":
				path, entry := tomlEntry(t, b.text)
				found[s.title] = append(found[s.title], path)
				startsNavseam(t, commandOf(t, entry))
			case "sh":
				shellCommands(t, b.text)
			default:
				require.Equal(t, "md", b.language, s.title)
			}
		}
		if _, client := places[s.title]; client && s.title != "Many agents, one set of servers" {
			require.Contains(t, s.text, "([documentation](https://", s.title)
			require.Contains(t, s.text, "*Folder*:", s.title)
			require.Contains(t, s.text, "*Does it work*:", s.title)
		}
	}
	require.Equal(t, places, found)
}

// The arguments that stand in the running text of the page are taken too.
func TestArgumentsInTheTextOfTheClientsPage(t *testing.T) {
	inText := regexp.MustCompile("`\"args\": (\\[[^`]*\\])`")
	n := 0
	for _, s := range readPage(t, "clients.md") {
		for _, match := range inText.FindAllStringSubmatch(s.text, -1) {
			var args []string
			require.NoError(t, json.Unmarshal([]byte(match[1]), &args), match[0])
			startsNavseam(t, append([]string{"navseam"}, args...))
			n++
		}
	}
	require.Positive(t, n)
}

// The snippet of the README is that of Claude Code on the page.
func TestSnippetOfTheReadme(t *testing.T) {
	n := 0
	for _, s := range readPage(t, filepath.Join("..", "README.md")) {
		for _, b := range s.blocks {
			if b.language != "json" {
				continue
			}
			path, entry := jsonEntry(t, b.text)
			require.Equal(t, "mcpServers.navseam", path)
			require.Equal(t, []string{"navseam", "mcp"}, commandOf(t, entry))
			n++
		}
	}
	require.Equal(t, 1, n)
}

// startsNavseam fails unless navseam takes the command, as navseam mcp.
func startsNavseam(t *testing.T, command []string) {
	t.Helper()
	require.GreaterOrEqual(t, len(command), 2, "%q", command)
	require.Equal(t, []string{"navseam", "mcp"}, command[:2], "%q", command)
	options, err := parseMCPOptions(&console{}, command[2:])
	require.NoError(t, err, "%q", command)
	require.NotContains(t, options.tokenFile, "~", "no shell expands it in %q", command)
	if options.connect != "" {
		require.Regexp(t, `^http://[a-z0-9.]+:\d+$`, options.connect, "%q", command)
	}
}

// jsonEntry finds the entry named navseam, and the path of keys to it.
func jsonEntry(t *testing.T, text string) (path string, entry map[string]any) {
	t.Helper()
	var whole map[string]any
	decoder := json.NewDecoder(strings.NewReader(text))
	require.NoError(t, decoder.Decode(&whole), text)
	require.False(t, decoder.More(), text)
	var look func(at string, value map[string]any)
	look = func(at string, value map[string]any) {
		for key, below := range value {
			object, ok := below.(map[string]any)
			switch {
			case !ok:
			case key == "navseam":
				require.Empty(t, path, "two entries: %s", text)
				path, entry = at+key, object
			default:
				look(at+key+".", object)
			}
		}
	}
	look("", whole)
	require.NotEmpty(t, path, text)
	return path, entry
}

// tomlEntry reads the little of TOML that the page uses: a table with texts, lists of texts
// and whole numbers, whose literals are those of JSON.
func tomlEntry(t *testing.T, text string) (path string, entry map[string]any) {
	t.Helper()
	entry = map[string]any{}
	header := regexp.MustCompile(`^\[([A-Za-z0-9_.-]+)\]$`)
	pair := regexp.MustCompile(`^([A-Za-z0-9_-]+) = (.+)$`)
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if table := header.FindStringSubmatch(line); table != nil {
			require.Empty(t, path, "two tables: %s", text)
			path = table[1]
			continue
		}
		found := pair.FindStringSubmatch(line)
		require.NotNil(t, found, "%q", line)
		require.NotEmpty(t, path, "%q stands before the table", line)
		require.NotContains(t, entry, found[1])
		var value any
		require.NoError(t, json.Unmarshal([]byte(found[2]), &value), line)
		entry[found[1]] = value
	}
	return path, entry
}

// commandOf is the program and its arguments: in two keys, or in one list.
func commandOf(t *testing.T, entry map[string]any) []string {
	t.Helper()
	if command, ok := entry["command"].(string); ok {
		return append([]string{command}, textsOf(t, entry["args"])...)
	}
	return textsOf(t, entry["command"])
}

func textsOf(t *testing.T, value any) []string {
	t.Helper()
	list, ok := value.([]any)
	require.True(t, ok, "%v is no list", value)
	var all []string
	for _, item := range list {
		text, ok := item.(string)
		require.True(t, ok, "%v is no text", item)
		all = append(all, text)
	}
	return all
}

// shellCommands checks the commands of a block: those of navseam, and what a client is told
// to start behind "--". Lines up to END are messages.
func shellCommands(t *testing.T, text string) {
	t.Helper()
	home := regexp.MustCompile(`(^|\s)~/`)
	messages := false
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), " #")
		switch {
		case messages:
			if messages = line != "END"; messages {
				require.True(t, json.Valid([]byte(line)), line)
			}
			continue
		case strings.HasSuffix(line, "<<'END'"):
			line, messages = strings.TrimSuffix(line, "<<'END'"), true
		}
		words := strings.Fields(home.ReplaceAllString(line, "$1/home/me/"))
		if _, command, ok := strings.Cut(line, " -- "); ok {
			words = strings.Fields(command)
		}
		switch {
		case words[0] == "openssl":
		case words[0] == "navseam" && words[1] != "mcp":
			require.Contains(t, []string{"init", "check"}, words[1], line)
		default:
			startsNavseam(t, words)
		}
	}
	require.False(t, messages, "no END: %s", text)
}
