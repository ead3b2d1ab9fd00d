package likelihood

import (
	"math"

	"dgplab/models/normal"
)

// Gaussian is p(y | f) = N(y; f, noise).
type Gaussian struct{}

// Latents implements Likelihood.
func (Gaussian) Latents(targets int) int { return targets }

// VariationalExpectations implements Likelihood in closed form:
//
//	E log N(y; f, s2) = -1/2 log(2 pi s2) - ((y - mean)^2 + vr) / (2 s2)
func (Gaussian) VariationalExpectations(terms, dMean, dVar, dNoise, y, mean, vr, noise []float64) {
	inRuns(len(terms), dNoise, noise, func(first, last int, noise float64) float64 {
		precision := 1 / noise
		constant := -0.5 * math.Log(2*math.Pi*noise)
		var squares float64
		count := 0
		for i := first; i < last; i++ {
			if missing(i, terms, dMean, dVar, y) {
				continue
			}
			d := y[i] - mean[i]
			square := d*d + vr[i]
			terms[i] = constant - 0.5*precision*square
			dMean[i] = precision * d
			dVar[i] = -0.5 * precision
			squares += square
			count++
		}
		return 0.5 * precision * (precision*squares - float64(count))
	})
}

// LogExpectation implements Likelihood in closed form: log N(y; mean, vr + noise).
func (Gaussian) LogExpectation(terms, dMean, dVar, dNoise, y, mean, vr, noise []float64) {
	inRuns(len(terms), dNoise, noise, func(first, last int, noise float64) (sum float64) {
		for i := first; i < last; i++ {
			if missing(i, terms, dMean, dVar, y) {
				continue
			}
			terms[i] = normal.LogPDF(y[i], mean[i], vr[i]+noise)
			precision := 1 / (vr[i] + noise)
			dMean[i] = precision * (y[i] - mean[i])
			dVar[i] = 0.5 * (dMean[i]*dMean[i] - precision)
			sum += dVar[i]
		}
		return sum
	})
}
