package layer

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/autodiff"
	"dgplab/models/linalg"
)

// whitening is the operation X = L^-1 B for T outputs, where L is a block of n rows and columns of
// a root, starting at from.
type whitening struct {
	root, b, out     *autodiff.Node
	from             int
	g, dRoot, dB     []float64
	products         []float64 // [T][n][n]
	forward, reverse linalg.Loop
}

// recordWhitened records L^-1 b, [T][n][m], for b of the same shape and the factor L that begins in
// the given row and column of every root.
func recordWhitened(t *autodiff.Tape, root, b *autodiff.Node, from int) *autodiff.Node {
	w := &whitening{root: root, b: b, from: from, out: t.Output(b.Batch, b.Rows, b.Cols, root, b)}
	w.forward.Body, w.reverse.Body = w.evaluate, w.differentiate
	return t.Record(w.out, func() error {
		w.forward.Run(b.Batch)
		return nil
	}, w.backward)
}

// factor returns the block of the root of output t.
func (w *whitening) factor(t int) blas64.Triangular {
	m := w.root.Rows
	return linalg.Lower(w.root.At(t)[w.from*m+w.from:], w.b.Rows, m)
}

func (w *whitening) evaluate(t int) {
	x := w.out.At(t)
	copy(x, w.b.At(t))
	blas64.Trsm(blas.Left, blas.NoTrans, 1, w.factor(t), blas64.General{
		Rows:   w.b.Rows,
		Cols:   w.b.Cols,
		Stride: w.b.Cols,
		Data:   x,
	})
}

func (w *whitening) backward() {
	n := w.b.Rows
	if w.products == nil {
		w.products = make([]float64, w.b.Batch*n*n)
	}
	w.g = w.out.Grad()
	w.dRoot = w.root.Grad()
	w.dB = nil
	if w.b.Wanted() {
		w.dB = w.b.Grad()
	}
	w.reverse.Run(w.b.Batch)
}

// differentiate adds the gradient of L, in the form described at type root, and the gradient of B.
func (w *whitening) differentiate(t int) {
	n, m, cols := w.b.Rows, w.root.Rows, w.b.Cols
	size := n * cols
	g := w.g[t*size : (t+1)*size]
	product := w.products[t*n*n : (t+1)*n*n]
	linalg.LowerProduct(n, cols, -1, g, cols, w.out.At(t), cols, 0, product)
	for i := range n {
		at := (t*m+w.from+i)*m + w.from
		addTo(w.dRoot[at:at+i+1], product[i*n:i*n+i+1])
	}
	blas64.Trsm(blas.Left, blas.Trans, 1, w.factor(t), blas64.General{
		Rows:   n,
		Cols:   cols,
		Stride: cols,
		Data:   g,
	})
	if w.dB != nil {
		addTo(w.dB[t*size:(t+1)*size], g)
	}
}

// recordDiagonal records the diagonal matrices [T][n][n] with the diagonals d [1][T][n].
func recordDiagonal(t *autodiff.Tape, d *autodiff.Node) *autodiff.Node {
	n := d.Cols
	out := t.Output(d.Rows, n, n, d)
	return t.Record(out, func() error {
		for k, v := range d.Value {
			out.Value[k*n+k%n] = v
		}
		return nil
	}, func() {
		dd := d.Grad()
		g := out.Grad()
		for k := range dd {
			dd[k] += g[k*n+k%n]
		}
	})
}
