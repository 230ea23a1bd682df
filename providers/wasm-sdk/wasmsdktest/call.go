//go:build !wasip1

package wasmsdktest

import (
	"cmp"
	"time"

	"github.com/navseam/navseam/abi"
	wasmsdk "github.com/navseam/navseam/providers/wasm-sdk"
	"github.com/navseam/navseam/providers/wasm-sdk/internal/hostcall"
	"github.com/navseam/navseam/seam"
)

// call is one call, and the host that its imports see.
type call struct {
	host       *Host
	path, text string
	loading    bool

	answer Answer
	hover  seam.Hover
	reason string // of the last negative result
	bodies []*response
}

// refuse gives a negative result and keeps its reason.
func (c *call) refuse(result abi.Result, reason string) int32 {
	c.reason = reason
	return int32(result)
}

// copyOut is how every text of variable size is handed to a module.
func copyOut(p []byte, content string) int32 {
	copy(p, content)
	return int32(len(content))
}

func (c *call) Path(p []byte) int32     { return copyOut(p, c.path) }
func (c *call) Language(p []byte) int32 { return copyOut(p, c.host.Language) }
func (c *call) Error(p []byte) int32    { return copyOut(p, c.reason) }
func (c *call) Config(p []byte) int32   { return copyOut(p, cmp.Or(c.host.Config, "{}")) }

func (c *call) SourceSize() int32 {
	if c.loading {
		return c.refuse(abi.CallFailed, "there is no document while a module loads: a host would end the instance")
	}
	return int32(len(c.text))
}

func (c *call) Source(offset uint32, p []byte) int32 {
	if size := c.SourceSize(); size < 0 || offset >= uint32(size) {
		return min(size, 0)
	}
	return int32(copy(p, c.text[offset:]))
}

func (c *call) RemainingMs() int32 {
	return int32(cmp.Or(c.host.Remaining, 2*time.Second).Milliseconds())
}

func (c *call) Locations(records []hostcall.Record, paths []string) {
	for _, r := range records {
		c.answer.Locations = append(c.answer.Locations, wasmsdk.Location{
			Path:  paths[r[0]],
			Range: textRange(r[2], r[3], r[4], r[5]),
		})
	}
}

func textRange(startLine, startCharacter, endLine, endCharacter uint32) seam.Range {
	return seam.Range{
		Start: seam.Position{Line: int(startLine), Character: int(startCharacter)},
		End:   seam.Position{Line: int(endLine), Character: int(endCharacter)},
	}
}

func (c *call) Hover(markdown string) {
	c.hover.Contents = markdown
	c.answer.Hover = &c.hover
}

func (c *call) HoverRange(startLine, startCharacter, endLine, endCharacter uint32) {
	r := textRange(startLine, startCharacter, endLine, endCharacter)
	c.hover.Range = &r
}

func (c *call) Incomplete()         { c.answer.Incomplete = true }
func (c *call) Message(text string) { c.answer.Message = text }

func (c *call) Log(level uint32, text string) {
	c.answer.Log = append(c.answer.Log, Line{wasmsdk.Level(level), text})
}

func (c *call) CacheGet(key string, p []byte) int32 {
	value, found := c.host.Cache[key]
	switch {
	case c.host.Cache == nil:
		return c.refuse(abi.NotAllowed, "the cache is not granted: set Host.Cache")
	case !found:
		return c.refuse(abi.NotThere, "nothing is cached under this key")
	}
	return copyOut(p, string(value))
}

func (c *call) CachePut(key string, value []byte) int32 {
	if c.host.Cache == nil {
		return c.refuse(abi.NotAllowed, "the cache is not granted: set Host.Cache")
	}
	c.host.Cache[key] = append([]byte{}, value...)
	return 0
}
