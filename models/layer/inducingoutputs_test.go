package layer

import (
	"math"
	"slices"
	"testing"

	"dgplab/models/autodiff"
	"dgplab/models/familytest"
)

// If the whitened outputs are standard normal, q must be the prior N(m(Z), K_uu).
func TestInducingOutputsOfThePrior(t *testing.T) {
	c := LocalConfig{
		Inputs:     2,
		Outputs:    2,
		Inducing:   3,
		Kernel:     familytest.Kernel(t, "matern52", 2),
		Hidden:     1,
		Whiten:     true,
		LinearMean: true,
		Jitter:     1e-6,
	}
	l := NewLocal(autodiff.NewTape(), c, Start{Variance: 2, Lengthscale: 0.7, Spread: 1, Noise: 1, Seed: 3})
	z := []float64{0.1, 0.2, -1, 0.5, 0.8, 2} // [M*D], one column
	for full, spread := range map[bool][]float64{false: {1, 1, 1}, true: {1, 0, 1, 0, 0, 1}} {
		l.config.Full = full
		tape := autodiff.NewTape()
		node := func(values []float64) *autodiff.Node {
			n := tape.Constant(1, len(values), 1)
			copy(n.Value, values)
			return n
		}
		q := &Inferred{Z: node(z), Mean: node(make([]float64, 6)), Spread: node(append(spread, spread...))}
		got, err := l.InducingOutputs(q, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			if want := l.meanW.Value[1]*z[2*i] +
				l.meanW.Value[3]*z[2*i+1]; math.Abs(got.Mean[i]-want) > 1e-14 {
				t.Errorf("mean %d is %v, want %v", i, got.Mean[i], want)
			}
			if want := math.Sqrt(2 + 1e-6); math.Abs(got.SD[i]-want) > 1e-12 {
				t.Errorf("standard deviation %d is %v, want %v", i, got.SD[i], want)
			}
			for j := range i {
				var covariance float64
				for k := range j + 1 {
					covariance += got.Factor[packed(i, k)] * got.Factor[packed(j, k)]
				}
				r := math.Sqrt(5) * math.Hypot(z[2*i]-z[2*j], z[2*i+1]-z[2*j+1]) / 0.7
				if want := 2 * (1 + r + r*r/3) * math.Exp(-r); math.Abs(covariance-want) > 1e-12 {
					t.Errorf("covariance %d, %d is %v, want %v", i, j, covariance, want)
				}
			}
		}
	}
}

// The covariance is diagonal for standard deviations, and F F^T for a lower factor F in packed rows.
func TestCovarianceOfInducingOutputs(t *testing.T) {
	for name, c := range map[string]struct {
		q    InducingOutputs
		want []float64
	}{
		"diagonal": {InducingOutputs{Mean: []float64{0, 0}, SD: []float64{2, 3}}, []float64{4, 0, 0, 9}},
		"full": {InducingOutputs{Mean: []float64{0, 0}, Factor: []float64{2, 1, 3}},
			[]float64{4, 2, 2, 10}},
	} {
		if got := c.q.Covariance(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
