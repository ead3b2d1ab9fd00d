package config

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"strings"
	"time"

	"dgplab/datasets"
	"dgplab/datasets/table"
	"dgplab/datasets/task"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/models/likelihood"
	"dgplab/session/rundir"
)

// Settings holds the values of Hyperparameters.
type Settings struct {
	Steps             int // the maximum; 0 while it depends on unknown data
	EarlyStopping     bool
	StopOverfitting   bool // only with EarlyStopping
	KeepBest          bool // keep the parameters with the best validation
	UntilConverged    bool
	Budget            time.Duration // 0 for none
	Validation        float64       // share of the training set held out
	ValidationEvery   int           // steps
	ValidationSamples int           // draws per point
	ValidationPoints  int           // 0 for all
	TestSamples       int           // draws per point
	logTargets        bool
	MetricsEvery      int     // steps
	CheckpointEvery   int     // steps; 0 for none
	CheckpointSeconds float64 // 0 for none
}

func newSettings(v models.Values) Settings {
	return Settings{
		Steps:             rundir.StepLimit(v, 0),
		EarlyStopping:     v.Bool(earlySetting),
		StopOverfitting:   v.Bool(earlySetting) && v.Bool(overfittingSetting),
		KeepBest:          v.Text(rundir.KeepSetting) == rundir.KeptBest,
		UntilConverged:    v.Bool(UntilConverged),
		Budget:            budgetOf(v),
		Validation:        v.Float("validation"),
		ValidationEvery:   v.Int(ValidationEvery),
		ValidationSamples: v.Int("validation_samples"),
		ValidationPoints:  v.Int("validation_points"),
		TestSamples:       v.Int("test_samples"),
		logTargets:        v.Bool("log_targets"),
		MetricsEvery:      v.Int("metrics_every"),
		CheckpointEvery:   v.Int("checkpoint_every"),
		CheckpointSeconds: v.Float("checkpoint_seconds"),
	}
}

// budgetOf returns the time budget, or 0 if there is none.
func budgetOf(v models.Values) time.Duration {
	d, _ := time.ParseDuration(v[rundir.BudgetSetting]) // Validated by checkBudget.
	return d
}

// Reports reports whether a step always has a report line. These are every metrics_every-th step, every step
// with a validation, and the first step, to show the progress of slow runs early. The last step of a run also
// has a line.
func (s Settings) Reports(step int) bool {
	return step == 1 || step%s.MetricsEvery == 0 || s.Validates(step)
}

// Validates reports whether a step ends with a validation.
func (s Settings) Validates(step int) bool { return step%s.ValidationEvery == 0 }

// NextReport returns the first step after the given one that always has a report line.
func (s Settings) NextReport(step int) int {
	if step < 1 {
		return 1
	}
	multiple := func(every int) int {
		if step > math.MaxInt-every {
			return math.MaxInt
		}
		return (step/every + 1) * every
	}
	return min(multiple(s.MetricsEvery), multiple(s.ValidationEvery))
}

// Resolved is a validated configuration with values for all settings.
type Resolved struct {
	rundir.Config
	// Spec is the specification of the family.
	Spec models.Spec
	// Values holds the values of the family and the training.
	Values models.Values
	Settings
}

// ResolveNew resolves the configuration of a new run. In addition to Resolve, it rejects presets that
// the family does not have and hyperparameters without effect.
func (registry Registry) ResolveNew(c rundir.Config) (*Resolved, error) {
	r, err := registry.Resolve(c)
	if err != nil {
		return nil, err
	}
	if _, err := PresetValues(r.Spec, c.Preset); err != nil {
		return nil, err
	}
	for _, h := range withoutEffect(allHyperparameters(r.Spec), r.Values) {
		if _, set := c.Set[h.Name]; set {
			return nil, &models.ValueError{Name: h.Name, Want: "only with " + h.When.String()}
		}
	}
	return r, nil
}

// Resolve validates a configuration as far as possible without its data. It accepts hyperparameters without
// effect, because recorded runs have values for all hyperparameters.
func (registry Registry) Resolve(c rundir.Config) (*Resolved, error) {
	spec, err := registry.Family(c.Family)
	if err != nil {
		return nil, err
	}
	if value, set := c.Set[rundir.EpochsSetting]; set {
		if why := noEpochsReason(spec); why != "" {
			return nil, &models.ValueError{Name: rundir.EpochsSetting, Value: value, Want: why}
		}
	}
	c = withLength(c, spec.Training[rundir.EpochsSetting].Value)
	values, err := models.Resolve(allHyperparameters(spec), c.Set)
	if err != nil {
		return nil, err
	}
	if c.Split != "" {
		if err := registry.CheckSplit(c.Split); err != nil {
			return nil, err
		}
	}
	c.Dataset, err = registry.Dataset(c.Dataset)
	if err != nil {
		return nil, err
	}
	if err := checkKnown(spec, values, c.Columns); err != nil {
		return nil, err
	}
	r := &Resolved{Config: c.Clone(), Spec: spec.With(values), Values: values, Settings: newSettings(values)}
	return r, nil
}

// checkKnown returns an error if a family, or its likelihood, cannot use the columns of known noise and of
// weights.
func checkKnown(spec models.Spec, v models.Values, columns table.Choices) error {
	if columns.Noise != "" && !spec.Accepts.Noise {
		return &models.ValueError{Name: "noise", Value: columns.Noise, Want: "want a family that accepts a " +
			"known noise: " + familiesWith(func(a family.Accepts) bool { return a.Noise })}
	}
	if columns.Weight != "" && !spec.Accepts.Weights {
		return &models.ValueError{Name: "weight", Value: columns.Weight, Want: "want a family that accepts " +
			"weights: " + familiesWith(func(a family.Accepts) bool { return a.Weights })}
	}
	name, chosen := v["likelihood"]
	other := chosen && name != likelihood.Auto && name != "gaussian"
	if other && (columns.Noise != "" || columns.Weight != "") {
		return &models.ValueError{Name: "likelihood", Value: name,
			Want: "want gaussian, the only likelihood that can have a known noise or weights"}
	}
	return nil
}

// familiesWith lists the families whose Accepts satisfies a condition.
func familiesWith(ok func(family.Accepts) bool) string {
	var names []string
	for _, spec := range models.Families() {
		if ok(spec.Accepts) {
			names = append(names, spec.Name)
		}
	}
	return strings.Join(names, ", ")
}

// ResolveRecorded resolves the configuration of a recorded run whose Set holds all of its values; see
// RecordedValues.
func (registry Registry) ResolveRecorded(id string, c rundir.Config) (*Resolved, error) {
	spec, err := registry.Family(c.Family)
	if err != nil {
		return nil, err
	}
	c.Set, err = RecordedValues(id, spec, c.Set)
	if err != nil {
		return nil, err
	}
	return registry.Resolve(c)
}

// RecordedValues returns a copy of the values of a recorded run of a family. It adds the values of
// hyperparameters that are newer than the run. It returns an error if the run lacks the value of another
// hyperparameter that has an effect.
func RecordedValues(id string, spec models.Spec, values models.Values) (models.Values, error) {
	list := allHyperparameters(spec)
	applying := family.Applicable(list, values)
	values = maps.Clone(values)
	for _, h := range list {
		_, known := values[h.Name]
		switch {
		case known, h.Name == rundir.BudgetSetting: // The budget may be missing.
		case h.Before != "":
			values[h.Name] = h.Before
		case applying[h.Name]:
			return nil, fmt.Errorf("the configuration of %s has no value for %s", id, h.Name)
		}
	}
	return values, nil
}

// SetNumData sets the number of training points, which may determine the number of steps.
func (r *Resolved) SetNumData(n int) { r.Steps = rundir.StepLimit(r.Values, n) }

// withLength returns a configuration in which steps, if set without epochs, determine the length of
// training. usual is the default of epochs.
func withLength(c rundir.Config, usual string) rundir.Config {
	_, steps := c.Set[rundir.StepsSetting]
	_, epochs := c.Set[rundir.EpochsSetting]
	if steps && !epochs && usual != "" && usual != noEpochs {
		c = c.Clone()
		c.Set[rundir.EpochsSetting] = noEpochs
	}
	return c
}

// FamilyValues returns the values of the family's hyperparameters.
func (r *Resolved) FamilyValues() models.Values {
	own := make(models.Values, len(r.Spec.Hyperparameters))
	for _, h := range r.Spec.Hyperparameters {
		own[h.Name] = r.Values[h.Name]
	}
	return own
}

// Usable returns the part of a data set that the family can be trained on. It sets LogTargets if
// the configuration asks for logarithms.
func (r *Resolved) Usable(ds *datasets.Dataset) (*datasets.Dataset, error) {
	split, err := SplitOf(ds, r.Split)
	if err == nil {
		ds, err = ds.For(split, r.Spec.Accepts.Outputs, r.Spec.Accepts.Missing)
	}
	if err != nil || !r.logTargets {
		return ds, err
	}
	marked := *ds
	marked.LogTargets = true
	return &marked, nil
}

// SameData reports whether two runs use the same parts of the same data set.
func (r *Resolved) SameData(o *Resolved) bool {
	return reflect.DeepEqual(r.Source(), o.Source()) && r.Split == o.Split && r.Validation == o.Validation &&
		r.Seed == o.Seed && r.Family == o.Family && r.logTargets == o.logTargets
}

// Size returns the size of the model for the training data. It returns an error if the family
// cannot be trained on such targets, or the model lacks a parameter that is to be held, bounded or given a
// prior.
func (r *Resolved) Size(ds *datasets.Dataset, data *datasets.Prepared) (size models.Size, err error) {
	err = r.Spec.Accepts.Check(data.Task, data.Train.Y)
	if err != nil && !r.Spec.Accepts.Missing {
		err = addMissingDetails(err, ds, data)
	}
	if err == nil && data.Train.Weights != nil && data.Task != task.Regression {
		err = fmt.Errorf("weights need a Gaussian likelihood, and the task is %v; %s:number treats a target "+
			"as numbers", data.Task, ds.Targets[0])
	}
	if err == nil {
		size, err = r.sizeWith(r.FamilyValues(), data)
	}
	if err == nil {
		err = r.Spec.CheckControls(r.FamilyValues(), models.Data{
			X: data.Train.X, Y: data.Train.Y, Task: data.Task, Classes: len(data.Classes),
			Inputs: data.Inputs, Steps: r.Steps, Noise: data.Train.Noise, LearnedNoise: data.LearnedNoise,
			Weights: data.Train.Weights,
		})
	}
	if err != nil {
		return size, fmt.Errorf("family %s: %w", r.Family, err)
	}
	return size, nil
}

// sizeWith returns the size of the model with the given values. It is zero if the family states none.
func (r *Resolved) sizeWith(v models.Values, data *datasets.Prepared) (size models.Size, err error) {
	n, d := data.Train.X.Dims()
	_, targets := data.Train.Y.Dims()
	p, err := family.Latents(v, data.Task, targets, len(data.Classes))
	l, chosen := v["likelihood"]
	if err == nil && r.logTargets && chosen && l != likelihood.Auto && l != "gaussian" {
		err = &family.ValueError{Name: "likelihood", Value: l,
			Want: "want gaussian with log_targets=on: the exponential of the targets has no finite mean"}
	}
	if err != nil || r.Spec.Size == nil {
		return size, err
	}
	return r.Spec.Size(v, n, d, p)
}

// addMissingDetails completes the error of a family that does not accept missing targets: it names the first
// one and the families that do.
func addMissingDetails(err error, ds *datasets.Dataset, data *datasets.Prepared) error {
	target, row, count := data.FirstMissing(ds.Targets)
	if count == 0 {
		return err
	}
	takers := familiesWith(func(a family.Accepts) bool { return a.Missing })
	return fmt.Errorf("%w (first: %s in row %d); supported by %s",
		err, target, row+1, takers)
}
