package session

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"dgplab/datasets"
	"dgplab/datasets/columns"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
)

// Fork returns the configuration of a run like the given one but for the changes: a map
// from the names of Fields, of the (new) family, to values. Every hyperparameter
// that has an effect is set, so that later defaults do not matter.
//
// Another preset brings its values, but for those that are changes.
//
// Another family keeps the values that it shares with the old one: of
// hyperparameters that both have, and that it allows, but for the number of steps where
// one of them samples and the other does not. Another data set has other
// targets and columns, and a split that it does not have becomes its default.
//
// The configuration is valid as by Config.Validate; the error about a value is a
// *models.ValueError. Start it with WithParent.
func Fork(run rundir.Info, changes map[string]string) (rundir.Config, error) {
	return fork(realEnvironment(), run, changes)
}

func fork(env environment, run rundir.Info, changes map[string]string) (rundir.Config, error) {
	if run.State == rundir.Broken {
		return rundir.Config{}, fmt.Errorf("%s cannot be forked: %w", run.ID, run.Err)
	}
	c := run.Config.Clone()
	for name, value := range run.Values {
		c.Set[name] = value
	}
	if err := apply(&c, changes); err != nil {
		return c, err
	}
	spec, err := env.family(c.Family)
	if err != nil {
		return c, err
	}
	if c.Family != run.Config.Family {
		list := allHyperparameters(spec)
		if spec.Objective.Sampled() != run.Objective.Sampled() {
			// A step means another thing, and so does their number.
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
	r, err := env.resolve(c)
	if err != nil {
		return c, err
	}
	c.Dataset, c.Columns = r.Dataset, r.Columns
	maps.Copy(c.Set, r.values)
	for _, h := range idle(allHyperparameters(spec), r.values) {
		if _, asked := changes[h.Name]; !asked {
			delete(c.Set, h.Name)
		}
	}
	_, err = env.admit(c)
	return c, err
}

// apply makes the changes, whatever they are.
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

// moveTo drops what another data set does not have, unless it was asked for.
func moveTo(c *rundir.Config, changes map[string]string) {
	if _, ok := changes[rundir.TargetsField]; !ok {
		c.Targets = nil
	}
	if _, ok := changes[rundir.ColumnsField]; !ok {
		c.Columns = columns.Choices{}
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

// takePreset sets the values of the preset that was asked for, but for the changes,
// and drops the name of one that the family does not have.
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

// keepShared drops the values that are not changes and that a list of
// hyperparameters does not have or does not allow.
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
