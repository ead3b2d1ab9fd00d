//go:build !amd64 || noasm

package fastblas

import "dgplab/models/linalg/internal/instructions"

// kernelsOf returns nil, which selects gonum's methods.
func kernelsOf(instructions.Set) *kernels { return nil }
