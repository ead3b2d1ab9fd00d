package predictive

import (
	"math"
	"math/rand/v2"
	"testing"

	"dgplab/viz/golden"
)

// softLink is a link whose probabilities are easy to compute.
type softLink struct{}

func (softLink) LogProbabilities(dst, mean, vr []float64) {
	var sum float64
	for k := range dst {
		dst[k] = mean[min(k, len(mean)-1)]*float64(1-2*(k/len(mean))) - 0.5*vr[k%len(vr)]
		sum += math.Exp(dst[k])
	}
	for k := range dst {
		dst[k] -= math.Log(sum)
	}
}

// TestRandomMixtures compares all scores and summaries of random mixtures, narrow and wide, with missing
// targets and in several units, with recorded results.
func TestRandomMixtures(t *testing.T) {
	var d golden.Digest
	for i, group := range []string{"one component", "two components", "five components", "many components",
		"many points"} {
		r := rand.New(rand.NewPCG(uint64(i), 23))
		d.Begin(group)
		for range 24 {
			s := []int{1, 2, 5, 40, 3}[i]
			n := 1 + r.IntN(4)
			if group == "many points" {
				n = 150
			}
			p := 1 + r.IntN(3)
			m := randomMixture(r, s, n, p)
			y := make([]float64, n*p)
			for k := range y {
				at := r.IntN(s)
				y[k] = m.Mean[at*n*p+k] + 2*r.NormFloat64()*math.Sqrt(m.Var[at*n*p+k]+0.1)
				if r.IntN(8) == 0 {
					y[k] = math.NaN()
				}
			}
			u := Units{}
			if r.IntN(3) > 0 {
				u = Units{Mean: make([]float64, p), SD: make([]float64, p), Log: r.IntN(2) == 0}
				for k := range p {
					u.Mean[k] = r.NormFloat64()
					u.SD[k] = math.Exp(0.5 * r.NormFloat64())
				}
			}
			addRegression(&d, m, y, u)
			addMixture(&d, r, m, y)
			for k := range y {
				if !math.IsNaN(y[k]) {
					y[k] = float64(r.IntN(2)*2 - 1)
				}
			}
			probit := &Probit{S: s, N: n * p, Weights: m.Weights, Mean: m.Mean, Var: m.Var}
			addClasses(&d, probit, y)
			addMixture(&d, r, probit, y)
			m.P = 1
			m.N = n * p
			if p > 1 {
				m.P, m.N = p, n
			}
			classes := NewClasses(m, softLink{})
			for k := range y {
				if p > 1 && !math.IsNaN(y[k]) {
					y[k] = float64(r.IntN(classes.K))
				}
			}
			addClasses(&d, classes, y[:classes.N])
			addMixture(&d, r, classes, y[:classes.N])
		}
	}
	d.Check(t, "mixtures")
}

// randomMixture returns a mixture with variances and distances of all magnitudes. Some are correlated, and
// some have similar variances.
func randomMixture(r *rand.Rand, s, n, p int) *Gaussians {
	m := NewGaussians(make([]float64, s), n, p)
	var total float64
	for k := range m.Weights {
		m.Weights[k] = r.ExpFloat64()
		total += m.Weights[k]
	}
	for k := range m.Weights {
		m.Weights[k] /= total
	}
	apart := math.Exp(2 * r.NormFloat64())
	wide := math.Exp(2 * r.NormFloat64())
	similar := float64(r.IntN(2))
	for k := range m.Mean {
		m.Mean[k] = apart * r.NormFloat64()
		m.Var[k] = wide * (similar + r.ExpFloat64())
	}
	m.Noise = SharedNoise(0.01*r.Float64(), s, p)
	if r.IntN(2) == 0 {
		m.Covariance = make([]float64, s*n*p*p)
		for k := range s * n {
			for i := range p {
				for j := range i {
					m.Covariance[(k*p+i)*p+j] = 0.4 * math.Sqrt(m.Var[k*p+i]*m.Var[k*p+j])
				}
			}
		}
	}
	return m
}

// addRegression adds everything that a prediction tells about real targets.
func addRegression(d *golden.Digest, m *Gaussians, y []float64, u Units) {
	dst := make([]float64, len(y))
	other := make([]float64, len(y))
	m.LogDensity(dst, y)
	d.AddNumbers("density", dst[:m.N]...)
	m.LogDensityByOutput(dst, y)
	d.AddNumbers("density", dst...)
	u.LogDensityByOutput(m, dst, y)
	d.AddNumbers("density", dst...)
	d.AddNumbers("density", u.LogDensityShift(y), u.Target(len(y)-1, 0.3))
	u.Moments(m, dst, other)
	d.AddNumbers("moments", append(dst, other...)...)
	quantiles := make([]float64, 6*len(y))
	m.Quantiles(quantiles, []float64{1e-6, 0.025, 0.3, 0.5, 0.9, 0.999})
	d.AddNumbers("quantiles", quantiles...)
	m.PIT(dst, y)
	d.AddNumbers("quantiles", dst...)
	m.CRPS(dst, y)
	d.AddNumbers("scores", dst...)
	if u.Log {
		m.ExpCRPS(u, dst, y)
		d.AddNumbers("scores", dst...)
	}
	addScores(d, m, y, u)
}

// addScores adds the scores of a prediction.
func addScores(d *golden.Digest, m Predictive, y []float64, u Units) {
	var tally Tally
	tally.Add(m, y, u)
	tally.Add(m, y, u)
	s := tally.Scores()
	for _, s := range append(s.Outputs, s) {
		d.AddNumbers("scores", float64(s.N), s.LogLik, s.StdLogLik, s.NLL, s.StdNLL, s.RMSE, s.MAE, s.CRPS,
			s.SMSE, s.StdRMSE, s.StdCRPS, s.ErrorRate, s.Accuracy, s.LogLoss, s.Brier, s.ECE)
		d.AddNumbers("scores", s.Coverage[:]...)
	}
}

// addClasses adds everything that a prediction tells about classes.
func addClasses(d *golden.Digest, m Classification, y []float64) {
	n, _ := m.Dims()
	probabilities := make([]float64, n*m.Classes())
	m.Probabilities(probabilities)
	d.AddNumbers("classes", probabilities...)
	d.AddNumbers("classes", float64(Top(probabilities)), float64(Bin(probabilities[0], 9)))
	density := make([]float64, n)
	m.LogDensity(density, y)
	d.AddNumbers("classes", density...)
	addScores(d, m, y, Units{})
}

// addMixture adds the densities of components and of one point with other weights.
func addMixture(d *golden.Digest, r *rand.Rand, m Mixture, y []float64) {
	n, p := m.Dims()
	var weights []float64
	switch m := m.(type) {
	case *Gaussians:
		weights = m.Weights
	case *Probit:
		weights = m.Weights
	case *Classes:
		weights = m.Weights
	}
	dst := make([]float64, len(weights)*n)
	m.ComponentLogDensity(dst, y)
	d.AddNumbers("components", dst...)
	at := r.IntN(n)
	m.Reweighted(at, weights).LogDensity(dst[:1], y[at*p:(at+1)*p])
	d.AddNumbers("components", dst[0])
}
