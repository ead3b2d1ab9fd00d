package autodiff

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/linalg"
)

// gram is a recorded product of matrices with their own transposes, out_s = op(a_s) op(a_s)^T, where op
// transposes if trans is set. Results are symmetric, so half of them is computed, and the gradients with
// respect to both factors are one product.
type gram struct {
	a, out *Node
	trans  bool
}

// gram records the product of a with its transpose.
func (t *Tape) gram(a *Node, trans bool) *Node {
	n, _ := swapIf(trans, a.Rows, a.Cols)
	p := &gram{a: a, out: t.Output(a.Batch, n, n, a), trans: trans}
	return t.Record(p.out, p.forward, p.backward)
}

func (p *gram) forward() error {
	n := p.out.Rows
	op := blas.NoTrans
	if p.trans {
		op = blas.Trans
	}
	for s := range p.a.Batch {
		c := p.out.At(s)
		a := blas64.General{Rows: p.a.Rows, Cols: p.a.Cols, Stride: p.a.Cols, Data: p.a.At(s)}
		blas64.Syrk(op, 1, a, 0, blas64.Symmetric{Uplo: blas.Lower, N: n, Stride: n, Data: c})
		linalg.Mirror(c, n)
	}
	return nil
}

// backward adds (g + g^T) op(a) to the gradient of op(a), where g is the gradient of the results. The sum
// overwrites g, which is no longer needed.
func (p *gram) backward() {
	n, rows, cols := p.out.Rows, p.a.Rows, p.a.Cols
	g := p.out.Grad()
	da, beta := p.a.GradBeta()
	for s := range p.a.Batch {
		gs, as, das := g[s*n*n:(s+1)*n*n], p.a.At(s), da[s*rows*cols:]
		for i := range n {
			for j := range i + 1 {
				gs[i*n+j] += gs[j*n+i]
			}
		}
		linalg.Mirror(gs, n)
		if p.trans {
			linalg.Gemm(false, false, rows, n, n, 1, as, gs, beta, das)
		} else {
			linalg.Gemm(false, false, n, cols, n, 1, gs, as, beta, das)
		}
	}
}
