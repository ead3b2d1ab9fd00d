//go:build !linux

package memory

import "math/bits"

// free returns half the address space, at most 2^47 bytes (the user space of 64-bit processors), because the
// free memory is unknown on this system.
func free() float64 { return float64(uint64(1) << (min(bits.UintSize, 48) - 1)) }

// resident returns 0, because the resident set size is unknown on this system.
func resident() float64 { return 0 }
