package workspace

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/navseam/navseam/seam"
)

// Document is a file that may be read.
type Document struct {
	Path string // real and absolute
	URI  string // of Path
	Name string // relative to the root, with slashes; "" for a file outside the root
}

// Find looks for a file as [View.Read] does, with the same judgement and the same
// errors, but its content is not read.
func (v *View) Find(ctx context.Context, path string) (Document, error) {
	return run(ctx, v.files, func() (Document, error) {
		at, err := v.open(ctx, path)
		if err != nil {
			return Document{}, err
		}
		at.close()
		return at.document, nil
	}, nil)
}

// opened is a regular file that may be read.
type opened struct {
	name     string // absolute, as it was asked for
	document Document
	file     *os.File
	stamp    Stamp
}

func (o opened) close() {
	_ = o.file.Close() // nothing was written
}

func (v *View) open(ctx context.Context, path string) (opened, error) {
	name, err := v.absolute(path)
	if err != nil {
		return opened{}, err
	}
	return again(ctx, func() (opened, error) { return v.openOnce(name) })
}

// absolute is a path that was given, from the root if it is relative.
func (v *View) absolute(path string) (string, error) {
	name := path
	if !filepath.IsAbs(name) {
		name = filepath.Join(v.root.path, name)
	}
	name = filepath.Clean(name)
	if strings.IndexByte(name, 0) >= 0 {
		return "", refuse(seam.ReasonMissing, "%q was not found: no path has a NUL byte: check the path", name)
	}
	return name, nil
}

func (v *View) openOnce(name string) (opened, error) {
	path, err := realPath(name)
	if err != nil {
		return opened{}, v.unreadable(name, err)
	}
	at, allowed, err := v.place(path)
	if !allowed {
		return opened{}, v.outside(name, path)
	}
	if err != nil {
		return opened{}, v.unreadable(name, err)
	}
	defer at.close()

	file, stamp, err := openRegular(at, path)
	if err != nil {
		return opened{}, v.unreadable(name, err)
	}
	document := Document{Path: path, URI: FileURI(path)}
	if !at.owned {
		document.Name = filepath.ToSlash(at.name)
	}
	return opened{name, document, file, stamp}, nil
}
