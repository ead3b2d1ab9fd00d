package autodiff

import (
	"fmt"

	"dgplab/models/linalg/vec"
)

// ColDots returns the inner products of the columns of a and b, the diagonals of a^T b:
// [Batch][1][Cols]. A batch of 1 is repeated. It panics if rows or columns differ.
func (t *Tape) ColDots(a, b *Node) *Node {
	c := newContraction("ColDots", a, b)
	c.out = t.Output(max(a.Batch, b.Batch), 1, a.Cols, a, b)
	return t.Record(c.out, c.colForward, func() { c.backward(colGrad) })
}

// RowDots returns the inner products of the rows of a and b, the diagonals of a b^T:
// [Batch][Rows][1]. A batch of 1 is repeated. It panics if rows or columns differ.
func (t *Tape) RowDots(a, b *Node) *Node {
	c := newContraction("RowDots", a, b)
	c.out = t.Output(max(a.Batch, b.Batch), a.Rows, 1, a, b)
	return t.Record(c.out, c.rowForward, func() { c.backward(rowGrad) })
}

// contraction is a recorded ColDots or RowDots.
type contraction struct {
	a, b, out    *Node
	stepA, stepB int
}

func newContraction(name string, a, b *Node) *contraction {
	if _, ok := broadcastSize(a.Batch, b.Batch); !ok || a.Rows != b.Rows || a.Cols != b.Cols {
		panic(fmt.Sprintf("autodiff: %s: shapes %s and %s do not match", name, a.shape(), b.shape()))
	}
	size := a.Rows * a.Cols
	return &contraction{a: a, b: b, stepA: step(a.Batch, size), stepB: step(b.Batch, size)}
}

// pair returns matrix s of both operands.
func (c *contraction) pair(s int) (a, b []float64) {
	size := c.a.Rows * c.a.Cols
	return c.a.Value[s*c.stepA : s*c.stepA+size], c.b.Value[s*c.stepB : s*c.stepB+size]
}

func (c *contraction) colForward() error {
	cols := c.a.Cols
	for s := 0; s < c.out.Batch; s++ {
		a, b := c.pair(s)
		dst := c.out.At(s)
		clear(dst)
		for ; len(a) > 0; a, b = a[cols:], b[cols:] {
			vec.AddMul(dst, a[:cols], b[:cols])
		}
	}
	return nil
}

func (c *contraction) rowForward() error {
	cols := c.a.Cols
	for s := 0; s < c.out.Batch; s++ {
		a, b := c.pair(s)
		dst := c.out.At(s)
		for i := range dst {
			var sum float64
			other := b[i*cols : (i+1)*cols]
			for j, v := range a[i*cols : (i+1)*cols] {
				sum += v * other[j]
			}
			dst[i] = sum
		}
	}
	return nil
}

// backward adds to the gradient of each operand the other operand, scaled by the gradient of the
// results. grad does this for one matrix.
func (c *contraction) backward(grad func(dst, g, other []float64, cols int)) {
	g, size := c.out.Grad(), c.a.Rows*c.a.Cols
	width := len(g) / c.out.Batch
	if c.a == c.b { // One pass adds both gradients. That of the results is no longer needed.
		vec.Scaled(g, g, 2)
	}
	for s := 0; s < c.out.Batch; s++ {
		a, b := c.pair(s)
		gs := g[s*width : (s+1)*width]
		if c.a.Wanted() {
			grad(c.a.Grad()[s*c.stepA:s*c.stepA+size], gs, b, c.a.Cols)
		}
		if c.b.Wanted() && c.a != c.b {
			grad(c.b.Grad()[s*c.stepB:s*c.stepB+size], gs, a, c.a.Cols)
		}
	}
}

// colGrad adds the columns of other, each scaled by its entry of g, to dst.
func colGrad(dst, g, other []float64, cols int) {
	for ; len(dst) > 0; dst, other = dst[cols:], other[cols:] {
		vec.AddMul(dst[:cols], g, other[:cols])
	}
}

// rowGrad adds the rows of other, each scaled by its entry of g, to dst.
func rowGrad(dst, g, other []float64, cols int) {
	for i, v := range g {
		vec.AddScaled(dst[i*cols:(i+1)*cols], other[i*cols:(i+1)*cols], v)
	}
}
