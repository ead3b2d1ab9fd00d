package autodiff

import "dgplab/models/linalg"

// batchPart is the number of small matrices that one part differentiates.
const batchPart = 32

// triangularBatch is a recorded solve X_i = op(L_i)^-1 B_i with a separate matrix L_i for every i
// and few columns; see triangular.
type triangularBatch struct {
	l, b, out *Node
	trans     bool
	n, m      int
	reverse   linalg.Loop
}

func (t *Tape) solveBatch(l, b *Node, trans bool) *Node {
	s := &triangularBatch{l: l, b: b, trans: trans, n: l.Rows, m: b.Cols}
	s.out = t.Output(l.Batch, s.n, s.m, l, b)
	s.reverse.Body = s.differentiate
	return t.Record(s.out, s.forward, s.backward)
}

func (s *triangularBatch) forward() error {
	for at := 0; at < len(s.out.Value); at += len(s.b.Value) {
		copy(s.out.Value[at:], s.b.Value)
	}
	s.solve(s.trans, s.out.Value)
	return nil
}

func (s *triangularBatch) solve(trans bool, x []float64) {
	if trans {
		linalg.BatchSolveLowerTrans(s.l.Value, x, s.out.Batch, s.n, s.m)
	} else {
		linalg.BatchSolveLower(s.l.Value, x, s.out.Batch, s.n, s.m)
	}
}

// backward computes the same gradients as triangular.backward.
func (s *triangularBatch) backward() {
	s.solve(!s.trans, s.out.Grad())
	if s.l.Wanted() {
		s.l.Grad() // clear the gradient before the parts write to it in parallel
		s.reverse.Run((s.out.Batch + batchPart - 1) / batchPart)
	}
	if s.b.Wanted() {
		s.b.passRepeated(s.out)
	}
}

// differentiate accumulates the gradients of the matrices L_i of a part.
func (s *triangularBatch) differentiate(part int) {
	left, right := s.out.Grad(), s.out.Value
	if s.trans {
		left, right = right, left
	}
	dl, size := s.l.Grad(), s.n*s.m
	for i := part * batchPart; i < min((part+1)*batchPart, s.out.Batch); i++ {
		linalg.LowerProduct(s.n, s.m, -1, left[i*size:], s.m, right[i*size:], s.m, 1, dl[i*s.n*s.n:])
	}
}
