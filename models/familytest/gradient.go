package familytest

import (
	"math"
	"testing"

	"dgplab/models/infer"
)

// Stencil is a central difference: the weights of the values at 1, 2, ... steps on either side.
type Stencil []float64

// Stencils by the order of their error in the step size.
var (
	Second = Stencil{1. / 2}
	Fourth = Stencil{8. / 12, -1. / 12}
	Sixth  = Stencil{45. / 60, -9. / 60, 1. / 60}
)

// Gradients returns the gradient of a problem for its current draw, and its approximation by
// central differences with step h.
func Gradients(t testing.TB, p infer.Problem, s Stencil, h float64) (gradient, differences []float64) {
	t.Helper()
	set := p.Parameters()
	gradient = make([]float64, set.Size())
	differences = make([]float64, set.Size())
	for i := range gradient {
		gradient[i] = math.NaN() // Evaluate must overwrite it.
	}
	if _, err := p.Evaluate(gradient); err != nil {
		t.Fatal(err)
	}
	for i, before := range set.Free {
		at := func(shift float64) float64 {
			set.Free[i] = before + shift
			set.Forward()
			v, err := p.Evaluate(nil)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		for k, weight := range s {
			shift := float64(k+1) * h
			differences[i] += weight * (at(shift) - at(-shift)) / h
		}
		set.Free[i] = before
	}
	set.Forward()
	return gradient, differences
}
