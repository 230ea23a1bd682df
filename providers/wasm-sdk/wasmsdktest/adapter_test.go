//go:build !wasip1

package wasmsdktest

import (
	"encoding/binary"

	"github.com/tetratelabs/wazero/api"

	"github.com/navseam/navseam/abi"
	"github.com/navseam/navseam/providers/wasm-sdk/internal/hostcall"
)

// memory is what pointers of a guest point into. One outside of it is a bug of the SDK.
type memory struct{ api.Memory }

func (m memory) bytes(pointer, size uint64) []byte {
	b, inside := m.Read(uint32(pointer), uint32(size))
	if !inside {
		panic("a pointer outside of memory")
	}
	return b
}

func (m memory) text(pointer, size uint64) string { return string(m.bytes(pointer, size)) }

type hostFunction func(m memory, s []uint64) uint64

// hostFunctions leads a guest's imports to whatever [hostcall.Serve] has set, which is what a
// native test talks to.
func hostFunctions() [abi.FunctionCount]hostFunction {
	u32 := func(s uint64) uint32 { return uint32(s) }
	i32 := func(r int32) uint64 { return uint64(uint32(r)) }
	return [abi.FunctionCount]hostFunction{
		abi.Path:        func(m memory, s []uint64) uint64 { return i32(hostcall.Path(m.bytes(s[0], s[1]))) },
		abi.Error:       func(m memory, s []uint64) uint64 { return i32(hostcall.Error(m.bytes(s[0], s[1]))) },
		abi.Language:    func(m memory, s []uint64) uint64 { return i32(hostcall.Language(m.bytes(s[0], s[1]))) },
		abi.SourceSize:  func(_ memory, _ []uint64) uint64 { return i32(hostcall.SourceSize()) },
		abi.Source:      func(m memory, s []uint64) uint64 { return i32(hostcall.Source(u32(s[0]), m.bytes(s[1], s[2]))) },
		abi.Config:      func(m memory, s []uint64) uint64 { return i32(hostcall.Config(m.bytes(s[0], s[1]))) },
		abi.RemainingMs: func(_ memory, _ []uint64) uint64 { return i32(hostcall.RemainingMs()) },
		abi.Locations: func(m memory, s []uint64) uint64 {
			var records []hostcall.Record
			for all := m.bytes(s[0], s[1]*abi.LocationSize); len(all) > 0; all = all[abi.LocationSize:] {
				var record hostcall.Record
				for i := range record {
					record[i] = binary.LittleEndian.Uint32(all[4*i:])
				}
				record[0] = hostcall.Address(m.text(uint64(record[0]), uint64(record[1])))
				records = append(records, record)
			}
			hostcall.Locations(records)
			return 0
		},
		abi.Hover: func(m memory, s []uint64) uint64 { hostcall.Hover(m.text(s[0], s[1])); return 0 },
		abi.HoverRange: func(_ memory, s []uint64) uint64 {
			hostcall.HoverRange(u32(s[0]), u32(s[1]), u32(s[2]), u32(s[3]))
			return 0
		},
		abi.Incomplete: func(_ memory, _ []uint64) uint64 { hostcall.Incomplete(); return 0 },
		abi.Message:    func(m memory, s []uint64) uint64 { hostcall.Message(m.text(s[0], s[1])); return 0 },
		abi.Log:        func(m memory, s []uint64) uint64 { hostcall.Log(u32(s[0]), m.text(s[1], s[2])); return 0 },
		abi.FileOpen:   func(m memory, s []uint64) uint64 { return i32(hostcall.FileOpen(m.text(s[0], s[1]))) },
		abi.FileSize:   func(_ memory, s []uint64) uint64 { return uint64(hostcall.FileSize(int32(u32(s[0])))) },
		abi.FileRead: func(m memory, s []uint64) uint64 {
			return i32(hostcall.FileRead(int32(u32(s[0])), int64(s[1]), m.bytes(s[2], s[3])))
		},
		abi.FileClose: func(_ memory, s []uint64) uint64 { hostcall.FileClose(int32(u32(s[0]))); return 0 },
		abi.FileStat: func(m memory, s []uint64) uint64 {
			return i32(hostcall.FileStat(m.text(s[0], s[1]), (*[abi.FileStatSize]byte)(m.bytes(s[2], abi.FileStatSize))))
		},
		abi.DirRead: func(m memory, s []uint64) uint64 {
			return i32(hostcall.DirRead(m.text(s[0], s[1]), m.bytes(s[2], s[3])))
		},
		abi.HTTPRequest: func(m memory, s []uint64) uint64 {
			return i32(hostcall.HTTPRequest(m.text(s[0], s[1]), m.text(s[2], s[3]), m.text(s[4], s[5]), m.bytes(s[6], s[7])))
		},
		abi.HTTPStatus: func(_ memory, s []uint64) uint64 { return i32(hostcall.HTTPStatus(int32(u32(s[0])))) },
		abi.HTTPHeaders: func(m memory, s []uint64) uint64 {
			return i32(hostcall.HTTPHeaders(int32(u32(s[0])), m.bytes(s[1], s[2])))
		},
		abi.HTTPRead: func(m memory, s []uint64) uint64 {
			return i32(hostcall.HTTPRead(int32(u32(s[0])), m.bytes(s[1], s[2])))
		},
		abi.HTTPClose: func(_ memory, s []uint64) uint64 { hostcall.HTTPClose(int32(u32(s[0]))); return 0 },
		abi.CacheGet: func(m memory, s []uint64) uint64 {
			return i32(hostcall.CacheGet(m.text(s[0], s[1]), m.bytes(s[2], s[3])))
		},
		abi.CachePut: func(m memory, s []uint64) uint64 {
			return i32(hostcall.CachePut(m.text(s[0], s[1]), m.bytes(s[2], s[3])))
		},
	}
}
