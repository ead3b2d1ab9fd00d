//go:build !amd64 || noasm

package fastblas

import "dgplab/models/linalg/vec"

// kernelsOf returns nil, which selects gonum's methods.
func kernelsOf(vec.InstructionSet) *kernels { return nil }
