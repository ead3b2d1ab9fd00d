package autodiff

import (
	"fmt"

	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
)

// affine is one layer of S perceptrons that are evaluated in parallel.
type affine struct {
	w, b, x, out *Node
	slope        float64

	forward, backward linalg.Loop // one part per perceptron
	// Gradients of the current sweep, and the factors by which their old contents are multiplied.
	// dx is nil if x needs no gradient.
	g, db, dw, dx []float64
	betaW, betaX  float64
}

// Affine records LeakyReLU(w x + b), [S][out][P], for w, [S][out][in], b, [S][out][1], and x,
// [S][in][P]. slope is the slope of the LeakyReLU below zero. All S perceptrons may share one x,
// [1][in][P], if it needs no gradient. Affine panics if the shapes do not match.
func (t *Tape) Affine(w, b, x *Node, slope float64) *Node {
	if b.Batch != w.Batch || x.Batch != w.Batch && (x.Batch != 1 || x.Wanted()) {
		panic(fmt.Sprintf("autodiff: batches of %d weights, %d biases and %d inputs do not match",
			w.Batch, b.Batch, x.Batch))
	}
	a := &affine{w: w, b: b, x: x, slope: slope}
	a.out = t.Output(w.Batch, w.Rows, x.Cols, w, b, x)
	a.forward.Body, a.backward.Body = a.forwardOne, a.backwardOne
	return t.Record(a.out, func() error {
		a.forward.Run(w.Batch)
		return nil
	}, func() {
		a.g = a.out.Grad()
		a.db = b.Grad()
		a.dw, a.betaW = w.GradBeta()
		if x.Wanted() {
			a.dx, a.betaX = x.GradBeta()
		}
		a.backward.Run(w.Batch)
	})
}

// input returns the offset of the inputs of perceptron s.
func (a *affine) input(s int) int {
	if a.x.Batch == 1 {
		return 0
	}
	return s * a.x.Rows * a.x.Cols
}

// forwardOne computes the outputs of perceptron s.
func (a *affine) forwardOne(s int) {
	rows, cols, inner := a.w.Rows, a.x.Cols, a.w.Cols
	out := a.out.At(s)
	x := a.x.Value[a.input(s):]
	if rows == 1 { // a product would pack x, which costs more than it saves
		clear(out)
		for i, w := range a.w.At(s) {
			vec.AddScaled(out, x[i*cols:(i+1)*cols], w)
		}
	} else {
		linalg.Gemm(false, false, rows, cols, inner, 1, a.w.At(s), x, 0, out)
	}
	for r, bias := range a.b.At(s) {
		vec.AddAndScaleNonPositive(out[r*cols:(r+1)*cols], bias, a.slope)
	}
}

// backwardOne adds to the gradients of perceptron s.
func (a *affine) backwardOne(s int) {
	rows, cols, inner := a.w.Rows, a.x.Cols, a.w.Cols
	g, out := a.g[s*rows*cols:(s+1)*rows*cols], a.out.At(s)
	// The slope applies wherever the output, and therefore its input, is not positive.
	for r := range rows {
		at := r * cols
		a.db[s*rows+r] += vec.ScaleNonPositiveSum(g[at:at+cols], out[at:at+cols], a.slope)
	}
	x, dw := a.x.Value[a.input(s):], a.dw[s*rows*inner:(s+1)*rows*inner]
	var dx []float64
	if a.dx != nil {
		dx = a.dx[a.input(s) : a.input(s)+inner*cols]
	}
	if rows == 1 {
		a.backwardRow(s, g, x, dw, dx)
		return
	}
	linalg.Gemm(false, true, rows, inner, cols, 1, g, x, a.betaW, dw)
	if dx != nil {
		linalg.Gemm(true, false, inner, cols, rows, 1, a.w.At(s), g, a.betaX, dx)
	}
}

// backwardRow adds to the gradients of the weights and inputs of perceptron s with a single output.
func (a *affine) backwardRow(s int, g, x, dw, dx []float64) {
	cols := len(g)
	for i, w := range a.w.At(s) {
		sum := vec.Dot(g, x[i*cols:(i+1)*cols])
		if a.betaW != 0 {
			sum += dw[i]
		}
		dw[i] = sum
		switch {
		case dx == nil:
		case a.betaX == 0:
			vec.Scaled(dx[i*cols:(i+1)*cols], g, w)
		default:
			vec.AddScaled(dx[i*cols:(i+1)*cols], g, w)
		}
	}
}
