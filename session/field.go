package session

import (
	"errors"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
)

// Fields returns all fields of a configuration of a family in order: the fields common to all
// configurations, the hyperparameters of the family, and the settings of the training with the
// defaults of the family. Forms and flags are generated from it.
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
			Help: "a data set: a name of \"dgplab datasets\" or the path of a CSV file"},
		{Name: rundir.TargetsField, Section: family.DataSection, First: true, Kind: family.Text,
			Check: checkTargets,
			Help: "names or numbers of the target columns of a file, or of some targets of a named set, " +
				"separated by commas; empty for the last column, or the usual targets"},
		{Name: rundir.ColumnsField, Section: family.DataSection, Kind: family.Text, Check: checkColumns,
			Help: "what the columns of a file are, where it does not show, such as " +
				"ignore=id,categorical=zip,log=price,missing=mean; empty: as they look"},
		{Name: rundir.SplitField, Section: family.DataSection, First: true, Kind: family.Text,
			Check: checkSplit,
			Help: "standard:K, interpolation:SEED (90:10), random811:SEED (8:1:1 with validation), " +
				"extrapolation:SEED (50:50) or outputs:TARGET:K (tests that target alone); empty: the usual"},
		{Name: rundir.FamilyField, Section: family.ModelSection, First: true, Kind: family.Choice,
			Help: "a model family: a name of \"dgplab families\""},
		{Name: rundir.PresetField, Section: family.ModelSection, First: true, Kind: family.Choice,
			Default: rundir.DefaultPreset,
			Help:    "a complete set of values: a name of \"dgplab families NAME\", or \"default\""},
		{Name: rundir.SeedField, Section: family.DataSection, First: true, Kind: family.Int, Default: "0",
			Max: 9e18, Help: "starts every random stream of the run: same seed, same numbers"},
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
