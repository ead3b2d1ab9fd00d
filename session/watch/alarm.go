package watch

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/models/view"
	"dgplab/session/rundir"
)

// The thresholds of the alarms. A strip is a sequence of report lines. Strips are compared by their medians.
const (
	alarmStrip = 10
	// The objective diverges if it is still falling and the last 3 strips lie below the best one by more than
	// 6 times the spread of report lines and more than 0.01 nats per training point.
	objectivePatience, objectiveSpreads, objectiveFloor = 3, 6, 0.01
	// The alarms about NaN and Inf and about falls of a monotone objective clear after 3 strips
	// without a new occurrence.
	finitePatience, fallPatience = 3, 3
	// The alarm about continual jitter is raised by at least 1 rescue in 10 steps, and cleared by less than 1
	// rescue in 50, in 2 strips in a row.
	manyRescues, fewRescues, rescuePatience = 0.1, 0.02, 2
	// A layer has collapsed if all of its GPs have collapsed (view.Unit) in 3 diagnostics in a row after step
	// 1000. It has recovered after 2 better diagnostics. Before step 1000, hidden layers may still be close
	// to the mean functions that they were initialised with. The same rule applies to inducing points that
	// degenerate to a subspace (view.RankCollapsed).
	collapseAfter, collapsePatience, recoverPatience = 1000, 3, 2
)

// NoiseReading is the key of the noise variance in report lines, averaged over targets, in
// standardised units.
const NoiseReading = "noise_variance"

// Watcher raises and clears the alarms of a run. Its state depends only on the report lines and
// diagnostics. The report lines of a resumed or recorded run therefore raise the same alarms.
type Watcher struct {
	finite           finiteness
	objective        decline
	Drift            *Drift
	prior            priorCollapse
	fall             *fall // nil unless the objective is monotone
	rescues          rescueRate
	layers, inducing []collapse
	mixing           mixing
	diagnosed        int // step of the last diagnostics
}

// New returns the watcher of a run with the objective o and n training points. n is 0 if unknown.
func New(o family.Objective, n int) *Watcher {
	w := &Watcher{
		finite: finiteness{terms: o.Terms},
		Drift:  &Drift{Sampler: o.Sampled()},
	}
	if o.Monotone {
		w.fall = &fall{name: o.Name, terms: o.Terms}
	}
	w.SetData(n)
	return w
}

// SetData sets the number of training points.
func (w *Watcher) SetData(n int) {
	w.Drift.Points = n
	w.objective.floor = objectiveFloor * float64(n)
	w.prior.setData(n)
}

// Add adds a report line. Steps must ascend.
func (w *Watcher) Add(p rundir.Point) {
	w.Drift.Add(p)
	w.finite.add(p)
	w.rescues.add(p)
	w.prior.add(p)
	switch {
	case w.Drift.Sampler: // A sampler's objective is not expected to rise.
	case w.fall != nil:
		w.fall.add(p)
	default:
		w.objective.add(p.Step, p.Objective)
	}
}

// AddDiagnostics adds diagnostics. It ignores diagnostics of a step that was already added.
func (w *Watcher) AddDiagnostics(d *rundir.Diagnostics) {
	if d.Step <= w.diagnosed {
		return
	}
	w.diagnosed = d.Step
	w.layers = watchLayers(w.layers, d.Step, d.Units, func(u view.Units) bool {
		return len(u.Units) > 0 &&
			!slices.ContainsFunc(u.Units, func(u view.Unit) bool { return !u.Collapsed })
	})
	if d.Amortization != nil {
		w.inducing = watchLayers(w.inducing, d.Step, d.Amortization.Layers, func(l view.AmortizedLayer) bool {
			return l.Collapsed
		})
	}
	if d.Chains != nil {
		w.mixing.add(d.Step, d.Chains)
	}
}

// watchLayers adds the states of all layers at a step. The first call allocates watching.
func watchLayers[L any](watching []collapse, step int, layers []L, down func(L) bool) []collapse {
	if watching == nil {
		watching = make([]collapse, len(layers))
	}
	for l := range min(len(watching), len(layers)) {
		watching[l].add(step, down(layers[l]))
	}
	return watching
}

// Fail adds the error that ended a run at a step.
func (w *Watcher) Fail(step int, err error) {
	var bad *models.NonFiniteError
	var matrix *models.NaNError
	switch {
	case errors.As(err, &bad):
		w.finite.raise(step, bad.Where+" is not finite")
	case errors.As(err, &matrix):
		w.finite.raise(step, matrix.Matrix+" contains NaN or Inf")
	}
}

// Alarms returns the current alarms, oldest first.
func (w *Watcher) Alarms() []rundir.Alarm {
	var list []rundir.Alarm
	raise := func(on bool, kind rundir.AlarmKind, since int, text func() string) {
		if on {
			list = append(list, rundir.Alarm{Kind: kind, Since: since, Text: text()})
		}
	}
	raise(w.finite.on, rundir.AlarmNonFinite, w.finite.since, func() string { return w.finite.text })
	if w.fall != nil {
		raise(w.fall.on, rundir.AlarmFall, w.fall.since, w.fall.text)
	}
	raise(w.objective.on, rundir.AlarmObjective, w.objective.since, w.objective.text)
	if r := w.Drift.Report(); r != nil && r.Fall != nil {
		raise(true, rundir.AlarmValidation, r.Fall.Since, func() string { return validationText(r) })
	}
	raise(w.prior.on, rundir.AlarmPrior, w.prior.since, w.prior.text)
	for l, c := range w.layers {
		raise(c.on, rundir.AlarmCollapse, c.since, func() string {
			return fmt.Sprintf("layer %d has collapsed: its samples follow the mean function", l+1)
		})
	}
	for l, c := range w.inducing {
		raise(c.on, rundir.AlarmInducing, c.since, func() string {
			return fmt.Sprintf("the inducing points of layer %d have degenerated to a subspace of its inputs",
				l+1)
		})
	}
	raise(w.mixing.on, rundir.AlarmMixing, w.mixing.since, w.mixing.text)
	raise(w.rescues.on, rundir.AlarmRescues, w.rescues.since, w.rescues.text)
	slices.SortStableFunc(list, func(a, b rundir.Alarm) int { return cmp.Compare(a.Since, b.Since) })
	return list
}

// validationText describes the fall of the validation log-likelihood.
func validationText(r *rundir.Drift) string {
	f := r.Fall
	text := fmt.Sprintf("the validation log-likelihood fell from %.4g at step %d to %.4g",
		f.Best, f.Step, f.Last)
	if r.Overfitting() {
		text = "overfitting: " + text
	}
	return text
}

// finiteness detects NaN and Inf in report lines.
type finiteness struct {
	terms []family.Reading // terms of the objective
	on    bool
	since int
	text  string
	quiet int // number of finite report lines since the last occurrence
}

// raise raises the alarm.
func (f *finiteness) raise(step int, text string) {
	f.on = true
	f.since = step
	f.text = text
	f.quiet = 0
}

func (f *finiteness) add(p rundir.Point) {
	where := f.where(p)
	switch {
	case where != "" && !f.on:
		f.raise(p.Step, where+" was not finite")
	case where != "":
		f.quiet = 0
	case f.on:
		f.quiet++
		if f.quiet >= finitePatience*alarmStrip {
			f.on = false
		}
	}
}

// where returns the name of the first non-finite value in a report line, or "" if there is none.
func (f *finiteness) where(p rundir.Point) string {
	if notFinite(p.Objective) {
		return "the objective"
	}
	for _, term := range p.Named(f.terms) {
		if notFinite(term.Value) {
			return "the " + term.Name
		}
	}
	if math.IsInf(p.ValLogLik, 0) { // NaN means not measured.
		return "the validation log-likelihood"
	}
	return ""
}

func notFinite(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }

// rescueRate watches how often jitter is needed. rate is the number of rescues per step in the last
// strip.
type rescueRate struct {
	on        bool
	since     int
	from      rundir.Point // the last line of the previous strip
	lines     int          // number of lines in the current strip
	many, few int          // number of strips in a row with many or few rescues
	rowFrom   int          // first step of the current sequence of strips with many rescues
	rate      float64
}

func (r *rescueRate) add(p rundir.Point) {
	r.lines++
	if r.lines < alarmStrip || p.Step <= r.from.Step {
		return
	}
	r.rate = float64(p.Rescues-r.from.Rescues) / float64(p.Step-r.from.Step)
	if r.rate >= manyRescues {
		r.many++
		if r.many == 1 {
			r.rowFrom = r.from.Step
		}
	} else {
		r.many = 0
	}
	if r.rate < fewRescues {
		r.few++
	} else {
		r.few = 0
	}
	switch {
	case !r.on && r.many >= rescuePatience:
		r.on, r.since = true, r.rowFrom
	case r.on && r.few >= rescuePatience:
		r.on = false
	}
	r.from, r.lines = p, 0
}

func (r *rescueRate) text() string {
	return fmt.Sprintf("jitter was needed %.2g times per step; check the health of the matrices", r.rate)
}

// streak raises an alarm after a number of bad results in a row and clears it after a number of good results
// in a row.
type streak struct {
	on        bool
	since     int // first step of the bad results that raised the alarm
	bad, good int // results in a row
	badFrom   int // first step of the current bad results
}

// add adds the result of a check at a step.
func (s *streak) add(step int, bad bool, raiseAfter, clearAfter int) {
	if !bad {
		s.bad = 0
		s.good++
		if s.good >= clearAfter {
			s.on = false
		}
		return
	}
	s.good = 0
	s.bad++
	if s.bad == 1 {
		s.badFrom = step
	}
	if !s.on && s.bad >= raiseAfter {
		s.on, s.since = true, s.badFrom
	}
}

// collapse watches one layer.
type collapse struct{ streak }

// add adds the state of the layer at a step.
func (c *collapse) add(step int, down bool) {
	c.streak.add(step, down && step >= collapseAfter, collapsePatience, recoverPatience)
}
