// Package instructions finds out which of the instruction sets that the
// project has assembly for can be used.
package instructions

// Set is an instruction set.
type Set string

const (
	// AVX512 is AVX-512 with its extensions DQ, BW and VL.
	AVX512 Set = "AVX512"
	// AVX2 is AVX2 with FMA.
	AVX2 Set = "AVX2"
	// None is plain Go.
	None Set = "none"
)

// Best returns the set to use.
func Best() Set { return Supported()[0] }
