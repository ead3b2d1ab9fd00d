package cli

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/models"
	"dgplab/session"
	"dgplab/session/rundir"
)

// fieldFlags are the flags of the fields that every configuration has, made from
// their list. Targets are columns that are given one by one.
type fieldFlags struct {
	texts   map[string]*string // by the name of the field
	targets []string
}

// register adds the flags to a command. Of those that take several values, the help
// says so.
func (f *fieldFlags) register(cmd *cobra.Command, several bool) {
	f.texts = map[string]*string{}
	cmd.Flags().SortFlags = false
	for _, field := range session.RunFields() {
		if field.Name == rundir.TargetsField {
			cmd.Flags().StringArrayVar(&f.targets, targetFlag, nil, "target `column` of a CSV file, by name or number; may be repeated (default the last)")
			continue
		}
		text := field.Help
		if several && field.Name != rundir.PresetField {
			text += "; several by commas"
		}
		if usual := usualValue(field); usual != "" {
			text += " (default " + usual + ")"
		}
		f.texts[field.Name] = cmd.Flags().String(field.Name, "", text)
	}
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
		return defaultFamily
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

// flagOf returns what is written before the value of a field on a command line.
func flagOf(name string) string {
	switch {
	case name == rundir.TargetsField:
		return "--" + targetFlag
	case rundir.IsField(name):
		return "--" + name
	}
	return "--set " + name
}

// completePreset offers the presets of the family of the command line, of the first
// if there are several.
func completePreset(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	families, _ := cmd.Flags().GetString(rundir.FamilyField)
	first, _, _ := strings.Cut(families, ",")
	spec, err := models.Lookup(cmp.Or(first, defaultFamily))
	if err != nil {
		return nil, noFiles
	}
	return session.PresetNames(spec), noFiles
}
