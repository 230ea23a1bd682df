package process

import (
	"bytes"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// proc is one process as /proc/PID/stat tells it.
type proc struct {
	pid, parent, group, session int
	start                       uint64 // with the pid, its identity
	zombie                      bool
}

// processes lists the processes that are there now. Without /proc it is empty.
func processes() []proc {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil
	}
	var found []proc
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			if p, ok := readProc(pid); ok {
				found = append(found, p)
			}
		}
	}
	return found
}

func readProc(pid int) (proc, bool) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return proc{}, false
	}
	return parseStat(data)
}

// parseStat reads "PID (NAME) STATE PARENT GROUP SESSION …". The name may hold
// blanks and brackets; after the last bracket nothing does.
func parseStat(data []byte) (proc, bool) {
	const state, parent, group, session, threads, start = 0, 1, 2, 3, 17, 19
	open, end := bytes.IndexByte(data, '('), bytes.LastIndexByte(data, ')')
	if open < 0 || end < open {
		return proc{}, false
	}
	fields := bytes.Fields(data[end+1:])
	if len(fields) <= start {
		return proc{}, false
	}
	ok := true
	number := func(text []byte) int {
		n, err := strconv.Atoi(string(bytes.TrimSpace(text)))
		ok = ok && err == nil
		return n
	}
	p := proc{
		pid:     number(data[:open]),
		parent:  number(fields[parent]),
		group:   number(fields[group]),
		session: number(fields[session]),
		start:   uint64(number(fields[start])),
	}
	// The main thread of a living process can be a zombie while others run.
	letter := fields[state][0]
	p.zombie = letter == 'X' || letter == 'Z' && number(fields[threads]) <= 1
	return p, ok
}

// signal sends to this very process, and to nobody who got its number later.
func (p proc) signal(sig syscall.Signal) {
	fd, err := unix.PidfdOpen(p.pid, 0)
	if err == nil {
		defer unix.Close(fd)
	}
	if now, ok := readProc(p.pid); !ok || now.start != p.start {
		return
	}
	if err == nil {
		err = unix.PidfdSendSignal(fd, sig, nil, 0)
	}
	// Before Linux 5.3, or where a filter forbids pidfds, the check just made
	// must do.
	if err == unix.ENOSYS || err == unix.EPERM {
		syscall.Kill(p.pid, sig)
	}
}

func pidsOf(all []proc) []int {
	var pids []int
	for _, p := range all {
		pids = append(pids, p.pid)
	}
	return pids
}
