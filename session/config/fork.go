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

// Fork returns the configuration of run with changes, a map from field names of the (new) family to values;
// see Fields. It sets every hyperparameter that has an effect, so that later changes of defaults do not
// matter.
//
// A new preset sets its values, except for hyperparameters in changes.
//
// If the family changes, hyperparameters that both families have are kept if the new family allows their
// values. The number of steps is not kept if exactly one of the families is a sampler. A new data set resets
// targets and columns, and also the split if the data set does not have it.
//
// The configuration is valid as defined by Validate. Errors about values are *models.ValueErrors.
// Start the run with session.WithParent.
func Fork(run rundir.Info, changes map[string]string) (rundir.Config, error) {
	return DefaultRegistry().Fork(run, changes)
}

// Fork is the function Fork with the names of the registry.
func (registry Registry) Fork(run rundir.Info, changes map[string]string) (rundir.Config, error) {
	if run.State == rundir.Broken {
		return rundir.Config{}, fmt.Errorf("cannot fork %s: %w", run.ID, run.Err)
	}
	values := run.Values
	if spec, unknown := registry.Family(run.Config.Family); unknown == nil {
		var err error
		values, err = RecordedValues(run.ID, spec, run.Values)
		if err != nil {
			return rundir.Config{}, err
		}
	}
	c := run.Config.Clone()
	maps.Copy(c.Set, values)
	delete(c.Set, rundir.BudgetSetting) // The resulting number of steps is set instead.
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

// moveTo resets the fields that do not apply to the new data set, except for fields in changes.
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

// takePreset sets the values of the preset in changes, except for hyperparameters that are in changes. It
// resets the name of a preset that the family does not have.
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

// keepShared removes values that list lacks or does not allow, except for values in changes.
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
