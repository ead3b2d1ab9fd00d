package train

import (
	"math"
	"slices"
	"testing"

	"dgplab/models/autodiff"
	"dgplab/models/param"
)

// The objective is the sum of a x^2 over three numbers x; the first must be positive.
func TestLeaves(t *testing.T) {
	tape := autodiff.NewTape()
	a := tape.Variable(1, 1, 1)
	x := tape.Variable(1, 1, 3)
	copy(a.Value, []float64{2})
	copy(x.Value, []float64{1, -2, 3})
	var l Leaves
	l.Add("a", a, param.Identity{})
	l.AddPart("x.first", x, 0, 1, param.Exponential{}, 1)
	l.AddPart("x.rest", x, 1, 3, param.Identity{}, 2)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	objective := tape.Sum(tape.Mul(tape.Square(x), a))
	gradient := make([]float64, 4)
	value, err := l.EvaluateTape(tape, objective, gradient)
	// The derivative with respect to log x is x times the derivative with respect to x.
	if err != nil || value != 28 || !slices.Equal(gradient, []float64{14, 4, -8, 12}) {
		t.Errorf("value %v, gradient %v, %v", value, gradient, err)
	}
	if l.Parameters() != l.Set || l.Set.NameAt(3) != "x.rest" {
		t.Errorf("the last entry is %s", l.Set.NameAt(3))
	}
	clear(gradient)
	l.Set.Free[1] = math.Log(3)
	l.Set.Forward()
	if value, err := l.EvaluateTape(tape, objective, nil); err != nil || math.Abs(value-44) > 1e-13 {
		t.Errorf("without a gradient: %v, %v", value, err)
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		a.Value[0] = bad
		value, err := l.EvaluateTape(tape, objective, gradient)
		if err != nil || value-value == 0 || !slices.Equal(gradient, make([]float64, 4)) {
			t.Errorf("a is %v: value %v, gradient %v, %v", bad, value, gradient, err)
		}
	}
	l.Add("a", a, param.Identity{})
	if err := l.Close(); err == nil || err.Error() != `duplicate parameter name "a"` {
		t.Errorf("error %v", err)
	}
}

func TestFailedTape(t *testing.T) {
	tape := autodiff.NewTape()
	a := tape.Variable(1, 1, 1)
	a.Value[0] = -1
	var l Leaves
	l.Add("a", a, param.Identity{})
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	gradient := []float64{7}
	value, err := l.EvaluateTape(tape, tape.Cholesky(a, "K"), gradient)
	if err == nil || !math.IsNaN(value) || gradient[0] != 7 {
		t.Errorf("value %v, gradient %v, %v", value, gradient, err)
	}
}
