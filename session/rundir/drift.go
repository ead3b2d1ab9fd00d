package rundir

import (
	"fmt"
	"math"
	"strings"

	"dgplab/models/infer"
)

// Trend is the direction of the slope of a series.
type Trend string

const (
	Rising  Trend = "rising"
	Falling Trend = "falling"
	// Level: the interval of the slope excludes every relevant change.
	Level Trend = "level"
	// Uncertain: the series is too short or too noisy for the other trends.
	Uncertain Trend = "open"
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

// Drift describes how fast a run changed over its last steps (From, To], which are those before the decay of
// its learning rate if it had one. The estimate of a series with too few values is nil. Package watch
// computes the drift.
type Drift struct {
	From int `json:"from"`
	To   int `json:"to"`
	// Phase is the phase of the last report line; see family.Report.
	Phase string `json:"phase,omitempty"`
	// Validation is the slope of the mean validation log-likelihood, Objective is the slope of the
	// whole objective, and Noise is the slope of the logarithm of the noise variance, all per 1,000
	// steps.
	Validation *Estimate `json:"validation,omitempty"`
	Objective  *Estimate `json:"objective,omitempty"`
	Noise      *Estimate `json:"noise,omitempty"`
	// Fall is the fall of the validation log-likelihood below its best, or nil if there is none.
	Fall    *Fall   `json:"fall,omitempty"`
	Verdict Verdict `json:"verdict"`
	// SettledSince is the first step of the current settled state, or 0 if the run has not settled.
	SettledSince int `json:"settled_since,omitempty"`
}

// Estimate is the estimated slope of a series.
type Estimate struct {
	// Slope is the change per 1,000 steps, and SE is its standard error. [Low, High] is the 95 %
	// confidence interval.
	Slope Number `json:"slope"`
	SE    Number `json:"se"`
	Low   Number `json:"low"`
	High  Number `json:"high"`
	// Values is the number of values behind the estimate.
	Values int   `json:"values"`
	Trend  Trend `json:"trend"`
}

// Fall describes a fall of the validation log-likelihood below its best level.
type Fall struct {
	// Best is the mean over the best part of the run, around Step, and Last is the mean over the last part.
	// SE is the standard error of such a mean.
	Best Number `json:"best"`
	Step int    `json:"step"`
	Last Number `json:"last"`
	SE   Number `json:"se"`
	// Since is the step at which the fall was detected.
	Since int `json:"since"`
	// Overfits is true if the objective has risen since Step.
	Overfits bool `json:"overfits"`
}

// Is reports whether e is not nil and has the trend t.
func (e *Estimate) Is(t Trend) bool { return e != nil && e.Trend == t }

// Stable reports whether the run was in the stable phase of its learning rate at the last report line.
func (d *Drift) Stable() bool { return d != nil && d.Phase == infer.StablePhase }

// Improving reports whether the run still improved at the last report line.
func (d *Drift) Improving() bool { return d != nil && d.Verdict == Improving }

// Overfitting reports whether the validation fell while the objective rose.
func (d *Drift) Overfitting() bool { return d != nil && d.Verdict == Overfitting }

// Conclusive reports whether the run can be ranked by the parameters of its last step, because more steps are
// not expected to change its scores. It is true for a nil drift, of a run without report lines.
func (d *Drift) Conclusive() bool { return d == nil || d.Verdict == Settled }

// Measured reports whether any series has an estimate.
func (d *Drift) Measured() bool {
	return d != nil && (d.Validation != nil || d.Objective != nil || d.Noise != nil || d.Fall != nil)
}

// Text returns the verdict in one line with the underlying changes, or "" for nil. objective is the name of
// the objective.
func (d *Drift) Text(objective string) string {
	switch {
	case d == nil:
		return ""
	case d.Verdict == Overfitting && d.Fall != nil:
		return "overfitting: " + d.Fall.Text() + " while " + objective + " rose"
	case !d.Measured() && d.Verdict == Undecided:
		return "too few reports for a verdict"
	}
	if parts := d.trends(objective); len(parts) > 0 {
		text := strings.Join(parts, ", ") + " per 1,000 steps"
		if d.Phase == infer.DecayPhase {
			text += " before the decay"
		}
		return text
	}
	switch {
	case d.Verdict == Undecided && d.Fall != nil:
		return d.Fall.Text()
	case d.Verdict == Undecided:
		return "improvement is within noise"
	case d.SettledSince > 0:
		return fmt.Sprintf("settled since step %d", d.SettledSince)
	}
	return string(d.Verdict)
}

// Text describes the fall in one line.
func (f *Fall) Text() string {
	return fmt.Sprintf("validation fell by %s since step %d", digits(f.Best-f.Last), f.Step)
}

// trends describes the series that still rose or fell, with their slopes per 1,000 steps.
func (d *Drift) trends(objective string) (parts []string) {
	before := Trend("")
	add := func(name string, e *Estimate, text func(x Number) string) {
		verb, slope := " still rose", Number(0)
		switch {
		case e.Is(Rising):
			slope = e.Slope
		case e.Is(Falling):
			verb, slope = " still fell", -e.Slope
		default:
			return
		}
		if e.Trend == before {
			verb = "" // The verb of the previous part also applies here.
		}
		before = e.Trend
		parts = append(parts, name+verb+" by "+text(slope))
	}
	add("validation", d.Validation, digits)
	add(objective, d.Objective, digits)
	add("noise variance", d.Noise, percent(d.Noise))
	return parts
}

// digits formats a number with two significant digits, or as an integer if it is at least 10.
func digits(x Number) string {
	if x >= 10 {
		return fmt.Sprintf("%.0f", float64(x))
	}
	return fmt.Sprintf("%.2g", float64(x))
}

// percent returns a function that formats the change of a logarithm as a relative change.
func percent(e *Estimate) func(Number) string {
	return func(x Number) string {
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
		return digits(Number(change)) + " %"
	}
}
