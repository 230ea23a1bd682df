package sandbox

import (
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStoreKeepsWhatWasUsedLast(t *testing.T) {
	one := int64(len("a")+len("value")) + entryBytes
	s := newStore(2 * one)
	s.put("a", "value")
	s.put("b", "value")
	_, ok := s.get("a")
	require.True(t, ok)
	s.put("c", "value") // b has not been used for the longest time
	_, ok = s.get("b")
	require.False(t, ok)
	value, ok := s.get("a")
	require.True(t, ok)
	require.Equal(t, "value", value)
	_, ok = s.get("c")
	require.True(t, ok)
}

func TestStoreReplaces(t *testing.T) {
	s := newStore(1000)
	s.put("a", "first")
	s.put("a", "second, and longer")
	value, _ := s.get("a")
	require.Equal(t, "second, and longer", value)
	require.Equal(t, int64(len("a")+len("second, and longer"))+entryBytes, s.used)
}

func TestStoreMakesRoomForALargeEntry(t *testing.T) {
	s := newStore(1000)
	for i := range 5 {
		s.put(strconv.Itoa(i), "x")
	}
	s.put("large", strings.Repeat("x", 1000-len("large")-entryBytes))
	require.Equal(t, int64(1000), s.used)
	require.Len(t, s.byKey, 1)
}

func TestStoreHammer(t *testing.T) {
	const limit = 10_000
	s := newStore(limit)
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for i := range 2000 {
				key := strconv.Itoa((i*7 + worker) % 300)
				s.put(key, strings.Repeat(key, i%40))
				if value, ok := s.get(key); ok && value != "" && !strings.HasPrefix(value, key) {
					t.Errorf("the value of %s is %q", key, value)
				}
			}
		})
	}
	all.Wait()
	var used int64
	for _, element := range s.byKey {
		used += element.Value.(*entry).size()
	}
	require.Equal(t, used, s.used)
	require.LessOrEqual(t, s.used, int64(limit))
	require.Equal(t, len(s.byKey), s.order.Len())
}
