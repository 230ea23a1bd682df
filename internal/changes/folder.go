package changes

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/navseam/navseam/internal/workspace"
)

// folder is what is known of one folder.
type folder struct {
	path    string
	parent  *folder // nil: the top
	stamp   workspace.Stamp
	files   map[string]file
	folders map[string]*folder
	wd      int32 // of its watch, where there are events
	gone    bool
	cache   bool // it has a tag: nothing in it is known
}

// file is what is known of a file: of what a link leads to, if it is one.
type file struct {
	stamp workspace.Stamp
	link  workspace.Stamp // of the link itself; zero for a file
	sum   uint64          // of the content, where it is needed because the stamp is racy

	summed bool
}

func newFolder(path string, parent *folder) *folder {
	return &folder{path: path, parent: parent, files: make(map[string]file), folders: make(map[string]*folder), wd: -1}
}

// at is the path of a name, which needs no cleaning.
func (f *folder) at(name string) string {
	return strings.TrimSuffix(f.path, separator) + separator + name
}

const separator = string(filepath.Separator)

// cacheTag is the name of the file that marks a folder whose content may be made again, and how
// it begins (https://bford.info/cachedir/).
const (
	cacheTag       = "CACHEDIR.TAG"
	cacheSignature = "Signature: 8a477f597d28d172789f06886806bc55"
)

func isCache(path string, names []string) bool {
	if !slices.Contains(names, cacheTag) {
		return false
	}
	path = filepath.Join(path, cacheTag)
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() { // a FIFO would be waited for
		return false
	}
	tag, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = tag.Close() }() // nothing was written
	begin := make([]byte, len(cacheSignature))
	_, err = io.ReadFull(tag, begin)
	return err == nil && string(begin) == cacheSignature
}
