package cli

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/session/config"
	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/session/sweep"
)

// Shell completion directives.
const (
	noFiles = cobra.ShellCompDirectiveNoFileComp
	orFiles = cobra.ShellCompDirectiveDefault // files if no name matches
)

// complete offers names for completion.
func complete(names func() []string) cobra.CompletionFunc { return completeOr(noFiles, names) }

func completeOr(files cobra.ShellCompDirective, names func() []string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return names(), files
	}
}

// completeFirst offers names only for the first argument.
func completeFirst(names func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, noFiles
		}
		return names(), noFiles
	}
}

// completeList offers names for the last element of a comma-separated list.
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

// familyOf returns the first family on a command line.
func familyOf(cmd *cobra.Command) (models.Spec, error) {
	families, _ := cmd.Flags().GetString(rundir.FamilyField)
	first, _, _ := strings.Cut(families, ",")
	return models.Lookup(cmp.Or(first, models.DefaultFamily))
}

// completeSet offers the hyperparameters of the selected family.
func completeSet(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	spec, _ := familyOf(cmd)
	known, err := config.FamilyHyperparameters(spec.Name)
	if err != nil {
		return nil, noFiles
	}
	var list []cobra.Completion
	for _, h := range known {
		list = append(list, cobra.CompletionWithDesc(h.Name+"=", h.Help))
	}
	return list, noFiles | cobra.ShellCompDirectiveNoSpace
}

// completePreset offers the presets of the selected family.
func completePreset(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	spec, err := familyOf(cmd)
	if err != nil {
		return nil, noFiles
	}
	return config.PresetNames(spec), noFiles
}

// completeFlags registers completions for flag values.
func completeFlags(cmd *cobra.Command, flags map[string]cobra.CompletionFunc) {
	for name, offer := range flags {
		if err := cmd.RegisterFlagCompletionFunc(name, offer); err != nil {
			panic(err) // The flag does not exist, which is a bug in this package.
		}
	}
}

func familyNames() []string {
	return eachOf(models.Families(), func(spec models.Spec) string { return spec.Name })
}

func datasetNames() []string { return eachOf(datasets.Catalogue(), datasetName) }

func datasetName(info datasets.Info) string { return info.Name }

// fetchableNames returns the names of the downloadable data sets.
func fetchableNames() []string {
	builtIn := func(info datasets.Info) bool { return info.Kind != datasets.Fetchable }
	return eachOf(slices.DeleteFunc(datasets.Catalogue(), builtIn), datasetName)
}

// defaultDataset returns the default data set of the catalogue.
func defaultDataset() string {
	list := datasets.Catalogue()
	return list[slices.IndexFunc(list, func(info datasets.Info) bool { return info.Default })].Name
}

func fieldNames() []string {
	return metric.Keys(metric.Columns())
}

// runNames returns the names of the newest runs, followed by the IDs of all runs.
func runNames() []string {
	ids := idsOf(rundir.List())
	return append([]string{rundir.Latest, rundir.Latest + "~1"}[:min(len(ids), 2)], ids...)
}

func trashedNames() []string { return idsOf(rundir.Trashed()) }

// idsOf returns the IDs of a list of runs. It ignores errors, because there is then nothing to offer.
func idsOf(list []rundir.Info, _ error) []string {
	return eachOf(list, func(i rundir.Info) string { return i.ID })
}

func sweepNames() []string {
	list, _ := sweep.Names() // After an error there is nothing to offer.
	return list
}

// comparableNames returns the names of sweeps and runs.
func comparableNames() []string { return append(sweepNames(), runNames()...) }

// completeModelAndFile completes the arguments of modelAndFile.
func completeModelAndFile(
	_ *cobra.Command, args []string, _ string,
) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return modelNames(), noFiles
	}
	return nil, orFiles
}
