package linalg

import (
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/linalg/fastblas"
)

// After registration, gonum's mat and lapack64 also use the kernels.
func init() {
	if Kernels() != "gonum" {
		blas64.Use(fastblas.Implementation{})
	}
}

// Kernels returns the name of the instruction set used by matrix products: "AVX512", "AVX2", "NEON", or
// "gonum" for gonum's own loops.
func Kernels() string { return fastblas.Kernels() }
