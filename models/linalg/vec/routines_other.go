//go:build (!amd64 && !arm64) || noasm

package vec

// routinesOf returns nil, which selects plain Go.
func routinesOf(InstructionSet) *routines { return nil }
