package bnn

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"

	"dgplab/models/familytest"
)

// known returns the prior after observing n nearly known weights, drawn with standard deviation sd,
// and the sum of squares of these weights.
func known(n int, sd float64) (p *weightPrior, squares float64) {
	d := newDense(0, n)
	p = newWeightPrior([]*dense{d}, []float64{6, 6})
	r := rand.New(rand.NewPCG(3, 4))
	for i := range d.mean {
		d.mean[i], d.vr[i] = sd*r.NormFloat64(), 1e-8
		squares += d.mean[i] * d.mean[i]
	}
	return p, squares
}

// The variance of known weights is close to the exact inverse-Gamma posterior, even for weights far
// smaller or larger than expected.
func TestPriorOfKnownWeights(t *testing.T) {
	const n = 400
	for _, sd := range []float64{0.1, 1, 4} {
		p, squares := known(n, sd)
		for range 20 {
			p.refine()
		}
		exact := (6 + squares/2) / (6 + n/2. - 1)
		// The Gaussian that replaces Student's t causes an error of a few percent.
		if got := p.variance(); math.Abs(got/exact-1) > 0.05 {
			t.Errorf("weights of size %v: the variance is %v, want about %v", sd, got, exact)
		}
		before := slices.Clone(p.gamma)
		p.refine()
		if math.Abs(p.gamma[0]/before[0]-1) > 1e-3 || math.Abs(p.gamma[1]/before[1]-1) > 1e-3 {
			t.Errorf("weights of size %v: %v became %v", sd, before, p.gamma)
		}
	}
}

// After one refinement, the weight has the moments of its cavity times Student's t. The Gaussian
// that replaces Student's t is accurate if the precision is nearly known.
func TestRefinedMoments(t *testing.T) {
	d := newDense(0, 1)
	p := newWeightPrior([]*dense{d}, []float64{300, 150})
	const mean, variance = 0.8, 0.3 // of the cavity, after removal of the factor
	precision := 1/variance + p.factors[0]
	d.mean[0], d.vr[0] = mean/variance/precision, 1/precision
	p.refine()
	student := distuv.StudentsT{Mu: 0, Sigma: math.Sqrt(150. / 300), Nu: 600}
	var moments [3]float64
	for k := range moments {
		moments[k] = quad.Fixed(func(w float64) float64 {
			return math.Pow(w, float64(k)) * student.Prob(w) *
				distuv.Normal{Mu: mean, Sigma: math.Sqrt(variance)}.Prob(w)
		}, -8, 8, 400, nil, 0)
	}
	first := moments[1] / moments[0]
	second := moments[2]/moments[0] - first*first
	if math.Abs(d.mean[0]-first) > 2e-3 || math.Abs(d.vr[0]-second) > 2e-3 {
		t.Errorf("moments %v, %v, want %v, %v", d.mean[0], d.vr[0], first, second)
	}
}

// A refinement before any data leaves the prior unchanged.
func TestPriorBeforeTheData(t *testing.T) {
	m := newFilter(t, familytest.Wave(20, 1), nil)
	before := slices.Clone(m.p.prior.factors)
	m.p.prior.refine()
	if !slices.Equal(before, m.p.prior.factors) || m.p.prior.gamma[0] != 6 || m.p.prior.gamma[1] != 6 {
		t.Errorf("the prior became Gamma(%v)", m.p.prior.gamma)
	}
}

// The prior is refined exactly once per pass over the data.
func TestPriorIsRefinedAfterPasses(t *testing.T) {
	m := newFilter(t, familytest.Wave(70, 1), map[string]string{"batch": "30"})
	for step := 1; step <= 7; step++ {
		before := slices.Clone(m.p.prior.gamma)
		familytest.Steps(t, m, 1)
		if moved := !slices.Equal(before, m.p.prior.gamma); moved != (30*step/70 > 30*(step-1)/70) {
			t.Errorf("step %d: refined is %v", step, moved)
		}
	}
}
