package engine

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// leftover is the age at which what a process left half made or half removed is nobody's.
const leftover = 24 * time.Hour

type cacheEntry struct {
	name  string
	bytes int64
	used  time.Time
}

// sweep removes the entries that were not used for longest until the rest fits the limit.
// The one that was just made stays.
func (c *cache) sweep(made string) {
	entries := c.entries()
	var total int64
	for _, e := range entries {
		total += e.bytes
	}
	for _, e := range entries {
		switch {
		case isHalf(e.name):
			if time.Since(e.used) > leftover {
				_ = os.RemoveAll(filepath.Join(c.folder, e.name))
			}
		case e.name != made && total > c.limit:
			c.remove(e.name)
			total -= e.bytes
		}
	}
}

// isEntry tells our entries, whole and half, from what else the folder may hold, which is
// left alone.
func isEntry(name string) bool {
	engine, _, _ := strings.Cut(name, "-")
	hash, _, _ := strings.Cut(name[strings.LastIndex(name, "-")+1:], ".")
	_, err := hex.DecodeString(hash)
	return (engine == Wazero || engine == Wasmtime) && err == nil && len(hash) == 2*sha256.Size
}

// isHalf reports whether an entry is being made or removed.
func isHalf(name string) bool {
	return strings.HasSuffix(name, ".new") || strings.HasSuffix(name, ".old")
}

// entries lists what is ours, least recently used first.
func (c *cache) entries() []cacheEntry {
	all, _ := os.ReadDir(c.folder)
	var entries []cacheEntry
	for _, d := range all {
		if d.IsDir() && isEntry(d.Name()) {
			entries = append(entries, c.entry(d.Name()))
		}
	}
	slices.SortFunc(entries, func(a, b cacheEntry) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.name, b.name)) })
	return entries
}

func (c *cache) entry(name string) cacheEntry {
	e := cacheEntry{name: name}
	folder := filepath.Join(c.folder, name)
	stamp := filepath.Join(folder, recordName)
	if isHalf(name) {
		stamp = folder
	}
	if info, err := os.Lstat(stamp); err == nil {
		e.used = info.ModTime()
	}
	_ = filepath.WalkDir(folder, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // it may be gone by now
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			e.bytes += info.Size()
		}
		return nil
	})
	return e
}
