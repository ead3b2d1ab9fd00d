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
	ones         []float64 // multiplying by ones sums over columns

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
	a := &affine{w: w, b: b, x: x, slope: slope, ones: make([]float64, x.Cols)}
	for p := range a.ones {
		a.ones[p] = 1
	}
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
	for r, bias := range a.b.At(s) {
		row := out[r*cols : (r+1)*cols]
		for p := range row {
			row[p] = bias
		}
	}
	linalg.Gemm(false, false, rows, cols, inner, 1, a.w.At(s), a.x.Value[a.input(s):], 1, out)
	a.scaleNonPositive(out, out)
}

// backwardOne adds to the gradients of perceptron s.
func (a *affine) backwardOne(s int) {
	rows, cols, inner := a.w.Rows, a.x.Cols, a.w.Cols
	g := a.g[s*rows*cols : (s+1)*rows*cols]
	a.scaleNonPositive(g, a.out.At(s))
	for r := range rows {
		a.db[s*rows+r] += vec.Dot(g[r*cols:(r+1)*cols], a.ones)
	}
	linalg.Gemm(false, true, rows, inner, cols, 1, g, a.x.Value[a.input(s):], a.betaW,
		a.dw[s*rows*inner:(s+1)*rows*inner])
	if a.dx != nil {
		linalg.Gemm(true, false, inner, cols, rows, 1, a.w.At(s), g, a.betaX,
			a.dx[a.input(s):a.input(s)+inner*cols])
	}
}

// scaleNonPositive multiplies g by the slope wherever the output out, and therefore its input, is
// not positive.
func (a *affine) scaleNonPositive(g, out []float64) {
	if a.slope != Linear {
		vec.ScaleNonPositive(g, out, a.slope)
	}
}
