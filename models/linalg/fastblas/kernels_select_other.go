//go:build !amd64 || noasm

package fastblas

import "dgplab/models/linalg/internal/instructions"

// kernelsOf returns nil: gonum's methods do the work.
func kernelsOf(instructions.Set) *kernels { return nil }
