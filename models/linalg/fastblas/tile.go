package fastblas

// tile is a block of C that one part of a product computes: rows×cols at (i0, j0), stored in c,
// which is C or a matrix of the same shape.
type tile struct {
	*product
	i0, j0, rows, cols int
	c                  []float64
	ldc                int
	beta               float64
}

// compute adds the terms from k0 to k1, in blocks of at most maxDepth.
func (t *tile) compute(k0, k1 int, s *scratch) {
	if t.outside(t.i0, t.rows, t.j0, t.cols) {
		return
	}
	depth := ceil(k1-k0, ceil(k1-k0, maxDepth))
	kn := t.kn
	packedA := s.a.resize(roundUp(t.rows, kn.mr)*depth + kn.nr)
	packedB := s.b.resize(roundUp(t.cols, kn.nr) * depth)
	for p := k0; p < k1; p += depth {
		kc := min(depth, k1-p)
		// The tiles below each other share their columns.
		columns := slivers{t.serial, t.j0, p}
		if s.inB != columns {
			kn.packSlivers(packedB, t.b.at(p, t.j0), kc, t.cols)
			s.inB = columns
		}
		whole := t.rows / kn.mr * kn.mr
		if whole > 0 {
			view := t.a.at(t.i0, p)
			if view.readable() {
				t.multiply(0, whole, kn.gemm[0], view.data,
					panel{view.stride, 1, kn.mr * view.stride}, packedB, kc, s)
			} else {
				layout := kn.packPanels(packedA, view, whole, kc, kn.mr)
				t.multiply(0, whole, kn.gemm[0], packedA, layout, packedB, kc, s)
			}
		}
		if rest := t.rows - whole; rest > 0 {
			g := kn.smallest(rest)
			layout := kn.packPanels(packedA, t.a.at(t.i0+whole, p), rest, kc, g.rows)
			t.multiply(whole, rest, g, packedA, layout, packedB, kc, s)
		}
		t.beta = 1
	}
}

// readable reports whether the kernels can read A without packing: its rows are contiguous, and its
// stride does not map them to the same lines of the first-level cache or to many pages.
func (m matrix) readable() bool {
	const page = 512 // float64 values
	return !m.trans && m.stride < page && m.stride%(page/8) != 0 || !m.trans && m.stride <= page/4
}

// smallest returns the kernel of the smallest height that is at least `rows`.
func (kn *kernels) smallest(rows int) gemmKernel {
	g := kn.gemm[0]
	for _, other := range kn.gemm[1:] {
		if other.rows >= rows {
			g = other
		}
	}
	return g
}

// multiply adds the product of packed panels, each with g.rows rows, and all slivers to the `rows`
// rows of the tile that begin at the given row.
func (t *tile) multiply(
	from, rows int, g gemmKernel, a []float64, at panel, b []float64, kc int, s *scratch,
) {
	for j := 0; j < t.cols; j += t.kn.nr {
		t.multiplySliver(from, rows, j, g, a, at, &b[j*kc], kc, s)
	}
}

// multiplySliver is multiply for the sliver of columns that begins at column j of the tile.
func (t *tile) multiplySliver(
	from, rows, j int, g gemmKernel, a []float64, at panel, sliver *float64, kc int, s *scratch,
) {
	cols := min(t.kn.nr, t.cols-j)
	if t.region == everything {
		c := &t.c[(t.i0+from)*t.ldc+t.j0+j]
		g.run(ceil(rows, g.rows), kc, &a[0], at.row, at.col, at.size, sliver, t.alpha,
			t.beta, c, t.ldc, rows, cols)
		return
	}
	for i := 0; i < rows; i += g.rows {
		t.block(from+i, j, min(g.rows, rows-i), cols, g, &a[i/g.rows*at.size], at, sliver, kc, s)
	}
}

// block computes one register tile of a triangular region.
func (t *tile) block(
	i, j, rows, cols int, g gemmKernel, a *float64, at panel, sliver *float64, kc int, s *scratch,
) {
	i, j = t.i0+i, t.j0+j
	if t.outside(i, rows, j, cols) {
		return
	}
	if t.inside(i, rows, j, cols) {
		g.run(1, kc, a, at.row, at.col, at.size, sliver, t.alpha, t.beta, &t.c[i*t.ldc+j], t.ldc, rows, cols)
		return
	}
	nr := t.kn.nr
	tmp := s.tile.resize(g.rows * nr)
	g.run(1, kc, a, at.row, at.col, at.size, sliver, t.alpha, 0, &tmp[0], nr, rows, cols)
	for r := range rows {
		lo, hi := t.region.columns(i+r, j+cols)
		c := t.c[(i+r)*t.ldc:]
		for x := max(lo, j); x < hi; x++ {
			if t.beta == 0 {
				c[x] = tmp[r*nr+x-j]
			} else {
				c[x] = t.beta*c[x] + tmp[r*nr+x-j]
			}
		}
	}
}

// outside reports whether a block has no element in the region.
func (t *tile) outside(i, rows, j, cols int) bool {
	switch t.region {
	case lowerTriangle:
		return i+rows-1 < j
	case upperTriangle:
		return j+cols-1 < i
	}
	return false
}

// inside reports whether all elements of a block are in the region.
func (t *tile) inside(i, rows, j, cols int) bool {
	switch t.region {
	case lowerTriangle:
		return i >= j+cols-1
	case upperTriangle:
		return j >= i+rows-1
	}
	return true
}
