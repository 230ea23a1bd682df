package abi

// Result is what an import returns when it is negative.
type Result int32

// The negative results. The import "error" tells the reason of the last one.
const (
	NotThere    Result = -1
	NotAllowed  Result = -2
	OverLimit   Result = -3
	CallFailed  Result = -4
	Deadline    Result = -5
	BadArgument Result = -6 // or a bad handle
)

// Sizes and limits of version 1.
const (
	MaxSize          = 1<<31 - 1 // of anything that an import returns the size of
	LocationSize     = 24        // bytes of a record of "locations": six little-endian u32
	FileStatSize     = 24        // bytes that "file_stat" writes: size u64, mtime in ns u64, kind u32, 0
	MaxOpenFiles     = 64        // of an instance
	MaxSoftMarginMs  = 50        // imports that wait give up this long before the deadline,
	SoftMarginTenths = 1         // or a tenth of the call's time, whichever is less
)

// What "file_stat" says of a path.
const (
	KindFile uint32 = iota
	KindFolder
	KindOther
)

// What "log" takes as its level.
const (
	LogDebug uint32 = iota
	LogInfo
	LogWarn
	LogError
)
