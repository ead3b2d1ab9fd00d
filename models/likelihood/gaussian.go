package likelihood

import (
	"math"

	"dgplab/models/linalg/vec"
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
	for i, v := range vr[:len(terms)] {
		terms[i] = v + noise[min(i, len(noise)-1)]
		dVar[i] = 1 / terms[i]
	}
	vec.Log(terms, terms)
	clear(dNoise)
	for i, logVariance := range terms {
		if missing(i, terms, dMean, dVar, y) {
			continue
		}
		precision, d := dVar[i], y[i]-mean[i]
		terms[i] = -0.5 * (log2Pi + logVariance + precision*d*d)
		dMean[i] = precision * d
		dVar[i] = 0.5 * (dMean[i]*dMean[i] - precision)
		if len(dNoise) > 0 {
			dNoise[min(i, len(dNoise)-1)] += dVar[i]
		}
	}
}

// log2Pi is log(2 pi).
const log2Pi = 1.8378770664093454835606594728112353
