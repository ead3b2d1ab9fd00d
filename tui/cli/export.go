package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/session/sweep"
	"dgplab/tui/board"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/figure"
)

// posteriorFormat is the format of posteriors. All other formats are formats of figures.
const posteriorFormat = "npz"

// exportFormats are the values of --format.
var exportFormats = []string{string(figure.SVG), string(figure.PNG), string(figure.PDF), string(report.CSV),
	posteriorFormat}

// exportFlags holds the flags of dgplab export.
type exportFlags struct {
	figures []string
	formats []string
	width   string
	out     string
	report  string
	data    string
}

func (c *console) exportCommand() *cobra.Command {
	f := new(exportFlags)
	cmd := &cobra.Command{
		Use:   "export RUN... | SWEEP",
		Short: "Write the pictures of runs and their numbers to files",
		Long: `Write the pictures of runs and their numbers to files: the panels of the
dashboard that apply to the runs. Several runs share pictures, and pictures of a
single run are written for each of them.

The files go to the directory of a single run, to the folder of a sweep if all
runs belong to it, and otherwise to a folder in .comparisons beside the runs.
Each file is written completely or not at all. An existing file is replaced only
if an export wrote it and it has not changed since.

Figures are 6.75in wide with their legends, the width of a page; --width 3.25in is
for a column of a paper. The type has the size of a caption at any width.

The format npz is for NumPy: the posterior of the family, functions drawn from it
at test points, learned parameters, and predictions of the test points. The array
about describes the others, as does session/FORMAT.md. The model is rebuilt, so
the data of the run must be available.

--report writes a single HTML page instead, which needs no other files: scores,
pictures, alarms, configuration, and the commands that repeat the runs.

RUN is the ID of a run, a unique prefix of it, a run name, latest (latest~1 is
the run before it), or a query that matches runs.

` + figureList() + `.`,
		Example: `  dgplab export latest
  dgplab export latest --figure fit,covariance --format pdf --out figures
  dgplab export 20250131-142501 20250131-150210 --format png,csv
  dgplab export latest --format npz --out arrays
  dgplab export star-against-mean-field --report report.html`,
		ValidArgsFunction: complete(comparableNames),
		Args:              atLeastRuns(1),
		RunE:              func(cmd *cobra.Command, args []string) error { return c.export(cmd, f, args) },
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.figures, "figure", nil,
		"write only these `figures`, comma-separated")
	flags.StringSliceVar(&f.formats, "format", nil,
		"file `formats`, comma-separated: "+strings.Join(exportFormats, ", ")+" (default svg)")
	flags.StringVar(&f.width, "width", "",
		"`width` of the figures, such as 3.25in or 12cm (default 6.75in, or 5in with --report)")
	flags.StringVar(&f.out, "out", "", "`folder` for the files; it is created if necessary")
	flags.StringVar(&f.report, "report", "",
		"write one HTML `file` with configuration, scores, pictures and alarms instead")
	dataFlag(cmd, &f.data)
	formFlags(cmd, jsonForm)
	completeFlags(cmd, map[string]cobra.CompletionFunc{
		"report": completeOr(orFiles, func() []string { return nil }),
		"figure": completeList(noFiles, board.FigureNames),
		"format": completeList(noFiles, func() []string { return exportFormats }),
		"out":    onlyFolders,
	})
	return cmd
}

// onlyFolders completes folders.
func onlyFolders(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// figureList lists the figures as a paragraph of the help.
func figureList() string {
	words := strings.Fields("The figures are " + strings.Join(board.FigureNames(), ", "))
	return strings.Join(wrap(words, 78), "\n")
}

// exported is the output of dgplab export.
type exported struct {
	Runs  []string `json:"runs"`
	Dir   string   `json:"dir"`
	Files []string `json:"files"`
}

// check returns a usage error for unknown figures or formats.
func (f *exportFlags) check(cmd *cobra.Command) error {
	for _, list := range []struct {
		flag, what      string
		values, allowed []string
	}{
		{"figure", "figure", f.figures, board.FigureNames()},
		{"format", "format", f.formats, exportFormats},
	} {
		if cmd.Flags().Changed(list.flag) && len(list.values) == 0 {
			return usage(cmd, "missing value: --%s", list.flag)
		}
		if list.flag == "format" && f.report != "" && (len(f.formats) > 0 || f.out != "") {
			return usage(cmd, "--report writes a single file; it cannot be used with --format and --out")
		}
		for _, v := range list.values {
			if !slices.Contains(list.allowed, v) {
				return usage(cmd, "unknown %s: %q%s", list.what, v, didYouMeanOr(v, list.allowed))
			}
		}
	}
	return nil
}

// parseWidth returns the width of the figures, or 0 for the default.
func (f *exportFlags) parseWidth(cmd *cobra.Command) (figure.Length, error) {
	switch {
	case f.width != "":
	case f.report != "":
		return report.PageFigure, nil
	default:
		return 0, nil
	}
	w, err := figure.ParseWidth(f.width)
	if err != nil {
		return 0, usage(cmd, "bad value: --width=%s; %v", f.width, err)
	}
	return w, nil
}

// export runs dgplab export.
func (c *console) export(cmd *cobra.Command, f *exportFlags, args []string) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	width, err := f.parseWidth(cmd)
	if err != nil {
		return err
	}
	runs, err := comparedRuns(cmd, args)
	if err == nil {
		err = relocate(runs, f.data)
	}
	if err != nil {
		return err
	}
	if n := len(runs); n == 0 || n > kit.MostWatched {
		return usage(cmd, "want 1 to %d runs, not %d", kit.MostWatched, n)
	}
	ctx, _ := c.watchSignals(cmd.Context(), "stopping")
	shown, err := c.shownRuns(ctx, runs)
	if err != nil {
		return err
	}
	figures, err := chosenFigures(board.Of(shown...).Figures(), f.figures)
	if err != nil {
		return err
	}
	for i := range figures {
		figures[i].Options.Width = width
	}
	if f.report != "" {
		for _, name := range f.figures {
			if !slices.ContainsFunc(figures, func(f report.Figure) bool {
				return f.Panel == name && f.Picture != nil
			}) {
				c.say("warning: the report does not show %s: it is a table; export it as csv", name)
			}
		}
		return c.exportPage(cmd, f, args, runs, shown, figures)
	}
	formats := eachOf(f.formats, func(name string) figure.Format { return figure.Format(name) })
	if len(formats) == 0 {
		formats = append(formats, figure.SVG)
	}
	files := report.Files(figures, formats...)
	if slices.Contains(f.formats, posteriorFormat) {
		files = append(files, posteriorFiles(ctx, runs)...)
	}
	folder, err := openFolder(f.out, runs)
	if err != nil {
		return err
	}
	defer folder.Close()
	done, empty, err := c.writeFiles(ctx, folder, files)
	if err != nil {
		return err
	}
	for _, name := range f.figures {
		why := unwritten(name, figures, done, empty)
		if why != "" {
			c.say("warning: no file for the figure %s: %s", name, why)
		}
	}
	return c.write(cmd, output{
		text: func() string {
			return strings.Join(eachOf(done, func(name string) string {
				return filepath.Join(folder.Path(), name) + "\n"
			}), "")
		},
		json: func() any { return exported{idsOf(runs, nil), folder.Path(), done} },
	})
}

// shownRuns reads runs with their last diagnostics.
func (c *console) shownRuns(ctx context.Context, runs []rundir.Info) (list []*board.Run, err error) {
	line := c.newStatusLine()
	defer line.end()
	for _, run := range runs {
		line.show("reading " + run.ID)
		s, err := c.snapshot(ctx, run)
		if err != nil {
			return nil, err
		}
		list = append(list, &board.Run{ID: s.ID, Snapshot: s, Name: run.Notes.Name})
	}
	return list, nil
}

// snapshot reads a run. If diagnostics are not stored, it computes them from the last checkpoint.
func (c *console) snapshot(ctx context.Context, run rundir.Info) (*session.Snapshot, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	data := run.DataFile
	run, err := rundir.FindReadOnly(run.Dir) // It may have changed since the command began.
	if err != nil {
		return nil, err
	}
	run.DataFile = data
	if run.State == rundir.Broken {
		return nil, fmt.Errorf("%s: %w", run.ID, run.Err)
	}
	s := session.Open(run)
	s.Diagnostics, err = run.Diagnostics()
	if err == nil && s.Diagnostics == nil && s.CheckpointStep >= 0 {
		s.Diagnostics, err = session.Diagnose(ctx, run)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		c.say("warning: %s has no views of the posterior: %s", run.ID, oneLine(err))
	}
	return s, nil
}

// chosenFigures returns the figures of the named panels, or all figures if there are no names.
func chosenFigures(all []report.Figure, names []string) ([]report.Figure, error) {
	var known []string
	for _, f := range all {
		if !slices.Contains(known, f.Panel) {
			known = append(known, f.Panel)
		}
	}
	if len(names) == 0 {
		return all, nil
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("the figure %s does not apply; applicable figures: %s",
				name, strings.Join(known, ", "))
		}
	}
	return slices.DeleteFunc(all, func(f report.Figure) bool { return !slices.Contains(names, f.Panel) }), nil
}

// posteriorFiles returns the posteriors of runs.
func posteriorFiles(ctx context.Context, runs []rundir.Info) (list []report.File) {
	for i, run := range runs {
		name := "posterior"
		if len(runs) > 1 {
			name += fmt.Sprintf("-run-%d", i+1)
		}
		list = append(list, report.File{Name: name + "." + posteriorFormat, Write: func(w io.Writer) error {
			return session.WritePosterior(ctx, run, w)
		}})
	}
	return list
}

// openFolder opens the folder at a path, or the folder for exports of runs if the path is empty.
func openFolder(path string, runs []rundir.Info) (*rundir.Exports, error) {
	if path == "" {
		return sweep.OpenExports(runs)
	}
	return rundir.CreateExports(kit.ExpandPath(path))
}

// unwritten returns the reason why a figure has none of the files in done, or "" if it has one. empty holds
// the reasons of files that were not written.
func unwritten(name string, figures []report.Figure, done []string, empty map[string]error) string {
	why := ""
	for _, f := range figures {
		if f.Panel != name {
			continue
		}
		for _, file := range done {
			if strings.TrimSuffix(file, filepath.Ext(file)) == f.Name {
				return ""
			}
		}
		why = cmp.Or(why, "its numbers are in the file of another figure; add a format such as svg")
		if f.Picture == nil {
			why = "it is a table; add csv to --format"
		}
	}
	for _, file := range sortedKeys(empty) {
		if slices.ContainsFunc(figures, func(f report.Figure) bool {
			return f.Panel == name && strings.TrimSuffix(file, filepath.Ext(file)) == f.Name
		}) {
			why = oneLine(empty[file])
		}
	}
	return why
}

// writeFiles writes files except empty ones. It returns the names of the written files, and the reasons why
// others are empty. It shows the progress on a terminal.
func (c *console) writeFiles(
	ctx context.Context, to *rundir.Exports, files []report.File,
) (done []string, empty map[string]error, err error) {
	empty = map[string]error{}
	line := c.newStatusLine()
	defer line.end()
	for i, f := range files {
		if ctx.Err() != nil {
			return nil, nil, &interruptedError{fmt.Sprintf("interrupted after %s in %s",
				plural(len(done), "file"), to.Path())}
		}
		line.show(fmt.Sprintf("%d of %d: %s", i+1, len(files), f.Name))
		_, err := to.WriteFile(f.Name, f.Write)
		switch {
		case err == nil:
			done = append(done, f.Name)
		case errors.Is(err, figure.ErrNothing):
			empty[f.Name] = err
		default:
			return nil, nil, fmt.Errorf("%w (after %s)", err, plural(len(done), "file"))
		}
	}
	if len(done) == 0 {
		return nil, nil, errors.New("there is nothing to export: no figure has data in these formats")
	}
	return done, empty, nil
}
