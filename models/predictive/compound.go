package predictive

import (
	"math"
	"math/rand/v2"
	"slices"

	"dgplab/models/stats"
)

// Observation is the distribution of a target, a real number or a count, given latent functions.
// mean and vr hold the moments of its K independent Gaussian latent functions, and params holds its
// parameters.
type Observation interface {
	// Latents returns K.
	Latents() int
	// LogDensity returns the log density at y, or for counts the log probability.
	LogDensity(y float64, mean, vr, params []float64) float64
	// Kernel adds the terms of the probability of at most y, with the latent functions other than the first
	// one integrated out. vr[0] is the smallest variance for which the kernel is used. For a real target, At
	// is y for all terms, and the rest does not depend on it. For a count, which is not negative, At ascends
	// and all variances are equal.
	Kernel(k *Kernel, y float64, mean, vr, params []float64)
	// Moments returns the mean and the variance, which may be infinite.
	Moments(mean, vr, params []float64) (mu, variance float64)
	// Draw returns a random target given the latent functions f [K].
	Draw(r *rand.Rand, f, params []float64) float64
	// Discrete reports whether the targets are counts.
	Discrete() bool
}

// Compound is a mixture of S components over P targets at each of N points. Within a component, the
// latent functions of the targets are independent and Gaussian.
type Compound struct {
	S, N, P int
	// Weights sum to 1, [S].
	Weights []float64
	// Mean and Var are the moments of the latent functions, [S][N][P][K].
	Mean, Var []float64
	// Params holds the parameters of the observation, shared or for each component, [1 or S][Q].
	Params      [][]float64
	Observation Observation
}

// NewCompound returns the prediction for a mixture over latent functions. params holds one set of
// parameters, or one for each component.
func NewCompound(of Observation, latent *Gaussians, params []float64, sets int) *Compound {
	m := &Compound{S: latent.S, N: latent.N, P: latent.P / of.Latents(), Weights: latent.Weights,
		Mean: latent.Mean, Var: latent.Var, Observation: of}
	size := len(params) / sets
	for s := range sets {
		m.Params = append(m.Params, params[s*size:(s+1)*size])
	}
	return m
}

// Dims implements Predictive.
func (m *Compound) Dims() (n, p int) { return m.N, m.P }

// Discrete reports whether the targets are counts.
func (m *Compound) Discrete() bool { return m.Observation.Discrete() }

// component returns the moments and parameters of target k of [N][P] under component s.
func (m *Compound) component(s, k int) (mean, vr, params []float64) {
	size := m.Observation.Latents()
	at := (s*m.N*m.P + k) * size
	return m.Mean[at : at+size], m.Var[at : at+size], m.Params[min(s, len(m.Params)-1)]
}

// LogDensity implements Predictive.
func (m *Compound) LogDensity(dst, y []float64) {
	check(m, y)
	mix(dst[:m.N], y, m.Weights, func() func(s, n int) float64 { return m.components(y) })
}

// components returns a function that computes the log density of point n under component s.
func (m *Compound) components(y []float64) func(s, n int) float64 {
	return func(s, n int) (sum float64) {
		for p, target := range y[n*m.P : (n+1)*m.P] {
			if !math.IsNaN(target) {
				mean, vr, params := m.component(s, n*m.P+p)
				sum += m.Observation.LogDensity(target, mean, vr, params)
			}
		}
		return sum
	}
}

// LogDensityByOutput implements Regression.
func (m *Compound) LogDensityByOutput(dst, y []float64) {
	logWeights := logsOf(m.Weights)
	logs := make([]float64, m.S)
	for k, target := range y[:check(m, y)] {
		dst[k] = math.NaN()
		if math.IsNaN(target) {
			continue
		}
		for s, w := range logWeights {
			mean, vr, params := m.component(s, k)
			logs[s] = w + m.Observation.LogDensity(target, mean, vr, params)
		}
		dst[k] = logSumExp(logs)
	}
}

// Moments implements Regression.
func (m *Compound) Moments(mean, vr []float64) {
	for k := range m.N * m.P {
		var mu, square float64
		for s, w := range m.Weights {
			mean, _ := m.Observation.Moments(m.component(s, k))
			mu += w * mean
		}
		for s, w := range m.Weights {
			mean, variance := m.Observation.Moments(m.component(s, k))
			square += w * (variance + (mean-mu)*(mean-mu))
		}
		mean[k], vr[k] = mu, square
	}
}

// PIT implements Regression. For counts it is randomised, u P(Y <= y) + (1-u) P(Y < y), which is
// uniform for a calibrated prediction (Czado, Gneiting, Held, "Predictive Model Assessment for Count
// Data", 2009). The u depend only on the positions of the points.
func (m *Compound) PIT(dst, y []float64) {
	inPieces(check(m, y), m.S, func(from, to int) {
		target := newMargin(m)
		for k := from; k < to; k++ {
			dst[k] = math.NaN()
			if math.IsNaN(y[k]) {
				continue
			}
			target.load(k)
			dst[k], _ = target.below(y[k])
			if m.Discrete() {
				u := stats.Stream(0, "randomised PIT", uint64(k)).Float64()
				less, _ := target.below(y[k] - 1)
				dst[k] = u*dst[k] + (1-u)*less
			}
		}
	})
}

// Above implements Regression. For counts it is the probability of more than the limit.
func (m *Compound) Above(dst, y []float64) {
	inPieces(check(m, y), m.S, func(from, to int) {
		target := newMargin(m)
		for k := from; k < to; k++ {
			limit := y[k]
			switch {
			case math.IsInf(limit, -1) || m.Discrete() && limit < 0:
				dst[k] = 1
				continue
			case math.IsInf(limit, 1):
				dst[k] = 0
				continue
			case m.Discrete():
				limit = math.Floor(limit)
			}
			target.load(k)
			below, _ := target.below(limit)
			dst[k] = 1 - below
		}
	})
}

// crpsDraws is the number of draws of a target from which the CRPS is estimated.
const crpsDraws = 512

// CRPS implements Regression. It is estimated from draws: E|Y - y| - E|Y - Y'|/2 (Gneiting, Raftery,
// "Strictly Proper Scoring Rules, Prediction, and Estimation", 2007, eq. 21).
func (m *Compound) CRPS(dst, y []float64) {
	inPieces(check(m, y), m.S, func(from, to int) {
		draws := make([]float64, crpsDraws)
		f := make([]float64, m.Observation.Latents())
		streams := stats.NewStreams(0, "CRPS")
		for k := from; k < to; k++ {
			dst[k] = math.NaN()
			if math.IsNaN(y[k]) {
				continue
			}
			m.draw(draws, f, k, streams.At(uint64(k)))
			slices.Sort(draws)
			var distance, spread float64
			for i, v := range draws {
				distance += math.Abs(v - y[k])
				spread += float64(2*i-crpsDraws+1) * v
			}
			dst[k] = distance/crpsDraws - spread/(crpsDraws*(crpsDraws-1))
		}
	})
}

// draw sets dst to draws of target k of [N][P], with components in the proportions of their weights.
// f [K] is room.
func (m *Compound) draw(dst, f []float64, k int, r *rand.Rand) {
	s, end := 0, m.Weights[0]
	for i := range dst {
		for at := (float64(i) + 0.5) / float64(len(dst)); at > end && s < m.S-1; {
			s++
			end += m.Weights[s]
		}
		mean, vr, params := m.component(s, k)
		for j := range f {
			f[j] = mean[j] + math.Sqrt(math.Max(vr[j], 0))*r.NormFloat64()
		}
		dst[i] = m.Observation.Draw(r, f, params)
	}
}

// Quantiles implements Regression. The quantile of counts is the smallest count with at least the
// probability level of not being exceeded.
func (m *Compound) Quantiles(dst, levels []float64) {
	size := m.N * m.P
	inPieces(size, m.S, func(from, to int) {
		target := newMargin(m)
		for k := from; k < to; k++ {
			target.load(k)
			for l, level := range levels {
				dst[l*size+k] = target.quantile(level)
			}
		}
	})
}
