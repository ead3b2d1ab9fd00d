package config

import (
	"maps"
	"slices"
	"strings"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
)

// PresetNames returns the names of the presets of a family, starting with the default preset.
func PresetNames(spec models.Spec) []string {
	names := []string{rundir.DefaultPreset}
	for _, p := range spec.Presets {
		names = append(names, p.Name)
	}
	return names
}

// PresetHelp returns the title and the source of a preset in one line, or "" if the family does not have the
// preset.
func PresetHelp(spec models.Spec, name string) string {
	for _, p := range spec.Presets {
		if p.Name == name {
			return p.Title + " (" + p.Source + ")"
		}
	}
	return ""
}

// PresetValues returns the values of a preset for all hyperparameters of the family and the
// settings of the training, except the settings for the data, for ending and for the files of a
// run. The names rundir.DefaultPreset and "" stand for the defaults. If the family does not have
// the preset, the error is a *models.ValueError.
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

// PresetChanges returns the names of the hyperparameters that differ from a preset, in the order of the
// fields. It omits hyperparameters without effect. If the family does not have the preset, it returns the
// error of PresetValues.
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

// WithPreset returns the configuration with the values of a preset for all hyperparameters that it does not
// set. Values that equal the defaults or have no effect stay unset.
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
	_ = c.SetField(rundir.PresetField, name) // SetField accepts any preset name.
	c = withLength(c, preset[rundir.EpochsSetting])
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

// Effective returns the configuration without the values that have no effect; see family.Condition. It
// returns an invalid configuration unchanged.
func Effective(c rundir.Config) rundir.Config {
	spec, err := models.Lookup(c.Family)
	if err != nil {
		return c
	}
	list := allHyperparameters(spec)
	values, err := models.Resolve(list, withLength(c, spec.Training[rundir.EpochsSetting].Value).Set)
	if err != nil {
		return c
	}
	c = c.Clone()
	if c.Set[rundir.WarmStartSetting] == c.Family {
		delete(c.Set, rundir.WarmStartSetting)
	}
	for _, h := range withoutEffect(list, values) {
		delete(c.Set, h.Name)
	}
	return c
}

// withoutEffect returns the hyperparameters in list that have no effect under the given values.
func withoutEffect(list []models.Hyperparameter, values models.Values) []models.Hyperparameter {
	applying := family.Applicable(list, values)
	return slices.DeleteFunc(slices.Clone(list), func(h models.Hyperparameter) bool {
		return applying[h.Name]
	})
}
