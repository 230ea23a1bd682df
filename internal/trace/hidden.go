package trace

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// minHidden is the length of the shortest value that is looked for: shorter ones are in
// everything.
const minHidden = 6

// hidden are the values that never appear in the file, wherever they come up.
type hidden struct {
	adding sync.Mutex
	values atomic.Pointer[[]string]
}

// Hide keeps values out of what is written from now on: those of variables, headers and the
// like. A text that holds one is left out as a whole. Paths of things that exist are no secrets,
// and would be missed.
func (l *Log) Hide(values ...string) {
	if l == nil {
		return
	}
	l.hidden.adding.Lock()
	defer l.hidden.adding.Unlock()
	var all []string
	if old := l.hidden.values.Load(); old != nil {
		all = slices.Clone(*old)
	}
	for _, value := range values {
		if !isPath(value) {
			all = append(all, forms(value)...)
		}
	}
	all = slices.DeleteFunc(all, func(form string) bool { return len(form) < minHidden })
	slices.Sort(all)
	all = slices.Compact(all)
	l.hidden.values.Store(&all)
}

func isPath(value string) bool {
	if !filepath.IsAbs(value) {
		return false
	}
	_, err := os.Stat(value)
	return err == nil
}

// forms are those in which a value may come up: as it is, each line of it, what follows a
// scheme as in "Bearer abc", and as addresses and JSON write it.
func forms(value string) []string {
	value = strings.ToValidUTF8(value, "\ufffd") // as in JSON
	all := []string{strings.TrimSpace(value)}
	for line := range strings.Lines(value) {
		all = append(all, strings.TrimSpace(line))
	}
	if _, credential, ok := strings.Cut(strings.TrimSpace(value), " "); ok && !strings.Contains(credential, " ") {
		all = append(all, credential)
	}
	for _, plain := range slices.Clone(all) {
		quoted, _ := json.Marshal(plain) // a string always can be
		all = append(all, url.QueryEscape(plain), url.PathEscape(plain), strings.Trim(string(quoted), `"`))
	}
	return all
}

func (h *hidden) in(text string) bool {
	values := h.values.Load()
	return values != nil && slices.ContainsFunc(*values, func(value string) bool { return strings.Contains(text, value) })
}
