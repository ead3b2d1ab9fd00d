package gprn

import (
	"math"
	"math/rand/v2"

	"dgplab/models/predictive"
	"dgplab/models/stats"
)

// drawn is a predictive mixture of Gaussians: the outputs are Gaussian given the weights, so only
// the weights are drawn. Moments are exact, in closed form (eqs. 40, 41); densities are densities
// of the mixture.
type drawn struct {
	*predictive.Gaussians
	mean, variance []float64 // moments of the outputs including noise, [n][P]
}

// Moments implements predictive.Regression.
func (p *drawn) Moments(mean, vr []float64) {
	copy(mean, p.mean)
	copy(vr, p.variance)
}

// ExactMoments implements predictive.Exact.
func (p *drawn) ExactMoments() bool { return true }

// mixture is the posterior at some points: components of equal weight, each with the moments of all
// functions.
type mixture struct {
	p, q       int
	noise      float64
	components []*moments
}

// draw returns a prediction with at least the given number of Gaussians, equally many for each
// component. Given weights W, drawn independently for every point, and latent functions with means
// a and variances b, y ~ N(W a, W diag(b) W^T + noise).
func (m *mixture) draw(samples int, seed uint64) *drawn {
	n, each := m.components[0].n, (samples+len(m.components)-1)/len(m.components)
	s := each * len(m.components)
	out := &drawn{
		Gaussians: &predictive.Gaussians{S: s, N: n, P: m.p, Weights: make([]float64, s),
			Mean: make([]float64, s*n*m.p), Var: make([]float64, s*n*m.p),
			Noise: predictive.SharedNoise(m.noise, s, m.p), Covariance: make([]float64, s*n*m.p*m.p)},
		mean: make([]float64, n*m.p), variance: make([]float64, n*m.p),
	}
	fill(out.Weights, 1/float64(s))
	w := make([]float64, m.p*m.q)
	for k := range s {
		rng := stats.Stream(seed, "weights", uint64(k))
		c := m.components[k/each]
		for point := range n {
			m.drawWeights(w, c, point, rng)
			m.setGaussian(out.Gaussians, w, c, k*n+point, point)
		}
	}
	m.setMoments(out)
	return out
}

// drawWeights draws the weights [P][Q] at a point.
func (m *mixture) drawWeights(w []float64, c *moments, point int, rng *rand.Rand) {
	for k := range w {
		mean, variance := c.of(m.q + k)
		w[k] = mean[point] + math.Sqrt(variance[point])*rng.NormFloat64()
	}
}

// setGaussian sets entry at (an index over components and points) of out to the Gaussian given
// weights w.
func (m *mixture) setGaussian(out *predictive.Gaussians, w []float64, c *moments, at, point int) {
	covariance := out.Covariance[at*m.p*m.p : (at+1)*m.p*m.p]
	for j := range m.q {
		mean, variance := c.of(j)
		for i := range m.p {
			wi := w[i*m.q+j]
			out.Mean[at*m.p+i] += wi * mean[point]
			for k := range m.p {
				covariance[i*m.p+k] += wi * variance[point] * w[k*m.q+j]
			}
		}
	}
	for i := range m.p {
		out.Var[at*m.p+i] = covariance[i*m.p+i]
	}
}

// setMoments sets the moments of the outputs. A component has
//
//	mean      sum_j E w_ij E f_j
//	variance  sum_j (E w_ij)^2 var f_j + var w_ij E f_j^2 + noise
//
// and several components are combined by the law of total variance.
func (m *mixture) setMoments(out *drawn) {
	n, share := out.N, 1/float64(len(m.components))
	second := make([]float64, len(out.mean))
	for _, c := range m.components {
		for point := range n {
			for i := range m.p {
				mean, variance := m.output(c, i, point)
				out.mean[point*m.p+i] += share * mean
				out.variance[point*m.p+i] += share * variance
				second[point*m.p+i] += share * mean * mean
			}
		}
	}
	if len(m.components) > 1 {
		for k, mean := range out.mean {
			out.variance[k] += max(0, second[k]-mean*mean)
		}
	}
}

// output returns the moments of output i at a point, including noise.
func (m *mixture) output(c *moments, i, point int) (mean, variance float64) {
	variance = m.noise
	for j := range m.q {
		fMean, fVar := c.of(j)
		wMean, wVar := c.of(m.q + i*m.q + j)
		f, w := fMean[point], wMean[point]
		mean += w * f
		variance += w*w*fVar[point] + wVar[point]*(f*f+fVar[point])
	}
	return mean, variance
}
