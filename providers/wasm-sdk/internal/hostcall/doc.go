// Package hostcall is the ground that package wasmsdk stands on: the imports of the ABI, each
// as a Go function of the same name and meaning.
//
// In a module (GOOS=wasip1) they are the host's. In an ordinary Go program, which is the native
// test of a provider, [Serve] says who answers them; so the code above is the same in both.
//
// In a module no function here loops, allocates or interprets. Sizes and negative results are
// those of the ABI.
package hostcall

import "github.com/navseam/navseam/abi"

// Record is one of [Locations]: address and length of its path, then its range. A module's memory
// is little-endian, as the ABI wants it.
type Record [abi.LocationSize / 4]uint32
