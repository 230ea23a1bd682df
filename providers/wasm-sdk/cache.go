package wasmsdk

import "github.com/navseam/navseam/providers/wasm-sdk/internal/hostcall"

// CacheGet returns what was put under a key by an instance of this module in this workspace,
// and whether it is still there. It needs the grant cache.
func CacheGet(key string) (value []byte, found bool) {
	value, size := copyOut(make([]byte, 1024), func(p []byte) int32 { return hostcall.CacheGet(key, p) })
	return value, size >= 0
}

// CachePut keeps a value under a key, until the host needs the room. It needs the grant cache.
func CachePut(key string, value []byte) error {
	if result := hostcall.CachePut(key, value); result < 0 {
		return refused("cache_put", key, result)
	}
	return nil
}
