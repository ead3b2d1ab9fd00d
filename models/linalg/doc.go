// Package linalg is the dense linear algebra under the models: Cholesky factors
// with a jitter ladder, triangular solves and products over plain row-major
// slices, one matrix at a time or in batches.
//
// Everything above a handful of rows goes through gonum's blas64. Importing the
// package registers the implementation of package fastblas there, where the
// machine has the instructions for it, so that gonum's mat and lapack64 become
// fast as well; [Kernels] says which are in use. Matrices too small to repay the
// call are handled by plain loops. All factors are lower triangular. Functions
// panic when a slice is too short for the shape that is asked for: that is a bug
// of the caller.
//
// Below it are
//
//   - fastblas, matrix products, symmetric and triangular ones among them, with
//     packed operands and kernels in assembly, on all processors;
//   - vec, exp, log, sums of products and the stationary kernels over arrays;
//   - internal/instructions, which finds out what the machine can run, and
//     internal/avx, which the generators of the assembly share.
//
// `go generate ./models/linalg/...` writes the assembly, with avo. The build tag
// noasm leaves it out.
package linalg
