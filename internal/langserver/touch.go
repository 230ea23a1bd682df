package langserver

import (
	"context"
	"os"
	"path/filepath"

	"github.com/navseam/navseam/internal/changes"
	"github.com/navseam/navseam/internal/workspace"
	"github.com/navseam/navseam/seam"
)

// touch opens files, asks about each once, and closes them: a server that does not heed the
// notification reads them so. The one that is asked about, and what is open anyway, is left
// to the documents.
func (f *freshness) touch(ctx context.Context, q Query) error {
	defer func() { f.toTouch.Store(int64(len(f.touches))) }()
	left := f.server.config.Freshness.TouchLimit
	for path := range f.touches {
		if left--; left < 0 {
			return nil
		}
		if err := f.touchOne(ctx, q, path); err != nil {
			return err
		}
		delete(f.touches, path)
	}
	return nil
}

func (f *freshness) touchOne(ctx context.Context, q Query, path string) error {
	s := f.server
	source, err := s.view.Read(ctx, path)
	if ctxErr := seam.ContextError(ctx); ctxErr != nil {
		return ctxErr
	}
	if err != nil || source.URI == q.Source.URI || s.documents.open[source.URI] != nil {
		return nil // gone again, or never readable; or about to be told
	}
	source.URI = workspace.FileURI(path) // a link is the name by which the server knows the file
	language, _ := s.config.Freshness.Language(path)
	if err := s.documents.opened(Query{Source: source, LanguageID: language}); err != nil {
		return err
	}
	_, err = s.request(ctx, Query{Operation: s.touching(q.Operation), Source: source})
	if ctx.Err() != nil {
		return err
	}
	if s.conn.Err() != nil {
		return s.conn.Err()
	}
	return s.documents.close(source.URI) // what it answered, or refused, does not matter
}

// touching is the question of a touch: the cheapest that the server takes.
func (s *Server) touching(asked seam.Operation) seam.Operation {
	if s.gate(seam.OpHover) == nil {
		return seam.OpHover
	}
	return asked
}

// touchFolders touches one file of each folder in which all of the server's files are new:
// some heed what they are told of new files, but not of a folder that they never saw.
func (f *freshness) touchFolders(found []changes.Change) {
	created := make(map[string]map[string]bool) // names by folder
	for _, c := range found {
		if c.Kind != changes.Created || c.Folder {
			continue
		}
		folder, name := filepath.Split(c.Path)
		if created[folder] == nil {
			created[folder] = make(map[string]bool)
		}
		created[folder][name] = true
	}
	for folder, names := range created {
		if first := f.firstOfNew(folder, names); first != "" {
			f.addTouch(filepath.Join(folder, first))
		}
	}
}

// firstOfNew names one of the server's files in a folder, if all of them are new.
func (f *freshness) firstOfNew(folder string, created map[string]bool) (first string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "" // gone again
	}
	for _, entry := range entries {
		name := entry.Name()
		if _, source := f.server.config.Freshness.Language(filepath.Join(folder, name)); !source || entry.IsDir() {
			continue
		}
		if !created[name] {
			return ""
		}
		if first == "" {
			first = name
		}
	}
	return first
}
