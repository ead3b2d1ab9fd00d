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
	packedB := s.b.resize(roundUp(t.cols, kn.nr) * depth)
	for p := k0; p < k1; p += depth {
		kc := min(depth, k1-p)
		// The tiles below each other share their columns.
		columns := slivers{t.serial, t.j0, p}
		if s.inB != columns {
			kn.packSlivers(packedB, t.b.at(p, t.j0), kc, t.cols)
			s.inB = columns
		}
		divided := kn.divide(t.a.at(t.i0, p), t.rows, kc, &s.a)
		for i := range divided {
			for j := 0; j < t.cols; j += kn.nr {
				t.multiply(&divided[i], j, &packedB[j*kc], kc, s)
			}
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
func smallest(list []gemmKernel, rows int) gemmKernel {
	g := list[0]
	for _, other := range list[1:] {
		if other.rows >= rows {
			g = other
		}
	}
	return g
}

// panels are rows of A that one kernel processes.
type panels struct {
	from, rows int // none if rows is 0
	kernel     gemmKernel
	data       []float64
	layout     panel
}

// divide returns the whole panels in the first rows of a, which has k columns, and the rows that remain.
// It packs the remaining rows, and the panels only if the kernels cannot read them in a.
func (kn *kernels) divide(a matrix, rows, k int, packed *aligned) (list [2]panels) {
	whole := rows / kn.mr * kn.mr
	rest := rows - whole
	inPlace := a.readable()
	end := 0 // of the packed panels
	if !inPlace {
		end = whole * k
	}
	buffer := packed.resize(end + kn.mr*k + kn.nr)
	if whole > 0 {
		list[0] = panels{0, whole, kn.gemm[0], a.data, panel{a.stride, 1, kn.mr * a.stride}}
		if !inPlace {
			list[0].data, list[0].layout = buffer, kn.packPanels(buffer, a, whole, k, kn.mr)
		}
	}
	if rest > 0 {
		g := smallest(kn.gemm, rest)
		last := buffer[end:]
		list[1] = panels{whole, rest, g, last, kn.packPanels(last, a.at(whole, 0), rest, k, g.rows)}
	}
	return list
}

// multiply adds the product of some rows and the sliver of columns that begins at column j of the tile.
func (t *tile) multiply(p *panels, j int, sliver *float64, kc int, s *scratch) {
	if p.rows == 0 {
		return
	}
	cols := min(t.kn.nr, t.cols-j)
	g, at := p.kernel, p.layout
	if t.region == everything {
		c := &t.c[(t.i0+p.from)*t.ldc+t.j0+j]
		g.run(ceil(p.rows, g.rows), kc, &p.data[0], at.row, at.col, at.size, sliver, t.alpha,
			t.beta, c, t.ldc, p.rows, cols)
		return
	}
	for i := 0; i < p.rows; i += g.rows {
		t.block(p.from+i, j, min(g.rows, p.rows-i), cols, g, &p.data[i/g.rows*at.size], at, sliver, kc, s)
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
