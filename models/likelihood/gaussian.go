package likelihood

import (
	"math"

	"dgplab/models/normal"
)

// Gaussian is p(y | f) = N(y; f, noise).
type Gaussian struct{}

// VariationalExpectations implements Likelihood in closed form:
//
//	E log N(y; f, s2) = -1/2 log(2 pi s2) - ((y - mean)^2 + vr) / (2 s2)
func (Gaussian) VariationalExpectations(terms, dMean, dVar, y, mean, vr []float64, noise float64) (dNoise float64) {
	precision := 1 / noise
	constant := -0.5 * math.Log(2*math.Pi*noise)
	var squares float64
	for i := range terms {
		d := y[i] - mean[i]
		square := d*d + vr[i]
		terms[i] = constant - 0.5*precision*square
		dMean[i] = precision * d
		dVar[i] = -0.5 * precision
		squares += square
	}
	return 0.5 * precision * (precision*squares - float64(len(terms)))
}

// PredictLogDensity implements Likelihood: log N(y; mean, vr + noise).
func (Gaussian) PredictLogDensity(dst, y, mean, vr []float64, noise float64) {
	for i := range dst {
		dst[i] = normal.LogPDF(y[i], mean[i], vr[i]+noise)
	}
}

// HasNoise implements Likelihood.
func (Gaussian) HasNoise() bool { return true }
