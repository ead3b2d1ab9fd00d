package autodiff

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// shape is the shape of a leaf: batch, rows, columns.
type shape [3]int

// builder records the operation under test.
type builder func(t *Tape, leaves []*Node) *Node

// checkGradients compares the gradients of the operation that build records with central
// differences, at random values of leaves with the given shapes.
//
// Every leaf enters the objective twice, through the operation and directly. The direct use is
// recorded before the operation in one test and after it in another, so the operation is the last
// to write to a gradient in one and the first in the other. Sweeps are repeated, and run for every
// subset of leaves replaced by constants.
func checkGradients(t testing.TB, seed uint64, build builder, shapes ...shape) {
	t.Helper()
	for _, after := range []bool{false, true} {
		for mask := 1; mask < 1<<len(shapes); mask++ {
			p := newProblem(seed, build, shapes, mask, after)
			if err := p.tape.Forward(); err != nil {
				t.Fatalf("Forward: %v", err)
			}
			p.tape.Backward(p.loss)
			p.tape.Backward(p.loss) // must reset the gradients
			for i, leaf := range p.leaves {
				if leaf.Wanted() {
					p.compare(t, fmt.Sprintf("leaf %d of %v, constants %b, direct use after %t",
						i, shapes, mask, after), leaf)
				}
			}
		}
	}
}

type problem struct {
	tape   *Tape
	leaves []*Node
	loss   *Node
}

// newProblem draws leaves and weights; leaf i is a variable if bit i of mask is set.
func newProblem(seed uint64, build builder, shapes []shape, mask int, after bool) *problem {
	rng := rand.New(rand.NewPCG(seed, 1))
	p := &problem{tape: NewTape()}
	for i, s := range shapes {
		leaf := p.tape.Constant(s[0], s[1], s[2])
		if mask>>i&1 == 1 {
			leaf = p.tape.Variable(s[0], s[1], s[2])
		}
		for j := range leaf.Value {
			leaf.Value[j] = rng.NormFloat64()
		}
		p.leaves = append(p.leaves, leaf)
	}
	direct := make([]*Node, len(shapes))
	use := func() {
		for i, leaf := range p.leaves {
			direct[i] = weighted(p.tape, leaf, rng)
		}
	}
	if !after {
		use()
	}
	p.loss = weighted(p.tape, build(p.tape, p.leaves), rng)
	if after {
		use()
	}
	for _, d := range direct {
		p.loss = p.tape.Add(p.loss, d)
	}
	return p
}

// weighted returns a random linear function of a, recorded without the operations under test.
func weighted(t *Tape, a *Node, rng *rand.Rand) *Node {
	w := make([]float64, a.Len())
	for i := range w {
		w[i] = rng.NormFloat64()
	}
	out := t.Output(1, 1, 1, a)
	return t.Record(out, func() error {
		out.Value[0] = 0
		for i, v := range a.Value {
			out.Value[0] += w[i] * v
		}
		return nil
	}, func() {
		da := a.Grad()
		g := out.Grad()[0]
		for i, v := range w {
			da[i] += v * g
		}
	})
}

// tolerance is relative to the largest of 1, the gradient and the objective. The accuracy of the
// differences is limited by the rounding error of the objective divided by the step.
const (
	differenceStep = 1e-5
	tolerance      = 1e-7
)

func (p *problem) compare(t testing.TB, what string, leaf *Node) {
	t.Helper()
	got := append([]float64(nil), leaf.Grad()...)
	for i, v := range leaf.Value {
		slope, size := p.difference(t, leaf, i, differenceStep)
		leaf.Value[i] = v
		scale := math.Max(1, math.Max(math.Abs(slope), 1e-3*size))
		if diff := math.Abs(got[i] - slope); !(diff <= tolerance*scale) {
			t.Fatalf("%s: gradient %d is %.10g, central difference %.10g", what, i, got[i], slope)
		}
	}
}

// difference returns the fourth-order central difference of the loss, and the largest absolute
// value of the loss that it evaluated.
func (p *problem) difference(t testing.TB, leaf *Node, i int, step float64) (slope, size float64) {
	t.Helper()
	v := leaf.Value[i]
	step *= math.Max(1, math.Abs(v))
	at := func(x float64) float64 {
		leaf.Value[i] = x
		if err := p.tape.Forward(); err != nil {
			t.Fatalf("Forward: %v", err)
		}
		size = math.Max(size, math.Abs(p.loss.Value[0]))
		return p.loss.Value[0]
	}
	near := at(v+step) - at(v-step)
	far := at(v+2*step) - at(v-2*step)
	return (8*near - far) / (12 * step), size
}
