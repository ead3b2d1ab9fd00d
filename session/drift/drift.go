// Package drift reports whether a run has converged, as a result: how fast its validation
// log-likelihood, its objective and its noise variance still change over the last fifth of
// its steps, with standard errors that allow for autocorrelation, whether its validation
// log-likelihood has fallen below its best, and the verdict that follows.
package drift

import (
	"fmt"
	"math"
	"strings"

	"dgplab/models/number"
	"dgplab/models/sampling"
)

// Trend is the direction of the slope of a series.
type Trend string

const (
	Rising  Trend = "rising"
	Falling Trend = "falling"
	// Level: the interval of the slope excludes every change that matters.
	Level Trend = "level"
	// Open: the series is too short or too noisy for the other trends.
	Open Trend = "open"
)

// Verdict is the conclusion about a run.
type Verdict string

const (
	// Improving: validation, objective or noise still changed for the better, by more than
	// chance, and validation did not fall.
	Improving Verdict = "improving"
	// Overfitting: validation has fallen below its best while the objective rose.
	Overfitting Verdict = "overfitting"
	// Settled: nothing changes any more by an amount that matters.
	Settled Verdict = "settled"
	// Undecided: the run is too short or too noisy for the other verdicts, or its validation
	// falls without a rise of the objective.
	Undecided Verdict = "undecided"
)

// UnmarshalText reads a verdict. Older files have "open" for undecided.
func (v *Verdict) UnmarshalText(text []byte) error {
	*v = Verdict(text)
	if *v == "open" {
		*v = Undecided
	}
	return nil
}

// A change that matters is one over the window, so about that of a run longer by a fifth. A
// slope counts as a trend if its change is at least that and its interval excludes zero; it
// counts as level if the whole interval stays below three times that.
const (
	// floorPerPoint is in nats, of the validation log-likelihood of a point, and of the
	// objective for each training point.
	floorPerPoint = 0.01
	// floorNoise is of the logarithm of the noise variance: 5 %.
	floorNoise = 0.05
	// window is the part of the steps that slopes are taken over: the last fifth.
	window = 5
	// patience is the part of its steps, the last tenth, in which a run must not have
	// improved any more before it is believed to be settled.
	patience = 10
)

// Report is the drift of a run over the steps (From, To]. Estimates of what was not measured
// often enough are absent.
type Report struct {
	From int `json:"from"`
	To   int `json:"to"`
	// Validation is of the mean log-likelihood, Objective of the whole objective, Noise of
	// the logarithm of the noise variance; all per 1,000 steps.
	Validation *Estimate `json:"validation,omitempty"`
	Objective  *Estimate `json:"objective,omitempty"`
	Noise      *Estimate `json:"noise,omitempty"`
	// Fall is that of the validation log-likelihood since its best; nil for none.
	Fall    *Fall   `json:"fall,omitempty"`
	Verdict Verdict `json:"verdict"`
	// SettledSince is the first step since it last improved at which it was settled; 0 if
	// it is not now.
	SettledSince int `json:"settled_since,omitempty"`
}

// Values are the values of a report line that may drift; NaN where they were not measured.
type Values struct {
	Step                         int
	Phase                        string
	Validation, Objective, Noise float64
}

// Watch follows the drift of a run. Its reports depend on the report lines alone.
type Watch struct {
	// Points is the number of training points, 0 before it is known. Wanders is true of the
	// objective of a sampler, which is not meant to rise for good.
	Points  int
	Wanders bool

	validation, objective, noise series
	step                         int
	phase                        string
	since                        int // Report.SettledSince
	fall                         *Fall
	converged                    bool
}

// Add takes a report line. A line of the last step may come again with its validation; a
// line of an earlier step is ignored. Another phase is another beginning.
func (w *Watch) Add(v Values) {
	if v.Phase != w.phase {
		*w = Watch{Points: w.Points, Wanders: w.Wanders, phase: v.Phase, converged: w.converged}
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
	case r == nil || r.moves(w.Wanders):
		w.since = 0
	case w.since == 0 && r.level(w.Wanders):
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
		e.judge(span, floor)
		return &e
	}
	r.Validation = of(&w.validation, floorPerPoint)
	r.Objective = of(&w.objective, floorPerPoint*float64(w.Points))
	r.Noise = of(&w.noise, floorNoise)
	if r.Fall != nil && !r.Fall.Overfits && r.Objective.is(Rising) {
		fall := *r.Fall
		fall.Overfits = true
		r.Fall = &fall
	}
	r.Verdict = r.verdict(w.Wanders, w.phase)
	if w.converged && r.Verdict != Overfitting {
		r.Verdict = Settled
	}
	if r.Verdict == Settled {
		r.SettledSince = w.since
	}
	return r
}

// Converge records that no further step would change the model: it has settled.
func (w *Watch) Converge() { w.converged = true }

// Converged reports whether nothing has moved for long enough. The validation log-likelihood
// of such a run may be below its best.
func (w *Watch) Converged() bool {
	if w.since == 0 || w.step-w.since < w.step/patience {
		return false
	}
	r := w.Report()
	return !r.moves(w.Wanders) && r.level(w.Wanders)
}

// judge sets the trend of the slope over so many thousands of steps.
func (e *Estimate) judge(span, floor float64) {
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

// verdict weighs the fall and the trends. A sampler is settled by nature once it samples,
// unless its predictions still improve.
func (r *Report) verdict(wanders bool, phase string) Verdict {
	falls := r.Validation.is(Falling)
	if r.Fall != nil && !r.Validation.is(Rising) {
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
	case r.level(wanders), wanders && phase == sampling.Sampling:
		return Settled
	}
	return Undecided
}

// moves reports whether validation or objective rises, or the noise changes.
func (r *Report) moves(wanders bool) bool {
	noise := r.Noise.is(Rising) || r.Noise.is(Falling)
	return r.Validation.is(Rising) || !wanders && r.Objective.is(Rising) || noise
}

// level reports whether the validation log-likelihood is level, or the objective where there
// is no estimate of it.
func (r *Report) level(wanders bool) bool {
	counts := r.Validation
	if counts == nil && !wanders {
		counts = r.Objective
	}
	return counts.is(Level)
}

// is reports whether there is an estimate of that trend.
func (e *Estimate) is(t Trend) bool { return e != nil && e.Trend == t }

// Improving reports whether the run still improved when this was measured.
func (r *Report) Improving() bool { return r != nil && r.Verdict == Improving }

// Overfitting reports whether validation had fallen while the objective rose.
func (r *Report) Overfitting() bool { return r != nil && r.Verdict == Overfitting }

// Conclusive reports whether the run can be ranked by the parameters of its last step: more
// steps would not change its scores, by all that is known. Nil, of runs of older versions,
// is.
func (r *Report) Conclusive() bool { return r == nil || r.Verdict == Settled }

// Measured reports whether there is an estimate of anything.
func (r *Report) Measured() bool {
	return r != nil && (r.Validation != nil || r.Objective != nil || r.Noise != nil || r.Fall != nil)
}

// Text returns the verdict in one line, with the changes that led to it; objective is the name
// of the objective. Text returns "" for nil.
func (r *Report) Text(objective string) string {
	switch {
	case r == nil:
		return ""
	case r.Verdict == Overfitting:
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

// Text returns the fall in a few words.
func (f *Fall) Text() string {
	return fmt.Sprintf("validation fell by %s since step %d", digits(f.Best-f.Last), f.Step)
}

// trends names what still rose or fell, and by how much per 1,000 steps.
func (r *Report) trends(objective string) (parts []string) {
	before := Trend("")
	add := func(name string, e *Estimate, text func(x number.Float) string) {
		verb, slope := " still rose", number.Float(0)
		switch {
		case e.is(Rising):
			slope = e.Slope
		case e.is(Falling):
			verb, slope = " still fell", -e.Slope
		default:
			return
		}
		if e.Trend == before {
			verb = "" // It is that of the part before.
		}
		before = e.Trend
		parts = append(parts, name+verb+" by "+text(slope))
	}
	add("validation", r.Validation, digits)
	add(objective, r.Objective, digits)
	add("noise variance", r.Noise, percent(r.Noise))
	return parts
}

// digits writes a number with two digits, or whole.
func digits(x number.Float) string {
	if x >= 10 {
		return fmt.Sprintf("%.0f", float64(x))
	}
	return fmt.Sprintf("%.2g", float64(x))
}

// percent writes changes of a logarithm as of the number itself.
func percent(e *Estimate) func(number.Float) string {
	return func(x number.Float) string {
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
		return digits(number.Float(change)) + " %"
	}
}
