package config

import (
	"errors"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
)

// Fields returns all fields of a configuration of a family in order: the fields common to all configurations,
// the hyperparameters of the family, and the settings of the training with the defaults of the family. Forms
// and flags are generated from them.
func Fields(spec models.Spec) []models.Hyperparameter {
	list := RunFields()
	for i := range list {
		if list[i].Name == rundir.PresetField {
			list[i].Choices = PresetNames(spec)
		}
	}
	return append(list, allHyperparameters(spec)...)
}

// RunFields returns the fields common to all configurations. Choices that depend on the program,
// such as data sets, families and presets, are left empty.
func RunFields() []models.Hyperparameter {
	return []models.Hyperparameter{
		{Name: rundir.DatasetField, Section: family.DataSection, First: true, Kind: family.Text,
			Help: "data set name (see \"dgplab datasets\") or path of a CSV file"},
		{Name: rundir.TargetsField, Section: family.DataSection, First: true, Kind: family.Text,
			Check: checkTargets,
			Help: "target columns of a file, by name or number, or targets of a named data set, " +
				"separated by commas; empty: the last column, or the usual targets"},
		{Name: rundir.ColumnsField, Section: family.DataSection, Kind: family.Text, Check: checkColumns,
			Help: "types of columns that cannot be inferred from the file, such as " +
				"ignore=id,categorical=zip,log=price,missing=mean; empty: infer all"},
		{Name: rundir.SplitField, Section: family.DataSection, First: true, Kind: family.Text,
			Check: checkSplit,
			Help: "standard:K, interpolation:SEED (90:10), stratified:SEED (by class), random811:SEED, " +
				"extrapolation:SEED, outputs:TARGET:K, group:COLUMN:SEED, time:COLUMN:GAP, column:NAME or " +
				"rows:FILE; empty: the default"},
		{Name: rundir.FamilyField, Section: family.ModelSection, First: true, Kind: family.Choice,
			Help: "model family (see \"dgplab families\")"},
		{Name: rundir.PresetField, Section: family.ModelSection, First: true, Kind: family.Choice,
			Default: rundir.DefaultPreset,
			Help:    "named set of values (see \"dgplab families NAME\"), or \"default\""},
		{Name: rundir.SeedField, Section: family.DataSection, First: true, Kind: family.Int, Default: "0",
			Max: 9e18, Help: "seed of all random numbers: equal seeds give equal results"},
	}
}

func checkSplit(text string) error {
	if text == "" {
		return nil
	}
	_, err := datasets.ParseSplit(text)
	return err
}

func checkTargets(text string) error {
	if _, err := rundir.SplitColumns(text); err != nil {
		return errors.New("want columns separated by commas")
	}
	return nil
}

func checkColumns(text string) error {
	_, err := rundir.ParseColumns(text)
	return err
}
