package sandbox

import (
	"container/list"
	"sync"

	"github.com/navseam/navseam/abi"
)

// entryBytes is what an entry of a store counts beside its key and value: about what the
// map and the list take for it.
const entryBytes = 160

// store is the cache of a module in one workspace. When it is full, what was used longest
// ago goes.
type store struct {
	mu    sync.Mutex
	limit int64
	used  int64
	byKey map[string]*list.Element
	order list.List // of *entry, the last used first
}

type entry struct{ key, value string }

func newStore(limit int64) *store { return &store{limit: limit, byKey: map[string]*list.Element{}} }

func (e *entry) size() int64 { return int64(len(e.key)+len(e.value)) + entryBytes }

func (s *store) get(key string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	element := s.byKey[key]
	if element == nil {
		return "", false
	}
	s.order.MoveToFront(element)
	return element.Value.(*entry).value, true
}

// put takes an entry that is no larger than the store.
func (s *store) put(key, value string) {
	e := &entry{key, value}
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.byKey[key]; old != nil {
		s.remove(old)
	}
	for s.used+e.size() > s.limit {
		s.remove(s.order.Back())
	}
	s.used += e.size()
	s.byKey[key] = s.order.PushFront(e)
}

func (s *store) remove(element *list.Element) {
	e := s.order.Remove(element).(*entry)
	delete(s.byKey, e.key)
	s.used -= e.size()
}

func cacheGet(g *guest, m memory, stack []uint64) error {
	key, err := m.bytes("cache_get", stack[0], stack[1])
	if err != nil {
		return err
	}
	var value string
	ok := int64(len(key)) <= g.space.cache.limit // a longer one was never put, and is not copied
	if ok {
		value, ok = g.space.cache.get(string(key))
	}
	if !ok {
		g.refuse(stack, abi.NotThere, "no such key")
		return nil
	}
	return m.copyOut("cache_get", stack, value, stack[2], stack[3])
}

func cachePut(g *guest, m memory, stack []uint64) error {
	key, err := m.bytes("cache_put", stack[0], stack[1])
	if err != nil {
		return err
	}
	value, err := m.bytes("cache_put", stack[2], stack[3])
	if err != nil {
		return err
	}
	if int64(len(key))+int64(len(value))+entryBytes > g.space.cache.limit {
		g.refuse(stack, abi.OverLimit, "the entry is larger than the cache")
		return nil
	}
	g.space.cache.put(string(key), string(value))
	give(stack, 0)
	return nil
}
