package fastblas

import "gonum.org/v1/gonum/blas"

// maxOrder is the order of the largest triangle that is packed whole. It must fit in the
// second-level cache. Larger triangles are split in two.
const maxOrder = 384

// Dtrmm computes
//
//	B = alpha * op(A) * B    if s is Left, A is m×m
//	B = alpha * B * op(A)    if s is Right, A is n×n
//
// where A is triangular (ul) and B is m×n. If d is Unit, the diagonal of A consists of ones and is
// not read. If alpha is zero, B is written without being read. It panics like gonum's Dtrmm if an
// argument is invalid.
func (Implementation) Dtrmm(
	s blas.Side,
	ul blas.Uplo,
	tA blas.Transpose,
	d blas.Diag,
	m, n int,
	alpha float64,
	a []float64,
	lda int,
	b []float64,
	ldb int,
) {
	if active == nil || alpha == 0 || !validTriangular(s, ul, tA, d, m, n, a, lda, b, ldb) {
		reference.Dtrmm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	newTriangular(s, ul, tA, d, m, n, a, lda, b, ldb).multiply(active, alpha)
}

// Dtrsm solves
//
//	op(A) * X = alpha * B    if s is Left, A is m×m
//	X * op(A) = alpha * B    if s is Right, A is n×n
//
// where A is triangular (ul), and X, which is m×n, replaces B. If d is Unit, the diagonal of A
// consists of ones and is not read. If alpha is zero, B is written without being read. It panics
// like gonum's Dtrsm if an argument is invalid; it does not check whether A is invertible.
func (Implementation) Dtrsm(
	s blas.Side,
	ul blas.Uplo,
	tA blas.Transpose,
	d blas.Diag,
	m, n int,
	alpha float64,
	a []float64,
	lda int,
	b []float64,
	ldb int,
) {
	if active == nil || alpha == 0 || !validTriangular(s, ul, tA, d, m, n, a, lda, b, ldb) {
		reference.Dtrsm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
		return
	}
	newTriangular(s, ul, tA, d, m, n, a, lda, b, ldb).solve(active, alpha)
}

// SolveLower solves op(A) * X = B, where the lower triangle of A is m×m, op is the identity or the
// transposition, and B and X are m×n. B is not changed, and must be X or not overlap it. SolveLower
// panics if a slice is too short.
func SolveLower(
	tA blas.Transpose, m, n int, a []float64, lda int, b []float64, ldb int, x []float64, ldx int,
) {
	if active != nil && m <= maxOrder &&
		validTriangular(blas.Left, blas.Lower, tA, blas.NonUnit, m, n, a, lda, x, ldx) && fits(b, ldb, m, n) {
		q := newTriangular(blas.Left, blas.Lower, tA, blas.NonUnit, m, n, a, lda, x, ldx)
		q.from = matrix{b, ldb, false}
		q.solve(active, 1)
		return
	}
	for i := range m {
		copy(x[i*ldx:i*ldx+n], b[i*ldb:i*ldb+n])
	}
	Implementation{}.Dtrsm(blas.Left, blas.Lower, tA, blas.NonUnit, m, n, 1, a, lda, x, ldx)
}

// validTriangular reports whether the arguments are valid and the result is not empty. If not,
// gonum's method returns the result or panics.
func validTriangular(
	s blas.Side,
	ul blas.Uplo,
	tA blas.Transpose,
	d blas.Diag,
	m, n int,
	a []float64,
	lda int,
	b []float64,
	ldb int,
) bool {
	order := n
	if s == blas.Left {
		order = m
	}
	return validSide(s) && validUplo(ul) && validTranspose(tA) && validDiag(d) && m > 0 && n > 0 &&
		fits(a, lda, order, order) && fits(b, ldb, m, n)
}

// triangular is a triangle and the matrix that it multiplies, in column form: x is order×n and the
// triangle t is on its left. For a triangle on the right, both are transposed.
type triangular struct {
	t     matrix
	lower bool
	unit  bool
	order int
	x     matrix
	// from holds the matrix to multiply or solve for. It is x, or has the same shape.
	from matrix
	n    int
}

func newTriangular(
	s blas.Side,
	ul blas.Uplo,
	tA blas.Transpose,
	d blas.Diag,
	m, n int,
	a []float64,
	lda int,
	b []float64,
	ldb int,
) triangular {
	right := s == blas.Right
	q := triangular{
		t:     matrix{a, lda, (tA != blas.NoTrans) != right},
		unit:  d == blas.Unit,
		order: m,
		x:     matrix{b, ldb, right},
		from:  matrix{b, ldb, right},
		n:     n,
	}
	q.lower = (ul == blas.Lower) != q.t.trans
	if right {
		q.order, q.n = n, m
	}
	return q
}

// halves splits the triangle in two, [t1 0; off t2] or [t1 off; 0 t2], at a multiple of 48 rows,
// and splits x accordingly.
func (q triangular) halves() (first, second triangular, off matrix) {
	h := roundUp(q.order/2, 48)
	first, second = q, q
	first.order, second.order = h, q.order-h
	second.t = q.t.at(h, h)
	second.x = q.x.at(h, 0)
	second.from = q.from.at(h, 0)
	if q.lower {
		return first, second, q.t.at(h, 0)
	}
	return first, second, q.t.at(0, h)
}

// add computes x = beta*x + alpha*off*y.
func (q triangular) add(kn *kernels, alpha float64, off matrix, y triangular, beta float64) {
	if q.x.trans {
		multiply(kn, q.n, q.order, y.order, alpha, y.x.transposed(), off.transposed(), beta,
			q.x.data, q.x.stride, everything)
		return
	}
	multiply(kn, q.order, q.n, y.order, alpha, off, y.x, beta, q.x.data, q.x.stride, everything)
}

// multiply computes x = alpha*t*x.
func (q triangular) multiply(kn *kernels, alpha float64) {
	if q.order <= maxOrder {
		q.run(kn, alpha, false)
		return
	}
	// Compute the half that depends on the other half first, while the other is still unchanged.
	one, other, off := q.halves()
	if q.lower {
		one, other = other, one
	}
	one.multiply(kn, alpha)
	one.add(kn, alpha, off, other, 1)
	other.multiply(kn, alpha)
}

// solve computes x = alpha*t⁻¹*x.
func (q triangular) solve(kn *kernels, alpha float64) {
	if q.order <= maxOrder {
		q.run(kn, alpha, true)
		return
	}
	one, other, off := q.halves()
	if !q.lower {
		one, other = other, one
	}
	one.solve(kn, alpha)
	other.add(kn, -1, off, one, alpha)
	other.solve(kn, 1)
}
