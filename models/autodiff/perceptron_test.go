package autodiff

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestPerceptronSizes(t *testing.T) {
	for _, c := range []struct {
		inputs, outputs, hidden, width int
		want                           []int
		numbers                        int
	}{
		{5, 3, 2, 0, []int{5, 3, 3, 3}, 3*6 + 3*4 + 3*4},
		{2, 9, 1, 0, []int{2, 2, 9}, 2*3 + 9*3},
		{2, 9, 2, 4, []int{2, 4, 4, 9}, 4*3 + 4*5 + 9*5},
		{2, 9, 0, 4, []int{2, 9}, 9 * 3},
	} {
		got := PerceptronSizes(c.inputs, c.outputs, c.hidden, c.width)
		if !slices.Equal(got, c.want) || NumWeights(got) != c.numbers {
			t.Errorf("sizes %v with %d numbers, want %v with %d", got, NumWeights(got), c.want, c.numbers)
		}
	}
}

// TestPerceptron compares outputs with the definition and gradients with central differences.
func TestPerceptron(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	tape := NewTape()
	p := NewPerceptron(tape, []int{3, 4, 4, 2}, LeakyReLU)
	p.Start(rng)
	x := tape.Variable(1, 3, 5)
	for i := range x.Value {
		x.Value[i] = rng.NormFloat64()
	}
	out := p.Record(tape, x)
	value := tape.Sum(tape.Square(out))
	at := func() float64 {
		if err := tape.Forward(); err != nil {
			t.Fatal(err)
		}
		return value.Value[0]
	}
	at()
	for column := range x.Cols {
		h := []float64{x.Row(0)[column], x.Row(1)[column], x.Row(2)[column]}
		for l, w := range p.W {
			next := slices.Clone(p.B[l].Value)
			for r := range next {
				for c, v := range h {
					next[r] += w.Row(r)[c] * v
				}
				if l < len(p.W)-1 && next[r] < 0 {
					next[r] *= 0.2
				}
			}
			h = next
		}
		for r, want := range h {
			if got := out.Row(r)[column]; math.Abs(got-want) > 1e-14 {
				t.Errorf("output %d of point %d is %v, want %v", r, column, got, want)
			}
		}
	}
	tape.Backward(value)
	check := func(name string, n *Node) {
		for i, g := range slices.Clone(n.Grad()) {
			const step = 1e-6
			kept := n.Value[i]
			n.Value[i] = kept + step
			up := at()
			n.Value[i] = kept - step
			down := at()
			n.Value[i] = kept
			if want := (up - down) / (2 * step); math.Abs(g-want) > 1e-7*math.Max(1, math.Abs(want)) {
				t.Errorf("derivative by %s[%d] is %v, central difference %v", name, i, g, want)
			}
		}
	}
	check("x", x)
	p.Each(check)
}
