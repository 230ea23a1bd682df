package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// section is a part of a page under docs, up to the next heading of the same rank.
type section struct {
	title  string
	text   string // without its blocks
	blocks []block
}

// block is a fenced block of a page.
type block struct {
	language string
	text     string
}

// readPage reads a page in sections; the first has no title.
func readPage(t *testing.T, name string) []section {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
	require.NoError(t, err)
	sections := []section{{}}
	open := false
	for line := range strings.Lines(string(content)) {
		at := &sections[len(sections)-1]
		fence, isFence := strings.CutPrefix(line, "```")
		switch {
		case isFence && !open:
			at.blocks = append(at.blocks, block{language: strings.TrimSpace(fence)})
			open = true
		case isFence:
			open = false
		case open:
			at.blocks[len(at.blocks)-1].text += line
		case strings.HasPrefix(line, "## "):
			sections = append(sections, section{title: strings.TrimSpace(line[3:])})
		default:
			at.text += line
		}
	}
	require.False(t, open, "%s: a block has no end", name)
	return sections
}

// anchor is the fragment by which a heading is linked to, as GitHub makes it.
func anchor(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || r == '_' || 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Each link from one page of docs to another, or within one, leads to a file and a heading.
func TestLinksOfDocs(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	for _, name := range []string{"answers.md", "clients.md", "servers.md", "trust.md"} {
		for _, s := range readPage(t, name) {
			for _, found := range link.FindAllStringSubmatch(s.text, -1) {
				target := found[1]
				if strings.HasPrefix(target, "https://") {
					continue
				}
				path, fragment, _ := strings.Cut(target, "#")
				if path == "" {
					path = name
				}
				content, err := os.ReadFile(filepath.Join("..", "..", "docs", path))
				if err != nil {
					info, statErr := os.Stat(filepath.Join("..", "..", "docs", path))
					require.NoError(t, statErr, "%s: %s", name, target)
					require.True(t, info.IsDir(), "%s: %s", name, target)
					continue
				}
				if fragment != "" {
					require.Contains(t, headings(string(content)), fragment, "%s: %s", name, target)
				}
			}
		}
	}
}

func headings(page string) []string {
	var found []string
	for line := range strings.Lines(page) {
		if title := strings.TrimLeft(line, "#"); title != line && strings.HasPrefix(title, " ") {
			found = append(found, anchor(strings.TrimSpace(title)))
		}
	}
	return found
}

// The page about answers has something to say for each code and reason that a failure may have.
func TestCodesOnTheAnswersPage(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("..", "..", "seam", "errors.go"))
	require.NoError(t, err)
	words := regexp.MustCompile(`(?m)^\t(?:Code|Reason)\w+ .*= "([^"]+)"`).FindAllStringSubmatch(string(source), -1)
	require.Greater(t, len(words), 20)
	for _, s := range readPage(t, "answers.md") {
		if s.title != "Failures" {
			continue
		}
		for _, word := range words {
			require.Contains(t, s.text, "`"+word[1]+"`")
		}
		return
	}
	require.Fail(t, "no section about failures")
}

// What the page about answers shows as JSON is JSON.
func TestJSONOnTheAnswersPage(t *testing.T) {
	for _, s := range readPage(t, "answers.md") {
		for _, b := range s.blocks {
			require.True(t, b.language != "json" || json.Valid([]byte(b.text)), b.text)
		}
	}
}
