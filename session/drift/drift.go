// Package drift says whether a run has converged, as a result: how fast its validation
// log-likelihood, its objective and its noise variance still change over the last
// fifth of its steps, with standard errors that know of autocorrelation, and what
// follows from that.
package drift

import (
	"fmt"
	"math"
	"strings"

	"dgplab/models/number"
)

// Trend is what is known of the slope of a series.
type Trend string

const (
	Rising  Trend = "rising"
	Falling Trend = "falling"
	// Level: the interval of the slope leaves no room for a change that matters.
	Level Trend = "level"
	// Open: neither is told; the series is too short or too noisy.
	Open Trend = "open"
)

// Verdict is what follows of a run.
type Verdict string

const (
	// Improving: what training is for still became better, by more than chance.
	Improving Verdict = "improving"
	// Settled: nothing changes by what matters any more.
	Settled Verdict = "settled"
	// Untold: neither can be said.
	Untold Verdict = "open"
)

// What matters: the change over the window, so about that of a run longer by a fifth. A
// slope counts as one if its change is at least that and its interval does not hold
// zero; it counts as level if the whole interval stays below three times that.
const (
	// floorPerPoint is in nats, of the validation log-likelihood of a point, and of the
	// objective for each training point.
	floorPerPoint = 0.01
	// floorNoise is of the logarithm of the noise variance: 5 %.
	floorNoise = 0.05
	// window is the part of the steps that is looked at: the last fifth.
	window = 5
	// patience is the part of its steps, the last tenth, in which a run must not have
	// improved any more before it is believed to be settled.
	patience = 10
)

// Report is the drift of a run over the steps (From, To]. What was not measured often
// enough is absent.
type Report struct {
	From int `json:"from"`
	To   int `json:"to"`
	// Validation is of the mean log-likelihood, Objective of the whole objective, Noise of
	// the logarithm of the noise variance; all per 1,000 steps.
	Validation *Estimate `json:"validation,omitempty"`
	Objective  *Estimate `json:"objective,omitempty"`
	Noise      *Estimate `json:"noise,omitempty"`
	Verdict    Verdict   `json:"verdict"`
	// SettledSince is the first step since it last improved at which it was settled; 0 if
	// it is not now.
	SettledSince int `json:"settled_since,omitempty"`
}

// Values is what a report line says of what drifts; NaN where it was not measured.
type Values struct {
	Step                         int
	Phase                        string
	Validation, Objective, Noise float64
}

// Watch follows the drift of a run. What it says depends on the report lines alone.
type Watch struct {
	// Points is the number of training points, 0 before it is known. Wanders says that
	// the objective is not meant to rise for good, as that of a sampler.
	Points  int
	Wanders bool

	validation, objective, noise series
	step                         int
	phase                        string
	since                        int // Report.SettledSince
}

// Add takes a report line. A line of the last step may come again with its validation; a
// line of an earlier step is ignored. Another phase is another beginning.
func (w *Watch) Add(v Values) {
	if v.Phase != w.phase {
		*w = Watch{Points: w.Points, Wanders: w.Wanders, phase: v.Phase}
	}
	if v.Step < w.step {
		return
	}
	again := v.Step == w.step
	w.step = v.Step
	take := func(s *series, value float64) {
		if value-value == 0 {
			s.add(v.Step, value)
		}
	}
	take(&w.validation, v.Validation)
	if !again {
		take(&w.objective, v.Objective)
		take(&w.noise, math.Log(v.Noise))
	}
	switch r := w.Report(); {
	case r == nil || r.Verdict == Improving:
		w.since = 0
	case w.since == 0 && r.Verdict == Settled:
		w.since = v.Step
	}
}

// Report returns the drift at the last line, nil where nothing can be said yet.
func (w *Watch) Report() *Report {
	r := &Report{From: w.step - w.step/window, To: w.step}
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
	if r.Validation == nil && r.Objective == nil && r.Noise == nil {
		return nil
	}
	if r.Verdict = r.verdict(w.Wanders); r.Verdict == Settled {
		r.SettledSince = w.since
	}
	return r
}

// Converged says whether the run is settled, and has been for long enough.
func (w *Watch) Converged() bool {
	if w.since == 0 || w.step-w.since < w.step/patience {
		return false
	}
	r := w.Report()
	return r != nil && r.Verdict == Settled
}

// judge says what the slope is over so many thousands of steps.
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

// verdict weighs the trends. Where there is validation it has to be level for the run to
// be settled, else the objective.
func (r *Report) verdict(wanders bool) Verdict {
	if r.Validation.is(Rising) || !wanders && r.Objective.is(Rising) || r.Noise.is(Rising) || r.Noise.is(Falling) {
		return Improving
	}
	counts := r.Validation
	if counts == nil && !wanders {
		counts = r.Objective
	}
	if counts.is(Level) {
		return Settled
	}
	return Untold
}

// is says whether there is an estimate of that trend.
func (e *Estimate) is(t Trend) bool { return e != nil && e.Trend == t }

// Improving says whether the run still improved when this was measured.
func (r *Report) Improving() bool { return r != nil && r.Verdict == Improving }

// Text says in one line what moved when it should not any more, or that nothing did;
// objective is the name of what is maximised. It is "" of nil.
func (r *Report) Text(objective string) string {
	if r == nil {
		return ""
	}
	var parts []string
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
	switch {
	case len(parts) > 0:
		return strings.Join(parts, ", ") + " per 1,000 steps"
	case r.Verdict == Settled && r.SettledSince > 0:
		return fmt.Sprintf("settled since step %d", r.SettledSince)
	case r.Verdict == Settled:
		return "settled"
	}
	return "not told from noise whether it still improves"
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
