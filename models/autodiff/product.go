package autodiff

import (
	"fmt"

	"dgplab/models/linalg"
)

// Flag modifies a factor of MatMul.
type Flag uint8

// Flags of MatMul.
const (
	TransA Flag = 1 << iota // use the transpose of every first factor
	TransB                  // use the transpose of every second factor
)

// product is the shape of a batched matrix product out_s = op(a_s) op(b_s) of m x k and k x n
// factors. A step of 0 repeats the single matrix of a factor.
type product struct {
	transA, transB      bool
	batch, m, n, k      int
	stepA, stepB, stepC int
}

// MatMul returns the matrix products a_s b_s over two batches; flags transpose either factor. A
// batch of 1 is repeated. It panics if the shapes do not match.
func (t *Tape) MatMul(a, b *Node, flags ...Flag) *Node {
	p := newProduct(a, b, flags)
	if a == b && p.transA != p.transB {
		return t.gram(a, p.transA)
	}
	out := t.Output(p.batch, p.m, p.n, a, b)
	if b.Batch == 1 && !p.transA {
		p.batch, p.m = 1, p.batch*p.m // stack the left factors into one tall factor
	}
	return t.Record(out, func() error {
		if !p.transA && !p.transB && p.stepA > 0 && p.stepB > 0 {
			linalg.BatchMul(out.Value, a.Value, b.Value, p.batch, p.m, p.n, p.k)
			return nil
		}
		for s := 0; s < p.batch; s++ {
			linalg.Gemm(p.transA, p.transB, p.m, p.n, p.k, 1,
				a.Value[s*p.stepA:], b.Value[s*p.stepB:], 0, out.Value[s*p.stepC:])
		}
		return nil
	}, func() {
		g := out.Grad()
		if a.Wanted() {
			p.gradA(a, g, b.Value)
		}
		if b.Wanted() {
			p.gradB(b, g, a.Value)
		}
	})
}

// newProduct checks the shapes and returns the product.
func newProduct(a, b *Node, flags []Flag) product {
	var set Flag
	for _, f := range flags {
		set |= f
	}
	p := product{transA: set&TransA != 0, transB: set&TransB != 0}
	p.m, p.k = swapIf(p.transA, a.Rows, a.Cols)
	inner, n := swapIf(p.transB, b.Rows, b.Cols)
	p.n = n
	batch, ok := broadcastSize(a.Batch, b.Batch)
	if !ok || p.k != inner {
		panic(fmt.Sprintf("autodiff: MatMul: shapes %s (transposed: %t) and %s (transposed: %t) do not match",
			a.shape(), p.transA, b.shape(), p.transB))
	}
	p.batch = batch
	p.stepA = step(a.Batch, a.Rows*a.Cols)
	p.stepB = step(b.Batch, b.Rows*b.Cols)
	p.stepC = p.m * p.n
	return p
}

func swapIf(flag bool, x, y int) (int, int) {
	if flag {
		return y, x
	}
	return x, y
}

// gradA adds g op(b)^T to the gradient of a, or its transpose if a is transposed.
func (p *product) gradA(a *Node, g, b []float64) {
	da, beta := a.GradBeta()
	for s := 0; s < p.batch; s++ {
		das := da[s*p.stepA:]
		gs, bs := g[s*p.stepC:], b[s*p.stepB:]
		if p.transA {
			linalg.Gemm(p.transB, true, p.k, p.m, p.n, 1, bs, gs, beta, das)
		} else {
			linalg.Gemm(false, !p.transB, p.m, p.k, p.n, 1, gs, bs, beta, das)
		}
		if p.stepA == 0 {
			beta = 1
		}
	}
}

// gradB adds op(a)^T g to the gradient of b, or its transpose if b is transposed.
func (p *product) gradB(b *Node, g, a []float64) {
	db, beta := b.GradBeta()
	for s := 0; s < p.batch; s++ {
		dbs := db[s*p.stepB:]
		gs, as := g[s*p.stepC:], a[s*p.stepA:]
		if p.transB {
			linalg.Gemm(true, p.transA, p.n, p.k, p.m, 1, gs, as, beta, dbs)
		} else {
			linalg.Gemm(!p.transA, false, p.k, p.n, p.m, 1, as, gs, beta, dbs)
		}
		if p.stepB == 0 {
			beta = 1
		}
	}
}
