package process

import "syscall"

// descendants are the living processes below root, parents before their
// children, so that a parent is signalled before it can replace a child.
func descendants(root int) []proc {
	children := make(map[int][]proc)
	for _, p := range processes() {
		if !p.zombie {
			children[p.parent] = append(children[p.parent], p)
		}
	}
	below := children[root]
	for i := 0; i < len(below); i++ {
		below = append(below, children[below[i].pid]...)
	}
	return below
}

// members are a server and the processes that belong to it by group, by
// session or by parent. Who was seen once stays a member, even when its parent
// dies and the tie is lost.
type members struct {
	server proc
	known  map[int]uint64 // pid to start
}

func newMembers(server int) *members {
	p, ok := readProc(server)
	if !ok {
		p.pid = server
	}
	return &members{server: p, known: map[int]uint64{server: p.start}}
}

// living lists the members that are there and no zombies.
func (m *members) living() []proc { return m.among(processes()) }

func (m *members) among(found []proc) []proc {
	all := make(map[int]proc, len(found))
	for _, p := range found {
		all[p.pid] = p
	}
	for m.grow(all) {
	}
	var alive []proc
	for _, p := range all {
		if m.has(p) && !p.zombie {
			alive = append(alive, p)
		}
	}
	return alive
}

// signal reaches each member by itself.
func (m *members) signal(sig syscall.Signal) {
	for _, p := range m.living() {
		p.signal(sig)
	}
}

// grow reports whether it found new members; they may have children.
func (m *members) grow(all map[int]proc) bool {
	before := len(m.known)
	for _, p := range all {
		if m.tied(p, all) {
			m.known[p.pid] = p.start
		}
	}
	return len(m.known) > before
}

func (m *members) has(p proc) bool {
	start, ok := m.known[p.pid]
	return ok && start == p.start
}

// tied reports whether p is a relative of a member. Once another process has
// the server's number, its group and session are no longer the server's.
func (m *members) tied(p proc, all map[int]proc) bool {
	if parent, ok := all[p.parent]; ok && m.has(parent) {
		return true
	}
	if p.group != m.server.pid && p.session != m.server.pid {
		return false
	}
	leader, ok := all[m.server.pid]
	return !ok || leader.start == m.server.start
}
