package changes

import "sync"

// journal is what was found and not told to everybody yet.
type journal struct {
	mu      sync.Mutex
	dropped uint64 // changes before the first that is kept
	kept    []Change
	cursors map[*Cursor]struct{}
}

func (j *journal) add(c Change) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(j.cursors) > 0 {
		j.kept = append(j.kept, c)
	}
}

// follow begins at the end.
func (j *journal) follow(t *Tree) *Cursor {
	j.mu.Lock()
	defer j.mu.Unlock()
	c := &Cursor{tree: t, next: j.dropped + uint64(len(j.kept))}
	j.cursors[c] = struct{}{}
	return c
}

// take gives a cursor what it has not had.
func (j *journal) take(c *Cursor) []Change {
	j.mu.Lock()
	defer j.mu.Unlock()
	end := j.dropped + uint64(len(j.kept))
	if _, follows := j.cursors[c]; !follows || c.next == end {
		return nil
	}
	sum := summed(j.kept[c.next-j.dropped:])
	c.next = end
	j.trim()
	return sum
}

func (j *journal) leave(c *Cursor) {
	j.mu.Lock()
	defer j.mu.Unlock()
	delete(j.cursors, c)
	j.trim()
}

// trim drops what everybody has had.
func (j *journal) trim() {
	slowest := j.dropped + uint64(len(j.kept))
	for c := range j.cursors {
		slowest = min(slowest, c.next)
	}
	if j.kept = j.kept[slowest-j.dropped:]; len(j.kept) == 0 {
		j.kept = nil
	}
	j.dropped = slowest
}
