//go:build !amd64 || noasm

package vec

import "dgplab/models/linalg/internal/instructions"

// routinesOf returns nil, which selects plain Go.
func routinesOf(instructions.Set) *routines { return nil }
