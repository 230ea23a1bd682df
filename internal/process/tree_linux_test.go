package process

import (
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseStat(t *testing.T) {
	const rest = " 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 "
	tests := []struct {
		name, text string
		want       proc
		ok         bool
	}{
		{"sleeping", "12 (sh) S 3 4 5" + rest + "1 0 99 0", proc{pid: 12, parent: 3, group: 4, session: 5, start: 99}, true},
		{"a name like the rest", "12 (a) Z 1 (b) S 3 4 5" + rest + "1 0 99 0", proc{pid: 12, parent: 3, group: 4, session: 5, start: 99}, true},
		{"A-175 zombie", "12 (sh) Z 3 4 5" + rest + "1 0 99 0", proc{pid: 12, parent: 3, group: 4, session: 5, start: 99, zombie: true}, true},
		{"main thread gone, others run", "12 (sh) Z 3 4 5" + rest + "2 0 99 0", proc{pid: 12, parent: 3, group: 4, session: 5, start: 99}, true},
		{"dead", "12 (sh) X 3 4 5" + rest + "0 0 99 0", proc{pid: 12, parent: 3, group: 4, session: 5, start: 99, zombie: true}, true},
		{"cut short", "12 (sh) S 3 4 5", proc{}, false},
		{"no name", "12 S 3 4 5" + rest + "1 0 99 0", proc{}, false},
		{"brackets turned", "12 )sh( S 3 4 5" + rest + "1 0 99 0", proc{}, false},
		{"empty", "", proc{}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, ok := parseStat([]byte(test.text))
			require.Equal(t, test.ok, ok)
			if ok {
				require.Equal(t, test.want, got)
			}
		})
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add([]byte("12 (sh) S 3 4 5 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 99 0"))
	f.Fuzz(func(t *testing.T, text []byte) { parseStat(text) })
}

func TestOwnStat(t *testing.T) {
	p, ok := readProc(os.Getpid())
	require.True(t, ok)
	require.Equal(t, os.Getppid(), p.parent)
	require.Equal(t, syscall.Getpgrp(), p.group)
	require.False(t, p.zombie)
	require.NotZero(t, p.start)
}

// who got the number later is somebody else.
func TestSignalMissesRecycledNumbers(t *testing.T) {
	other := exec.Command("/bin/cat")
	stdin, err := other.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, other.Start())
	p, ok := readProc(other.Process.Pid)
	require.True(t, ok)
	p.start--
	p.signal(syscall.SIGKILL)
	require.NoError(t, stdin.Close())
	require.NoError(t, other.Wait())
}

func TestMembers(t *testing.T) {
	const server = 10
	self := proc{pid: server, parent: 1, group: server, session: server, start: 100}
	stranger := proc{pid: 2, parent: 1, group: 2, session: 2, start: 5}
	tests := []struct {
		name  string
		first []proc // seen before
		now   []proc
		want  []int
	}{
		{"itself", nil, []proc{self, stranger}, []int{server}},
		{"by group, its leader reaped", nil, []proc{{pid: 11, parent: 1, group: server, session: 3}}, []int{11}},
		{"by session", nil, []proc{{pid: 11, parent: 1, group: 11, session: server}}, []int{11}},
		{"by parents, whatever the order", nil, []proc{{pid: 12, parent: 11, session: 12}, {pid: 11, parent: server, session: 11}, self}, []int{server, 11, 12}},
		{"seen before, its parent gone", []proc{self, {pid: 11, parent: server, session: 11, start: 7}}, []proc{{pid: 11, parent: 1, session: 11, start: 7}}, []int{11}},
		{"A-177 seen before, its number recycled", []proc{self, {pid: 11, parent: server, session: 11, start: 7}}, []proc{{pid: 11, parent: 1, session: 11, start: 8}}, nil},
		{"A-177 the server's number recycled", nil, []proc{{pid: server, parent: 1, group: server, session: server, start: 101}, {pid: 11, parent: server, group: server, session: server, start: 102}}, nil},
		{"A-175 zombies", nil, []proc{{pid: server, parent: 1, group: server, session: server, start: 100, zombie: true}}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := &members{server: self, known: map[int]uint64{server: self.start}}
			m.among(test.first)
			require.ElementsMatch(t, test.want, pidsOf(m.among(test.now)))
		})
	}
}
