// Package sample is a provider that does whatever the first word of the document says. Tests
// run it natively and as a module, and want the same.
package sample

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	wasmsdk "github.com/navseam/navseam/providers/wasm-sdk"
	"github.com/navseam/navseam/seam"
)

// Navigate answers with the places that a document asks for.
func Navigate(q wasmsdk.Query) ([]wasmsdk.Location, error) {
	source, err := wasmsdk.Source()
	if err != nil {
		return nil, err
	}
	word, rest, _ := strings.Cut(strings.TrimSpace(source), " ")
	switch word {
	case "here":
		return []wasmsdk.Location{At(q.Path, q.Position.Line), At("läng/"+q.Language, 0)}, nil
	case "incomplete":
		wasmsdk.Incomplete()
		return nil, nil
	case "many":
		return many(), nil
	case "backwards":
		return []wasmsdk.Location{{Path: "a", Range: seam.Range{Start: seam.Position{Line: 1}}}}, nil
	case "negative":
		return []wasmsdk.Location{{Path: "a", Range: seam.Range{Start: seam.Position{Line: -1}}}}, nil
	case "unsupported":
		return []wasmsdk.Location{At("dropped", 0)}, fmt.Errorf("here: %w", wasmsdk.ErrUnsupported)
	case "unavailable":
		return nil, fmt.Errorf("here: %w", wasmsdk.Unavailable("no index"))
	case "fail":
		return nil, errors.New("broken")
	case "panic":
		panic("of the author")
	case "behind":
		go func() { loaded = "from behind" }()
	case "loaded":
		return []wasmsdk.Location{At(loaded, 0)}, nil
	case "walk":
		return walk(rest)
	}
	return nil, nil
}

// Hover answers with what the helpers said.
func Hover(q wasmsdk.Query) (*seam.Hover, error) {
	source, err := wasmsdk.Source()
	if err != nil {
		return nil, err
	}
	word, rest, _ := strings.Cut(strings.TrimSpace(source), " ")
	switch word {
	case "nothing":
		return nil, nil
	case "bare":
		return &seam.Hover{Contents: "só"}, nil
	case "ranged":
		r := At("", q.Position.Line).Range
		return &seam.Hover{Contents: rest, Range: &r}, nil
	case "log":
		wasmsdk.Log(wasmsdk.Debug, rest)
		wasmsdk.Log(wasmsdk.Error, "")
		return nil, nil
	case "remaining":
		return &seam.Hover{Contents: wasmsdk.Remaining().String()}, nil
	case "read":
		return text(readAll(rest))
	case "get":
		return text(get(rest))
	case "cache":
		return text(cached(rest))
	}
	return nil, nil
}

var loaded string

// Load keeps the member "as" of the config; without one there is nothing to load.
func Load() error {
	var config struct{ As string }
	if err := wasmsdk.ReadConfig(&config); err != nil {
		return err
	}
	if config.As == "" {
		return wasmsdk.Unavailable("the config has no member as")
	}
	loaded = config.As
	return nil
}

// At is the first character of a line.
func At(path string, line int) wasmsdk.Location {
	return wasmsdk.Location{Path: path, Range: seam.Range{
		Start: seam.Position{Line: line}, End: seam.Position{Line: line, Character: 1},
	}}
}

// many goes over several batches, with paths that are shared and paths that are not.
func many() []wasmsdk.Location {
	locations := make([]wasmsdk.Location, 10_000)
	for i := range locations {
		locations[i] = At(fmt.Sprintf("file%d", i/3), i)
	}
	return locations
}

func walk(mount string) ([]wasmsdk.Location, error) {
	var found []wasmsdk.Location
	err := fs.WalkDir(wasmsdk.FS(mount), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		found = append(found, At(path.Join(mount, name), int(info.Size())))
		return nil
	})
	return found, err
}

func readAll(path string) (string, error) {
	file, err := wasmsdk.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	size, err := file.Size()
	if err != nil {
		return "", err
	}
	content, err := io.ReadAll(io.NewSectionReader(file, 0, size))
	return string(content), err
}

func get(url string) (string, error) {
	response, err := wasmsdk.Do(wasmsdk.Request{
		Method: "POST", URL: url, Header: wasmsdk.Header{{Name: "X-Ask", Value: "a"}}, Body: []byte("body"),
	})
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	return fmt.Sprint(response.Status, " ", response.Header.Get("x-answer"), " ", string(content)), err
}

func cached(key string) (string, error) {
	before, found := wasmsdk.CacheGet(key)
	err := wasmsdk.CachePut(key, append(before, '+'))
	return fmt.Sprint(string(before), found), err
}

func text(contents string, err error) (*seam.Hover, error) {
	return &seam.Hover{Contents: contents}, err
}
