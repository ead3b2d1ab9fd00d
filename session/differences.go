package session

import (
	"maps"
	"slices"
	"strconv"

	"dgplab/models"
	"dgplab/models/family"
)

// Difference is one field in which the configurations of some runs differ.
type Difference struct {
	// Field is a name of ForkFields.
	Field string
	// Values has one value for each run, "" where the run has no such field.
	Values []string
}

// Differences returns the fields in which the configurations of runs differ:
// dataset, split, family and seed first, then targets, then hyperparameters in the
// order of the families and of the training. Values that are written in two ways
// (0.10 and 0.1, on and true) do not differ.
func Differences(runs []RunInfo) []Difference {
	if len(runs) < 2 {
		return nil
	}
	var list []Difference
	add := func(field string, value func(RunInfo) string, same func(a, b string) bool) {
		d := Difference{Field: field}
		differs := false
		for _, run := range runs {
			d.Values = append(d.Values, value(run))
			differs = differs || !same(d.Values[0], d.Values[len(d.Values)-1])
		}
		if differs {
			list = append(list, d)
		}
	}
	equal := func(a, b string) bool { return a == b }
	add("dataset", func(i RunInfo) string { return i.Config.Dataset }, equal)
	add("split", func(i RunInfo) string { return i.Config.Split }, equal)
	add("family", func(i RunInfo) string { return i.Config.Family }, equal)
	add("seed", func(i RunInfo) string { return strconv.FormatUint(i.Config.Seed, 10) }, equal)
	add("targets", func(i RunInfo) string { return JoinTargets(i.Config.Targets) }, equal)
	for _, h := range hyperparametersOf(runs) {
		add(h.Name, func(i RunInfo) string { return i.Values[h.Name] }, func(a, b string) bool { return h.Canonical(a) == h.Canonical(b) })
	}
	return list
}

// hyperparametersOf returns those of all runs once: of their families, of the
// training, and last those that only another version of this program knows.
func hyperparametersOf(runs []RunInfo) []models.Hyperparameter {
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
