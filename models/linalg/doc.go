// Package linalg is the dense linear algebra under the models: Cholesky factors
// with a jitter ladder, triangular solves and products over plain row-major
// slices, one matrix at a time or in batches.
//
// Everything above a handful of rows goes through gonum's blas64, so that a
// faster implementation takes effect as soon as it is registered by blas64.Use;
// matrices too small to repay the call are handled by plain loops. All factors
// are lower triangular. Functions panic when a slice is too short for the shape
// that is asked for: that is a bug of the caller.
package linalg
