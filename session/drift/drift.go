// Package drift reports whether a run has converged. It estimates how fast the validation
// log-likelihood, the objective and the noise variance change over the last fifth of the steps,
// with standard errors that allow for autocorrelation, detects a fall of the validation
// log-likelihood below its best level, and derives a verdict.
package drift

import (
	"fmt"
	"math"
	"strings"

	"dgplab/models/sampling"
	"dgplab/models/view"
)

// Trend is the direction of the slope of a series.
type Trend string

const (
	Rising  Trend = "rising"
	Falling Trend = "falling"
	// Level: the interval of the slope excludes every relevant change.
	Level Trend = "level"
	// Open: the series is too short or too noisy for the other trends.
	Open Trend = "open"
)

// Verdict is the conclusion about a run.
type Verdict string

const (
	// Improving: validation, objective or noise still improved significantly, and validation did
	// not fall.
	Improving Verdict = "improving"
	// Overfitting: validation fell below its best level while the objective rose.
	Overfitting Verdict = "overfitting"
	// Settled: all remaining changes are too small to matter.
	Settled Verdict = "settled"
	// Undecided: the run is too short or too noisy for the other verdicts, or its validation fell
	// while the objective did not rise.
	Undecided Verdict = "undecided"
)

// The floors are the smallest relevant changes over the window, and so over one more fifth of the
// run. A slope is a trend if its change reaches the floor and its interval excludes zero. It is
// level if its whole interval stays below three times the floor.
const (
	// floorPerPoint is in nats: the validation log-likelihood of a point, and the objective divided
	// by the number of training points.
	floorPerPoint = 0.01
	// floorNoise is in units of the logarithm of the noise variance: 5 %.
	floorNoise = 0.05
	// window is the reciprocal of the share of steps for slopes: the last fifth.
	window = 5
	// patience is the reciprocal of the share of steps without improvement, the last tenth, that a
	// run needs before it counts as converged.
	patience = 10
)

// Report is the drift of a run over the steps (From, To]. The estimate of a series with too few
// values is nil.
type Report struct {
	From int `json:"from"`
	To   int `json:"to"`
	// Validation is the slope of the mean validation log-likelihood, Objective of the whole
	// objective, Noise of the logarithm of the noise variance, all per 1,000 steps.
	Validation *Estimate `json:"validation,omitempty"`
	Objective  *Estimate `json:"objective,omitempty"`
	Noise      *Estimate `json:"noise,omitempty"`
	// Fall is the fall of the validation log-likelihood below its best, or nil if there is none.
	Fall    *Fall   `json:"fall,omitempty"`
	Verdict Verdict `json:"verdict"`
	// SettledSince is the first step of the current settled state, 0 if the run has not settled.
	SettledSince int `json:"settled_since,omitempty"`
}

// Values holds the values of a report line. Values that were not measured are NaN.
type Values struct {
	Step                         int
	Phase                        string
	Validation, Objective, Noise float64
}

// Watch follows the drift of a run. Its reports depend on the report lines alone.
type Watch struct {
	// Points is the number of training points, 0 before it is known. Sampler is true for a sampler:
	// its objective fluctuates and is not expected to rise.
	Points  int
	Sampler bool

	validation, objective, noise series
	step                         int
	phase                        string
	since                        int // see Report.SettledSince
	fall                         *Fall
	converged                    bool
}

// Add adds a report line. The line of the last step can be repeated to add its validation. Lines of
// earlier steps are ignored. A new phase resets the watch.
func (w *Watch) Add(v Values) {
	if v.Phase != w.phase {
		*w = Watch{Points: w.Points, Sampler: w.Sampler, phase: v.Phase, converged: w.converged}
	}
	if v.Step < w.step {
		return
	}
	again := v.Step == w.step
	w.step = v.Step
	take := func(s *series, value float64) bool {
		finite := value-value == 0
		if finite {
			s.add(v.Step, value)
		}
		return finite
	}
	validated := take(&w.validation, v.Validation)
	if !again {
		take(&w.objective, v.Objective)
		take(&w.noise, math.Log(v.Noise))
	}
	if validated {
		w.watchFall()
	}
	r := w.Report()
	switch {
	case r == nil || r.moves(w.Sampler):
		w.since = 0
	case w.since == 0 && r.isLevel(w.Sampler):
		w.since = v.Step
	}
}

// Report returns the drift at the last line, nil before the first one.
func (w *Watch) Report() *Report {
	if w.step == 0 {
		return nil
	}
	r := &Report{From: w.step - w.step/window, To: w.step, Fall: w.fall}
	span := float64(r.To-r.From) / perSteps
	of := func(s *series, floor float64) *Estimate {
		e, ok := estimate(s.since(r.From + 1))
		if !ok {
			return nil
		}
		e.setTrend(span, floor)
		return &e
	}
	r.Validation = of(&w.validation, floorPerPoint)
	r.Objective = of(&w.objective, floorPerPoint*float64(w.Points))
	r.Noise = of(&w.noise, floorNoise)
	if r.Fall != nil && !r.Fall.Overfits && r.Objective.hasTrend(Rising) {
		fall := *r.Fall
		fall.Overfits = true
		r.Fall = &fall
	}
	r.Verdict = r.verdict(w.Sampler, w.phase)
	if w.converged && r.Verdict != Overfitting {
		r.Verdict = Settled
	}
	if r.Verdict == Settled {
		r.SettledSince = w.since
	}
	return r
}

// Converge records that further steps would not change the model.
func (w *Watch) Converge() { w.converged = true }

// Converged reports whether nothing has changed for long enough. The validation log-likelihood may
// still be below its best.
func (w *Watch) Converged() bool {
	if w.since == 0 || w.step-w.since < w.step/patience {
		return false
	}
	r := w.Report()
	return !r.moves(w.Sampler) && r.isLevel(w.Sampler)
}

// setTrend sets the trend of the slope over a window of span thousand steps.
func (e *Estimate) setTrend(span, floor float64) {
	change := float64(e.Slope) * span
	switch {
	case e.Low > 0 && change >= floor:
		e.Trend = Rising
	case e.High < 0 && change <= -floor:
		e.Trend = Falling
	case math.Max(math.Abs(float64(e.Low)), math.Abs(float64(e.High)))*span <= 3*floor:
		e.Trend = Level
	default:
		e.Trend = Open
	}
}

// verdict combines the fall and the trends. A sampler has settled once its burn-in is over, unless
// its predictions are still improving.
func (r *Report) verdict(wanders bool, phase string) Verdict {
	falls := r.Validation.hasTrend(Falling)
	if r.Fall != nil && !r.Validation.hasTrend(Rising) {
		falls = true
		if r.Fall.Overfits {
			return Overfitting
		}
	}
	switch {
	case falls:
		return Undecided
	case r.moves(wanders):
		return Improving
	case r.isLevel(wanders), wanders && phase == sampling.Sampling:
		return Settled
	}
	return Undecided
}

// moves reports whether the validation or the objective rises, or the noise changes.
func (r *Report) moves(wanders bool) bool {
	noise := r.Noise.hasTrend(Rising) || r.Noise.hasTrend(Falling)
	return r.Validation.hasTrend(Rising) || !wanders && r.Objective.hasTrend(Rising) || noise
}

// isLevel reports whether the validation log-likelihood is isLevel. Without an estimate of it, the
// objective decides.
func (r *Report) isLevel(wanders bool) bool {
	counts := r.Validation
	if counts == nil && !wanders {
		counts = r.Objective
	}
	return counts.hasTrend(Level)
}

// hasTrend reports whether e is not nil and has the trend t.
func (e *Estimate) hasTrend(t Trend) bool { return e != nil && e.Trend == t }

// Improving reports whether the run still improved at the last report line.
func (r *Report) Improving() bool { return r != nil && r.Verdict == Improving }

// Overfitting reports whether the validation fell while the objective rose.
func (r *Report) Overfitting() bool { return r != nil && r.Verdict == Overfitting }

// Conclusive reports whether the run can be ranked by the parameters of its last step, because more
// steps are not expected to change its scores. A nil report, of a run without report lines, is
// conclusive.
func (r *Report) Conclusive() bool { return r == nil || r.Verdict == Settled }

// Measured reports whether any series has an estimate.
func (r *Report) Measured() bool {
	return r != nil && (r.Validation != nil || r.Objective != nil || r.Noise != nil || r.Fall != nil)
}

// Text returns the verdict in one line with the changes that led to it, or "" for nil. objective is
// the name of the objective.
func (r *Report) Text(objective string) string {
	switch {
	case r == nil:
		return ""
	case r.Verdict == Overfitting && r.Fall != nil:
		return "overfitting: " + r.Fall.Text() + " while " + objective + " rose"
	case !r.Measured() && r.Verdict == Undecided:
		return "too few reports for a verdict"
	}
	if parts := r.trends(objective); len(parts) > 0 {
		return strings.Join(parts, ", ") + " per 1,000 steps"
	}
	switch {
	case r.Verdict == Undecided && r.Fall != nil:
		return r.Fall.Text()
	case r.Verdict == Undecided:
		return "improvement is within noise"
	case r.SettledSince > 0:
		return fmt.Sprintf("settled since step %d", r.SettledSince)
	}
	return string(r.Verdict)
}

// Text describes the fall in one line.
func (f *Fall) Text() string {
	return fmt.Sprintf("validation fell by %s since step %d", digits(f.Best-f.Last), f.Step)
}

// trends describes the series that still rose or fell, with their slopes per 1,000 steps.
func (r *Report) trends(objective string) (parts []string) {
	before := Trend("")
	add := func(name string, e *Estimate, text func(x view.Float) string) {
		verb, slope := " still rose", view.Float(0)
		switch {
		case e.hasTrend(Rising):
			slope = e.Slope
		case e.hasTrend(Falling):
			verb, slope = " still fell", -e.Slope
		default:
			return
		}
		if e.Trend == before {
			verb = "" // The verb of the previous part applies.
		}
		before = e.Trend
		parts = append(parts, name+verb+" by "+text(slope))
	}
	add("validation", r.Validation, digits)
	add(objective, r.Objective, digits)
	add("noise variance", r.Noise, percent(r.Noise))
	return parts
}

// digits formats a number with two significant digits, or as an integer from 10 on.
func digits(x view.Float) string {
	if x >= 10 {
		return fmt.Sprintf("%.0f", float64(x))
	}
	return fmt.Sprintf("%.2g", float64(x))
}

// percent returns a function that formats the change of a logarithm as a relative change.
func percent(e *Estimate) func(view.Float) string {
	return func(x view.Float) string {
		sign := 1.0
		if e.Slope < 0 {
			sign = -1
		}
		change := 100 * math.Abs(math.Expm1(sign*float64(x)))
		switch {
		case sign < 0 && change > 99:
			return "more than 99 %"
		case change > 1000:
			return "more than 1000 %"
		}
		return digits(view.Float(change)) + " %"
	}
}
