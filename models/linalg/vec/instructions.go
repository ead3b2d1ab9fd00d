package vec

// InstructionSet is an instruction set for which this package and fastblas have assembly.
type InstructionSet string

const (
	// AVX512 is AVX-512 with the extensions DQ, BW and VL.
	AVX512 InstructionSet = "AVX512"
	// AVX2 is AVX2 with FMA.
	AVX2 InstructionSet = "AVX2"
	// NEON is the vector unit that every processor for 64-bit Arm has.
	NEON InstructionSet = "NEON"
	// PlainGo stands for machines and builds without assembly.
	PlainGo InstructionSet = "none"
)

// BestSet returns the best supported instruction set.
func BestSet() InstructionSet { return SupportedSets()[0] }
