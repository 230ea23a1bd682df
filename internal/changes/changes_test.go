package changes

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What happened, and what is told of it. The folder begins with a, b, d/x, d/y and d/e/z.
func TestChanges(t *testing.T) {
	cases := []struct {
		name string
		do   func(h *harness)
		want string
	}{
		{"nothing", func(*harness) {}, ""},
		{"new", func(h *harness) { h.write("c", "") }, "+c"},
		{"changed", func(h *harness) { h.write("a", "other") }, "~a"},
		{"changed, of the same size", func(h *harness) { h.write("a", "A") }, "~a"},
		{"changed back in time", func(h *harness) { h.write("a", "A"); h.age("a") }, "~a"},
		{"deleted", func(h *harness) { h.remove("a") }, "-a"},
		{"came and went", func(h *harness) { h.write("c", ""); h.remove("c") }, ""},
		{"went and came", func(h *harness) { h.remove("a"); h.write("a", "a") }, "~a"},
		{"renamed", func(h *harness) { h.rename("a", "c") }, "-a +c"},
		{"renamed over another", func(h *harness) { h.rename("a", "b") }, "-a ~b"},
		{"exchanged", func(h *harness) { h.rename("a", "t"); h.rename("b", "a"); h.rename("t", "b") }, "~a ~b"},
		{"new in a new folder", func(h *harness) { h.write("n/m/c", "") }, "+n/m/c"},
		{"folder deleted", func(h *harness) { h.remove("d") }, "-d/e/z -d/x -d/y"},
		{"folder renamed", func(h *harness) { h.rename("d", "f") }, "-d/e/z -d/x -d/y +f/e/z +f/x +f/y"},
		{"folder moved down", func(h *harness) { h.write("f/c", ""); h.rename("d", "f/d") }, "-d/e/z -d/x -d/y +f/c +f/d/e/z +f/d/x +f/d/y"},
		{"folder replaced", func(h *harness) { h.remove("d"); h.write("d/x", "x"); h.write("d/e/new", "") }, "+d/e/new -d/e/z ~d/x -d/y"},
		{"folder became a file", func(h *harness) { h.remove("d"); h.write("d", "") }, "+d -d/e/z -d/x -d/y"},
		{"file became a folder", func(h *harness) { h.remove("a"); h.write("a/c", "") }, "-a +a/c"},
		{"folder moved away", func(h *harness) {
			require.NoError(h.t, os.Rename(h.at("d"), filepath.Join(h.t.(*testing.T).TempDir(), "d")))
		}, "-d/e/z -d/x -d/y"},
		{"skipped", func(h *harness) { h.write("skip/c", ""); h.write("d/skip/c", "") }, ""},
		{"a file with the name of a skipped folder", func(h *harness) { h.write("d/skip", "") }, "+d/skip"},
		{"cache", func(h *harness) {
			h.write("k/"+cacheTag, cacheSignature+"\n")
			h.write("k/c", "")
			h.write("k/l/c", "")
		}, ""},
		{"no cache", func(h *harness) { h.write("k/"+cacheTag, "mine"); h.write("k/c", "") }, "+k/CACHEDIR.TAG +k/c"},
		{"became a cache", func(h *harness) { h.write("d/"+cacheTag, cacheSignature) }, "-d/e/z -d/x -d/y"},
		{"odd name", func(h *harness) { h.write("new\nline \xff", "") }, "+new\nline \xff"},
		{"more than a folder is asked by name", func(h *harness) {
			for i := range manyNames + 1 {
				h.write(fmt.Sprintf("m/%d", i), "")
			}
			h.remove("m")
			h.write("c", "")
		}, "+c"},
	}
	modes(t, func(t *testing.T, events bool) {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				h := follow(t, t.TempDir(), events, "skip")
				for _, name := range []string{"a", "b", "d/x", "d/y", "d/e/z"} {
					h.write(name, name[len(name)-1:])
				}
				require.Equal(t, "+a +b +d/e/z +d/x +d/y", h.look())
				c.do(h)
				require.Equal(t, c.want, h.look())
				require.Empty(t, h.look(), "once")

				h.write("later", "")
				h.write("deep/er/later", "")
				require.Equal(t, "+deep/er/later +later", h.look())
			})
		}
	})
}

// Folders are told too, before what is in them.
func TestFolders(t *testing.T) {
	modes(t, func(t *testing.T, events bool) {
		h := follow(t, t.TempDir(), events, "skip")
		h.write("a/b/c", "")
		h.write("skip/d", "")
		require.Equal(t, "+a/ +a/b/ +a/b/c", h.short(h.all()))
		h.rename("a", "z")
		require.Equal(t, "-a/ -a/b/ -a/b/c +z/ +z/b/ +z/b/c", h.short(h.all()))
		h.rename("z/b", "t")
		h.write("z/b/c", "")
		require.Equal(t, "+t/ +t/c ~z/b/ ~z/b/c", h.short(h.all()))
		h.remove("t")
		h.write("t", "")
		found := h.all() // a file and a folder of one name: in any order
		require.Len(t, found, 3)
		require.ElementsMatch(t, []string{"-t/", "+t", "-t/c"}, strings.Fields(h.short(found)))
	})
}

// A folder that was renamed is still watched, under its new name.
func TestAfterARename(t *testing.T) {
	modes(t, func(t *testing.T, events bool) {
		h := follow(t, t.TempDir(), events)
		h.write("one/in/a", "")
		require.Equal(t, "+one/in/a", h.look())
		h.rename("one", "two")
		require.Equal(t, "-one/in/a +two/in/a", h.look())
		h.write("two/in/a", "x")
		h.write("one/in/a", "y")
		require.Equal(t, "+one/in/a ~two/in/a", h.look())
		h.rename("two", "t")
		h.rename("one", "two")
		h.rename("t", "one")
		require.Equal(t, "~one/in/a ~two/in/a", h.look())
		h.write("two/in/b", "")
		h.write("one/in/c", "")
		require.Equal(t, "+one/in/c +two/in/b", h.look())
	})
}

// A link to a file is one, and changes with what it leads to, wherever that is.
func TestLinks(t *testing.T) {
	modes(t, func(t *testing.T, events bool) {
		h, outside := follow(t, t.TempDir(), events), filepath.Join(t.TempDir(), "x")
		h.write("a", "a")
		h.write("d/b", "b")
		h.link("a", "l")
		h.link("d", "folder")
		h.link(outside, "out")
		require.Equal(t, "+a +d/b +l", h.look(), "a link to a folder is not entered, one to nothing is none")
		h.write("a", "more")
		require.Equal(t, "~a ~l", h.look())
		require.NoError(t, os.WriteFile(outside, []byte("x"), 0o600))
		require.Equal(t, "+out", h.look())
		require.NoError(t, os.WriteFile(outside, []byte("y"), 0o600))
		require.Equal(t, "~out", h.look())
		h.remove("l")
		h.link("d/b", "l")
		require.Equal(t, "~l", h.look())
		require.NoError(t, os.Remove(outside))
		h.remove("l")
		require.Equal(t, "-l -out", h.look())
		h.remove("folder")
		h.link("a", "folder")
		require.Equal(t, "+folder", h.look())
	})
}

// Only one name of a file is in the tree that is written to by the other.
func TestHardLinks(t *testing.T) {
	modes(t, func(t *testing.T, events bool) {
		other := filepath.Join(t.TempDir(), "x")
		require.NoError(t, os.WriteFile(other, []byte("x"), 0o600))
		dir := t.TempDir()
		require.NoError(t, os.Link(other, filepath.Join(dir, "x")))
		h := follow(t, dir, events)
		require.NoError(t, os.WriteFile(other, []byte("y"), 0o600))
		require.Equal(t, "~x", h.look())
	})
}

// The root itself may go.
func TestRootIsGone(t *testing.T) {
	modes(t, func(t *testing.T, events bool) {
		h := follow(t, filepath.Join(t.TempDir(), "."), events)
		h.write("d/a", "")
		require.Equal(t, "+d/a", h.look())
		require.NoError(t, os.RemoveAll(h.dir))
		require.Equal(t, "-d/a", h.look())
		require.Empty(t, h.look())
		require.Equal(t, Status{Events: events}, h.tree.Status())
	})
}

// Within the time that a clock of a file system takes for one tick, a change may leave no trace
// but the content.
func TestSameTimes(t *testing.T) {
	modes(t, func(t *testing.T, events bool) {
		h := follow(t, t.TempDir(), events)
		for i := range 200 { // most of them within a tick of the clock
			h.write("a", fmt.Sprintf("%03d", i))
			require.NotEmpty(t, h.look(), i)
			require.Empty(t, h.look())
		}
	})
}

// Each cursor is told everything once, at its own pace.
func TestCursors(t *testing.T) {
	modes(t, func(t *testing.T, events bool) {
		h := follow(t, t.TempDir(), events)
		h.write("a", "")
		require.Equal(t, "+a", h.look())
		second := &harness{t, h.dir, h.tree, h.tree.Follow()}
		require.Empty(t, second.look())
		h.write("b", "")
		h.remove("a")
		require.Equal(t, "-a +b", h.look())
		h.remove("b")
		require.Equal(t, "-b", h.look())
		require.Equal(t, "-a", second.look())
		second.cursor.Close()
		h.write("c", "")
		require.Equal(t, "+c", h.look())
		require.Empty(t, second.look(), "closed")
		require.Empty(t, h.tree.journal.kept)
	})
}

// A look that is cut short loses nothing, and one after Close says so.
func TestCutShort(t *testing.T) {
	modes(t, func(t *testing.T, events bool) {
		h := follow(t, t.TempDir(), events)
		for i := range 20 {
			h.write(fmt.Sprintf("%02d/a", i), "")
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := h.cursor.Look(ended)
		require.ErrorIs(t, err, context.Canceled)
		require.Len(t, h.all(), 20+20, "files and their folders")
		h.tree.Close()
		h.tree.Close()
		_, err = h.cursor.Look(t.Context())
		require.ErrorIs(t, err, fs.ErrClosed)
	})
}

// A folder that could not be read is read when it can be.
func TestUnreadable(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("nothing is unreadable for root")
	}
	modes(t, func(t *testing.T, events bool) {
		h := follow(t, t.TempDir(), events)
		h.write("d/a", "")
		require.NoError(t, os.Chmod(h.at("d"), 0))
		require.Empty(t, h.look())
		require.NoError(t, os.Chmod(h.at("d"), 0o700))
		require.Equal(t, "+d/a", h.look())
	})
}
