package cli

import (
	"github.com/spf13/cobra"

	"dgplab/models"
	"dgplab/session/config"
	"dgplab/session/rundir"
)

// fieldFlags are the flags of a configuration: one per configuration field, and the
// hyperparameters. --target is repeated for several columns.
type fieldFlags struct {
	texts   map[string]*string // by field name
	targets []string
	columns columnFlags
	set     []string
	steps   int
	// untilConverged and warmStart apply to commands that train a single run.
	untilConverged bool
	warmStart      string
}

// register adds the flags to a command. If several is set, the help mentions lists of values.
func (f *fieldFlags) register(cmd *cobra.Command, several bool) {
	f.texts = map[string]*string{}
	flags := cmd.Flags()
	flags.SortFlags = false
	for _, field := range config.RunFields() {
		if field.Name == rundir.TargetsField {
			flags.StringArrayVar(&f.targets, targetFlag, nil,
				"target `column` of a CSV file, by name or number; append :class or :number if its "+
					"numbers are ambiguous; may be repeated (default the last column)")
			continue
		}
		if field.Name == rundir.ColumnsField {
			f.columns.register(cmd)
			continue
		}
		text := field.Help
		if several && field.Name != rundir.PresetField {
			text += "; comma-separated list"
		}
		if usual := usualValue(field); usual != "" {
			text += " (default " + usual + ")"
		}
		f.texts[field.Name] = flags.String(field.Name, "", text)
	}
	values, offer := "set a hyperparameter, `name=value`", completeOr
	if several {
		values = "set a hyperparameter to one or more values, `name=values`"
		offer = completeList
	}
	flags.StringArrayVar(&f.set, "set", nil, values+"; may be repeated (see \"dgplab families NAME\")")
	flags.IntVar(&f.steps, "steps", 0,
		"maximum number of training steps, same as --set steps=N (default depends on the family)")
	completeFlags(cmd, map[string]cobra.CompletionFunc{
		rundir.DatasetField: offer(orFiles, datasetNames), rundir.FamilyField: offer(noFiles, familyNames),
		rundir.PresetField: completePreset, "set": completeSet,
	})
}

// targetFlag is the flag of rundir.TargetsField.
const targetFlag = "target"

// usualValue returns the default of a field, or "" if it is determined later.
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

// given returns the values of the flags that were set, by field name.
func (f *fieldFlags) given(cmd *cobra.Command) map[string]string {
	texts := map[string]string{}
	for name, text := range f.texts {
		if cmd.Flags().Changed(name) {
			texts[name] = *text
		}
	}
	return texts
}

// allowMemoryFlag adds the flag that allows runs that are estimated not to fit in memory.
func allowMemoryFlag(cmd *cobra.Command, allow *bool) {
	cmd.Flags().BoolVar(allow, "allow-memory", false,
		"train even if the run is estimated not to fit in free memory")
}

// flagOf returns the command-line notation that precedes the value of a field.
func flagOf(name string) string {
	switch {
	case name == rundir.TargetsField:
		return "--" + targetFlag
	case name == rundir.ColumnsField:
		return "" // The value contains the flag.
	case rundir.IsField(name):
		return "--" + name
	}
	return "--set " + name
}
