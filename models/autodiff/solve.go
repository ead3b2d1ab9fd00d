package autodiff

import (
	"fmt"

	"dgplab/models/linalg"
)

// SolveLower returns l^-1 b, where l holds lower triangular matrices, n x n, and b matrices of n
// rows. Entries of l above the diagonal are not read. A batch of 1 is repeated for either operand.
// It panics if the shapes do not match.
func (t *Tape) SolveLower(l, b *Node) *Node { return t.solve("SolveLower", l, b, false) }

// SolveLowerTrans returns l^-T b, with l and b as in SolveLower.
func (t *Tape) SolveLowerTrans(l, b *Node) *Node { return t.solve("SolveLowerTrans", l, b, true) }

// triangular is a recorded solve X = op(L)^-1 B, with X and B n x m, where op transposes if trans
// is set. Wide matrices are solved in tiles of columns.
type triangular struct {
	l, b, out    *Node
	trans        bool
	n, m         int
	stepL, stepB int
	linalg.Tiling
	i              int       // current matrix of the batch
	g              []float64 // gradient of out
	dl             []float64 // minus the gradient of one L per chain, lower triangles, [chains][n][n]
	solve, reverse linalg.Loop
}

func (t *Tape) solve(name string, l, b *Node, trans bool) *Node {
	n, m := l.square(name), b.Cols
	batch, ok := broadcastSize(l.Batch, b.Batch)
	if !ok || b.Rows != n {
		panic(fmt.Sprintf("autodiff: %s: shapes %s and %s do not match", name, l.shape(), b.shape()))
	}
	tiling := linalg.NewTiling(m)
	if l.Batch > 1 && l.Batch >= tiling.Chains {
		return t.solveBatch(l, b, trans)
	}
	s := &triangular{
		l:      l,
		b:      b,
		trans:  trans,
		n:      n,
		m:      m,
		stepL:  step(l.Batch, n*n),
		stepB:  step(b.Batch, n*m),
		Tiling: tiling,
	}
	s.out = t.Output(batch, n, m, l, b)
	if l.Wanted() {
		s.dl = make([]float64, s.Chains*n*n)
	}
	s.solve.Body, s.reverse.Body = s.solveTiles, s.reverseTiles
	return t.Record(s.out, s.forward, s.backward)
}

func (s *triangular) forward() error {
	for s.i = 0; s.i < s.out.Batch; s.i++ {
		s.solve.Run(s.Chains)
	}
	return nil
}

// solveTiles solves the tiles of a chain.
func (s *triangular) solveTiles(chain int) {
	l, b := s.l.Value[s.i*s.stepL:], s.b.Value[s.i*s.stepB:]
	x := s.out.At(s.i)
	s.Each(chain, func(start, end int) {
		linalg.SolveLowerFrom(l, b[start:], x[start:], s.trans, s.n, end-start, s.m)
	})
}

// apply solves with L or its transpose for the first columns of x, in place.
func (s *triangular) apply(trans bool, x []float64, columns int) {
	l := s.l.Value[s.i*s.stepL:]
	if trans {
		linalg.SolveLowerTrans(l, x, s.n, columns, s.m)
	} else {
		linalg.SolveLower(l, x, s.n, columns, s.m)
	}
}

// backward computes W = op(L)^-T g, where g is the gradient of X. W is the gradient of B. By
// differentiation of op(L) X = B, the gradient of L is the lower triangle of -W X^T, or of -X W^T
// if L is transposed. W overwrites the gradient of X, which is no longer needed.
func (s *triangular) backward() {
	s.g = s.out.Grad()
	for s.i = 0; s.i < s.out.Batch; s.i++ {
		s.reverse.Run(s.Chains)
		if s.l.Wanted() {
			s.deliverFactor()
		}
	}
	if s.b.Wanted() {
		s.b.passRepeated(s.out)
	}
}

// reverseTiles computes W and the contribution of a chain to the gradient of L.
func (s *triangular) reverseTiles(chain int) {
	size := s.n * s.m
	w, x := s.g[s.i*size:(s.i+1)*size], s.out.At(s.i)
	left, right := w, x
	if s.trans {
		left, right = right, left
	}
	beta := 0.0 // the first tile overwrites, later tiles add
	s.Each(chain, func(start, end int) {
		s.apply(!s.trans, w[start:], end-start)
		if s.l.Wanted() {
			linalg.LowerProduct(s.n, end-start, 1, left[start:], s.m, right[start:], s.m,
				beta, s.dl[chain*s.n*s.n:])
			beta = 1
		}
	})
}

// deliverFactor adds the sum over chains to the gradient of L.
func (s *triangular) deliverFactor() {
	sum := linalg.SumChains(s.dl, s.n*s.n)
	dl := s.l.Grad()[s.i*s.stepL:]
	for r := 0; r < s.n; r++ {
		for c, v := range sum[r*s.n : r*s.n+r+1] {
			dl[r*s.n+c] -= v
		}
	}
}
