package param

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// examples lists transforms with values in their range.
var examples = map[string]struct {
	t     Transform
	value []float64
}{
	"identity":    {Identity{}, []float64{-3, 0, 2.5}},
	"scaled":      {Scaled{Factor: 0.1}, []float64{-3, 0, 2.5}},
	"exponential": {Exponential{Lower: 1e-6}, []float64{2e-6, 0.01, 1, 2000}},
	"positive":    {Positive{Lower: 1e-6}, []float64{2e-6, 0.01, 1, 20}},
	"interval":    {Interval{Lower: -1, Upper: 3}, []float64{-1 + 1e-9, -0.99, 0, 1, 2.5, 3 - 1e-9}},
	"triangular": {NewTriangular(2, []bool{false, true, false}), []float64{
		1e-5, 0, 0.3, 1, // hidden layers start at 1e-5
		0.1, 0.2, 0.3, 0.4,
		2, 0, -1, 1e-3}},
}

func TestForwardInvertsInverse(t *testing.T) {
	for name, c := range examples {
		free := make([]float64, c.t.Size(len(c.value)))
		if err := c.t.Inverse(free, c.value); err != nil {
			t.Fatal(err)
		}
		back := make([]float64, len(c.value))
		for i := range back {
			back[i] = math.NaN() // Forward must write every value
		}
		c.t.Forward(back, free)
		for i, v := range c.value {
			if !(math.Abs(back[i]-v) <= 1e-12*math.Max(1, math.Abs(v))) {
				t.Errorf("%s: %g came back as %g", name, v, back[i])
			}
		}
	}
}

func TestPullbackByCentralDifferences(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, c := range examples {
		free := make([]float64, c.t.Size(len(c.value)))
		if err := c.t.Inverse(free, c.value); err != nil {
			t.Fatal(err)
		}
		weights := make([]float64, len(c.value))
		for i := range weights {
			weights[i] = r.NormFloat64()
		}
		at := func(i int, shift float64) float64 {
			moved := append([]float64(nil), free...)
			moved[i] += shift
			value := make([]float64, len(c.value))
			c.t.Forward(value, moved)
			var sum float64
			for k, w := range weights {
				sum += w * value[k]
			}
			return sum
		}
		grad := make([]float64, len(free))
		c.t.Pullback(grad, weights, free)
		for i, g := range grad {
			const h = 1e-5
			want := (8*(at(i, h)-at(i, -h)) - (at(i, 2*h) - at(i, -2*h))) / (12 * h)
			if math.Abs(g-want) > 1e-7*math.Max(1, math.Abs(want)) {
				t.Errorf("%s: derivative %d is %g, central difference %g", name, i, g, want)
			}
		}
	}
}

func TestInverseRejectsValuesOutOfRange(t *testing.T) {
	for name, c := range map[string]struct {
		t     Transform
		value []float64
		index int
	}{
		"NaN":                {Identity{}, []float64{0, math.NaN()}, 1},
		"scaled NaN":         {Scaled{Factor: 2}, []float64{0, math.NaN()}, 1},
		"at the bound":       {Positive{Lower: 1e-6}, []float64{1, 1e-6}, 1},
		"at that bound":      {Exponential{Lower: 1e-6}, []float64{1, 1e-6}, 1},
		"below an interval":  {Interval{0.1, 10}, []float64{1, 0.099}, 1},
		"above an interval":  {Interval{0.1, 10}, []float64{11, 1}, 0},
		"NaN of an interval": {Interval{0.1, 10}, []float64{math.NaN()}, 0},
		"infinite":           {Positive{}, []float64{math.Inf(1)}, 0},
		"zero diagonal":      {NewTriangular(2, []bool{false}), []float64{1, 0, 0, 0}, 3},
		"above the diagonal": {NewTriangular(2, []bool{false}), []float64{1, 2, 0, 1}, 1},
		"NaN below it": {NewTriangular(2, []bool{true, false}),
			[]float64{1, 2, 3, 4, 1, 0, math.NaN(), 1}, 6},
	} {
		var bad *RangeError
		err := c.t.Inverse(make([]float64, c.t.Size(len(c.value))), c.value)
		if !errors.As(err, &bad) || bad.Index != c.index {
			t.Errorf("%s: got %v, want a refusal of value %d", name, err, c.index)
		}
	}
}

func TestSetConcatenates(t *testing.T) {
	a, b := []float64{1, 2}, []float64{0.5}
	s, err := NewSet(
		&Parameter{Name: "a", Shape: []int{2}, Value: a, Transform: Identity{}},
		&Parameter{Name: "b", Shape: []int{1, 1}, Value: b, Transform: Positive{}})
	if err != nil {
		t.Fatal(err)
	}
	a[0], b[0] = 9, 9
	s.Forward()
	if a[0] != 1 || math.Abs(b[0]-0.5) > 1e-15 {
		t.Errorf("values came back as %v %v", a, b)
	}
	if s.Size() != 3 || s.NameAt(1) != "a" || s.NameAt(2) != "b" {
		t.Errorf("size %d; entries 1 and 2 belong to %s and %s", s.Size(), s.NameAt(1), s.NameAt(2))
	}
	grad := []float64{7, 7, 7}
	s.Pullback(grad, [][]float64{{1, 2}, nil})
	if grad[0] != 1 || grad[1] != 2 || grad[2] != 0 {
		t.Errorf("gradient %v", grad)
	}
}

func TestNewSetErrors(t *testing.T) {
	p := func(name string, shape int, value float64) *Parameter {
		return &Parameter{Name: name, Shape: []int{shape}, Value: []float64{value}, Transform: Positive{}}
	}
	for what, list := range map[string][]*Parameter{
		"two of one name":    {p("a", 1, 1), p("a", 1, 1)},
		"a shape of two":     {p("a", 2, 1)},
		"a value below zero": {p("a", 1, -1)},
	} {
		if _, err := NewSet(list...); err == nil {
			t.Errorf("%s was accepted", what)
		}
	}
}
