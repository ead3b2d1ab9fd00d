package session

import (
	"maps"
	"slices"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
)

// Difference is one field in which the configurations of some runs differ.
type Difference struct {
	// Field is a name that Fork knows.
	Field string `json:"field"`
	// Values has one value for each run, "" where the run has no such field.
	Values []string `json:"values"`
}

// Differences returns the fields in which the configurations of runs differ:
// those of RunFields first, but for the name of a preset, which its values say
// better, then hyperparameters in the order of the families and of the training. Values that are
// written in two ways (0.10 and 0.1, on and true) do not differ, nor does a hyperparameter that
// some of the families do not have, where the others have its default.
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
		if value := func(i rundir.Info) string {
			return i.Config.Field(field.Name)
		}; field.Name != rundir.PresetField {
			add(field.Name, value, value)
		}
	}
	for _, h := range hyperparametersOf(runs) {
		add(h.Name, func(i rundir.Info) string { return i.Values[h.Name] }, func(i rundir.Info) string {
			if value, ok := i.Values[h.Name]; ok {
				return h.Canonical(value)
			}
			return h.Canonical(h.Default)
		})
	}
	return list
}

// Telling returns those of Differences that tell runs apart for people: a hyperparameter
// that every run has as its own family has it by default says no more than the family.
func Telling(runs []rundir.Info) []Difference {
	names := family.Names(hyperparametersOf(runs))
	return slices.DeleteFunc(Differences(runs), func(d Difference) bool {
		chosen := func(run rundir.Info) bool { return !isDefault(run, d.Field) }
		return slices.Contains(names, d.Field) && !slices.ContainsFunc(runs, chosen)
	})
}

// isDefault says whether a run has the default of its family for a hyperparameter, or its
// family does not have that.
func isDefault(run rundir.Info, name string) bool {
	value, ok := run.Values[name]
	if !ok {
		return true
	}
	known, err := FamilyHyperparameters(run.Config.Family)
	if err != nil {
		return false // It is of another version.
	}
	for _, h := range known {
		if h.Name == name {
			return h.Canonical(value) == h.Canonical(h.Default)
		}
	}
	return false
}

// hyperparametersOf returns those of all runs once: of their families, of the
// training, and last those that only another version of this program knows.
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
