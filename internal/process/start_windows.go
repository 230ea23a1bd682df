package process

import (
	"errors"
	"os"
	"slices"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// job is a server in a job object: what it starts is in the job too, and all
// of it ends when the host's handle closes, however the host ends.
type job struct {
	handle windows.Handle
	server *server
}

func spawn(c Command, stdio [3]*os.File) (*server, family, error) {
	handle, err := newJob()
	if err != nil {
		return nil, nil, err
	}
	cmd := command(c, argv(c), stdio)
	// Suspended, so that it starts nothing before it is in the job.
	cmd.SysProcAttr = &syscall.SysProcAttr{
		HideWindow:    true,
		CreationFlags: windows.CREATE_SUSPENDED | windows.CREATE_NEW_PROCESS_GROUP,
	}
	if err := cmd.Start(); err != nil {
		windows.CloseHandle(handle)
		return nil, nil, err
	}
	if err := enter(handle, cmd.Process); err != nil {
		cmd.Process.Kill()
		cmd.Wait()
		windows.CloseHandle(handle)
		return nil, nil, err
	}
	s := &server{pid: cmd.Process.Pid, done: make(chan struct{})}
	go reap(cmd, s)
	return s, &job{handle, s}, nil
}

func newJob() (windows.Handle, error) {
	handle, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, os.NewSyscallError("CreateJobObject", err)
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(handle, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		windows.CloseHandle(handle)
		return 0, os.NewSyscallError("SetInformationJobObject", err)
	}
	return handle, nil
}

// enter puts a suspended process into the job and lets it run.
func enter(handle windows.Handle, p *os.Process) error {
	var assigned error
	err := p.WithHandle(func(process uintptr) {
		assigned = windows.AssignProcessToJobObject(handle, windows.Handle(process))
	})
	if err := errors.Join(err, os.NewSyscallError("AssignProcessToJobObject", assigned)); err != nil {
		return err
	}
	return resume(uint32(p.Pid))
}

// resume starts the only thread that a suspended process has.
func resume(pid uint32) error {
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return os.NewSyscallError("CreateToolhelp32Snapshot", err)
	}
	defer windows.CloseHandle(snapshot)
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(snapshot, &entry); err == nil; err = windows.Thread32Next(snapshot, &entry) {
		if entry.OwnerProcessID != pid {
			continue
		}
		thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID)
		if err != nil {
			return os.NewSyscallError("OpenThread", err)
		}
		defer windows.CloseHandle(thread)
		_, err = windows.ResumeThread(thread)
		return os.NewSyscallError("ResumeThread", err)
	}
	return os.NewSyscallError("Thread32Next", err)
}

// terminate is kill: there is no signal that asks.
func (j *job) terminate() { j.kill() }
func (j *job) kill()      { windows.TerminateJobObject(j.handle, 1) }
func (j *job) release()   { windows.CloseHandle(j.handle) }

func (j *job) gone(within time.Duration, cut <-chan struct{}) bool {
	return poll(j.living, within, cut)
}

// living lists up to so many members as fit; one is enough to know.
func (j *job) living() []int {
	var list struct {
		assigned, listed uint32
		pids             [64]uintptr
	}
	err := windows.QueryInformationJobObject(j.handle, windows.JobObjectBasicProcessIdList,
		uintptr(unsafe.Pointer(&list)), uint32(unsafe.Sizeof(list)), nil)
	if err != nil && err != windows.ERROR_MORE_DATA {
		list.listed = 0
	}
	var pids []int
	for _, pid := range list.pids[:min(int(list.listed), len(list.pids))] {
		pids = append(pids, int(pid))
	}
	if !j.server.exited() && !slices.Contains(pids, j.server.pid) {
		pids = append(pids, j.server.pid)
	}
	return pids
}
