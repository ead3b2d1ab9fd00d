package config

import (
	"maps"
	"slices"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
)

// Difference is a field that differs between the configurations of runs.
type Difference struct {
	// Field is a name that Fork accepts.
	Field string `json:"field"`
	// Values holds one value per run, or "" if the run has no such field.
	Values []string `json:"values"`
}

// Differences returns the fields that differ between the configurations of runs: RunFields first (without the
// preset, because its values are compared instead), then hyperparameters in the order of the families and of
// the training. Different spellings of a value (0.10 and 0.1, on and true) are equal, and so are values that
// were adapted from equal values. A hyperparameter that some families lack does not differ if the other runs
// have its default.
func Differences(runs []rundir.Info) []Difference {
	if len(runs) < 2 {
		return nil
	}
	var list []Difference
	add := func(field string, value, meaning func(rundir.Info) string) {
		d := Difference{Field: field}
		differs := false
		for _, run := range runs {
			d.Values = append(d.Values, value(run))
			differs = differs || meaning(run) != meaning(runs[0])
		}
		if differs {
			list = append(list, d)
		}
	}
	for _, field := range RunFields() {
		value := func(i rundir.Info) string {
			return i.Config.Field(field.Name)
		}
		if field.Name != rundir.PresetField {
			add(field.Name, value, value)
		}
	}
	for _, h := range hyperparametersOf(runs) {
		add(h.Name, func(i rundir.Info) string { return i.Values[h.Name] }, func(i rundir.Info) string {
			if _, ok := i.Values[h.Name]; ok {
				return h.Canonical(i.Chosen(h.Name))
			}
			return h.Canonical(h.Default)
		})
	}
	return list
}

// InformativeDifferences returns the Differences that are informative for users. It omits
// hyperparameters that have the default of the family in every run, because the family already
// implies them.
func InformativeDifferences(runs []rundir.Info) []Difference {
	names := family.Names(hyperparametersOf(runs))
	return slices.DeleteFunc(Differences(runs), func(d Difference) bool {
		chosen := func(run rundir.Info) bool { return !isDefault(run, d.Field) }
		return slices.Contains(names, d.Field) && !slices.ContainsFunc(runs, chosen)
	})
}

// isDefault reports whether the run has the default of its family for a hyperparameter, or the
// family does not have the hyperparameter.
func isDefault(run rundir.Info, name string) bool {
	if _, ok := run.Values[name]; !ok {
		return true
	}
	value := run.Chosen(name)
	known, err := FamilyHyperparameters(run.Config.Family)
	if err != nil {
		return false // The family is unknown.
	}
	for _, h := range known {
		if h.Name == name {
			return h.Canonical(value) == h.Canonical(h.Default)
		}
	}
	return false
}

// hyperparametersOf returns the hyperparameters of all runs without duplicates: the hyperparameters of the
// families, the settings of the training, and names unknown to this program, in this order.
func hyperparametersOf(runs []rundir.Info) []models.Hyperparameter {
	var list []models.Hyperparameter
	known := map[string]bool{}
	add := func(more ...models.Hyperparameter) {
		for _, h := range more {
			if !known[h.Name] {
				known[h.Name] = true
				list = append(list, h)
			}
		}
	}
	for _, run := range runs {
		if spec, err := models.Lookup(run.Config.Family); err == nil {
			add(spec.Hyperparameters...)
		}
	}
	add(Hyperparameters()...)
	for _, run := range runs {
		for _, name := range slices.Sorted(maps.Keys(run.Values)) {
			add(models.Hyperparameter{Name: name, Kind: family.Text})
		}
	}
	return list
}
