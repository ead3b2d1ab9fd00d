// Package network is multilayer perceptrons as operations on a tape.
package network

import (
	"fmt"
	"math"
	"math/rand/v2"

	"dgplab/models/autodiff"
	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
)

// slope is that of the LeakyReLU below zero (Meng, Zhang, "Amortized Variational
// Inference for Deep Gaussian Processes", 2024, appendix C.1).
const slope = 0.2

// Perceptron is a multilayer perceptron with a LeakyReLU after every layer but the
// last.
type Perceptron struct {
	// W and B are the weights, [1][out][in], and biases, [1][out][1], of each layer.
	W, B []*autodiff.Node
}

// New returns a perceptron of zeros with layers of the given sizes, the number of
// inputs first, whose weights are variables of t.
func New(t *autodiff.Tape, sizes []int) *Perceptron {
	p := &Perceptron{}
	for l := 1; l < len(sizes); l++ {
		p.W = append(p.W, t.Variable(1, sizes[l], sizes[l-1]))
		p.B = append(p.B, t.Variable(1, sizes[l], 1))
	}
	return p
}

// Sizes returns the layers of a perceptron with so many hidden layers of one width;
// 0 stands for the smaller of inputs and outputs (Meng, Zhang, appendix C.1).
func Sizes(inputs, outputs, hidden, width int) []int {
	if width == 0 {
		width = min(inputs, outputs)
	}
	sizes := []int{inputs}
	for range hidden {
		sizes = append(sizes, width)
	}
	return append(sizes, outputs)
}

// Numbers returns how many weights and biases layers of these sizes have.
func Numbers(sizes []int) (sum int) {
	for l := 1; l < len(sizes); l++ {
		sum += sizes[l] * (sizes[l-1] + 1)
	}
	return sum
}

// Start draws all weights and biases uniformly within 1/sqrt(inputs of their layer)
// of zero, which is how a Linear layer of PyTorch starts
// (https://pytorch.org/docs/stable/generated/torch.nn.Linear.html).
func (p *Perceptron) Start(rng *rand.Rand) {
	for l, w := range p.W {
		bound := 1 / math.Sqrt(float64(w.Cols))
		for _, values := range [][]float64{w.Value, p.B[l].Value} {
			for i := range values {
				values[i] = bound * (2*rng.Float64() - 1)
			}
		}
	}
}

// Each calls do for every array of weights, with its name: W1, b1, W2, ...
func (p *Perceptron) Each(do func(name string, node *autodiff.Node)) {
	for l := range p.W {
		do(fmt.Sprintf("W%d", l+1), p.W[l])
		do(fmt.Sprintf("b%d", l+1), p.B[l])
	}
}

// Record records the outputs, [1][out][P], at inputs x, [1][in][P].
func (p *Perceptron) Record(t *autodiff.Tape, x *autodiff.Node) *autodiff.Node {
	for l := range p.W {
		x = Affine(t, p.W[l], p.B[l], x, l < len(p.W)-1)
	}
	return x
}

// Affine records w x + b, [1][out][P], of w, [1][out][in], b, [1][out][1], and x,
// [1][in][P], with a LeakyReLU where leaky is set.
func Affine(t *autodiff.Tape, w, b, x *autodiff.Node, leaky bool) *autodiff.Node {
	rows, cols, inner := w.Rows, x.Cols, w.Cols
	ones := make([]float64, cols) // sums over columns are products with them
	for p := range ones {
		ones[p] = 1
	}
	out := t.Output(1, rows, cols, w, b, x)
	return t.Record(out, func() error {
		for r, bias := range b.Value {
			row := out.Row(r)
			for p := range row {
				row[p] = bias
			}
		}
		linalg.Gemm(false, false, rows, cols, inner, 1, w.Value, x.Value, 1, out.Value)
		if leaky {
			descend(out.Value, out.Value)
		}
		return nil
	}, func() {
		g := out.Grad()
		db := b.Grad()
		for r := range db {
			row := g[r*cols : (r+1)*cols]
			if leaky {
				descend(row, out.Row(r))
			}
			db[r] += vec.Dot(row, ones)
		}
		dw, beta := w.GradBeta()
		linalg.Gemm(false, true, rows, inner, cols, 1, g, x.Value, beta, dw)
		if x.Wanted() {
			dx, beta := x.GradBeta()
			linalg.Gemm(true, false, inner, cols, rows, 1, w.Value, g, beta, dx)
		}
	})
}

// descend multiplies g by the slope of a LeakyReLU where its result out, or its input,
// is negative.
func descend(g, out []float64) {
	for p, v := range out {
		if v < 0 {
			g[p] *= slope
		}
	}
}
