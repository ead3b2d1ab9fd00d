package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/datasets"
	"dgplab/datasets/table"
	"dgplab/datasets/task"
	"dgplab/session/rundir"
	"dgplab/tui/report"
)

func (c *console) showDatasetCommand() *cobra.Command {
	var targets []string
	var flags columnFlags
	var shown columnRange
	cmd := c.withOutput(&cobra.Command{
		Use:   "show NAME",
		Short: "Show the contents of a data set",
		Long: `Show the contents of a data set: the number of rows, the names of its columns,
and the number of rows per class. NAME is a name listed by "dgplab datasets", or
the path of a CSV file or of a packed model. For a CSV file, each column is shown with its role,
missing cells, number of distinct values, minimum, mean, maximum, and a
histogram. By default the first 100 columns are printed; --columns selects
others, and JSON includes all. As for dgplab train, flags describe columns that
are ambiguous. Problems that prevent training are printed last, and the exit
status is then 1.

A target column of text contains classes. Use --target NAME:class if the classes
are numbers, and NAME:number if numbers are not classes.`,
		Example: `  dgplab datasets show letters
  dgplab datasets show table.csv --target kind:class --ignore id --missing drop`,
		Args: exactlyOne("data set"), ValidArgsFunction: completeOr(orFiles, datasetNames),
	}, func(cmd *cobra.Command, names []string) (output, error) {
		source := datasets.Source{Name: dataset(names[0]), Targets: targets}
		if strings.HasSuffix(source.Name, rundir.PackSuffix) {
			return c.packedOutput(source.Name)
		}
		if err := checkDataset(cmd, source.Name); err != nil {
			return output{}, err
		}
		var err error
		source.Columns, err = flags.choices(cmd, source.Columns)
		if err != nil {
			return output{}, err
		}
		source.Pipe, err = c.pipedData(cmd.Context(), source.Name)
		if err != nil {
			return output{}, err
		}
		if source.Pipe != nil {
			defer source.Pipe.Close()
		}
		if info, err := datasets.Lookup(source.Name); err == nil && info.Kind == datasets.File {
			return c.fileOutput(cmd, source, shown)
		}
		ds, err := datasets.Load(cmd.Context(), source)
		if err != nil {
			return output{}, err
		}
		return output{
			text: func() string { return datasetText(ds) },
			json: func() any { return newDatasetJSON(ds) },
		}, nil
	})
	cmd.Flags().StringArrayVar(&targets, "target", nil,
		"target column of a CSV file, by name or number; may be repeated")
	cmd.Flags().Var(&shown, "columns",
		"columns of a CSV file to print, as `FIRST-LAST`, or all (default the first 100)")
	flags.register(cmd)
	return cmd
}

// datasetText describes a data set.
func datasetText(ds *datasets.Dataset) string {
	n, d := ds.X.Dims()
	var rows facts
	rows.add("data set", "%s: %s", ds.Name, ds.Title)
	rows.add("from", "%s", ds.Origin)
	rows.add("task", "%v", ds.Task)
	rows.add("rows", "%s", report.Grouped(n))
	rows.add("inputs", "%d: %s", d, strings.Join(ds.Inputs, ", "))
	rows.add("targets", "%d: %s", len(ds.Targets), strings.Join(ds.Targets, ", "))
	for k, count := range ds.ClassCounts() {
		what := ""
		if k == 0 {
			what = "classes"
		}
		rows.add(what, "%s: %s (%.1f %%)", ds.Classes[k], plural(count, "row"), 100*float64(count)/float64(n))
	}
	if len(ds.TestRows) > 0 {
		rows.add("splits", "%d official splits", len(ds.TestRows))
	}
	rows.dataNotes(ds.Notes, ds.Warnings)
	return fmt.Sprint(rows)
}

// datasetJSON describes a data set.
type datasetJSON struct {
	Name    string    `json:"name"`
	Title   string    `json:"title"`
	Origin  string    `json:"origin"`
	Task    task.Task `json:"task"`
	N       int       `json:"n"`
	Inputs  []string  `json:"inputs"`
	Targets []string  `json:"targets"`
	// Classes holds the classes of the target with their numbers of rows.
	Classes  []classJSON  `json:"classes,omitempty"`
	Splits   int          `json:"splits"`
	Notes    []table.Note `json:"notes,omitempty"`
	Warnings []table.Note `json:"warnings,omitempty"`
}

type classJSON struct {
	Name string `json:"name"`
	Rows int    `json:"rows"`
}

func newDatasetJSON(ds *datasets.Dataset) datasetJSON {
	n, _ := ds.X.Dims()
	out := datasetJSON{Name: ds.Name, Title: ds.Title, Origin: ds.Origin, Task: ds.Task, N: n,
		Inputs: ds.Inputs, Targets: ds.Targets, Splits: len(ds.TestRows),
		Notes: ds.Notes, Warnings: ds.Warnings}
	for k, count := range ds.ClassCounts() {
		out.Classes = append(out.Classes, classJSON{ds.Classes[k], count})
	}
	return out
}
