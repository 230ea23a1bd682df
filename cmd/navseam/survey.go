package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/navseam/navseam/host"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

const (
	maxSurveyed  = 20_000 // entries of folders
	surveyTime   = 3 * time.Second
	maxInspected = 20 // files that are read for a provider to find an identifier
)

// surveySkips are folders with files of others, or of programs. Hidden ones are skipped too.
var surveySkips = []string{"node_modules", "target", "vendor"}

// survey is what there is to ask about in a workspace.
type survey struct {
	files   []string // shallow ones first, and in order, so that it is the same each time
	entries int
	cut     string // why it did not see everything, or empty
}

// surveyOf walks a workspace, for a bounded time. It does not follow links to folders, and
// nothing leads out.
func surveyOf(ctx context.Context, root string) (survey, error) {
	ctx, cancel := context.WithTimeout(ctx, surveyTime)
	defer cancel()
	folder, err := workspace.NewFiles(1).Folder(ctx, root)
	if err != nil {
		return survey{}, err
	}
	defer folder.Close()
	return walk(ctx, folder, maxSurveyed), nil
}

// walk looks at that many entries at most, until ctx ends.
func walk(ctx context.Context, folder *workspace.Folder, most int) (s survey) {
	for folders := []string{""}; len(folders) > 0; folders = folders[1:] {
		names, err := folder.List(ctx, folders[0])
		switch {
		case ctx.Err() != nil:
			s.cut = "there was no time for more"
			return s
		case errors.Is(err, workspace.ErrTooMany):
			s.cut = "a folder has too many entries"
			continue
		case err != nil: // it may not be read, or is gone
			continue
		}
		for _, name := range names {
			if s.entries++; s.entries > most {
				s.cut = "it has very many files"
				return s
			}
			base, isFolder := strings.CutSuffix(name, "/")
			switch {
			case !isFolder:
				s.files = append(s.files, path.Join(folders[0], name))
			case !strings.HasPrefix(base, ".") && !slices.Contains(surveySkips, base):
				folders = append(folders, path.Join(folders[0], base))
			}
		}
	}
	return s
}

// probe is the place that a provider is asked about.
type probe struct {
	File     string        `json:"file"` // relative to the workspace
	Position seam.Position `json:"position"`
	Symbol   string        `json:"symbol"`
}

func (p probe) String() string {
	line, column := p.Position.OneBased()
	return fmt.Sprintf("%s:%d:%d (%s)", p.File, line, column, p.Symbol)
}

// find is the first identifier of the first file that is the provider's. Without one it says
// why there is nothing to ask.
func (s survey) find(ctx context.Context, id string, owners seam.Routes, root string, config host.Config) (p probe, why string) {
	ctx, cancel := context.WithTimeout(ctx, surveyTime)
	defer cancel()
	inspected := 0
	for _, file := range s.files {
		if owner, _ := owners.Language(file); owner != id {
			continue
		}
		if inspected++; inspected > maxInspected {
			break
		}
		text, err := readSource(ctx, root, file, config)
		if err != nil || len(text) > maxDocument(config, id) {
			continue
		}
		if symbol, position, ok := firstIdentifier(text); ok {
			return probe{file, position, symbol}, ""
		}
	}
	why = "no file in the workspace is one that it serves"
	if inspected > 0 {
		why = "no file that it serves can be read and has an identifier"
	}
	if s.cut != "" {
		why += " (not all of the workspace was looked at: " + s.cut + ")"
	}
	return probe{}, why
}

func maxDocument(config host.Config, id string) int {
	if server, ok := config.Servers[id]; ok {
		return server.MaxDocumentBytes
	}
	return config.Modules[id].MaxDocumentBytes
}
