package fastblas

import "dgplab/models/linalg/vec"

// sweep multiplies a packed triangle with slivers of the matrix from, or solves for them, and stores
// the results in x. Its parts are groups of slivers; it is a [task].
type sweep struct {
	packedTriangle
	x, from matrix
	n       int
	alpha   float64
	// group is the number of columns per part.
	group int
}

var sweeps = vec.NewFreeList[sweep](64)

// groupWork is the number of multiplications per part for which another processor is worthwhile.
const groupWork = 1 << 20

// run processes a triangle of order at most maxOrder.
func (q triangular) run(kn *kernels, alpha float64, solves bool) {
	s := sweeps.Get()
	s.pack(kn, q, solves)
	s.x = q.x
	s.from = q.from
	s.n = q.n
	s.alpha = alpha
	work := float64(q.order) * float64(q.order) / 2 * float64(q.n)
	parts := max(1, int(min(work/groupWork, maxParts)))
	s.group = roundUp(ceil(q.n, parts), kn.nr)
	parts = ceil(q.n, s.group)
	if parts == 1 {
		serial(s, 1)
	} else {
		parallel(s, parts)
	}
	s.t, s.x, s.from = matrix{}, matrix{}, matrix{}
	sweeps.Put(s)
}

// do processes the slivers of one group.
func (s *sweep) do(part int, memory *scratch) {
	nr := s.kn.nr
	height := s.panels * s.kn.mr
	sliver := memory.right(height * nr)
	used := sliver[:s.order*nr]
	end := min((part+1)*s.group, s.n)
	for j := part * s.group; j < end; j += nr {
		cols := min(nr, end-j)
		s.kn.packSliver(used, s.from.at(0, j), s.order, cols)
		clear(sliver[s.order*nr : height*nr])
		if s.solves {
			s.scale(used)
		}
		s.sweepSliver(sliver, sliver)
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
