package sweep

import (
	"errors"
	"slices"
	"strconv"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/config"
	"dgplab/session/rundir"
	sweeps "dgplab/session/sweep"
	"dgplab/tui/form"
	"dgplab/tui/kit"
)

// The fields that only sweeps have.
const (
	jobsField     = "workers"
	nameField     = "name"
	baselineField = "baseline"
	randomField   = "random"
	halvingField  = "halving"
	rungsField    = "rungs"

	sweepSection family.Section = "sweep"
)

// gridForm holds the values and the options of a sweep.
type gridForm struct {
	form.Form
	// from is the grid with which the form was opened. Its values for single families and the seed of its
	// random draw have no fields and are kept.
	from sweeps.Grid
}

// gridOf returns the grid of a single run.
func gridOf(c rundir.Config) sweeps.Grid {
	g := sweeps.Grid{
		Datasets: []string{c.Dataset}, Families: []string{c.Family}, Splits: []string{c.Split},
		Seeds: []uint64{c.Seed}, Targets: c.Targets, Columns: c.Columns, Preset: c.Preset,
	}
	for name, value := range c.Set {
		g.Set = append(g.Set, sweeps.Axis{Name: name, Values: []string{value}})
	}
	return g
}

// formOf returns the form of a sweep.
func formOf(g sweeps.Grid, name string) gridForm {
	typed := map[string]string{nameField: name, rundir.PresetField: g.Preset}
	if g.Baseline {
		typed[baselineField] = "on"
	}
	numbers := map[string]int{randomField: g.Random, halvingField: g.Halving, rungsField: g.Rungs}
	for field, n := range numbers {
		if n > 0 {
			typed[field] = strconv.Itoa(n)
		}
	}
	put := func(name string, values []string) { typed[name] = sweeps.Join(values) }
	put(rundir.DatasetField, g.Datasets)
	put(rundir.FamilyField, g.Families)
	put(rundir.SplitField, g.Splits)
	var seeds []string
	for _, s := range g.Seeds {
		seeds = append(seeds, strconv.FormatUint(s, 10))
	}
	put(rundir.SeedField, seeds)
	for _, a := range g.Set {
		if a.Family == "" {
			put(a.Name, a.Values)
		}
	}
	data := rundir.Config{Targets: g.Targets, Columns: g.Columns}
	typed[rundir.TargetsField] = data.Field(rundir.TargetsField)
	typed[rundir.ColumnsField] = data.Field(rundir.ColumnsField)
	for name, text := range typed {
		if text == "" {
			delete(typed, name)
		}
	}
	return gridForm{form.New(typed), g}
}

// list creates the fields from the data sets, the families, and the hyperparameters that all
// selected families share.
func (f *gridForm) list(e Engine) {
	known := form.Known{Families: e.Families(), Data: e.Catalogue()}
	specs := f.families(known.Families)
	f.ListPreset(specs[0], common(specs), func(field *form.Field) bool { return f.adapt(field, known) },
		sweepFields()...)
}

// adapt adapts a field of a run to a sweep, and reports whether it is shown.
func (f *gridForm) adapt(field *form.Field, known form.Known) bool {
	known.SetNames(field)
	field.Many = true
	switch field.Name {
	case rundir.DatasetField:
		field.Empty = ""
		for _, d := range known.Data {
			if d.Cached {
				field.Choices = append(field.Choices, d.Name)
			}
			if d.Default {
				field.Base = d.Name
			}
		}
	case rundir.TargetsField, rundir.ColumnsField:
		field.Many = false
		return f.Typed(field.Name) != "" || f.Field(field.Name) != nil
	case rundir.FamilyField:
		field.Choices = known.FamilyNames()
		field.Base = defaultFamily(known.Families).Name
	case rundir.PresetField:
		field.Many = false
		return len(field.Choices) > 1
	}
	return true
}

// sweepFields returns the fields of the options of a sweep.
func sweepFields() (fields []*form.Field) {
	for _, h := range []models.Hyperparameter{
		{Name: jobsField, First: true, Kind: family.Int, Default: "1", Min: 1, Max: 64,
			Help: "number of parallel runs; they share the cores, which affects step times"},
		{Name: nameField, First: true, Kind: family.Text, Check: sweeps.CheckName,
			Help: "name of the sweep; a named sweep can be extended later"},
		{Name: baselineField, First: true, Kind: family.Bool, Default: "off",
			Help: "also train the baseline " + models.BaselineFamily +
				" with its defaults on all data sets and splits; takes milliseconds"},
		{Name: randomField, First: true, Kind: family.Int, Default: "0", Max: 10000,
			Help: "number of combinations of families and hyperparameters to draw, with the first seed; " +
				"0: all"},
		{Name: halvingField, First: true, Kind: family.Int, Default: "0", Max: 10000, Check: notOne,
			Help: "successive halving: after each rung, one in this number of settings continues, by " +
				"validation log-likelihood; the last rung has all steps; 0: off"},
		{Name: rungsField, Kind: family.Int, Default: "0", Max: 20, Check: notOne,
			Help: "number of rungs of halving; 0: enough to leave one setting, with at least a hundredth " +
				"of the steps in the first"},
	} {
		h.Section = sweepSection
		field := form.NewField(h, h.Default)
		if h.Name == nameField {
			field.Empty = "generated from the values"
		}
		fields = append(fields, field)
	}
	return fields
}

// notOne rejects 1 as a factor or number of rungs, because no settings would be compared.
func notOne(text string) error {
	if n, err := strconv.Atoi(text); err == nil && n == 1 {
		return errors.New("want 0 or a whole number from 2")
	}
	return nil
}

// defaultFamily returns the family that is trained if none is typed, or the first family if the
// default does not exist.
func defaultFamily(all []models.Spec) models.Spec {
	return all[max(slices.IndexFunc(all, func(spec models.Spec) bool {
		return spec.Name == models.DefaultFamily
	}), 0)]
}

// families returns the typed families that exist, or the default family if there are none.
func (f *gridForm) families(all []models.Spec) []models.Spec {
	names, _ := sweeps.Expand(f.Typed(rundir.FamilyField)) // The field shows the error.
	var specs []models.Spec
	for _, name := range names {
		if i := slices.IndexFunc(all, func(spec models.Spec) bool { return spec.Name == name }); i >= 0 {
			specs = append(specs, all[i])
		}
	}
	if len(specs) == 0 {
		return []models.Spec{defaultFamily(all)}
	}
	return specs
}

// common returns the fields that all families have, with the presets that all families have.
func common(specs []models.Spec) []models.Hyperparameter {
	fields := config.Fields(specs[0])
	for _, spec := range specs[1:] {
		others := config.Fields(spec)
		index := func(name string) int {
			return slices.IndexFunc(others, func(h models.Hyperparameter) bool { return h.Name == name })
		}
		fields = slices.DeleteFunc(fields, func(h models.Hyperparameter) bool { return index(h.Name) < 0 })
		for i, h := range fields {
			if h.Name == rundir.PresetField {
				fields[i].Choices = slices.DeleteFunc(h.Choices, func(name string) bool {
					return !slices.Contains(config.PresetNames(spec), name)
				})
			}
		}
	}
	return fields
}

// number returns the value of a field as an integer, or 0 if it is invalid.
func (f *gridForm) number(field string) int {
	n, _ := strconv.Atoi(f.Value(field)) // The field shows the error.
	return n
}

// grid returns the typed grid without invalid values; FirstBad reports those.
func (f *gridForm) grid() sweeps.Grid {
	var g sweeps.Grid
	var c rundir.Config // values of the fields with a single value
	for _, field := range f.Fields() {
		values, _ := field.Values()
		switch field.Name {
		case rundir.DatasetField:
			for _, v := range values {
				g.Datasets = append(g.Datasets, kit.ExpandPath(v))
			}
		case rundir.FamilyField:
			g.Families = values
		case rundir.SplitField:
			g.Splits = values
		case rundir.SeedField:
			g.Seeds, _ = sweeps.Seeds(field.Value())
		case rundir.TargetsField, rundir.ColumnsField, rundir.PresetField:
			_ = c.SetField(field.Name, field.Value())
		case baselineField:
			g.Baseline = field.Value() == "on"
		case jobsField, nameField, randomField, halvingField, rungsField:
		default:
			if field.Changed() {
				g.Set = append(g.Set, sweeps.Axis{Name: field.Name, Values: values})
			}
		}
	}
	g.Targets, g.Columns, g.Preset = c.Targets, c.Columns, c.Preset
	for _, a := range f.from.Set {
		if slices.Contains(g.Families, a.Family) {
			g.Set = append(g.Set, a)
		}
	}
	g.Random = f.number(randomField)
	switch {
	case g.Random == 0:
	case f.from.Random > 0:
		g.RandomSeed = f.from.RandomSeed // A larger number adds combinations.
	case len(g.Seeds) > 0:
		g.RandomSeed = g.Seeds[0]
	}
	g.Halving = f.number(halvingField)
	g.Rungs = f.number(rungsField)
	return g
}

// options returns the options of the sweep.
func (f *gridForm) options() sweeps.Options {
	return sweeps.Options{Name: f.Value(nameField), Jobs: f.number(jobsField)}
}
