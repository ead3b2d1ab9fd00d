package fastblas

import "gonum.org/v1/gonum/blas"

// Transposed is the transpose of a matrix A in strips, for sums over points: strips of rows of A, each
// [columns][rows of a strip].
type Transposed struct {
	source *Strips // A
	width  int     // rows of a strip
	data   aligned // without assembly, source is used instead
	// weighted is a strip whose rows are multiplied by weights or, without assembly, all of A.
	weighted aligned
}

// Set copies the transpose of a, which must not change while the transpose is used.
func (t *Transposed) Set(a *Strips) {
	t.source = a
	if active == nil {
		return
	}
	t.width = active.nr
	size := a.Cols * t.width
	data := t.data.resize(ceil(a.Rows, t.width) * size)
	if a.Rows%t.width != 0 {
		clear(data[a.Rows/t.width*size:])
	}
	for j := range a.Count() {
		strip := a.strip(j)
		for i := 0; i < a.Rows; i += t.width {
			active.transposeTo(data[i/t.width*size+j*t.width*t.width:], t.width, strip[i*t.width:], t.width,
				min(t.width, a.Rows-i), a.columns(j))
		}
	}
}

// strip returns the strip that begins with row i.
func (t *Transposed) strip(i int) []float64 { return t.data[i*t.source.Cols:][:t.source.Cols*t.width] }

// rowsFrom returns the number of rows in the strip that begins with row i.
func (t *Transposed) rowsFrom(i int) int { return min(t.width, t.source.Rows-i) }

// WeightedSquares computes the upper triangles of the n×n matrices
//
//	C_i = A diag(w_i) Aᵀ + beta C_i
//
// for the rows w_i of w, [count][columns] with the given stride, where A has n rows. The C_i follow each
// other. Their lower triangles are undefined. If beta is zero, C is written without being read.
func (t *Transposed) WeightedSquares(count int, w []float64, stride int, beta float64, c []float64) {
	a, n := t.source, t.source.Rows
	for k := range count {
		c := c[k*n*n : (k+1)*n*n]
		weights := w[k*stride : k*stride+a.Cols]
		if active == nil {
			t.plainSquare(weights, beta, c)
			continue
		}
		weighted := t.weighted.resize(a.Cols * t.width)
		for j := 0; j < n; j += t.width {
			active.scaleRows(a.Cols, &weighted[0], &t.strip(j)[0], &weights[0])
			cols := t.rowsFrom(j)
			a.multiply(0, j+cols, weighted, beta, c[j:], n, cols)
		}
	}
}

// plainSquare is WeightedSquares for one matrix without assembly.
func (t *Transposed) plainSquare(w []float64, beta float64, c []float64) {
	n, cols, a := t.source.Rows, t.source.Cols, t.source.data
	scaled := t.weighted.resize(n * cols)
	for r := range n {
		row := scaled[r*cols : (r+1)*cols]
		for p, v := range a[r*cols : (r+1)*cols] {
			row[p] = v * w[p]
		}
	}
	Implementation{}.gemmtByRows(blas.Upper, n, cols, 1, a, cols, scaled, cols, beta, c, n)
}

// Product computes C = X Aᵀ + beta C, where C is [rows of X][rows of A]. If beta is zero, C is written
// without being read.
func (t *Transposed) Product(x *Strips, beta float64, c []float64) {
	n := t.source.Rows
	require(x.Cols == t.source.Cols && len(c) >= x.Rows*n)
	if active == nil {
		reference.Dgemm(blas.NoTrans, blas.Trans, x.Rows, n, x.Cols, 1, x.data, x.Cols,
			t.source.data, x.Cols, beta, c, n)
		return
	}
	for i := 0; i < x.Rows; i += maxRows {
		for j := 0; j < n; j += t.width {
			x.multiply(i, min(maxRows, x.Rows-i), t.strip(j), beta, c[i*n+j:], n, t.rowsFrom(j))
		}
	}
}

// LowerProduct is Product for the lower triangle of a square matrix C. The upper triangle is undefined.
func (t *Transposed) LowerProduct(x *Strips, beta float64, c []float64) {
	n := t.source.Rows
	require(x.Rows == n && x.Cols == t.source.Cols && len(c) >= n*n)
	if active == nil {
		Implementation{}.gemmtByRows(blas.Lower, n, x.Cols, 1, x.data, x.Cols,
			t.source.data, x.Cols, beta, c, n)
		return
	}
	for j := 0; j < n; j += t.width {
		x.multiply(j, n-j, t.strip(j), beta, c[j*n+j:], n, t.rowsFrom(j))
	}
}

// multiply multiplies some rows, beginning with row from, by a sliver, [columns][width], and computes the
// first cols columns of c = s*sliver + beta*c.
func (s *Strips) multiply(from, rows int, sliver []float64, beta float64, c []float64, ldc, cols int) {
	step := s.height * s.width
	whole := rows / active.mr * active.mr
	if whole > 0 {
		active.ofStrips[0].run(whole/active.mr, s.Cols, &s.data[from*s.width], s.width, step,
			active.mr*s.width, &sliver[0], 1, beta, &c[0], ldc, rows, cols)
	}
	if rest := rows - whole; rest > 0 {
		smallest(active.ofStrips, rest).run(1, s.Cols, &s.data[(from+whole)*s.width], s.width, step, 0,
			&sliver[0], 1, beta, &c[whole*ldc], ldc, rest, cols)
	}
}
