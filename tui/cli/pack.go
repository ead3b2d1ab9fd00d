package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/datasets/files"
	"dgplab/datasets/table"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/tables"
)

// packFlags holds the flags of dgplab pack.
type packFlags struct {
	data                            string
	withoutData, force, allowMemory bool
}

func (c *console) packCommand() *cobra.Command {
	f := new(packFlags)
	cmd := &cobra.Command{
		Use:   "pack RUN FILE",
		Short: "Write a trained model to one file that predicts elsewhere",
		Long: `Write the model of a run at its last checkpoint to one file. dgplab predict,
suggest, runs show and datasets show take the file in place of a run, on any
machine and without the data file, and print the same digits.

The file has the configuration, the parameters, the layout of the columns with
the levels of categories, the scaling and the training rows. With --without-data
it lacks the rows. Only models whose predictions do not depend on them can be
packed in this way, and only dgplab predict works with the file. Inducing inputs
may still be near rows of the training set, and the file names the path of the
data and the range of each column.

The name of FILE ends in ` + rundir.PackSuffix + `. An existing file is an error unless --force is set.
The file is written completely or not at all.

` + runHelp,
		Example: `  dgplab pack latest houses` + rundir.PackSuffix + `
  dgplab predict houses` + rundir.PackSuffix + ` new-houses.csv --out predictions.csv`,
		ValidArgsFunction: completeModelAndFile,
		Args:              modelAndFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.pack(cmd, f, args[0], args[1])
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.withoutData, "without-data", false, "leave out the training rows")
	flags.BoolVar(&f.force, "force", false, "replace an existing file")
	dataFlag(cmd, &f.data)
	flags.BoolVar(&f.allowMemory, "allow-memory", false,
		"build the model even if it is not expected to fit into free memory")
	formFlags(cmd, jsonForm)
	return cmd
}

// modelNames returns the names of runs, and of the packed models in the working directory.
func modelNames() []string {
	packed, _ := filepath.Glob("*" + rundir.PackSuffix) // The pattern is valid.
	return append(runNames(), packed...)
}

// packedModel is the output of dgplab pack.
type packedModel struct {
	Run    string `json:"run"`
	Family string `json:"family"`
	Step   int    `json:"step"`
	File   string `json:"file"`
	Bytes  int64  `json:"bytes"`
	// Rows is the number of training rows in the file.
	Rows int `json:"rows"`
}

// pack runs dgplab pack.
func (c *console) pack(cmd *cobra.Command, f *packFlags, run, path string) error {
	path = kit.ExpandPath(path)
	if !strings.HasSuffix(path, rundir.PackSuffix) {
		return usage(cmd, "the name of a packed model ends in %s, not %s", rundir.PackSuffix, path)
	}
	if _, err := os.Lstat(path); err == nil && !f.force {
		return fmt.Errorf("%s exists; --force replaces it", path)
	}
	trained, err := findModel(run, f.data)
	if err != nil {
		return err
	}
	ctx, _ := c.watchSignals(cmd.Context(), "stopping")
	info, _ := debug.ReadBuildInfo()
	o := session.PackOptions{
		Program: versionText(info), WithoutData: f.withoutData, AllowMemory: f.allowMemory,
	}
	var packed *rundir.Pack
	var refused error
	err = files.ReplaceAt(files.OS, path, func(w io.Writer) error {
		packed, refused = session.Pack(ctx, trained, w, o)
		return refused
	})
	switch {
	case refused != nil && ctx.Err() != nil:
		return &interruptedError{"interrupted; nothing was written to " + path}
	case refused != nil:
		return refused // The error is not about the output file.
	case err != nil:
		return err
	}
	written, err := os.Stat(path)
	if err != nil {
		return err
	}
	_, step := packed.Checkpoint.Result()
	done := packedModel{
		Run: packed.Config.ID, Family: packed.Config.Family, Step: step, File: path,
		Bytes: written.Size(), Rows: packed.Train.Len(),
	}
	return c.write(cmd, output{
		text: func() string { return packedText(done) },
		json: func() any { return done },
	})
}

// packedText describes a packed model.
func packedText(p packedModel) string {
	var rows facts
	rows.add("run", "%s, step %s", p.Run, report.Grouped(p.Step))
	data := "left out"
	if p.Rows > 0 {
		data = plural(p.Rows, "training row")
	}
	rows.add("data", "%s", data)
	rows.add("written to", "%s, %s bytes", p.File, report.Grouped(int(p.Bytes)))
	return rows.String()
}

// findModel returns a run, or a packed model, whose data file is at a path, unless that is empty.
func findModel(id, data string) (rundir.Info, error) {
	run, err := rundir.FindModel(kit.ExpandPath(id))
	if err != nil {
		return run, noRun(err, "dgplab runs")
	}
	run.DataFile, err = dataPath(data)
	return run, err
}

// dataPath returns the path of a data file, or "" for "".
func dataPath(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	path = kit.ExpandPath(path)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", &usageError{text: "no such file: " + path}
	case err == nil && !info.Mode().IsRegular():
		return "", &usageError{text: "--data: " + path + " is not a file"}
	}
	return path, err
}

// relocate sets the path of the data file of runs, unless it is empty.
func relocate(runs []rundir.Info, data string) error {
	path, err := dataPath(data)
	for i := range runs {
		runs[i].DataFile = path
	}
	return err
}

// dataFlag adds the flag --data.
func dataFlag(cmd *cobra.Command, value *string) {
	cmd.Flags().StringVar(value, "data", "",
		"`path` of the data file of the run, if it has moved; it must have the same data")
	completeFlags(cmd, map[string]cobra.CompletionFunc{
		"data": completeOr(orFiles, func() []string { return nil }),
	})
}

// runHelp describes the argument RUN of commands that predict.
const runHelp = `RUN is the ID of a run, a unique prefix of it, a run name, latest (latest~1 is
the run before it), the path of a run directory, or a packed model.`

// packedOutput describes the data of a packed model: how dgplab predict reads the columns of new rows.
func (c *console) packedOutput(path string) (output, error) {
	run, err := findModel(path, "")
	if err != nil {
		return output{}, err
	}
	data := run.Packed.Data
	return output{
		text: func() string {
			var rows facts
			rows.add("packed model", "%s, %s", run.ID, run.Config.Family)
			rows.add("data set", "%s: %s", data.Name, data.Title)
			rows.add("task", "%v", data.Task)
			text := plural(data.Rows, "training row")
			if run.WithoutData() {
				text += ", not in the file"
			}
			rows.add("rows", "%s", text)
			rows.add("inputs", "%d: %s", len(data.Inputs), strings.Join(data.Inputs, ", "))
			rows.add("targets", "%d: %s", len(data.Targets), strings.Join(data.Targets, ", "))
			if len(data.Classes) > 0 {
				rows.add("classes", "%s", strings.Join(data.Classes, ", "))
			}
			return rows.String() + "\n" + c.tableText(layoutTable(data.Layout.Columns()))
		},
		json: func() any { return data },
	}, nil
}

// layoutTable has a row for each column of a file.
func layoutTable(columns []table.Column) tables.Table {
	t := tables.Table{Columns: []tables.Column{{Title: "column"}, {Title: "role"}, {Title: "kind"},
		{Title: "levels or unit"}}}
	for _, column := range columns {
		details := column.Unit
		if len(column.Levels) > 0 {
			details = table.ShortList(eachOf(column.Levels, func(l table.Level) string { return l.Name }))
		}
		kind := column.Kind.String()
		if column.Log {
			kind += ", logarithm"
		}
		t.Rows = append(t.Rows, []string{
			report.Printable(column.Name), column.Role.String(), kind, report.Printable(details),
		})
	}
	return t
}
