package cli

import (
	"strconv"

	"github.com/spf13/cobra"

	"dgplab/datasets"
	"dgplab/viz/tables"
)

func (c *console) datasetsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "datasets",
		Short: "List the data sets, or fetch some",
		Long: `List the data sets: built-in ones, and those that can be fetched. N counts rows,
D inputs, P targets, and splits the official ones (standard:0 and so on). Any CSV
file can be used too: give its path as --dataset.`,
		Example: `  dgplab datasets
  dgplab datasets fetch boston energy`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.write(cmd, answer{text: c.datasetsText, json: func() any { return datasets.Catalogue() }})
		},
	}
	formFlags(cmd, jsonForm)
	cmd.AddCommand(c.fetchCommand())
	return cmd
}

func (c *console) datasetsText() string {
	t := tables.Table{Columns: []tables.Column{
		{Title: "name"}, {Title: "kind", Drop: 1},
		{Title: "N", Right: true}, {Title: "D", Right: true}, {Title: "P", Right: true, Drop: 2}, {Title: "splits", Right: true},
		{Title: "here"}, {Title: "title", Least: 12},
	}}
	for _, i := range datasets.Catalogue() {
		here, splits := "yes", "-"
		if !i.Cached {
			here = "no"
		}
		if i.Splits > 0 {
			splits = strconv.Itoa(i.Splits)
		}
		t.Rows = append(t.Rows, []string{i.Name, i.Kind.String(), strconv.Itoa(i.N), strconv.Itoa(i.D), strconv.Itoa(i.P), splits, here, i.Title})
	}
	return c.tableText(t) + "\n" + defaultDataset() + " is the default. A download is had by: dgplab datasets fetch NAME\n"
}
