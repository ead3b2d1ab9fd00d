package watch

import (
	"fmt"
	"math"
	"strings"

	"dgplab/session/rundir"
)

const (
	// scoreFloor is the largest difference, in nats per test point, by which the test log-likelihood may lie
	// below that of the linear model.
	scoreFloor = 1
	// neverCovered and alwaysCovered are the minimum numbers of test values for an alarm about a coverage of
	// 0 % and 100 % at every level. With calibrated intervals of 50, 90 and 95 % both have a probability of
	// less than 1e-6.
	neverCovered, alwaysCovered = 5, 20
	// Predicted standard deviations are too small if the median error exceeds 3 of them, and too large if it
	// is below a tenth. The median absolute value of a standard normal variable is 0.67.
	tooConfident, tooVague = 3, 0.1
	// A noise variance below collapsedNoise (standardised) and collapsedShare of the mean squared error has
	// collapsed.
	collapsedNoise, collapsedShare = 0.001, 0.01
	// unlikely is a log-likelihood of a class: its probability is below 1 %.
	unlikely = -4.605
)

// Scored describes the scores of a run for an alarm.
type Scored struct {
	Step   int // of the scored parameters
	Last   int // the number of steps of the run
	Test   *rundir.Metrics
	Points *rundir.Predictions
	Worst  *rundir.WorstPoints
	// Baseline is the test log-likelihood of the linear model on the same data, or NaN if it is unknown.
	Baseline float64
	// Noise is the noise variance in standardised units, or NaN if there is none.
	Noise float64
	Drift *rundir.Drift
}

// Problem describes a score that is worse than the baseline's by more than a nat, or a coverage of 0 or
// 100 % at every level. It returns "" if there is no such problem.
func (s *Scored) Problem() string {
	var parts []string
	if float64(s.Test.LogLik) < s.Baseline-scoreFloor {
		parts = append(parts, fmt.Sprintf("the test log-likelihood of %s is below %s of a linear model",
			rundir.Nats(s.Test.LogLik), rundir.Nats(rundir.Number(s.Baseline))))
	}
	values := 0
	for _, y := range s.Points.Target {
		if !math.IsNaN(y) {
			values++
		}
	}
	never, always := len(s.Test.Coverage) > 0, len(s.Test.Coverage) > 0
	for _, share := range s.Test.Coverage {
		never = never && share == 0
		always = always && share == 1
	}
	switch {
	case never && values >= neverCovered:
		parts = append(parts, "no interval, not even of 95 %, contains a test value")
	case always && values >= alwaysCovered:
		parts = append(parts, "every interval, even of 50 %, contains all test values")
	}
	return strings.Join(parts, ", and ")
}

// Alarm returns the alarm about a problem with its probable causes, as far as the data show them. far is the
// number of test points that are farther from the training inputs than these are from each other.
func (s *Scored) Alarm(problem string, far int) *rundir.Alarm {
	var causes []string
	add := func(format string, args ...any) { causes = append(causes, fmt.Sprintf(format, args...)) }
	if 2*far > s.Points.N {
		add("extrapolation (%d of %d test points are farther from the training inputs than these are from "+
			"each other)", far, s.Points.N)
	}
	errors := s.Points.ErrorsInSD()
	typical := math.NaN()
	if len(errors) > 0 {
		typical = median(errors)
	}
	switch {
	case typical > tooConfident:
		add("overconfidence (the median error is %.3g predicted standard deviations)", typical)
	case typical < tooVague:
		add("too large predicted standard deviations (the median error is %.2g of them)", typical)
	case s.Worst != nil:
		add("few test points (%s)", s.Worst.Text())
	}
	if s.Test.StdRMSE != nil {
		square := math.Pow(float64(*s.Test.StdRMSE), 2)
		if s.Noise < min(collapsedNoise, collapsedShare*square) {
			add("a collapsed noise variance (%.2g, with a mean squared error of %.2g, standardised)",
				s.Noise, square)
		}
	}
	if s.Points.IsClassification() {
		wrong := 0
		for _, l := range s.Points.LogLik {
			if l < unlikely {
				wrong++
			}
		}
		if wrong > 0 {
			add("overconfidence (%d of %d test points have a class with a predicted probability below 1 %%)",
				wrong, s.Points.N)
		}
	}
	switch {
	case s.Drift.Overfitting():
		add("overfitting")
	case !s.Drift.Conclusive():
		add("too few steps (not settled after %d)", s.Last)
	}
	text := problem
	if len(causes) > 0 {
		text += "; probable cause: " + strings.Join(causes, ", ")
	}
	return &rundir.Alarm{Kind: rundir.AlarmScore, Since: s.Step, Text: text}
}
