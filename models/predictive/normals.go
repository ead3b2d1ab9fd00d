package predictive

import (
	"math"

	"dgplab/models/linalg/vec"
)

// normals is a mixture of S Gaussians in one dimension, the distribution of one target.
type normals struct {
	// weights sum to 1; mean, vr, sd and inverse (1/sd) describe the components, [S].
	weights, mean, vr, sd, inverse []float64
	// density and slope are the factors of the components in the density, weight/sd, and in its derivative,
	// -weight/sd^2, [S].
	density, slope []float64
	// z, cdf and pdf are room for the evaluation, [S].
	z, cdf, pdf []float64
}

// newNormals returns room for mixtures with the given weights.
func newNormals(weights []float64) *normals {
	room := make([]float64, 9*len(weights))
	next := func() (row []float64) {
		row, room = room[:len(weights)], room[len(weights):]
		return row
	}
	return &normals{weights: weights, mean: next(), vr: next(), sd: next(), inverse: next(), density: next(),
		slope: next(), z: next(), cdf: next(), pdf: next()}
}

// load sets the components to those of target k of [N][P].
func (t *normals) load(m *Gaussians, k int) {
	for s := range t.mean {
		t.mean[s], t.vr[s] = m.component(s, k)
	}
	t.standardise()
}

// standardise sets sd and the fields that follow from it.
func (t *normals) standardise() {
	for s, vr := range t.vr {
		t.sd[s] = math.Sqrt(vr)
		t.inverse[s] = 1 / t.sd[s]
	}
	for s, w := range t.weights {
		t.density[s] = w * t.inverse[s]
		t.slope[s] = -t.density[s] * t.inverse[s]
	}
}

// evaluate sets z, cdf and pdf to the standardised value of x under each component, and the standard normal
// distribution function and density there.
func (t *normals) evaluate(x float64) {
	for s, mean := range t.mean {
		t.z[s] = (x - mean) * t.inverse[s]
	}
	vec.Normal(t.cdf, t.pdf, t.z)
}

// below returns the probability of a value below x.
func (t *normals) below(x float64) (probability float64) {
	t.evaluate(x)
	for s, w := range t.weights {
		probability += w * t.cdf[s]
	}
	return probability
}

// expand returns the probability of a value below x, the density at x and its derivative.
func (t *normals) expand(x float64) (below, density, slope float64) {
	t.evaluate(x)
	below = vec.Dot(t.weights, t.cdf)
	density = vec.Dot(t.density, t.pdf)
	vec.Mul(t.z, t.z, t.pdf)
	return below, density, vec.Dot(t.slope, t.z)
}

// moments returns the mean and the standard deviation.
func (t *normals) moments() (mean, sd float64) {
	for s, w := range t.weights {
		mean += w * t.mean[s]
	}
	var vr float64
	for s, w := range t.weights {
		d := t.mean[s] - mean
		vr += w * (t.vr[s] + d*d)
	}
	return mean, math.Sqrt(vr)
}
