package cli

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/session"
	"dgplab/session/query"
	"dgplab/session/rundir"
	"dgplab/session/sweep"
)

// What a shell may offer beside the names that it is given.
const (
	noFiles = cobra.ShellCompDirectiveNoFileComp
	orFiles = cobra.ShellCompDirectiveDefault // where no name fits
)

// complete offers names to the shell.
func complete(names func() []string) cobra.CompletionFunc { return completeOr(noFiles, names) }

func completeOr(files cobra.ShellCompDirective, names func() []string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return names(), files
	}
}

// completeFirst offers names for the first argument alone.
func completeFirst(names func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, noFiles
		}
		return names(), noFiles
	}
}

// completeList offers names for the last part of a list with commas.
func completeList(files cobra.ShellCompDirective, names func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		before := typed[:strings.LastIndexByte(typed, ',')+1]
		var list []cobra.Completion
		for _, name := range names() {
			list = append(list, before+name)
		}
		return list, files
	}
}

// familyOf returns the family of a command line, the first of several.
func familyOf(cmd *cobra.Command) (models.Spec, error) {
	families, _ := cmd.Flags().GetString(rundir.FamilyField)
	first, _, _ := strings.Cut(families, ",")
	return models.Lookup(cmp.Or(first, models.DefaultFamily))
}

// completeSet offers the hyperparameters of the family of the command line.
func completeSet(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	spec, _ := familyOf(cmd)
	known, err := session.FamilyHyperparameters(spec.Name)
	if err != nil {
		return nil, noFiles
	}
	var list []cobra.Completion
	for _, h := range known {
		list = append(list, cobra.CompletionWithDesc(h.Name+"=", h.Help))
	}
	return list, noFiles | cobra.ShellCompDirectiveNoSpace
}

// completePreset offers the presets of the family of the command line.
func completePreset(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	spec, err := familyOf(cmd)
	if err != nil {
		return nil, noFiles
	}
	return session.PresetNames(spec), noFiles
}

// completeFlags sets what the shell offers for values of flags.
func completeFlags(cmd *cobra.Command, flags map[string]cobra.CompletionFunc) {
	for name, offer := range flags {
		if err := cmd.RegisterFlagCompletionFunc(name, offer); err != nil {
			panic(err) // There is no such flag: a slip in this package.
		}
	}
}

func familyNames() []string {
	return eachOf(models.Families(), func(spec models.Spec) string { return spec.Name })
}

func datasetNames() []string { return eachOf(datasets.Catalogue(), datasetName) }

func datasetName(info datasets.Info) string { return info.Name }

// fetchableNames are those of the sets that are downloads.
func fetchableNames() []string {
	builtIn := func(info datasets.Info) bool { return info.Kind != datasets.Fetchable }
	return eachOf(slices.DeleteFunc(datasets.Catalogue(), builtIn), datasetName)
}

// defaultDataset is the set that the catalogue marks.
func defaultDataset() string {
	list := datasets.Catalogue()
	return list[slices.IndexFunc(list, func(info datasets.Info) bool { return info.Default })].Name
}

func fieldNames() []string {
	return eachOf(query.Fields(), func(f query.Field) string { return f.Name })
}

func runNames() []string { return idsOf(rundir.List()) }

func trashedNames() []string { return idsOf(rundir.Trashed()) }

// idsOf returns the IDs of a list of runs. Without a list there is nothing to offer.
func idsOf(list []rundir.Info, _ error) []string {
	return eachOf(list, func(i rundir.Info) string { return i.ID })
}

func sweepNames() []string {
	list, _ := sweep.Names() // Without a list there is nothing to offer.
	return list
}

// comparableNames are the names of sweeps and of runs.
func comparableNames() []string { return append(sweepNames(), runNames()...) }
