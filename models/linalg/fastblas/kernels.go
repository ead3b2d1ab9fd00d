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
	// ofStrips holds the same for matrices A in strips of nr adjacent columns, which are aCol apart.
	ofStrips []gemmKernel

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

	// dotStrips sets dst [nr] to the sums over the rows of the products of two strips, for a number of pairs
	// of strips. The results are dstNext apart, the strips aNext and bNext.
	dotStrips func(strips, rows int, dst *float64, dstNext int, a *float64, aNext int, b *float64, bNext int)

	// addScaledStrips adds to a strip dst, [rows][nr], the sum over terms of the strips a with their columns
	// multiplied by the row w, [nr]. Terms are aStep and wStep apart. It does so for a number of strips,
	// which are dstNext, aNext and wNext apart.
	addScaledStrips func(strips, rows, terms int, dst *float64, dstNext int, a *float64, aNext, aStep int,
		w *float64, wNext, wStep int)
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

// triangularKernel multiplies a sliver by, or solves it for, one block row of a packed triangle. The
// block row has mr rows. Its k columns off the diagonal block apply to the k rows of the sliver at
// dense, and the diagonal block applies to the mr rows at from. The result is stored at diag, which may
// be from.
type triangularKernel = func(k int, a, dense, diag, from *float64)
