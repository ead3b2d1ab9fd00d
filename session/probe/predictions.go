package probe

import (
	"dgplab/datasets"
	"dgplab/datasets/task"
	"dgplab/models/predictive"
	"dgplab/session/config"
	"dgplab/session/rundir"
)

// newPredictions allocates the predictions of a part and sets its targets, without distances.
func newPredictions(part datasets.Part, kind task.Task, classes []string) *rundir.Predictions {
	n := part.Len()
	_, outputs := part.Y.Dims()
	p := &rundir.Predictions{
		N:      n,
		P:      outputs,
		Of:     n,
		Rows:   part.Rows,
		LogLik: make([]float64, n),
	}
	for i := range n {
		p.Target = append(p.Target, part.Targets.RawRowView(i)...)
	}
	if p.Rows == nil { // The part is the data set itself.
		p.Rows = config.Subset(n, 0, 0)
	}
	if kind.Classes() {
		p.Classes = classes
		p.Probability = make([]float64, n*p.Columns())
		return p
	}
	p.Mean = make([]float64, n*outputs)
	p.Variance = make([]float64, n*outputs)
	p.PIT = make([]float64, n*outputs)
	if outputs > 1 {
		p.LogLikByTarget = make([]float64, n*outputs)
	}
	return p
}

// addPredictions sets the predictions of the points starting at first, given the model's
// predictions and the targets y in standardised units, and returns the index of the next point.
func addPredictions(
	p *rundir.Predictions, first int, predicted predictive.Predictive, y []float64, u predictive.Units,
) int {
	n, _ := predicted.Dims()
	last := first + n
	predicted.LogDensity(p.LogLik[first:last], y)
	switch predicted := predicted.(type) {
	case predictive.Classification:
		prob := make([]float64, n*predicted.Classes())
		predicted.Probabilities(prob)
		k := predicted.Classes()
		columns := p.Columns()
		for i := range n {
			copy(p.Probability[(first+i)*columns:], prob[(i+1)*k-columns:(i+1)*k])
		}
	case predictive.Regression:
		addMoments(p, first, last, predicted, y, u)
	}
	return last
}

// addMoments sets the predictions of real targets, in original units.
func addMoments(
	p *rundir.Predictions, first, last int, predicted predictive.Regression, y []float64, u predictive.Units,
) {
	from, to := first*p.P, last*p.P
	predicted.PIT(p.PIT[from:to], y)
	u.Moments(predicted, p.Mean[from:to], p.Variance[from:to])
	for i := range last - first {
		p.LogLik[first+i] += u.LogDensityShift(y[i*p.P : (i+1)*p.P])
	}
	if p.LogLikByTarget != nil {
		u.LogDensityByOutput(predicted, p.LogLikByTarget[from:to], y)
	}
}

// unitsOf returns the conversion of standardised targets to original units.
func unitsOf(s datasets.Scaling) predictive.Units {
	return predictive.Units{Mean: s.TargetMean, SD: s.TargetSD, Log: s.Log}
}
