//go:build amd64 && !noasm

package vec

import "golang.org/x/sys/cpu"

// SupportedSets returns the instruction sets that this machine and its operating system support,
// the best first.
func SupportedSets() []InstructionSet {
	var sets []InstructionSet
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL {
		sets = append(sets, AVX512)
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		sets = append(sets, AVX2)
	}
	return append(sets, PlainGo)
}
