// Package fastblas implements gonum's blas.Float64 with matrix products near the peak speed of the
// machine.
//
// [Implementation] embeds gonum's implementation and replaces Dgemm, Dsyrk, Dsymm, Dtrmm and Dtrsm.
// The matrices are packed into slivers that fit into the caches. Kernels in Go assembly multiply
// the slivers and keep one tile of C in registers, the scheme of Goto and van de Geijn, "Anatomy of
// high-performance matrix multiplication", ACM TOMS 34(3), 2008
// (https://doi.org/10.1145/1356052.1356053). The program internal/gen generates the assembly. There
// are kernels for AVX-512 and for AVX2 with FMA, selected once at run time, and for NEON on 64-bit Arm.
// On all other machines, and with the build tag noasm, the methods are gonum's.
//
// [Strips] are matrices that stay in the layout of the slivers between operations: [Multiplier] multiplies
// them, [Solver] solves equations for them, and [Transposed] sums over their columns.
//
// Work is distributed over all processors by tiles of C. The tiles, and the order of every sum,
// depend on the shapes only, so results are the same for every value of GOMAXPROCS. All methods are
// safe for concurrent use. In the steady state they do not allocate.
//
// Unlike gonum's methods, these do not skip zeros: a NaN or an infinity in an operand propagates to
// all elements of the result that depend on it.
package fastblas

//go:generate go run ../internal/gen -out kernels_amd64.s -stubs kernels_amd64.go -pkg fastblas
//go:generate go run ../internal/gen -arch arm64 -out kernels_arm64.s -stubs kernels_arm64.go -pkg fastblas

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// Implementation implements blas.Float64 and, by embedding, the other interfaces of gonum's blas
// package. The zero value is ready for use.
type Implementation struct{ gonum.Implementation }

var _ blas.Float64 = Implementation{}

// reference is gonum's implementation. It checks arguments, and computes the results if there are
// no kernels.
var reference gonum.Implementation

// Kernels returns the name of the instruction set in use, "AVX512", "AVX2" or "NEON", or "gonum" if
// there are no kernels for the machine.
func Kernels() string {
	if active == nil {
		return "gonum"
	}
	return active.name
}
