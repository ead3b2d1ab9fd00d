package linalg

import (
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/linalg/fastblas"
)

// The fast kernels are registered where the machine has some, so that they
// serve gonum's mat and lapack64 as well.
func init() {
	if Kernels() != "gonum" {
		blas64.Use(fastblas.Implementation{})
	}
}

// Kernels returns the name of the instruction set that matrix products use:
// "AVX512", "AVX2", or "gonum" for gonum's own loops.
func Kernels() string { return fastblas.Kernels() }
