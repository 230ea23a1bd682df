package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"unicode/utf8"
)

// ErrTooMany is about folders with more names than are listed.
var ErrTooMany = errors.New("too many names")

// maxNames is how many names of one folder are listed.
const maxNames = 100_000

// List returns the names in a folder in order; those of folders end in a slash. A link
// is listed as a name, and [Folder.Stat] tells what it leads to. Names that are not
// UTF-8 or hold a line break are left out.
func (d *Folder) List(ctx context.Context, name string) ([]string, error) {
	return look(ctx, d, name, func(at place, path string) ([]string, error) {
		dir, _, err := openAt(at, path, folder)
		if err != nil {
			return nil, err
		}
		defer func() { _ = dir.Close() }() // nothing was written
		return namesIn(ctx, dir, maxNames)
	}, nil)
}

func namesIn(ctx context.Context, dir *os.File, most int) ([]string, error) {
	const batch = 1000
	var entries []fs.DirEntry
	for {
		more, err := dir.ReadDir(batch)
		entries = append(entries, more...)
		if len(entries) > most {
			return nil, fmt.Errorf("%w: the limit is %d", ErrTooMany, most)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	names := make([]string, 0, len(entries))
	for _, entry := range entries {
		if name := entry.Name(); isListed(name) {
			if entry.IsDir() {
				name += "/"
			}
			names = append(names, name)
		}
	}
	return names, nil
}

func isListed(name string) bool {
	return utf8.ValidString(name) && !strings.ContainsAny(name, "\r\n")
}
