package infer

import (
	"math"
	"slices"
	"testing"

	"dgplab/models/param"
)

// The gradient of an objective with priors and bounds equals central differences over the free entries, and
// the held parameter has none.
func TestGradientWithPriorsAndBounds(t *testing.T) {
	target := []float64{0.2, 3, 1, 0.5}
	var list []*param.Parameter
	for i, transform := range []param.Transform{param.Positive{Lower: 1e-6}, param.Exponential{Lower: 1e-6},
		param.Identity{}, param.Identity{}} {
		list = append(list, &param.Parameter{Name: string(rune('a' + i)), Shape: []int{1},
			Value: []float64{0.7}, Transform: transform})
	}
	set, err := param.NewSet(list...)
	if err != nil {
		t.Fatal(err)
	}
	density := func(text string) *param.Density {
		d, err := param.ParseDensity(text)
		if err != nil {
			t.Fatal(err)
		}
		return &d
	}
	err = set.Control([]param.Control{
		{Name: "a", Prior: density("lognormal(0,1)")},
		{Name: "a", Bound: &param.Interval{Lower: 0.1, Upper: 2}},
		{Name: "b", Prior: density("inversegamma(2,3)")},
		{Name: "c", Prior: density("normal(1,2)")}, {Name: "c", Bound: &param.Interval{Lower: -1, Upper: 1}},
		{Name: "d", Prior: density("gamma(2,2)")}, {Name: "d", Held: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	p := &priorProblem{set: set, target: target}
	gradient := make([]float64, set.Size())
	value, err := Evaluate(p, gradient)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := p.Evaluate(nil)
	if err != nil {
		t.Fatal(err)
	}
	if prior := set.LogPrior(nil); math.Abs(value-plain-prior) > 1e-12 || prior == 0 {
		t.Errorf("the objective is %v, want %v with the log prior %v", value, plain, prior)
	}
	for i, x := range slices.Clone(set.Free) {
		at := func(shift float64) float64 {
			set.Free[i] = x + shift
			set.Forward()
			v, err := Evaluate(p, nil)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		const h = 1e-4
		want := (8*(at(h)-at(-h)) - (at(2*h) - at(-2*h))) / (12 * h)
		if set.NameAt(i) == "d" {
			want = 0
		}
		at(0)
		if math.Abs(gradient[i]-want) > 1e-9*math.Max(1, math.Abs(want)) {
			t.Errorf("%s: gradient %v, central difference %v", set.NameAt(i), gradient[i], want)
		}
	}
}

// priorProblem is minus half the sum of squares of the values less their targets.
type priorProblem struct {
	set    *param.Set
	target []float64
}

func (p *priorProblem) Parameters() *param.Set { return p.set }
func (p *priorProblem) Draw(uint64)            {}

func (p *priorProblem) Evaluate(dFree []float64) (float64, error) {
	var sum float64
	var slopes [][]float64
	for i, of := range p.set.Params() {
		d := of.Value[0] - p.target[i]
		sum -= 0.5 * d * d
		slopes = append(slopes, []float64{-d})
	}
	if dFree != nil {
		p.set.Pullback(dFree, slopes)
	}
	return sum, nil
}
