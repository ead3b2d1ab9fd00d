package fastblas

import "dgplab/models/linalg/vec"

// sweep multiplies a packed triangle with slivers of the matrix from, or solves for them, and stores
// the results in x. Its parts are groups of slivers; it is a [task].
type sweep struct {
	triangular
	kn     *kernels
	alpha  float64
	solves bool
	// packed holds the triangle: for each panel of mr rows, the columns off the diagonal block
	// followed by the diagonal block, all [columns][mr].
	packed aligned
	panels int
	// group is the number of columns per part.
	group int
}

var sweeps = vec.NewFreeList[sweep](64)

// groupWork is the number of multiplications per part for which another processor is worthwhile.
const groupWork = 1 << 20

// run processes a triangle of order at most maxOrder.
func (q triangular) run(kn *kernels, alpha float64, solves bool) {
	s := sweeps.Get()
	s.triangular = q
	s.kn = kn
	s.alpha = alpha
	s.solves = solves
	s.pack()
	work := float64(q.order) * float64(q.order) / 2 * float64(q.n)
	parts := max(1, int(min(work/groupWork, maxParts)))
	s.group = roundUp(ceil(q.n, parts), kn.nr)
	parts = ceil(q.n, s.group)
	if parts == 1 {
		serial(s, 1)
	} else {
		parallel(s, parts)
	}
	s.triangular = triangular{}
	sweeps.Put(s)
}

// pack packs the triangle. Rows and columns beyond its order equal the identity. For solves, the
// diagonal is inverted.
func (s *sweep) pack() {
	mr := s.kn.mr
	s.panels = ceil(s.order, mr)
	buf := s.packed.resize(s.offset(s.panels))
	for q := range s.panels {
		dst, i0 := buf[s.offset(q):s.offset(q+1)], q*mr
		rows := min(mr, s.order-i0)
		from, cols := 0, i0
		if !s.lower {
			from = min(i0+mr, s.order)
			cols = s.order - from
		}
		padded := len(dst) - mr*mr
		if rows < mr || cols*mr < padded {
			clear(dst)
		}
		if cols > 0 {
			s.packColumns(dst, s.t.at(i0, from), rows, cols)
		}
		s.packDiagonal(dst[padded:], i0, rows)
	}
}

// offset returns the offset of packed panel q. The panels of a lower triangle grow with q, and the
// panels of an upper triangle shrink.
func (s *sweep) offset(q int) int {
	blocks := q * (q + 1) / 2
	if !s.lower {
		blocks = q*s.panels - q*(q-1)/2
	}
	return blocks * s.kn.mr * s.kn.mr
}

// packColumns packs rows×cols elements off the diagonal block.
func (s *sweep) packColumns(dst []float64, t matrix, rows, cols int) {
	mr := s.kn.mr
	if t.trans {
		s.kn.copyRows(cols, &dst[0], mr, &t.data[0], t.stride, rows, mr)
		return
	}
	s.kn.transposeTo(dst, mr, t.data, t.stride, rows, cols)
}

// packDiagonal packs the triangle of the diagonal block at (i0, i0).
func (s *sweep) packDiagonal(dst []float64, i0, rows int) {
	mr := s.kn.mr
	for c := range mr {
		column := dst[c*mr : (c+1)*mr]
		clear(column)
		if c >= rows {
			column[c] = 1
			continue
		}
		lo, hi := c+1, rows
		if !s.lower {
			lo, hi = 0, c
		}
		for r := lo; r < hi; r++ {
			column[r] = s.t.element(i0+r, i0+c)
		}
		switch {
		case s.unit:
			column[c] = 1
		case s.solves:
			column[c] = 1 / s.t.element(i0+c, i0+c)
		default:
			column[c] = s.t.element(i0+c, i0+c)
		}
	}
}

// do processes the slivers of one group.
func (s *sweep) do(part int, memory *scratch) {
	nr := s.kn.nr
	height := s.panels * s.kn.mr
	// The additional panel provides a valid address to a kernel without columns off the diagonal.
	sliver := memory.right((height + s.kn.mr) * nr)
	used := sliver[:s.order*nr]
	end := min((part+1)*s.group, s.n)
	for j := part * s.group; j < end; j += nr {
		cols := min(nr, end-j)
		s.kn.packSliver(used, s.from.at(0, j), s.order, cols)
		clear(sliver[s.order*nr : height*nr])
		if s.solves {
			s.scale(used)
		}
		s.sweepSliver(sliver)
		if !s.solves {
			s.scale(used)
		}
		s.unpack(sliver, j, cols)
	}
}

func (s *sweep) scale(x []float64) {
	if s.alpha != 1 {
		reference.Dscal(len(x), s.alpha, x, 1)
	}
}

// sweepSliver applies the panels of the triangle. Their order ensures that the rows used by a panel
// are already final (for solves) or still unchanged (for products).
func (s *sweep) sweepSliver(sliver []float64) {
	mr, block := s.kn.mr, s.kn.mr*s.kn.nr
	run := s.kn.trmm
	if s.solves {
		run = s.kn.trsm
	}
	for step := range s.panels {
		q := step
		if s.lower != s.solves {
			q = s.panels - 1 - step
		}
		a, diag := &s.packed[s.offset(q)], &sliver[q*block]
		if s.lower {
			run[0](q*mr, a, &sliver[0], diag)
		} else {
			run[1]((s.panels-1-q)*mr, a, &sliver[(q+1)*block], diag)
		}
	}
}

// unpack stores a sliver in its columns of x.
func (s *sweep) unpack(sliver []float64, j, cols int) {
	nr := s.kn.nr
	dst := s.x.at(0, j)
	if s.x.trans {
		s.kn.transposeTo(dst.data, dst.stride, sliver, nr, s.order, cols)
		return
	}
	s.kn.copyRows(s.order, &dst.data[0], dst.stride, &sliver[0], nr, cols, cols)
}
