//go:build (!amd64 && !arm64) || noasm

package vec

// SupportedSets returns only PlainGo: there is no assembly for this machine, or the build tag noasm
// excludes it.
func SupportedSets() []InstructionSet { return []InstructionSet{PlainGo} }
