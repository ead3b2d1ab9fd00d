// Package linalg provides dense linear algebra for the models: Cholesky factors with a jitter
// ladder, triangular solves and products over plain row-major slices, one matrix at a time or in
// batches.
//
// Larger matrices are passed to gonum's blas64. If the machine supports it, importing the package
// registers package fastblas as the implementation of blas64, which also accelerates gonum's mat
// and lapack64; [Kernels] returns the kernels in use. Plain loops handle smaller matrices, for
// which the call would cost more than it saves. All factors are lower triangular. Functions panic
// if a slice is too short for the requested shape, which is a bug of the caller.
//
// Its subpackages are
//
//   - fastblas, matrix products, including symmetric and triangular ones, with packed operands and
//     assembly kernels, on all processors, and matrices of points in the layout of these kernels;
//   - vec, exp, log, sums of products and the stationary kernels over arrays, and the detection of
//     the supported instruction sets;
//   - internal/gen, the program that generates the assembly of both.
//
// `go generate ./models/linalg/...` writes the assembly for amd64, with avo, and for arm64. The build tag
// noasm excludes it.
package linalg
