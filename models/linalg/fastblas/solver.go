package fastblas

import "gonum.org/v1/gonum/blas"

// Solver is a lower triangular matrix L, or its transpose, for which equations with strips are solved. It
// is prepared once and then used by several goroutines.
type Solver struct {
	order  int
	factor matrix
	steps  []solverStep
}

// solverStep solves for the rows of one diagonal block, in the order of the solution.
type solverStep struct {
	from   int
	block  packedTriangle
	solved int        // first of the rows that are solved before and enter these rows
	off    Multiplier // the columns of those rows
}

// Set prepares op(L), where the lower triangle of L is n×n and op transposes if trans is set. L must not
// change while it is used.
func (v *Solver) Set(l []float64, stride int, trans bool, n int) {
	require(fits(l, stride, n, n))
	v.order = n
	v.factor = matrix{l, stride, trans}
	if active == nil {
		return
	}
	count := ceil(n, maxOrder)
	if len(v.steps) != count {
		v.steps = make([]solverStep, count)
	}
	tA := blas.NoTrans
	if trans {
		tA = blas.Trans
	}
	for i := range v.steps {
		from := i * maxOrder
		order := min(maxOrder, n-from)
		step, solved, rest := &v.steps[i], 0, from
		if trans {
			step, solved, rest = &v.steps[count-1-i], from+order, n-from-order
		}
		step.from = from
		block := newTriangular(blas.Left, blas.Lower, tA, blas.NonUnit, order, 1,
			l[from*stride+from:], stride, l, 1)
		step.block.pack(active, block, true)
		step.solved = solved
		if rest > 0 {
			off := v.factor.at(from, solved)
			step.off.Set(off.data, off.stride, trans, order, rest)
		}
	}
}

// Solve sets dst to op(L)⁻¹ s. dst may be s.
func (v *Solver) Solve(dst, s *Strips) {
	require(s.Rows == v.order)
	if dst != s && (active == nil || len(v.steps) > 1) {
		dst.Copy(s)
		s = dst
	}
	if active == nil {
		tA := blas.NoTrans
		if v.factor.trans {
			tA = blas.Trans
		}
		reference.Dtrsm(blas.Left, blas.Lower, tA, blas.NonUnit, v.order, s.Cols, 1,
			v.factor.data, v.factor.stride, s.data, s.width)
		return
	}
	dst.Resize(s.Rows, s.Cols)
	for i := range v.steps {
		step := &v.steps[i]
		if i > 0 {
			step.off.add(-1, s, step.solved, 1, s, step.from)
		}
		first := step.from * s.width
		size := step.block.panels * active.mr * s.width
		for j := range s.Count() {
			step.block.sweepSliver(dst.strip(j)[first:first+size], s.strip(j)[first:first+size])
		}
	}
}
