package session

import (
	"math"

	"dgplab/datasets"
	"dgplab/models"
)

// Predictions are what a model said of the points of its test part, one by one,
// in original units. Arrays of N*P are row-major, point by point.
type Predictions struct {
	// N is the number of points here and P that of targets of each. Of is the
	// number of points of the test part: more than N where points were left out,
	// evenly, to save memory.
	N, P, Of int
	// Rows are the rows of the data set, [N], ascending.
	Rows []int
	// LogLik is the log predictive density of all targets of a point, or of a
	// class the log probability, [N].
	LogLik []float64
	// Distance is from each point to the nearest training input, Euclidean in
	// standardised inputs, [N]. It was measured to Near of the Training inputs:
	// where those are fewer than all, a seeded sample of them, it is an upper bound.
	Distance       []float64
	Near, Training int
	// Target is what was observed, [N*P]; of classes -1 or +1.
	Target []float64
	// Mean and Variance are the moments of the predictive mixture, noise included,
	// and PIT its distribution function at the target, [N*P]; nil for classes.
	Mean, Variance, PIT []float64
	// Probability is that of class +1, [N]; nil for real targets.
	Probability []float64
}

// Classes says whether the targets are classes.
func (p *Predictions) Classes() bool { return p.Probability != nil }

// newPredictions returns room for a test part, without distances.
func newPredictions(part datasets.Part, classes bool) *Predictions {
	n := rowsOf(part.X)
	_, outputs := part.Y.Dims()
	p := &Predictions{N: n, P: outputs, Of: n, Rows: part.Rows, LogLik: make([]float64, n), Target: make([]float64, n*outputs)}
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

// add takes the points from first on from a mixture and its targets y, both in
// standardised units, and returns the number of the next point.
func (p *Predictions) add(first int, mix *models.Mixture, y []float64, s datasets.Scaling) int {
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

// thin returns at most so many of the points, evenly spread over the rows; p
// itself if there are no more. It shares nothing else with p.
func (p *Predictions) thin(most int) *Predictions {
	if p == nil || p.N <= most {
		return p
	}
	out := *p
	out.N, out.Rows = most, make([]int, most)
	for i := range out.Rows {
		out.Rows[i] = p.Rows[i*p.N/most]
	}
	of := func(values []float64, width int) []float64 {
		if values == nil {
			return nil
		}
		kept := make([]float64, 0, most*width)
		for i := range most {
			k := i * p.N / most * width
			kept = append(kept, values[k:k+width]...)
		}
		return kept
	}
	out.LogLik, out.Distance, out.Probability = of(p.LogLik, 1), of(p.Distance, 1), of(p.Probability, 1)
	out.Target, out.Mean, out.Variance, out.PIT = of(p.Target, p.P), of(p.Mean, p.P), of(p.Variance, p.P), of(p.PIT, p.P)
	return &out
}
