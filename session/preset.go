package session

import (
	"maps"
	"slices"
	"strings"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
)

// PresetNames returns the names of the presets of a family, that of the defaults
// first.
func PresetNames(spec models.Spec) []string {
	names := []string{rundir.DefaultPreset}
	for _, p := range spec.Presets {
		names = append(names, p.Name)
	}
	return names
}

// PresetHelp says in one line what a preset of a family is and where it is from, ""
// where that is not known.
func PresetHelp(spec models.Spec, name string) string {
	for _, p := range spec.Presets {
		if p.Name == name {
			return p.Title + " (" + p.Source + ")"
		}
	}
	return ""
}

// PresetValues returns the values of a preset: one for every hyperparameter of the
// family, and for every setting of the training but what is kept of a run. Those of
// rundir.DefaultPreset and of "" are the defaults. A name that the family does not have is
// a *models.ValueError.
func PresetValues(spec models.Spec, name string) (models.Values, error) {
	list := append(slices.Clone(spec.Hyperparameters),
		withDefaults(spec, slices.Concat(training(), starting()))...)
	if name == "" || name == rundir.DefaultPreset {
		return models.Resolve(list, nil)
	}
	i := slices.IndexFunc(spec.Presets, func(p family.Preset) bool { return p.Name == name })
	if i < 0 {
		return nil, &models.ValueError{
			Name:  rundir.PresetField,
			Value: name,
			Want:  "want one of " + strings.Join(PresetNames(spec), ", "),
		}
	}
	return models.Resolve(list, spec.Presets[i].Values)
}

// PresetChanges returns the names of the hyperparameters whose values differ from
// those of a preset, in the order of the fields, without those that have no effect.
// For a preset that the family does not have, such as one of another version of
// this program, it returns the error of PresetValues.
func PresetChanges(spec models.Spec, name string, values models.Values) ([]string, error) {
	preset, err := PresetValues(spec, name)
	if err != nil {
		return nil, err
	}
	list := allHyperparameters(spec)
	applying := family.Applicable(list, values)
	var changed []string
	for _, h := range list {
		value, known := preset[h.Name]
		if known && applying[h.Name] && h.Canonical(values[h.Name]) != h.Canonical(value) {
			changed = append(changed, h.Name)
		}
	}
	return changed, nil
}

// WithPreset returns the configuration with the values of a preset of its family
// for all hyperparameters that it does not set itself. Values that are defaults, or
// that have no effect, stay unset.
func WithPreset(c rundir.Config, name string) (rundir.Config, error) {
	spec, err := models.Lookup(c.Family)
	if err != nil {
		return c, err
	}
	preset, err := PresetValues(spec, name)
	if err != nil {
		return c, err
	}
	own := c.Set
	c = c.Clone()
	_ = c.SetField(rundir.PresetField, name) // A name can be read.
	c = stepsMeant(c, preset[rundir.EpochsSetting])
	for _, h := range allHyperparameters(spec) {
		value, known := preset[h.Name]
		if _, set := c.Set[h.Name]; known && !set && h.Canonical(value) != h.Canonical(h.Default) {
			c.Set[h.Name] = value
		}
	}
	effective := Effective(c)
	maps.Copy(effective.Set, own)
	return effective, nil
}

// Effective returns the configuration without the values that have no effect, as
// family.Condition says. One that is not valid stays as it is.
func Effective(c rundir.Config) rundir.Config {
	spec, err := models.Lookup(c.Family)
	if err != nil {
		return c
	}
	list := allHyperparameters(spec)
	values, err := models.Resolve(list, stepsMeant(c, spec.Training[rundir.EpochsSetting].Value).Set)
	if err != nil {
		return c
	}
	c = c.Clone()
	if c.Set[rundir.WarmStartSetting] == c.Family {
		delete(c.Set, rundir.WarmStartSetting)
	}
	for _, h := range idle(list, values) {
		delete(c.Set, h.Name)
	}
	return c
}

// idle returns the hyperparameters that have no effect among these values.
func idle(list []models.Hyperparameter, values models.Values) []models.Hyperparameter {
	applying := family.Applicable(list, values)
	return slices.DeleteFunc(slices.Clone(list), func(h models.Hyperparameter) bool {
		return applying[h.Name]
	})
}
