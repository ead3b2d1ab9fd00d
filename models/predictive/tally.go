package predictive

import (
	"fmt"
	"math"
)

// Tally accumulates the scores of test points that are predicted in several parts. The zero value
// is ready for use.
type Tally struct {
	points            int
	logLik, stdLogLik float64
	outputs           []output    // [P] for real targets
	classes           *classTally // nil for real targets
	counts            bool        // the targets are counts, which have no standardised units
}

// output accumulates the scores of one real output.
type output struct {
	targets           int
	logLik, stdLogLik float64
	squares, absolute float64
	crps              float64
	// Scores in standardised units.
	stdSquares, stdCRPS float64
	inside              [len(Levels)]int
	// Mean of the targets in original units, and the sum of squared deviations from it.
	mean, spread float64
}

// Add adds the points of a prediction and their targets y [N][P], both in standardised units. given
// holds the targets in original units. given and u have no effect on classes. Add panics unless m is a
// Regression or a Classification.
func (t *Tally) Add(m Predictive, y, given []float64, u Units) {
	check(m, y)
	n, p := m.Dims()
	density := make([]float64, n)
	m.LogDensity(density, y)
	for i, l := range density {
		if observed(y[i*p : (i+1)*p]) {
			t.points++
			t.logLik += l
			t.stdLogLik += l
		}
	}
	switch m := m.(type) {
	case Classification:
		if t.classes == nil {
			t.classes = new(classTally)
		}
		t.classes.add(m, y)
	case Regression:
		if c, is := m.(*Compound); is {
			t.counts = c.Discrete()
		}
		t.logLik += u.LogDensityShift(y)
		t.addReal(m, y, given, u)
	default:
		panic(fmt.Sprintf("predictive: no scores for a %T", m))
	}
}

// addReal adds the scores that exist for regression only.
func (t *Tally) addReal(m Regression, y, given []float64, u Units) {
	_, p := m.Dims()
	if t.outputs == nil {
		t.outputs = make([]output, p)
	}
	newSlice := func() []float64 { return make([]float64, len(y)) }
	mean := newSlice()
	stdMean := newSlice()
	center := newSlice()
	unused := newSlice()
	m.Moments(stdMean, unused)
	u.means(m, mean, stdMean)
	m.Quantiles(center, []float64{0.5})
	density := newSlice()
	pit := newSlice()
	stdCRPS := newSlice()
	crps := newSlice()
	if p > 1 { // for a single output, it is the density of the point
		m.LogDensityByOutput(density, y)
	}
	m.PIT(pit, y)
	m.CRPS(stdCRPS, y)
	u.crps(m, crps, y, stdCRPS)
	for k, target := range y {
		if math.IsNaN(target) {
			continue
		}
		o := &t.outputs[k%p]
		o.logLik += density[k] + u.shift(k, target)
		o.stdLogLik += density[k]
		o.stdSquares += square(target - stdMean[k])
		o.stdCRPS += stdCRPS[k]
		o.crps += crps[k]
		o.squares += square(given[k] - mean[k])
		o.absolute += math.Abs(given[k] - u.Target(k, center[k]))
		o.add(given[k], pit[k])
	}
}

func square(x float64) float64 { return x * x }

// add adds a target in original units and its probability integral transform.
func (o *output) add(target, pit float64) {
	o.targets++
	d := target - o.mean
	o.mean += d / float64(o.targets) // Welford's method
	o.spread += d * (target - o.mean)
	for i, level := range Levels {
		if edge := (1 - level) / 2; pit >= edge && pit <= 1-edge {
			o.inside[i]++
		}
	}
}

// Scores returns the averages.
func (t *Tally) Scores() Scores {
	s := average(t.outputs, t.points, t.logLik, t.stdLogLik)
	if t.classes != nil {
		t.classes.score(&s)
		s.LogLoss = s.NLL
		s.StdLogLik = math.NaN()
		s.StdNLL = math.NaN()
	}
	if t.counts {
		s.StdLogLik = math.NaN()
		s.StdNLL = math.NaN()
		s.StdRMSE = math.NaN()
		s.StdCRPS = math.NaN()
	}
	if len(t.outputs) > 1 {
		for _, o := range t.outputs {
			s.Outputs = append(s.Outputs, average([]output{o}, o.targets, o.logLik, o.stdLogLik))
		}
	}
	return s
}

// average returns the averaged scores of the outputs.
func average(outputs []output, points int, logLik, stdLogLik float64) Scores {
	nan := math.NaN()
	s := Scores{
		N:         points,
		LogLik:    logLik / float64(points),
		StdLogLik: stdLogLik / float64(points),
		ErrorRate: nan,
		Accuracy:  nan,
		LogLoss:   nan,
		Brier:     nan,
		ECE:       nan,
	}
	s.NLL, s.StdNLL = -s.LogLik, -s.StdLogLik
	var sum output
	var share, shared float64
	for _, o := range outputs {
		sum.targets += o.targets
		sum.squares += o.squares
		sum.absolute += o.absolute
		sum.crps += o.crps
		sum.stdSquares += o.stdSquares
		sum.stdCRPS += o.stdCRPS
		for i, count := range o.inside {
			sum.inside[i] += count
		}
		if o.spread > 0 {
			share += float64(o.targets) * o.squares / o.spread
			shared += float64(o.targets)
		}
	}
	n := float64(sum.targets) // if it is 0, all averages are NaN
	s.RMSE = math.Sqrt(sum.squares / n)
	s.MAE = sum.absolute / n
	s.CRPS = sum.crps / n
	s.SMSE = share / shared
	s.StdRMSE, s.StdCRPS = math.Sqrt(sum.stdSquares/n), sum.stdCRPS/n
	for i, count := range sum.inside {
		s.Coverage[i] = float64(count) / n
	}
	return s
}
