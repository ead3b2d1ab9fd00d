package config

import (
	"maps"
	"math"
	"strconv"

	"dgplab/datasets"
	"dgplab/models/family"
	"dgplab/session/rundir"
)

// A default may depend on the data and on the time budget of a run. Both are unknown when a configuration is
// resolved. Values are therefore adapted later, once, and recorded with the run, so that a resumed run keeps
// them. Only defaults are adapted, never values set by users or named presets; the length of a run is also
// adapted to its budget.

// adaptable reports whether a hyperparameter has its default value, which may be adapted.
func (r *Resolved) adaptable(name string) bool {
	_, set := r.Config.Set[name]
	return !set && (r.Preset == "" || r.Preset == rundir.DefaultPreset)
}

// AdaptToData sets the number of training points, adapts the defaults to it, and returns the changes.
func (r *Resolved) AdaptToData(n int) (list []rundir.Adaptation) {
	for _, h := range r.Spec.Hyperparameters {
		if !r.adaptable(h.Name) {
			continue
		}
		old := r.Values[h.Name]
		if value := h.DefaultFor(n, old); h.Canonical(value) != h.Canonical(old) {
			list = append(list, rundir.Adaptation{
				Name: h.Name,
				From: old,
				To:   value,
				Why:  "half of the " + strconv.Itoa(n) + " training points",
			})
		}
	}
	r.adapt(list, n)
	return list
}

// warmUp is the hyperparameter for the number of steps over which the learning rate rises. warmStartRamp is
// its minimum after a warm start: Adam's first steps have the full rate in every parameter, whatever the
// gradient, and would undo a good start.
const (
	warmUp        = "warm_up"
	warmStartRamp = 100
)

// AdaptToWarmStart makes the learning rate rise slowly, for n training points, and returns the change, or
// nil if the family has no learning rate.
func (r *Resolved) AdaptToWarmStart(n int) (list []rundir.Adaptation) {
	steps, err := strconv.Atoi(r.Values[warmUp])
	if err != nil || steps >= warmStartRamp || !r.adaptable(warmUp) {
		return nil
	}
	list = []rundir.Adaptation{{
		Name: warmUp,
		From: r.Values[warmUp],
		To:   strconv.Itoa(warmStartRamp),
		Why:  "the warm start",
	}}
	r.adapt(list, n)
	return list
}

// adapt replaces values, for n training points.
func (r *Resolved) adapt(list []rundir.Adaptation, n int) {
	r.Values = maps.Clone(r.Values)
	for _, a := range list {
		r.Values[a.Name] = a.To
	}
	r.Settings = newSettings(r.Values)
	r.SetNumData(n)
}

// decaySteps is the number of steps after which the learning rate of the staircase schedule falls.
const decaySteps = "decay_steps"

// AdaptToSteps shortens the run to fewer steps because of its budget, and shortens the stairs of its learning
// rate in proportion. It returns the changes.
func (r *Resolved) AdaptToSteps(steps, n int) (list []rundir.Adaptation) {
	why := "the budget of " + r.Values[rundir.BudgetSetting]
	change := func(name string, value int) {
		if old, has := r.Values[name]; has && old != strconv.Itoa(value) {
			list = append(list, rundir.Adaptation{Name: name, From: old, To: strconv.Itoa(value), Why: why})
		}
	}
	share := float64(steps) / float64(r.Steps)
	change(rundir.StepsSetting, steps)
	change(rundir.EpochsSetting, 0)
	if every, err := strconv.Atoi(r.Values[decaySteps]); err == nil && r.adaptable(decaySteps) {
		change(decaySteps, max(1, int(math.Round(share*float64(every)))))
	}
	r.adapt(list, n)
	return list
}

// leastInducing is the minimum number of inducing points after adaptation to a budget.
const leastInducing = 16

// HalveInducing halves the default number of inducing points because of the budget. It returns the
// change, or nil if that is not possible.
func (r *Resolved) HalveInducing(n int) (list []rundir.Adaptation) {
	for _, h := range r.Spec.Hyperparameters {
		count, err := strconv.Atoi(r.Values[h.Name])
		if !h.AtMostHalf || !r.adaptable(h.Name) || err != nil || count <= leastInducing {
			continue
		}
		list = append(list, rundir.Adaptation{
			Name: h.Name,
			From: r.Values[h.Name],
			To:   strconv.Itoa(max(count/2, leastInducing)),
			Why:  "the budget of " + r.Values[rundir.BudgetSetting],
		})
	}
	r.adapt(list, n)
	return list
}

// Cheaper is a value that makes the steps of a run cheaper.
type Cheaper struct {
	Name, Value string
	// Ratio is the number of operations of a step relative to the run's current value.
	Ratio float64
}

// CheaperValues returns smaller values of the settings that determine the cost of a step on the training
// data. For each setting, the first value halves the current one, the next halves it again, and so on.
func (r *Resolved) CheaperValues(data *datasets.Prepared) (list []Cheaper) {
	own := r.FamilyValues()
	now, err := r.sizeWith(own, data)
	if err != nil || !(now.StepFLOPs > 0) {
		return nil
	}
	for _, name := range []string{"inducing", "width", "samples", rundir.BatchSetting} {
		values := maps.Clone(own)
		for {
			count, err := strconv.Atoi(values[name])
			if err != nil || count < 2 {
				break
			}
			values[name] = strconv.Itoa(count / 2)
			h := r.Spec.Hyperparameters[hyperparameterIndex(r.Spec.Hyperparameters, name)]
			size, err := r.sizeWith(values, data)
			if err != nil || h.Validate(values[name]) != nil {
				break
			}
			list = append(list, Cheaper{name, values[name], size.StepFLOPs / now.StepFLOPs})
		}
	}
	return list
}

// hyperparameterIndex returns the index of a hyperparameter, or -1.
func hyperparameterIndex(list []family.Hyperparameter, name string) int {
	for i, h := range list {
		if h.Name == name {
			return i
		}
	}
	return -1
}
