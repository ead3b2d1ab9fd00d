package likelihood

import (
	"math"

	"dgplab/datasets/task"
	"dgplab/models/linalg/vec"
	"dgplab/models/param"
	"dgplab/models/predictive"
)

var gaussian = Declaration{
	Name: "gaussian", Formula: "N(y; f, variance)", Use: "real targets with Gaussian noise",
	Tasks: []task.Task{task.Regression},
	New:   func(s Setup) Likelihood { return Gaussian{Noise: s.Noise} },
}

// Gaussian is p(y | f) = N(y; f, variance). If the rows have known noise, params may hold the variance of
// each row, [n], instead of one variance for all; see Rows.
type Gaussian struct {
	// Noise is the initial variance.
	Noise float64
	// Known is set if the variance of every row is known, so that there is no parameter.
	Known bool
}

// Parameters implements Likelihood.
func (l Gaussian) Parameters() []Parameter {
	if l.Known {
		return nil
	}
	return []Parameter{{Name: "variance", Start: l.Noise, Transform: param.Positive{Lower: positiveFloor}}}
}

// Latents implements Likelihood.
func (Gaussian) Latents() int { return 1 }

// serial is used by Serial.
func (Gaussian) serial() bool { return true }

// Observe implements Likelihood. The prediction has no known noise; see predictive.Gaussians.AddNoise.
func (l Gaussian) Observe(latent *predictive.Gaussians, params []float64) predictive.Predictive {
	if l.Known {
		latent.Noise = predictive.SharedNoise(0, latent.S, latent.P)
		return latent
	}
	latent.Noise = nil
	for s := range latent.S {
		variance := params[min(s, len(params)-1)]
		latent.Noise = append(latent.Noise, predictive.SharedNoise(variance, 1, latent.P)...)
	}
	return latent
}

// VariationalExpectations implements Likelihood in closed form:
//
//	E log N(y; f, s2) = -1/2 log(2 pi s2) - ((y - mean)^2 + vr) / (2 s2)
func (l Gaussian) VariationalExpectations(terms, dMean, dVar, dParams, y, mean, vr, params []float64) {
	if len(params) > 1 {
		l.expectationsOfRows(terms, dMean, dVar, dParams, y, mean, vr, params)
		return
	}
	precision := 1 / params[0]
	constant := -0.5 * math.Log(2*math.Pi*params[0])
	var squares float64
	count := 0
	clear(dParams)
	for i := range terms {
		if missing(i, terms, dMean, dVar, y) {
			continue
		}
		d := y[i] - mean[i]
		square := d*d + vr[i]
		terms[i] = constant - 0.5*precision*square
		dMean[i] = precision * d
		dVar[i] = -0.5 * precision
		if len(dParams) > 1 {
			dParams[i] = 0.5 * precision * (precision*square - 1)
		}
		squares += square
		count++
	}
	if len(dParams) == 1 {
		dParams[0] = 0.5 * precision * (precision*squares - float64(count))
	}
}

// expectationsOfRows is VariationalExpectations for a variance per row. dParams has an entry per row, or
// none.
func (Gaussian) expectationsOfRows(terms, dMean, dVar, dParams, y, mean, vr, variances []float64) {
	clear(dParams)
	for i := range terms {
		if missing(i, terms, dMean, dVar, y) {
			continue
		}
		precision := 1 / variances[i]
		d := y[i] - mean[i]
		square := d*d + vr[i]
		terms[i] = -0.5*math.Log(2*math.Pi*variances[i]) - 0.5*precision*square
		dMean[i] = precision * d
		dVar[i] = -0.5 * precision
		if len(dParams) > 0 {
			dParams[i] = 0.5 * precision * (precision*square - 1)
		}
	}
}

// LogExpectation implements Likelihood in closed form: log N(y; mean, vr + variance).
func (Gaussian) LogExpectation(terms, dMean, dVar, dParams, y, mean, vr, params []float64) {
	for i, v := range vr[:len(terms)] {
		terms[i] = v + params[min(i, len(params)-1)]
		dVar[i] = 1 / terms[i]
	}
	vec.Log(terms, terms)
	clear(dParams)
	for i, logVariance := range terms {
		if missing(i, terms, dMean, dVar, y) {
			continue
		}
		precision, d := dVar[i], y[i]-mean[i]
		terms[i] = -0.5 * (log2Pi + logVariance + precision*d*d)
		dMean[i] = precision * d
		dVar[i] = 0.5 * (dMean[i]*dMean[i] - precision)
		if len(dParams) > 0 {
			dParams[min(i, len(dParams)-1)] += dVar[i]
		}
	}
}

// log2Pi is log(2 pi).
const log2Pi = 1.8378770664093454835606594728112353
