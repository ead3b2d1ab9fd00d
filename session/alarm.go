package session

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/models/view"
	"dgplab/session/drift"
	"dgplab/session/rundir"
)

// AlarmKind says what an alarm is about.
type AlarmKind = rundir.AlarmKind

const (
	AlarmNonFinite  AlarmKind = "non-finite" // NaN or Inf
	AlarmObjective  AlarmKind = "objective"  // it diverges
	AlarmFall       AlarmKind = "fall"       // an objective that no step should lower was lowered
	AlarmValidation AlarmKind = "validation" // its log-likelihood has fallen, see drift.Fall
	AlarmCollapse   AlarmKind = "collapse"   // a layer does nothing
	AlarmPrior      AlarmKind = "prior"      // the posterior is the prior
	AlarmInducing   AlarmKind = "inducing"   // amortized inducing points lie in a subspace
	AlarmMixing     AlarmKind = "mixing"     // chains have not mixed, or draws are worth little
	AlarmRescues    AlarmKind = "rescues"    // jitter is needed all the time
)

// Alarm is one thing that goes wrong in a run. Alarms are calm: each needs
// evidence over several report lines or diagnostics, and clears later than it
// rises.
type Alarm = rundir.Alarm

// The rules. A strip is a number of report lines; it counts by its median.
const (
	alarmStrip = 10
	// The objective diverges when the last 3 strips lie below the best one by more
	// than 6 times the spread of report lines, and by more than 0.01 nats for each
	// training point, and it is still falling.
	objectivePatience, objectiveSpreads, objectiveFloor = 3, 6, 0.01
	// NaN and Inf are forgotten after 3 strips without, and so is a fall of what should
	// not fall.
	finitePatience, fallPatience = 3, 3
	// Jitter is needed all the time from 1 rescue in 10 steps on, until it is 1 in
	// 50, both for 2 strips in a row.
	manyRescues, fewRescues, rescuePatience = 0.1, 0.02, 2
	// A layer has collapsed when all of its GPs have (view.Unit) in 3
	// diagnostics in a row after step 1000, until they have not in 2. Before, hidden
	// layers that start next to their mean functions need time to leave them. The same
	// holds for inducing points of a layer that lie in a subspace (view.RankCollapsed).
	collapseAfter, collapsePatience, recoverPatience = 1000, 3, 2
)

// watcher raises and clears the alarms of a run from its report lines and
// diagnostics. What it says depends on these alone, so that a resumed run, or a
// run that is read from its directory, has the same alarms of report lines.
type watcher struct {
	finite           finiteness
	objective        decline
	drift            *drift.Watch
	prior            priorCollapse
	fall             *fall // nil unless the objective is one that no step should lower
	rescues          rescueRate
	layers, inducing []collapse
	mixing           mixing
	diagnosed        int // step of the last diagnostics
}

// newWatcher returns the watcher of a run that maximises o on n training points, 0
// if not known.
func newWatcher(o family.Objective, n int) *watcher {
	w := &watcher{
		finite: finiteness{terms: o.Terms},
		drift:  &drift.Watch{Wanders: o.Sampled()},
	}
	if o.Monotone {
		w.fall = &fall{name: o.Name, terms: o.Terms}
	}
	w.setData(n)
	return w
}

// setData sets the number of training points.
func (w *watcher) setData(n int) {
	w.drift.Points = n
	w.objective.floor = objectiveFloor * float64(n)
	w.prior.setData(n)
}

// add takes a report line; steps ascend.
func (w *watcher) add(p rundir.Point) {
	w.addDrift(p)
	w.finite.add(p)
	w.rescues.add(p)
	w.prior.add(p)
	switch {
	case w.drift.Wanders: // The objective need not rise.
	case w.fall != nil:
		w.fall.add(p)
	default:
		w.objective.add(p.Step, p.Objective)
	}
}

// addDrift takes what drifts of a report line, which may be that of the last step again with
// its validation.
func (w *watcher) addDrift(p rundir.Point) {
	w.drift.Add(drift.Values{
		Step: p.Step, Phase: p.Phase, Validation: p.ValLogLik, Objective: p.Objective,
		Noise: p.Reading(noiseReading),
	})
}

// look takes diagnostics; those of a step that was seen already say nothing new.
func (w *watcher) look(d *rundir.Diagnostics) {
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

// watchLayers takes what was seen of layers at a step into what watches them, made at the
// first time.
func watchLayers[L any](watching []collapse, step int, layers []L, down func(L) bool) []collapse {
	if watching == nil {
		watching = make([]collapse, len(layers))
	}
	for l := range min(len(watching), len(layers)) {
		watching[l].add(step, down(layers[l]))
	}
	return watching
}

// fail takes the error that ended a run at a step.
func (w *watcher) fail(step int, err error) {
	var bad *models.NonFiniteError
	var matrix *models.NaNError
	switch {
	case errors.As(err, &bad):
		w.finite.raise(step, bad.Where+" is not finite")
	case errors.As(err, &matrix):
		w.finite.raise(step, matrix.Matrix+" holds NaN or Inf")
	}
}

// alarms returns what is wrong now, the oldest first.
func (w *watcher) alarms() []Alarm {
	var list []Alarm
	raise := func(on bool, kind AlarmKind, since int, text func() string) {
		if on {
			list = append(list, Alarm{Kind: kind, Since: since, Text: text()})
		}
	}
	raise(w.finite.on, AlarmNonFinite, w.finite.since, func() string { return w.finite.text })
	if w.fall != nil {
		raise(w.fall.on, AlarmFall, w.fall.since, w.fall.text)
	}
	raise(w.objective.on, AlarmObjective, w.objective.since, w.objective.text)
	if r := w.drift.Report(); r != nil && r.Fall != nil {
		raise(true, AlarmValidation, r.Fall.Since, func() string { return validationText(r) })
	}
	raise(w.prior.on, AlarmPrior, w.prior.since, w.prior.text)
	for l, c := range w.layers {
		raise(c.on, AlarmCollapse, c.since, func() string {
			return fmt.Sprintf("layer %d has collapsed: its samples do nothing beyond its mean function", l+1)
		})
	}
	for l, c := range w.inducing {
		raise(c.on, AlarmInducing, c.since, func() string {
			return fmt.Sprintf("the inducing points of layer %d have degenerated to a subspace of its inputs",
				l+1)
		})
	}
	raise(w.mixing.on, AlarmMixing, w.mixing.since, w.mixing.text)
	raise(w.rescues.on, AlarmRescues, w.rescues.since, w.rescues.text)
	slices.SortStableFunc(list, func(a, b Alarm) int { return cmp.Compare(a.Since, b.Since) })
	return list
}

// validationText describes the fall of the validation log-likelihood.
func validationText(r *drift.Report) string {
	f := r.Fall
	text := fmt.Sprintf("the validation log-likelihood falls: it is %.4g now and was %.4g at step %d",
		f.Last, f.Best, f.Step)
	if r.Overfitting() {
		text = "overfitting: " + text
	}
	return text
}

// finiteness watches for NaN and Inf in report lines.
type finiteness struct {
	terms []family.Reading // of the objective
	on    bool
	since int
	text  string
	quiet int // report lines without, since the last one
}

// raise sets the alarm.
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

// where names what is not finite in a report line, "" if all is.
func (f *finiteness) where(p rundir.Point) string {
	if notFinite(p.Objective) {
		return "the objective"
	}
	for _, term := range p.Named(f.terms) {
		if notFinite(term.Value) {
			return "the " + term.Name
		}
	}
	if math.IsInf(p.ValLogLik, 0) { // NaN is not measured
		return "the validation log-likelihood"
	}
	return ""
}

func notFinite(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }

// rescueRate watches how often jitter is needed: rate is that of the last strip,
// in rescues per step.
type rescueRate struct {
	on        bool
	since     int
	from      rundir.Point // the line before the present strip
	lines     int          // of the present strip
	many, few int          // strips in a row
	rowFrom   int          // step at which the present row of strips with many began
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
	return fmt.Sprintf("jitter was needed %.2g times a step; see the health of the matrices", r.rate)
}

// collapse watches one layer.
type collapse struct {
	on       bool
	since    int
	down, up int // diagnostics in a row
	rowFrom  int
}

// add takes whether the layer was collapsed when it was looked at.
func (c *collapse) add(step int, down bool) {
	if !down || step < collapseAfter {
		c.down = 0
		c.up++
		if c.up >= recoverPatience {
			c.on = false
		}
		return
	}
	c.up = 0
	c.down++
	if c.down == 1 {
		c.rowFrom = step
	}
	if !c.on && c.down >= collapsePatience {
		c.on, c.since = true, c.rowFrom
	}
}
