package autodiff

import (
	"fmt"

	"dgplab/models/linalg/vec"
)

// Add returns a + b. As in all operations of this file, the batches, rows and columns of a and b
// must be equal unless one of them is 1, in which case this operand is repeated.
func (t *Tape) Add(a, b *Node) *Node {
	return t.binary("Add", a, b, addValue, plusGrad, plusGrad)
}

// Sub returns a - b.
func (t *Tape) Sub(a, b *Node) *Node {
	return t.binary("Sub", a, b, subValue, plusGrad, minusGrad)
}

// Mul returns the elementwise product of a and b.
func (t *Tape) Mul(a, b *Node) *Node {
	return t.binary("Mul", a, b, mulValue, timesGrad, timesGrad)
}

// Div returns the elementwise quotient of a and b.
func (t *Tape) Div(a, b *Node) *Node {
	return t.binary("Div", a, b, divValue, numeratorGrad, denominatorGrad)
}

// strided is a run of entries of an operand; a step of 0 repeats the first entry.
type strided struct {
	data []float64
	step int
}

// valueKernel computes a run of results.
type valueKernel func(out []float64, a, b strided)

// gradKernel adds the gradient with respect to the operand own to dst, which has the step of own. g
// is the gradient of the results, and other is the other operand.
type gradKernel func(dst strided, g []float64, own, other strided)

// binary records an elementwise operation on two operands.
func (t *Tape) binary(name string, a, b *Node, value valueKernel, gradA, gradB gradKernel) *Node {
	batch, rows, cols, ok := broadcast(a, b)
	if !ok {
		panic(fmt.Sprintf("autodiff: %s: shapes %s and %s do not match", name, a.shape(), b.shape()))
	}
	out := t.Output(batch, rows, cols, a, b)
	l := newLoops(out, a, b)
	inA, inB := l[2].a, l[2].b
	return t.Record(out, func() error {
		l.each(func(i, j, k int) {
			value(out.Value[i:i+l[2].size], strided{a.Value[j:], inA}, strided{b.Value[k:], inB})
		})
		return nil
	}, func() {
		g := out.Grad()
		if a.Wanted() {
			da := a.Grad()
			l.each(func(i, j, k int) {
				gradA(strided{da[j:], inA}, g[i:i+l[2].size], strided{a.Value[j:], inA},
					strided{b.Value[k:], inB})
			})
		}
		if b.Wanted() {
			db := b.Grad()
			l.each(func(i, j, k int) {
				gradB(strided{db[k:], inB}, g[i:i+l[2].size], strided{b.Value[k:], inB},
					strided{a.Value[j:], inA})
			})
		}
	})
}

// broadcast returns the shape to which both nodes can be extended by repetition.
func broadcast(a, b *Node) (batch, rows, cols int, ok bool) {
	batch, okBatch := broadcastSize(a.Batch, b.Batch)
	rows, okRows := broadcastSize(a.Rows, b.Rows)
	cols, okCols := broadcastSize(a.Cols, b.Cols)
	return batch, rows, cols, okBatch && okRows && okCols
}

func broadcastSize(a, b int) (size int, ok bool) {
	return max(a, b), a == b || a == 1 || b == 1
}

// loop is one of the nested loops of a binary operation: its number of iterations, and the
// increments of the offsets of both operands per iteration.
type loop struct{ size, a, b int }

// loops holds nested loops, the innermost last. They visit the results in order.
type loops [3]loop

// newLoops returns the loops over out. Adjacent loops are merged if both operands allow it, so the
// innermost loop has the maximal length.
func newLoops(out, a, b *Node) loops {
	nested := loops{
		{out.Batch, step(a.Batch, a.Rows*a.Cols), step(b.Batch, b.Rows*b.Cols)},
		{out.Rows, step(a.Rows, a.Cols), step(b.Rows, b.Cols)},
		{out.Cols, step(a.Cols, 1), step(b.Cols, 1)},
	}
	joined := loops{{size: 1}, {size: 1}, nested[2]}
	at := 2 // the outermost loop of joined so far
	for i := 1; i >= 0; i-- {
		outer, inner := nested[i], joined[at]
		switch {
		case outer.size == 1:
		case inner.size == 1:
			joined[at] = outer
		case outer.a == inner.a*inner.size && outer.b == inner.b*inner.size:
			joined[at].size *= outer.size
		default:
			at--
			joined[at] = outer
		}
	}
	return joined
}

// step returns the increment along a dimension of an operand: distance, or 0 if the size is 1.
func step(size, distance int) int {
	if size == 1 {
		return 0
	}
	return distance
}

// each calls run for every iteration of the two outer loops, with the offsets in the result and in
// both operands.
func (l *loops) each(run func(out, a, b int)) {
	out := 0
	for i := 0; i < l[0].size; i++ {
		a, b := i*l[0].a, i*l[0].b
		for j := 0; j < l[1].size; j++ {
			run(out, a, b)
			out += l[2].size
			a += l[1].a
			b += l[1].b
		}
	}
}

func addValue(out []float64, a, b strided) {
	i, j := 0, 0
	for k := range out {
		out[k] = a.data[i] + b.data[j]
		i += a.step
		j += b.step
	}
}

func subValue(out []float64, a, b strided) {
	i, j := 0, 0
	for k := range out {
		out[k] = a.data[i] - b.data[j]
		i += a.step
		j += b.step
	}
}

func mulValue(out []float64, a, b strided) {
	if a.step == 1 && b.step == 1 {
		vec.Mul(out, a.data[:len(out)], b.data[:len(out)])
		return
	}
	i, j := 0, 0
	for k := range out {
		out[k] = a.data[i] * b.data[j]
		i += a.step
		j += b.step
	}
}

func divValue(out []float64, a, b strided) {
	i, j := 0, 0
	for k := range out {
		out[k] = a.data[i] / b.data[j]
		i += a.step
		j += b.step
	}
}

func plusGrad(dst strided, g []float64, _, _ strided) {
	i := 0
	for _, v := range g {
		dst.data[i] += v
		i += dst.step
	}
}

func minusGrad(dst strided, g []float64, _, _ strided) {
	i := 0
	for _, v := range g {
		dst.data[i] -= v
		i += dst.step
	}
}

func timesGrad(dst strided, g []float64, _, other strided) {
	if dst.step == 1 && other.step == 1 {
		vec.AddMul(dst.data[:len(g)], g, other.data[:len(g)])
		return
	}
	i, j := 0, 0
	for _, v := range g {
		dst.data[i] += v * other.data[j]
		i += dst.step
		j += other.step
	}
}

func numeratorGrad(dst strided, g []float64, _, denominator strided) {
	i, j := 0, 0
	for _, v := range g {
		dst.data[i] += v / denominator.data[j]
		i += dst.step
		j += denominator.step
	}
}

func denominatorGrad(dst strided, g []float64, own, numerator strided) {
	i, j := 0, 0
	for _, v := range g {
		d := own.data[i]
		dst.data[i] -= v * (numerator.data[j] / d) / d
		i += dst.step
		j += numerator.step
	}
}
