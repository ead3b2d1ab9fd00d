//go:build arm64 && !noasm

package vec

// SupportedSets returns the instruction sets that this machine supports, the best first. Every processor
// for 64-bit Arm has NEON.
func SupportedSets() []InstructionSet { return []InstructionSet{NEON, PlainGo} }
