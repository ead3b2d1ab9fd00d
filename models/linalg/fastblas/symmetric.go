package fastblas

import "gonum.org/v1/gonum/blas"

// Dsyrk computes the triangle ul of the symmetric n×n matrix
//
//	C = alpha * A * Aᵀ + beta * C    if tA is NoTrans, A is n×k
//	C = alpha * Aᵀ * A + beta * C    otherwise, A is k×n
//
// and does not access the other triangle. If beta is zero, C is written without being read. It
// panics like gonum's Dsyrk if an argument is invalid.
func (Implementation) Dsyrk(
	ul blas.Uplo,
	tA blas.Transpose,
	n, k int,
	alpha float64,
	a []float64,
	lda int,
	beta float64,
	c []float64,
	ldc int,
) {
	if active == nil || alpha == 0 || k == 0 || !validSyrk(ul, tA, n, k, a, lda, c, ldc) {
		if k == 0 {
			alpha = 0
		}
		reference.Dsyrk(ul, tA, n, k, alpha, a, lda, beta, c, ldc)
		return
	}
	region := lowerTriangle
	if ul == blas.Upper {
		region = upperTriangle
	}
	view := matrix{a, lda, tA != blas.NoTrans}
	multiply(active, n, n, k, alpha, view, view.transposed(), beta, c, ldc, region)
}

// validSyrk reports whether the arguments are valid and the result is not empty. If not, gonum's
// method returns the result or panics.
func validSyrk(ul blas.Uplo, tA blas.Transpose, n, k int, a []float64, lda int, c []float64, ldc int) bool {
	rows, cols := n, k
	if tA != blas.NoTrans {
		rows, cols = k, n
	}
	return validUplo(ul) && validTranspose(tA) && n > 0 && k > 0 &&
		fits(a, lda, rows, cols) && fits(c, ldc, n, n)
}

// Dgemmt computes the triangle ul of the n×n matrix
//
//	C = alpha * A * Bᵀ + beta * C
//
// where A and B are n×k, and does not access the other triangle. It is like Dsyrk, but for a
// product that is known to be symmetric even though its factors differ. If beta is zero, C is
// written without being read. It panics like Dsyrk if an argument is invalid.
func (Implementation) Dgemmt(
	ul blas.Uplo,
	n, k int,
	alpha float64,
	a []float64,
	lda int,
	b []float64,
	ldb int,
	beta float64,
	c []float64,
	ldc int,
) {
	if active == nil || !validSyrk(ul, blas.NoTrans, n, k, a, lda, c, ldc) ||
		!fits(b, ldb, n, k) {
		Implementation{}.gemmtByRows(ul, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	region := lowerTriangle
	if ul == blas.Upper {
		region = upperTriangle
	}
	multiply(active, n, n, k, alpha, matrix{a, lda, false}, matrix{b, ldb, true}, beta, c, ldc, region)
}

// gemmtByRows is like Dgemmt, but uses the products of gonum: by blocks of rows off the diagonal,
// and by rows in the diagonal blocks.
func (Implementation) gemmtByRows(
	ul blas.Uplo,
	n, k int,
	alpha float64,
	a []float64,
	lda int,
	b []float64,
	ldb int,
	beta float64,
	c []float64,
	ldc int,
) {
	const block = 32
	for top := 0; top < n; top += block {
		end := min(top+block, n)
		for i := top; i < end; i++ {
			lo, hi := top, i+1
			if ul == blas.Upper {
				lo, hi = i, end
			}
			reference.Dgemv(blas.NoTrans, hi-lo, k, alpha, b[lo*ldb:], ldb,
				a[i*lda:], 1, beta, c[i*ldc+lo:], 1)
		}
		lo, hi := 0, top
		if ul == blas.Upper {
			lo, hi = end, n
		}
		if lo < hi {
			reference.Dgemm(blas.NoTrans, blas.Trans, end-top, hi-lo, k, alpha, a[top*lda:], lda, b[lo*ldb:],
				ldb, beta, c[top*ldc+lo:], ldc)
		}
	}
}

// Dsymm computes
//
//	C = alpha * A * B + beta * C    if s is Left, A is m×m
//	C = alpha * B * A + beta * C    if s is Right, A is n×n
//
// where A is symmetric and only its triangle ul is read, and B and C are m×n. If beta is zero, C is
// written without being read. It panics like gonum's Dsymm if an argument is invalid.
func (Implementation) Dsymm(
	s blas.Side,
	ul blas.Uplo,
	m, n int,
	alpha float64,
	a []float64,
	lda int,
	b []float64,
	ldb int,
	beta float64,
	c []float64,
	ldc int,
) {
	order := n
	if s == blas.Left {
		order = m
	}
	if active == nil || alpha == 0 || !validSide(s) || !validUplo(ul) || m <= 0 || n <= 0 ||
		!fits(a, lda, order, order) || !fits(b, ldb, m, n) || !fits(c, ldc, m, n) {
		reference.Dsymm(s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	memory := scratches.Get()
	full := memory.a.resize(order * order)
	active.expand(full, ul, order, a, lda)
	x, y := matrix{full, order, false}, matrix{b, ldb, false}
	if s == blas.Right {
		x, y = y, x
	}
	multiply(active, m, n, order, alpha, x, y, beta, c, ldc, everything)
	scratches.Put(memory)
}

// expand writes the full symmetric n×n matrix, given its triangle ul.
func (kn *kernels) expand(dst []float64, ul blas.Uplo, n int, a []float64, lda int) {
	region := lowerTriangle
	if ul == blas.Upper {
		region = upperTriangle
	}
	for i := range n {
		lo, hi := region.columns(i, n)
		copy(dst[i*n+lo:i*n+hi], a[i*lda+lo:i*lda+hi])
	}
	const block = 32
	for i := 0; i < n; i += block {
		rows := min(block, n-i)
		for j := 0; j < i; j += block {
			low, high := dst[i*n+j:], dst[j*n+i:]
			if ul == blas.Lower {
				kn.transposeTo(high, n, low, n, rows, block)
			} else {
				kn.transposeTo(low, n, high, n, block, rows)
			}
		}
		for r := i; r < i+rows; r++ {
			for c := i; c < r; c++ {
				if ul == blas.Lower {
					dst[c*n+r] = dst[r*n+c]
				} else {
					dst[r*n+c] = dst[c*n+r]
				}
			}
		}
	}
}

func validSide(s blas.Side) bool  { return s == blas.Left || s == blas.Right }
func validUplo(ul blas.Uplo) bool { return ul == blas.Lower || ul == blas.Upper }
func validDiag(d blas.Diag) bool  { return d == blas.NonUnit || d == blas.Unit }
func validTranspose(t blas.Transpose) bool {
	return t == blas.NoTrans || t == blas.Trans || t == blas.ConjTrans
}

// fits reports whether a slice has space for a non-empty rows×cols matrix with the given stride.
func fits(data []float64, stride, rows, cols int) bool {
	return stride >= cols && len(data) >= (rows-1)*stride+cols
}
