//go:build !amd64 || noasm

package vec

import "dgplab/models/linalg/internal/instructions"

// routinesOf returns nil: plain Go does the work.
func routinesOf(instructions.Set) *routines { return nil }
