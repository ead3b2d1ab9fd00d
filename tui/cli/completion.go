package cli

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

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

// completeSet offers the hyperparameters of the family of the command line, of the
// first if there are several.
func completeSet(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	families, _ := cmd.Flags().GetString("family")
	first, _, _ := strings.Cut(families, ",")
	known, err := session.FamilyHyperparameters(cmp.Or(first, defaultFamily))
	if err != nil {
		return nil, noFiles
	}
	var list []cobra.Completion
	for _, h := range known {
		list = append(list, cobra.CompletionWithDesc(h.Name+"=", h.Help))
	}
	return list, noFiles | cobra.ShellCompDirectiveNoSpace
}

// completeFlags sets what the shell offers for values of flags.
func completeFlags(cmd *cobra.Command, flags map[string]cobra.CompletionFunc) {
	for name, offer := range flags {
		if err := cmd.RegisterFlagCompletionFunc(name, offer); err != nil {
			panic(err) // There is no such flag: a slip in this package.
		}
	}
}

func fieldNames() []string {
	var names []string
	for _, f := range query.Fields() {
		names = append(names, f.Name)
	}
	return names
}

func runNames() []string { return idsOf(rundir.List()) }

func trashedNames() []string { return idsOf(rundir.Trashed()) }

// idsOf returns the IDs of a list of runs. Without a list there is nothing to offer.
func idsOf(list []rundir.Info, _ error) []string {
	var ids []string
	for _, i := range list {
		ids = append(ids, i.ID)
	}
	return ids
}

func sweepNames() []string {
	list, _ := sweep.Names() // Without a list there is nothing to offer.
	return list
}

// comparableNames are the names of sweeps and of runs.
func comparableNames() []string { return append(sweepNames(), runNames()...) }
