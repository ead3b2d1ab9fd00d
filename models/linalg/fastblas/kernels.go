package fastblas

import "dgplab/models/linalg/vec"

// kernels are the assembly routines of one instruction set.
type kernels struct {
	name  string
	lanes int // float64 values per vector register
	mr    int // rows of a register tile
	nr    int // columns of a register tile, the width of a sliver

	// gemm holds the product kernels by descending height; the first has mr rows.
	gemm []gemmKernel

	// Triangular kernels, for lower and for upper triangles.
	trmm, trsm [2]triangularKernel

	// copyRows copies rows of at most nr values. It reads loadCols values of each row and writes
	// storeCols values; the values beyond loadCols are zero.
	copyRows func(rows int, dst *float64, dstStride int, src *float64, srcStride, loadCols, storeCols int)

	// transpose sets dst[j*dstStride+i] = src[i*srcStride+j] for lanes values of i and blocks*lanes
	// values of j.
	transpose func(blocks int, dst *float64, dstStride int, src *float64, srcStride int)

	// scaleRows multiplies the rows of a sliver, each of nr values, by the entries of w.
	scaleRows func(rows int, dst, src, w *float64)
}

// gemmKernel computes C = alpha*A*B + beta*C for panels of `rows` rows.
//
// A[i,p] is a[i*aRow+p*aCol], and the next panel begins aPanel elements later. B is a sliver,
// [kc][nr]. C has stride ldc, and its first cols columns are written. With one panel, only `rows`
// of its rows are written (the argument of run). If beta is 0, C is overwritten without being read.
type gemmKernel struct {
	rows int
	run  func(panels, kc int, a *float64, aRow, aCol, aPanel int, b *float64, alpha, beta float64,
		c *float64, ldc, rows, cols int)
}

// active holds the kernels in use; nil selects gonum's methods. It is set when the package is
// initialised; only tests change it.
var active = kernelsOf(vec.BestSet())

// triangularKernel multiplies a sliver by, or solves it for, one block row of a packed triangle, in
// place. The block row has mr rows. Its k columns off the diagonal block apply to the k rows of the
// sliver at dense; then the diagonal block applies to the mr rows at diag, which receive the
// result.
type triangularKernel = func(k int, a, dense, diag *float64)
