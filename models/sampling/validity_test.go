package sampling

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/familytest"
)

// The samples have the mean and covariance of the target. SGLD samples have the stationary
// covariance of a finite step size: without an accept-reject step, x' - m = (I - e/2 A)(x - m) +
// sqrt(e) z has the stationary covariance (A (I - e/4 A))^-1.
func TestSamplersOnAGaussian(t *testing.T) {
	precision := mat.NewDense(3, 3, nil)
	for i, row := range targetPrecision {
		precision.SetRow(i, row)
	}
	for name, e := range map[string]float64{"hmc": 0, "sgld": 0.1} {
		t.Run(name, func(t *testing.T) {
			var shrunk, covariance mat.Dense
			shrunk.Mul(precision, precision)
			shrunk.Scale(-e/4, &shrunk)
			shrunk.Add(&shrunk, precision)
			if err := covariance.Inverse(&shrunk); err != nil {
				t.Fatal(err)
			}
			m, _ := newModel(t, 4, Phases{BurnIn: 1000, Kept: 20000, Thinning: 1}, methods[name](1000))
			familytest.Steps(t, m, 21000)
			for i, mean := range targetMean {
				check(t, m, "mean", mean, func(x []float64) float64 { return x[i] })
				for j := range i + 1 {
					check(t, m, "covariance", covariance.At(i, j), func(x []float64) float64 {
						return (x[i] - targetMean[i]) * (x[j] - targetMean[j])
					})
				}
			}
		})
	}
}

// check compares the mean of f over all samples with want.
func check(t *testing.T, m *testModel, what string, want float64, f func(x []float64) float64) {
	t.Helper()
	const pieces = 20 // per chain
	var means []float64
	for c := range m.Chains() {
		draws := m.Draws(c)
		length := len(draws) / pieces
		for k := range pieces {
			var sum float64
			for _, x := range draws[k*length : (k+1)*length] {
				sum += f(x)
			}
			means = append(means, sum/float64(length))
		}
	}
	familytest.Agree(t, what, means, want)
}

// The adapted step size yields the target acceptance rate from any initial guess, and is fixed
// after burn-in.
func TestStepSizeAdapts(t *testing.T) {
	for _, guess := range []float64{1e-6, 0.1, 1e3} {
		m, _ := newModel(t, 1, Phases{BurnIn: 1000, Kept: 1, Thinning: 1}, trajectoriesFrom(guess, 1000))
		adapted := familytest.Steps(t, m, 1000).Gauges[2]
		r := familytest.Steps(t, m, 3000)
		// The averaged step size does not give exactly the target acceptance rate, so the tolerance
		// is wide.
		if r.Gauges[2] != adapted || math.Abs(r.Gauges[0]-0.8) > 0.1 || r.Gauges[1] != 0 {
			t.Errorf("from %v: step size %v, then %v with acceptance %v and %v divergences",
				guess, adapted, r.Gauges[2], r.Gauges[0], r.Gauges[1])
		}
	}
}

// Divergent trajectories are counted and rejected.
func TestDivergences(t *testing.T) {
	m, targets := newModel(t, 2, Phases{Kept: 1, Thinning: 1}, trajectoriesFrom(50, 0))
	r := familytest.Steps(t, m, 10)
	if r.Gauges[0] > 1e-9 || r.Gauges[3] != maxEnergyChange || r.Gauges[1] != 20 || math.IsNaN(r.Objective) {
		t.Errorf("gauges %v, log joint %v", r.Gauges, r.Objective)
	}
	for _, v := range targets[0].x {
		if v != 0 {
			t.Errorf("the chain has moved to %v", targets[0].x)
		}
	}
}
