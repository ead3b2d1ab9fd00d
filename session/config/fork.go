package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"dgplab/datasets"
	"dgplab/datasets/table"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
)

// Fork returns the configuration of run with changes, a map from names of Fields of the (new)
// family to values. It sets every hyperparameter that has an effect, to be independent of later
// defaults.
//
// A new preset sets its values, except those in changes.
//
// A new family keeps the hyperparameters that both families have, as far as it allows their values.
// It does not keep the number of steps if exactly one of the families is a sampler. A new data set
// resets targets and columns, and the split if the data set does not have it.
//
// The configuration is valid as defined by Validate. Errors about values are *models.ValueErrors.
// Start the run with session.WithParent.
func Fork(run rundir.Info, changes map[string]string) (rundir.Config, error) {
	return DefaultRegistry().Fork(run, changes)
}

// Fork is like the function Fork, but with the names of the registry.
func (registry Registry) Fork(run rundir.Info, changes map[string]string) (rundir.Config, error) {
	if run.State == rundir.Broken {
		return rundir.Config{}, fmt.Errorf("cannot fork %s: %w", run.ID, run.Err)
	}
	if spec, err := registry.Family(run.Config.Family); err == nil {
		if err := CheckValues(run.ID, spec, run.Values); err != nil {
			return rundir.Config{}, err
		}
	}
	c := run.Config.Clone()
	for name, value := range run.Values {
		c.Set[name] = value
	}
	delete(c.Set, rundir.BudgetSetting) // The number of steps that it led to is set.
	if err := apply(&c, changes); err != nil {
		return c, err
	}
	spec, err := registry.Family(c.Family)
	if err != nil {
		return c, err
	}
	if c.Family != run.Config.Family {
		list := allHyperparameters(spec)
		if spec.Objective.Sampled() != run.ObjectiveIs.Sampled() {
			// Steps of samplers and optimisers are not comparable.
			list = slices.DeleteFunc(list, func(h models.Hyperparameter) bool {
				return h.Name == rundir.StepsSetting
			})
		}
		keepShared(&c, list, changes)
	}
	if err := takePreset(&c, spec, changes); err != nil {
		return c, err
	}
	_, steps := changes[rundir.StepsSetting]
	_, epochs := changes[rundir.EpochsSetting]
	if _, has := c.Set[rundir.EpochsSetting]; has && steps && !epochs {
		c.Set[rundir.EpochsSetting] = noEpochs
	}
	r, err := registry.Resolve(c)
	if err != nil {
		return c, err
	}
	c.Dataset, c.Columns = r.Dataset, r.Columns
	maps.Copy(c.Set, r.Values)
	for _, h := range withoutEffect(allHyperparameters(spec), r.Values) {
		if _, asked := changes[h.Name]; !asked {
			delete(c.Set, h.Name)
		}
	}
	_, err = registry.ResolveNew(c)
	return c, err
}

// apply applies changes to c.
func apply(c *rundir.Config, changes map[string]string) error {
	for name, value := range changes {
		if err := c.SetField(name, value); err != nil {
			return err
		}
	}
	if _, ok := changes[rundir.DatasetField]; ok {
		moveTo(c, changes)
	}
	return nil
}

// moveTo resets the fields that do not apply to the new data set, except those in changes.
func moveTo(c *rundir.Config, changes map[string]string) {
	if _, ok := changes[rundir.TargetsField]; !ok {
		c.Targets = nil
	}
	if _, ok := changes[rundir.ColumnsField]; !ok {
		c.Columns = table.Choices{}
	}
	if _, ok := changes[rundir.SplitField]; ok || !strings.HasPrefix(c.Split, "standard:") {
		return
	}
	info, err := datasets.Lookup(c.Dataset)
	number, bad := strconv.Atoi(strings.TrimPrefix(c.Split, "standard:"))
	if err != nil || bad != nil || number >= info.Splits {
		c.Split = ""
	}
}

// takePreset sets the values of the preset in changes, except those that are themselves in changes.
// It resets the name of a preset that the family does not have.
func takePreset(c *rundir.Config, spec models.Spec, changes map[string]string) error {
	values, err := PresetValues(spec, c.Preset)
	_, asked := changes[rundir.PresetField]
	switch {
	case !asked && err != nil:
		c.Preset = ""
		return nil
	case !asked || err != nil:
		return err
	}
	for name, value := range values {
		if _, changed := changes[name]; !changed {
			c.Set[name] = value
		}
	}
	return nil
}

// keepShared removes values that are not in list or not allowed by it, except those in changes.
func keepShared(c *rundir.Config, list []models.Hyperparameter, changes map[string]string) {
	for name, value := range c.Set {
		if _, ok := changes[name]; ok {
			continue
		}
		k := slices.IndexFunc(list, func(h family.Hyperparameter) bool { return h.Name == name })
		if k < 0 || list[k].Validate(value) != nil {
			delete(c.Set, name)
		}
	}
}
