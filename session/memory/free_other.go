//go:build !linux

package memory

import "math/bits"

// free returns the bytes of the address space, at most what processors of 64 bits
// give to a program: nothing else is known.
func free() float64 { return float64(uint64(1) << (min(bits.UintSize, 48) - 1)) }

// resident returns nothing: see free.
func resident() float64 { return 0 }
