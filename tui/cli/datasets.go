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
			return c.write(cmd, answer{text: c.datasetsText, json: datasetsJSON})
		},
	}
	formFlags(cmd, jsonForm)
	cmd.AddCommand(c.fetchCommand())
	return cmd
}

// datasetJSON is a line of the catalogue in JSON.
type datasetJSON struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Kind    string `json:"kind"`
	Task    string `json:"task"`
	N       int    `json:"n"`
	D       int    `json:"d"`
	P       int    `json:"p"`
	Splits  int    `json:"splits"`
	Bytes   int64  `json:"bytes"`
	Cached  bool   `json:"cached"`
	Default bool   `json:"default"`
	Origin  string `json:"origin"`
}

func datasetsJSON() any {
	var list []datasetJSON
	for _, i := range datasets.Catalogue() {
		list = append(list, datasetJSON{
			Name: i.Name, Title: i.Title, Kind: kindOf(i), Task: i.Task.String(), N: i.N, D: i.D, P: i.P,
			Splits: i.Splits, Bytes: i.Bytes, Cached: i.Cached, Default: i.Default, Origin: i.Origin,
		})
	}
	return list
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
		t.Rows = append(t.Rows, []string{i.Name, kindOf(i), strconv.Itoa(i.N), strconv.Itoa(i.D), strconv.Itoa(i.P), splits, here, i.Title})
	}
	return c.tableText(t) + "\n" + defaultDataset() + " is the default. A download is had by: dgplab datasets fetch NAME\n"
}

func kindOf(i datasets.Info) string {
	if i.Kind == datasets.Fetchable {
		return "download"
	}
	return "built-in"
}
