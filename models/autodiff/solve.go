package autodiff

import (
	"fmt"

	"dgplab/models/linalg"
)

// SolveLower returns l^-1 b: l holds lower triangular matrices, n x n, of which
// what is above the diagonal is not read, and b matrices of n rows. A batch of 1
// is repeated on either side. It panics when the shapes do not fit.
func (t *Tape) SolveLower(l, b *Node) *Node { return t.solve("SolveLower", l, b, false) }

// SolveLowerTrans returns l^-T b, with l and b as in SolveLower.
func (t *Tape) SolveLowerTrans(l, b *Node) *Node { return t.solve("SolveLowerTrans", l, b, true) }

// triangular is a recorded solve X = op(L)^-1 B, with X and B n x m, where op
// transposes when trans is set.
type triangular struct {
	l, b, out    *Node
	trans        bool
	n, m         int
	stepL, stepB int
	dl           []float64 // minus the gradient of one L, [n][n], with its upper part
}

func (t *Tape) solve(name string, l, b *Node, trans bool) *Node {
	n, m := l.square(name), b.Cols
	batch, ok := broadcastSize(l.Batch, b.Batch)
	if !ok || b.Rows != n {
		panic(fmt.Sprintf("autodiff: %s of %s and %s", name, l.shape(), b.shape()))
	}
	s := &triangular{l: l, b: b, trans: trans, n: n, m: m, stepL: step(l.Batch, n*n), stepB: step(b.Batch, n*m)}
	s.out = t.Output(batch, n, m, l, b)
	if l.Wanted() {
		s.dl = make([]float64, n*n)
	}
	return t.Record(s.out, s.forward, s.backward)
}

func (s *triangular) forward() error {
	for i := 0; i < s.out.Batch; i++ {
		x := s.out.At(i)
		copy(x, s.b.Value[i*s.stepB:])
		s.apply(s.trans, s.l.Value[i*s.stepL:], x)
	}
	return nil
}

func (s *triangular) apply(trans bool, l, x []float64) {
	if trans {
		linalg.SolveLowerTrans(l, x, s.n, s.m)
	} else {
		linalg.SolveLower(l, x, s.n, s.m)
	}
}

// backward takes, with g the gradient of X, W = op(L)^-T g. Then W is the
// gradient of B, and that of L the lower triangle of -W X^T, or of -X W^T when L
// is transposed: differentiate op(L) X = B. The gradient of X has served all who
// read it, so W takes its place.
func (s *triangular) backward() {
	g := s.out.Grad()
	size := s.n * s.m
	for i := 0; i < s.out.Batch; i++ {
		s.apply(!s.trans, s.l.Value[i*s.stepL:], g[i*size:(i+1)*size])
		if s.l.Wanted() {
			s.backwardFactor(i, g[i*size:(i+1)*size])
		}
	}
	if !s.b.Wanted() {
		return
	}
	if s.b.Batch == s.out.Batch {
		s.b.passGrad(s.out)
		return
	}
	db := s.b.Grad()
	for i := 0; i < s.out.Batch; i++ {
		accumulate(db, g[i*size:(i+1)*size], 1)
	}
}

// backwardFactor adds to the gradient of L what comes from matrix i. An L that
// serves the whole batch gets its share once, at the end.
func (s *triangular) backwardFactor(i int, w []float64) {
	left, right := w, s.out.At(i)
	if s.trans {
		left, right = right, left
	}
	beta := 1.0
	if i == 0 || s.stepL > 0 {
		beta = 0
	}
	linalg.LowerProduct(s.n, s.m, 1, left, s.m, right, s.m, beta, s.dl)
	if s.stepL == 0 && i < s.out.Batch-1 {
		return
	}
	dl := s.l.Grad()[i*s.stepL:]
	for r := 0; r < s.n; r++ {
		for c, v := range s.dl[r*s.n : r*s.n+r+1] {
			dl[r*s.n+c] -= v
		}
	}
}
