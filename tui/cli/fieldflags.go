package cli

import (
	"github.com/spf13/cobra"

	"dgplab/models"
	"dgplab/session"
	"dgplab/session/rundir"
)

// fieldFlags are the flags of a configuration: those of the fields that every one
// has, made from their list, and hyperparameters. Targets are columns that are given
// one by one.
type fieldFlags struct {
	texts   map[string]*string // by the name of the field
	targets []string
	columns columnFlags
	set     []string
	steps   int
	// untilConverged and warmStart are of commands that train one run.
	untilConverged bool
	warmStart      string
}

// register adds the flags to a command. Of those that take several values, the help
// says so.
func (f *fieldFlags) register(cmd *cobra.Command, several bool) {
	f.texts = map[string]*string{}
	flags := cmd.Flags()
	flags.SortFlags = false
	for _, field := range session.RunFields() {
		if field.Name == rundir.TargetsField {
			flags.StringArrayVar(&f.targets, targetFlag, nil,
				"target `column` of a CSV file, by name or number, with :class or :number behind it where "+
					"its numbers may be either; may be repeated (default the last)")
			continue
		}
		if field.Name == rundir.ColumnsField {
			f.columns.register(cmd)
			continue
		}
		text := field.Help
		if several && field.Name != rundir.PresetField {
			text += "; several by commas"
		}
		if usual := usualValue(field); usual != "" {
			text += " (default " + usual + ")"
		}
		f.texts[field.Name] = flags.String(field.Name, "", text)
	}
	values, offer := "hyperparameter as `name=value`", completeOr
	if several {
		values, offer = "hyperparameter and its values as `name=values`", completeList
	}
	flags.StringArrayVar(&f.set, "set", nil, values+"; may be repeated (see \"dgplab families NAME\")")
	flags.IntVar(&f.steps, "steps", 0,
		"most steps of training, the same as --set steps=N (default that of the family)")
	completeFlags(cmd, map[string]cobra.CompletionFunc{
		rundir.DatasetField: offer(orFiles, datasetNames), rundir.FamilyField: offer(noFiles, familyNames),
		rundir.PresetField: completePreset, "set": completeSet,
	})
}

// targetFlag is the flag of rundir.TargetsField.
const targetFlag = "target"

// usualValue is what stands for a field that was left out, "" where the program
// finds that out later.
func usualValue(field models.Hyperparameter) string {
	switch field.Name {
	case rundir.DatasetField:
		return defaultDataset()
	case rundir.FamilyField:
		return models.DefaultFamily
	case rundir.SeedField:
		return field.Default
	}
	return ""
}

// given returns the texts of the flags that were given, by the names of fields.
func (f *fieldFlags) given(cmd *cobra.Command) map[string]string {
	texts := map[string]string{}
	for name, text := range f.texts {
		if cmd.Flags().Changed(name) {
			texts[name] = *text
		}
	}
	return texts
}

// allowMemoryFlag adds the flag that overrides the refusal of runs that do not fit
// the memory.
func allowMemoryFlag(cmd *cobra.Command, allow *bool) {
	cmd.Flags().BoolVar(allow, "allow-memory", false,
		"train even what does not seem to fit the memory that is free")
}

// flagOf returns what is written before the value of a field on a command line.
func flagOf(name string) string {
	switch {
	case name == rundir.TargetsField:
		return "--" + targetFlag
	case name == rundir.ColumnsField:
		return "" // Its value says which flag it is.
	case rundir.IsField(name):
		return "--" + name
	}
	return "--set " + name
}
