package vec

// The functions of this file process one small matrix per lane of a vector register. Such matrices
// are interleaved, [rows][cols][Lanes]: one vector holds the same element of all of them. Lanes are
// independent of each other. The functions panic on machines without assembly, or if a slice is too
// short.

// laneRoutines are the assembly routines for interleaved matrices. Strides count vectors, except
// for the strides of the sequences to interleave.
type laneRoutines struct {
	lanes        int
	interleave   func(n int, dst, src *float64, stride int)
	deinterleave func(n int, dst *float64, stride int, src *float64)
	reciprocals  func(n int, dst, src *float64, stride int)
	// mul and solve hold the routines for 1, 2, ... columns; factor holds the routines for 1, 2,
	// ... rows.
	mul    []mulLanes
	solve  []solveLanes
	factor []factorLanes
}

type (
	mulLanes    = func(m, k int, c, a, b *float64, bRow int)
	solveLanes  = func(n int, l *float64, lRow, lCol int, inv, b *float64, bRow, bCol int)
	factorLanes = func(k int, l *float64, lRow int, inv *float64)
)

// Lanes returns the number of interleaved matrices: 8, 4, or 0 without assembly.
func Lanes() int {
	if active == nil {
		return 0
	}
	return active.lanes.lanes
}

// Interleaved returns the length of the slice for n interleaved elements per lane. It is rounded up
// to whole blocks of Lanes vectors.
func Interleaved(n int) int {
	lanes := Lanes()
	return (n + lanes - 1) / lanes * lanes * lanes
}

// Interleave sets dst, [n][Lanes], to the Lanes consecutive sequences of length n in src. dst has
// length Interleaved(n).
func Interleave(dst, src []float64, n int) {
	r := &active.lanes
	sameLength(len(dst), Interleaved(n))
	sameLength(len(src), n*r.lanes)
	if n > 0 {
		r.interleave(n, &dst[0], &src[0], n)
	}
}

// Deinterleave is the inverse of Interleave. src has length Interleaved(n).
func Deinterleave(dst, src []float64, n int) {
	r := &active.lanes
	sameLength(len(src), Interleaved(n))
	sameLength(len(dst), n*r.lanes)
	if n > 0 {
		r.deinterleave(n, &dst[0], n, &src[0])
	}
}

// LanesMul sets the interleaved c, m x n, to the products of a, m x k, and b,
// k x n.
func LanesMul(c, a, b []float64, m, n, k int) {
	r := &active.lanes
	_, _, _ = c[:m*n*r.lanes], a[:m*k*r.lanes], b[:k*n*r.lanes]
	if m == 0 || n == 0 {
		return
	}
	if k == 0 {
		clear(c[:m*n*r.lanes])
		return
	}
	for j := 0; j < n; {
		cols := min(len(r.mul), n-j)
		r.mul[cols-1](m, k, &c[j*r.lanes], &a[0], &b[j*r.lanes], n)
		j += cols
	}
}

// LanesCholesky replaces the lower triangle of the interleaved l, n x n, by its Cholesky factor;
// entries above the diagonal are neither read nor written. inv, [n][Lanes], is set to the
// reciprocals of the diagonal. If a matrix is not positive definite, or contains NaN or Inf, the
// diagonal of its factor has an element that is not a finite positive number.
func LanesCholesky(l, inv []float64, n int) {
	r := &active.lanes
	_, _ = l[:n*n*r.lanes], inv[:n*r.lanes]
	for i := 0; i < n; {
		rows := min(len(r.factor), n-i)
		row := l[i*n*r.lanes:]
		// The transpose of the block to the left of the diagonal block solves L X = A^T.
		for j := 0; j < rows && i > 0; {
			cols := min(len(r.solve), rows-j)
			r.solve[cols-1](i, &l[0], n, 1, &inv[0], &row[j*n*r.lanes], 1, n)
			j += cols
		}
		r.factor[rows-1](i, &row[0], n, &inv[i*r.lanes])
		i += rows
	}
}

// LanesSolve replaces the interleaved b, n x m, by l^-1 b, or by l^-T b if trans is set. l, n x n,
// is lower triangular; entries above its diagonal are not read. inv, [n][Lanes], is overwritten
// with the reciprocals of the diagonal, so that products replace divisions.
func LanesSolve(trans bool, l, inv, b []float64, n, m int) {
	r := &active.lanes
	_, _, _ = l[:n*n*r.lanes], inv[:n*r.lanes], b[:n*m*r.lanes]
	if n == 0 || m == 0 {
		return
	}
	// The transposed system equals the other with rows and columns in reverse order.
	first := 0
	lRow := n
	lCol := 1
	step := 1
	last := 0
	if trans {
		first = n*n - 1
		lRow = -1
		lCol = -n
		step = -1
		last = n - 1
	}
	r.reciprocals(n, &inv[0], &l[first*r.lanes], step*(n+1))
	for j := 0; j < m; {
		cols := min(len(r.solve), m-j)
		r.solve[cols-1](n, &l[first*r.lanes], lRow, lCol, &inv[0], &b[(last*m+j)*r.lanes], step*m, 1)
		j += cols
	}
}
