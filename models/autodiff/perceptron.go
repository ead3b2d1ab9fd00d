package autodiff

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Slopes of a LeakyReLU below zero.
const (
	// ReLU is the slope of a rectified linear unit; the derivative at zero is 0.
	ReLU = 0
	// LeakyReLU is the slope used by Meng, Zhang, "Amortized Variational Inference for Deep
	// Gaussian Processes", 2024, appendix C.1.
	LeakyReLU = 0.2
	// Linear is the slope of the identity.
	Linear = 1
)

// Perceptron is a multilayer perceptron, or a batch of S of them, with a LeakyReLU after every
// layer except the last.
type Perceptron struct {
	// W and B are the weights, [S][out][in], and biases, [S][out][1], of each layer.
	W, B []*Node
	// Slope is the slope of the LeakyReLU below zero.
	Slope float64
}

// NewPerceptron returns a perceptron with all weights zero. sizes lists the widths of its layers, the number
// of inputs first. The weights are variables of t.
func NewPerceptron(t *Tape, sizes []int, slope float64) *Perceptron {
	p := &Perceptron{Slope: slope}
	for l := 1; l < len(sizes); l++ {
		p.W = append(p.W, t.Variable(1, sizes[l], sizes[l-1]))
		p.B = append(p.B, t.Variable(1, sizes[l], 1))
	}
	return p
}

// PerceptronSizes returns the layer sizes of a perceptron with the given number of hidden layers, all of the
// same width. A width of 0 selects the smaller of inputs and outputs (Meng, Zhang, appendix C.1).
func PerceptronSizes(inputs, outputs, hidden, width int) []int {
	if width == 0 {
		width = min(inputs, outputs)
	}
	sizes := []int{inputs}
	for range hidden {
		sizes = append(sizes, width)
	}
	return append(sizes, outputs)
}

// NumWeights returns the number of weights and biases of layers with these sizes.
func NumWeights(sizes []int) (sum int) {
	for l := 1; l < len(sizes); l++ {
		sum += sizes[l] * (sizes[l-1] + 1)
	}
	return sum
}

// Start draws all weights and biases uniformly from [-b, b] with b = 1/sqrt(inputs of the layer),
// the initialisation of PyTorch's Linear
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
func (p *Perceptron) Each(do func(name string, node *Node)) {
	for l := range p.W {
		do(fmt.Sprintf("W%d", l+1), p.W[l])
		do(fmt.Sprintf("b%d", l+1), p.B[l])
	}
}

// Record records the outputs, [S][out][P], at inputs x, [1][in][P].
func (p *Perceptron) Record(t *Tape, x *Node) *Node {
	for l := range p.W {
		slope := p.Slope
		if l == len(p.W)-1 {
			slope = Linear
		}
		x = t.Affine(p.W[l], p.B[l], x, slope)
	}
	return x
}
