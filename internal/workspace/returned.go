package workspace

import (
	"container/list"
	"context"
	"path/filepath"
	"slices"
	"sync"
)

// maxReturned bounds the files outside the workspace that a view remembers.
const maxReturned = 4096

// Allow opens files outside the workspace that the provider itself returned, so that
// an agent can follow a definition into the standard library and ask on from there.
// They are remembered by their real paths as of now, with the project that the answer
// came from, for [View.Project]; the ones not returned for the longest time are forgotten
// first. URIs that name nothing outside are ignored. What is not done when ctx ends may
// stay undone.
func (v *View) Allow(ctx context.Context, project *Root, uris ...string) {
	from, ok := within(v.root.path, project.path)
	if !ok {
		return // not reached: projects are of the workspace
	}
	unseen := v.returned.unseen(from, v.outsidePaths(uris))
	if len(unseen) == 0 {
		return
	}
	// An error is that of ctx, and its owner knows it.
	_, _ = run(ctx, v.files, func() (struct{}, error) {
		for _, path := range slices.Backward(unseen) { // the first is looked at first: it is to stay longest
			if ctx.Err() != nil {
				break
			}
			if target, err := filepath.EvalSymlinks(path); err == nil {
				v.returned.add(from, path, target)
			}
		}
		return struct{}{}, nil
	}, nil)
}

func (v *View) outsidePaths(uris []string) []string {
	var paths []string
	for _, uri := range uris {
		path, err := PathOf(uri)
		if err != nil {
			continue
		}
		path = filepath.Clean(path)
		if _, inside := within(v.root.path, path); !inside {
			paths = append(paths, path)
		}
	}
	return paths
}

// returned is a bounded set of files, each under the path that it was returned with.
type returned struct {
	mu     sync.Mutex
	limit  int
	recent *list.List               // of *returnedFile, the most recent first
	named  map[string]*list.Element // by the path that was returned
	files  map[string]*target       // by real path
}

// target is a file that returned paths lead to.
type target struct {
	count   int    // of the paths
	project string // the folder, relative to the root, of the last that returned one
}

type returnedFile struct {
	path, target string
}

func newReturned(limit int) returned {
	return returned{limit: limit, recent: list.New(), named: make(map[string]*list.Element), files: make(map[string]*target)}
}

// unseen returns those of the paths that are not in the set, each once and no more
// than fit, and makes the others the most recent, and the project's.
func (r *returned) unseen(project string, paths []string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var unseen []string
	found := make(map[string]bool)
	for _, path := range paths {
		if element, ok := r.named[path]; ok {
			r.recent.MoveToFront(element)
			r.files[element.Value.(*returnedFile).target].project = project
		} else if !found[path] && len(unseen) < r.limit {
			found[path] = true
			unseen = append(unseen, path)
		}
	}
	return unseen
}

// add puts a file in and the oldest out.
func (r *returned) add(project, path, real string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.named[path]; ok {
		return
	}
	r.named[path] = r.recent.PushFront(&returnedFile{path, real})
	file := r.files[real]
	if file == nil {
		file = &target{}
		r.files[real] = file
	}
	file.count++
	file.project = project
	if r.recent.Len() > r.limit {
		r.drop(r.recent.Back())
	}
}

func (r *returned) drop(element *list.Element) {
	file := r.recent.Remove(element).(*returnedFile)
	delete(r.named, file.path)
	left := r.files[file.target]
	if left.count--; left.count == 0 {
		delete(r.files, file.target)
	}
}

// has reports whether the file with that real path is in the set.
func (r *returned) has(path string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.files[path] != nil
}

// project is the folder of the project that returned the file last; "" if none did.
func (r *returned) project(path string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if file := r.files[path]; file != nil {
		return file.project
	}
	return ""
}
