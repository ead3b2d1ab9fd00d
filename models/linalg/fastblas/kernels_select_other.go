//go:build (!amd64 && !arm64) || noasm

package fastblas

import (
	"dgplab/models/linalg/vec"
	"runtime"
)

// kernelsOf returns nil, which selects gonum's methods.
func kernelsOf(vec.InstructionSet) *kernels { return nil }

// relax yields to other goroutines, which takes about as long as the pause of a processor.
func relax() { runtime.Gosched() }
