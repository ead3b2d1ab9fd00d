// Package instructions detects which instruction sets with assembly in this project are supported.
package instructions

// Set is an instruction set.
type Set string

const (
	// AVX512 is AVX-512 with the extensions DQ, BW and VL.
	AVX512 Set = "AVX512"
	// AVX2 is AVX2 with FMA.
	AVX2 Set = "AVX2"
	// None is plain Go.
	None Set = "none"
)

// Best returns the best supported set.
func Best() Set { return Supported()[0] }
