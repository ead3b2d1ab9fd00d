package session

import (
	"math"

	"dgplab/session/rundir"

	"dgplab/datasets"
	"dgplab/models"
)

// newPredictions returns room for a test part, without distances.
func newPredictions(part datasets.Part, classes bool) *rundir.Predictions {
	n := rowsOf(part.X)
	_, outputs := part.Y.Dims()
	p := &rundir.Predictions{N: n, P: outputs, Of: n, Rows: part.Rows, LogLik: make([]float64, n), Target: make([]float64, n*outputs)}
	if p.Rows == nil { // The part is the data set itself.
		p.Rows = subset(n, 0, 0)
	}
	if classes {
		p.Probability = make([]float64, n)
		return p
	}
	p.Mean, p.Variance, p.PIT = make([]float64, n*outputs), make([]float64, n*outputs), make([]float64, n*outputs)
	return p
}

// addPredictions fills in the points from first on from a mixture and its targets y,
// both in standardised units, and returns the number of the next point.
func addPredictions(p *rundir.Predictions, first int, mix *models.Mixture, y []float64, s datasets.Scaling) int {
	last := first + mix.N
	density := p.LogLik[first:last]
	mix.LogDensity(density, y)
	if p.Classes() {
		copy(p.Target[first:last], y)
		copy(p.Probability[first:last], mix.ProbPlus)
		return last
	}
	jacobian := 0.0
	for _, sd := range s.TargetSD {
		jacobian += math.Log(sd)
	}
	for i := range density {
		density[i] -= jacobian
	}
	from, to := first*p.P, last*p.P
	target, mean, variance := p.Target[from:to], p.Mean[from:to], p.Variance[from:to]
	mix.PIT(p.PIT[from:to], y)
	mix.Moments(mean, variance)
	for k := range target {
		sd, shift := s.TargetSD[k%p.P], s.TargetMean[k%p.P]
		target[k] = shift + sd*y[k]
		mean[k] = shift + sd*mean[k]
		variance[k] *= sd * sd
	}
	return last
}

// shownPoints is the most points in a snapshot.
const shownPoints = 20000
