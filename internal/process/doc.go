// Package process runs a child process and ends it, with everything it
// started, as one.
//
// A language server starts helpers, and helpers start helpers; some ignore
// SIGTERM, some leave the process group, some outlive their parent. Whoever
// owns a [Process] calls [Process.Terminate] once and afterwards nothing is
// left, or is told the numbers of what could not be ended.
//
// # What holds where
//
// On Linux with a supervisor ([Command].Supervisor, [Supervise]) nothing gets
// away: the supervisor adopts every orphan among the server's descendants, and
// ends them all as soon as the host is gone, even one killed with SIGKILL. The
// server's pipes run straight to the host; the supervisor copies nothing. Who
// kills the supervisor itself is left with the next paragraph.
//
// On Linux without a supervisor helpers are found by process group, by session
// and by parent. Out of reach is one that made its own session and whose
// parent ended before Terminate looked. Of a host that dies by SIGKILL only
// the server itself is taken along, its helpers are not.
//
// On Windows a job object holds the whole tree, and closes with the host. On
// other systems the process group is all there is: best effort.
package process
