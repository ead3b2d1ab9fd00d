package rundir

import (
	"math"
	"strconv"
)

// Predictions are what a model said of the points of its test part, one by one,
// in original units. Arrays of N*P are row-major, point by point.
type Predictions struct {
	// N is the number of points here and P that of targets of each. Of is the
	// number of points of the test part: more than N where points were left out,
	// evenly, to save memory.
	N, P, Of int
	// Names are those of the targets, [P]; nil in files of older versions.
	Names []string
	// Rows are the rows of the data set, [N], ascending.
	Rows []int
	// LogLik is the log predictive density of all targets of a point, or of a
	// class the log probability, [N].
	LogLik []float64
	// LogLikByTarget is that of each target by itself, NaN where it was not observed, [N*P];
	// nil where there is one target, and in files of older versions.
	LogLikByTarget []float64
	// Distance is from each point to the nearest training input, Euclidean in
	// standardised inputs, [N]. It was measured to Near of the Training inputs:
	// where those are fewer than all, a seeded sample of them, it is an upper bound. Inputs
	// at which no tested target was observed do not count.
	Distance       []float64
	Near, Training int
	// Classes names the classes in the order of their codes, nil for real targets and in
	// files of older versions.
	Classes []string
	// Target is what was observed, [N*P]; of two classes -1 or +1, of more the number of
	// the class, from 0.
	Target []float64
	// Mean and Variance are the moments of the predictive mixture, noise included,
	// and PIT its distribution function at the target, [N*P]; nil for classes.
	Mean, Variance, PIT []float64
	// Probability is that of class +1, [N], or of each of more classes, [N*K]; nil for real
	// targets.
	Probability []float64
}

// OfClasses says whether the targets are classes.
func (p *Predictions) OfClasses() bool { return p.Probability != nil }

// Columns returns the number of probabilities of a point: 1 of two classes, K of more.
func (p *Predictions) Columns() int {
	if len(p.Classes) > 2 {
		return len(p.Classes)
	}
	return 1
}

// ClassNames returns the names of all classes: -1 and +1 where a file of an older version
// has none.
func (p *Predictions) ClassNames() []string {
	if p.Classes == nil {
		return []string{"-1", "+1"}
	}
	return p.Classes
}

// Probabilities returns those of all classes at point i, in dst where that has room.
func (p *Predictions) Probabilities(dst []float64, i int) []float64 {
	k := p.Columns()
	if k == 1 {
		return append(dst[:0], 1-p.Probability[i], p.Probability[i])
	}
	return append(dst[:0], p.Probability[i*k:(i+1)*k]...)
}

// ClassOf returns the number of the observed class of point i; false if it is missing.
func (p *Predictions) ClassOf(i int) (int, bool) {
	y := p.Target[i]
	switch {
	case math.IsNaN(y):
		return 0, false
	case p.Columns() > 1:
		return int(y), true
	case y > 0:
		return 1, true
	}
	return 0, true
}

// Tested returns which targets were observed in the test part, by column: all, but where
// a split holds out some of them or a table lacks one. Without any it is the first.
func (p *Predictions) Tested() []int {
	var list []int
	for j := range p.P {
		for i := j; i < len(p.Target); i += p.P {
			if !math.IsNaN(p.Target[i]) {
				list = append(list, j)
				break
			}
		}
	}
	if list == nil {
		return []int{0}
	}
	return list
}

// Name returns the name of a target, or its number from 1.
func (p *Predictions) Name(target int) string {
	if target < len(p.Names) {
		return p.Names[target]
	}
	return "target " + strconv.Itoa(target+1)
}

// Thin returns at most so many of the points, evenly spread over the rows; p
// itself if there are no more. It shares nothing else with p.
func (p *Predictions) Thin(most int) *Predictions {
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
	out.LogLik = of(p.LogLik, 1)
	out.Distance = of(p.Distance, 1)
	out.Probability = of(p.Probability, p.Columns())
	out.Target = of(p.Target, p.P)
	out.Mean = of(p.Mean, p.P)
	out.Variance = of(p.Variance, p.P)
	out.PIT = of(p.PIT, p.P)
	out.LogLikByTarget = of(p.LogLikByTarget, p.P)
	return &out
}
