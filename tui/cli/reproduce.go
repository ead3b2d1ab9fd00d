package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dgplab/session"
	"dgplab/session/compare"
	"dgplab/session/reproduce"
	"dgplab/session/rundir"
	"dgplab/session/sweep"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/tables"
)

// reproduceFlags are the flags of dgplab reproduce. Of the flags of a sweep it has only those for its
// training.
type reproduceFlags struct {
	sweepFlags
	only    []string
	change  []string
	splits  string
	file    string
	budget  time.Duration
	results bool
	html    string
}

func (c *console) reproduceCommand() *cobra.Command {
	f := new(reproduceFlags)
	cmd := &cobra.Command{
		Use:   "reproduce [EXPERIMENT]",
		Short: "Reproduce published tables and compare with them",
		Long: `Train the runs behind a published table and print it with the published
numbers: for each data set the published results, ours, and their difference in
combined standard errors. ! marks differences beyond two, ^ results of runs that
had not settled, and ? differences that decide nothing, because of such runs or
because runs are shorter, smaller or fewer than in the paper. Without an
experiment, list all of them with their sources, the number of their runs that
exist, and the time that the missing ones take.

Runs count whichever command trained them: only missing ones are trained, split
by split, as the sweep PAPER-TABLE. The command can be interrupted and repeated
at will. Results that are not available yet are empty. --results only prints the
table.

--only and --splits select data sets and splits. --set changes a setting of all
methods that have it, or of those of one family, for example to shorten the
training; the table names the changes. --budget 2h stops after that time, and the
plan estimates how many splits are complete by then; interrupted runs continue
when the command is repeated. --file reads an experiment of your own, in the form
of the files in session/reproduce.`,
		Example: `  dgplab reproduce
  dgplab reproduce lindinger2020/table1 --only boston,energy --splits 0..2 --budget 2h
  dgplab reproduce lindinger2020/table1 --set inducing=32 --set mean-field.steps=2000
  dgplab reproduce lindinger2020/table1 --results --markdown
  dgplab reproduce meng2024/table2 --on slurm
  dgplab reproduce --file mine.toml --html mine.html`,
		ValidArgsFunction: complete(reproduce.IDs),
		Args:              cobra.ArbitraryArgs,
		RunE:              func(cmd *cobra.Command, args []string) error { return c.reproduce(cmd, f, args) },
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.only, "only", nil, "train and show these `datasets` only")
	flags.StringVar(&f.splits, "splits", "", "train and show these `splits` only, for example 0..2")
	flags.StringArrayVar(&f.change, "set", nil,
		"change a setting of all methods that have it: `name=value`, or family.name=value; may be repeated")
	flags.StringVar(&f.file, "file", "", "read the experiment in this TOML `file`")
	flags.DurationVar(&f.budget, "budget", 0, "stop training after this `time`, such as 2h (default none)")
	flags.BoolVar(&f.results, "results", false, "print the results without training")
	flags.StringVar(&f.html, "html", "", "also write the table to this HTML `file`")
	flags.IntVar(&f.jobs, "jobs", 1, "number of runs to train in parallel; they share the cores")
	flags.BoolVar(&f.retry, "retry", false, "retry failed runs")
	flags.BoolVar(&f.dryRun, "dry-run", false,
		"only print the number of runs, the estimated time and the protocol")
	allowMemoryFlag(cmd, &f.allowMemory)
	flags.StringVar(&f.on, "on", onLocal,
		"`place` of the training: local, slurm, or slurm.NAME with the options [slurm.NAME] of the "+
			"settings file")
	f.slurm.register(cmd)
	formFlags(cmd, jsonForm, csvForm, markdownForm, latexForm)
	flags.Lookup("csv").Usage = "print one line per result, in full precision"
	return cmd
}

// reproduce runs dgplab reproduce.
func (c *console) reproduce(cmd *cobra.Command, f *reproduceFlags, args []string) error {
	switch {
	case len(args) > 1:
		return usage(cmd, "unexpected argument: %q; want one experiment", args[1])
	case len(args) == 1 && f.file != "":
		return usage(cmd, "--file cannot be used with the experiment %s", args[0])
	case len(args) == 0 && f.file == "":
		if name := changedFlag(cmd, "json", "csv", "markdown", "latex"); name != "" {
			return usage(cmd, "--%s needs an experiment", name)
		}
		return c.listExperiments(cmd)
	}
	if f.jobs < 1 {
		return usage(cmd, "bad value: --jobs=%d; want a whole number from 1", f.jobs)
	}
	if f.budget < 0 {
		return usage(cmd, "bad value: --budget=%s; want a time such as 2h", f.budget)
	}
	place, err := f.place(cmd)
	if err != nil {
		return err
	}
	if place == onNone {
		return usage(cmd, "bad value: --on=none; want local, slurm or slurm.PROFILE")
	}
	e, err := f.experiment(args)
	if err != nil {
		return err
	}
	for _, text := range f.change {
		axis, err := sweep.ParseAxis(text)
		if err == nil {
			err = e.Override(axis)
		}
		if err != nil {
			return usage(cmd, "bad value: --set %s", oneLine(err))
		}
	}
	part, err := f.selection(cmd, e)
	if err != nil {
		return err
	}
	shown, err := e.Part(part)
	if err != nil {
		return usage(cmd, "%s", err)
	}
	var ended error
	if !f.results {
		proceed, err := c.trainExperiment(cmd, f, e, shown, part, place)
		if err != nil && !proceed {
			return err
		}
		if !proceed {
			return nil
		}
		ended = err
	}
	if err := c.printExperiment(cmd, f, shown); err != nil {
		return err
	}
	return ended
}

// experiment returns the experiment of the arguments.
func (f *reproduceFlags) experiment(args []string) (*reproduce.Experiment, error) {
	if f.file != "" {
		return reproduce.Read(kit.ExpandPath(f.file))
	}
	e, err := reproduce.Get(args[0])
	if err != nil {
		return nil, &usageError{oneLine(err), "dgplab reproduce"}
	}
	return e, nil
}

// selection returns the part of an experiment that the flags select.
func (f *reproduceFlags) selection(
	cmd *cobra.Command, e *reproduce.Experiment,
) (part reproduce.Selection, err error) {
	part.Data = f.only
	if cmd.Flags().Changed("splits") {
		values, err := sweep.Expand(f.splits)
		if err != nil {
			return part, usage(cmd, "bad value: --splits: %s", err)
		}
		part.Splits = e.SplitsNamed(values)
	}
	return part, nil
}

// trainExperiment trains the missing runs of the selected part, which is shown. proceed reports whether the
// results are printed next, which they are also after an interruption.
func (c *console) trainExperiment(
	cmd *cobra.Command, f *reproduceFlags, e, shown *reproduce.Experiment, part reproduce.Selection,
	place string,
) (proceed bool, err error) {
	runs, err := rundir.List()
	if err != nil {
		return false, err
	}
	gentle, _ := c.watchSignals(cmd.Context(), stopHint)
	inspector := &session.Inspector{AllowMemory: f.allowMemory}
	plan, err := e.Plan(gentle, inspector, runs, part, f.retry)
	switch {
	case errors.Is(err, context.Canceled):
		return false, &interruptedError{"interrupted before the training started"}
	case err != nil:
		return false, f.blame(cmd, err)
	}
	c.say("%s", planText(e, plan, f.jobs))
	if within, all := plan.Splits(f.budget.Seconds(), f.jobs); f.budget > 0 && all > 0 {
		c.say("the budget of %s is expected to end after %d of %s of a data set, with all methods",
			report.Seconds(f.budget.Seconds()), within, plural(all, "split"))
	}
	missing := shown.Missing()
	if len(missing) > 0 {
		c.say("%s", report.NotDownloaded(missing))
	}
	switch {
	case f.dryRun:
		return false, c.printProtocol(cmd, shown)
	case plan.Estimate.Runs == 0:
		return true, nil
	case place == onSlurm:
		return false, c.submitExperiment(cmd, f, plan)
	}
	if f.budget > 0 {
		var end context.CancelFunc
		gentle, end = context.WithTimeout(gentle, f.budget)
		defer end()
	}
	options := sweep.Options{Name: plan.State.Name, Jobs: f.jobs, Retry: f.retry, AllowMemory: f.allowMemory,
		Cells: plan.Cells()}
	s, err := sweep.Start(gentle, plan.State.Grid, options)
	if err != nil {
		return false, err
	}
	return true, c.followExperiment(s)
}

// submitExperiment submits the missing runs to Slurm.
func (c *console) submitExperiment(cmd *cobra.Command, f *reproduceFlags, plan *reproduce.Plan) error {
	options, err := f.slurm.over(cmd, f.on)
	if err != nil {
		return err
	}
	s := submission{console: c, state: plan.State, options: options, retry: f.retry,
		allowMemory: f.allowMemory}
	return s.run(cmd.Context(), func(err error) error { return f.blame(cmd, err) })
}

// planText describes a plan in one line.
func planText(e *reproduce.Experiment, p *reproduce.Plan, jobs int) string {
	text := e.ID + ": " + report.PlanRuns(p)
	if p.Estimate.Runs > 0 {
		text += "; time: " + report.SweepTime(p.Estimate, jobs)
	}
	return text
}

// followExperiment reports on the training of an experiment on standard error until it ends.
func (c *console) followExperiment(s *sweep.Sweep) error {
	r := &plainSweepReporter{console: c, line: c.newStatusLine()}
	err := reportCells(s, r)
	r.line.end()
	return cmp.Or(err, experimentVerdict(s.Wait()))
}

// experimentVerdict returns an error if runs of an experiment failed or are missing.
func experimentVerdict(s *sweep.State) error {
	done := s.Count(sweep.Done)
	failed := s.Count(sweep.Failed)
	switch {
	case done+failed < len(s.Cells):
		return &interruptedError{fmt.Sprintf("%d of %s done; repeat the command to continue", done,
			plural(len(s.Cells), "run"))}
	case failed > 0:
		return fmt.Errorf("%d of %s failed; --retry trains them again", failed, plural(len(s.Cells), "run"))
	}
	return nil
}

// printExperiment prints the table of an experiment.
func (c *console) printExperiment(cmd *cobra.Command, f *reproduceFlags, e *reproduce.Experiment) error {
	runs, err := rundir.List()
	if err != nil {
		return err
	}
	t, err := e.Measure(runs)
	if err != nil {
		return err
	}
	if f.html != "" {
		path := kit.ExpandPath(f.html)
		page := experimentPage(t, f.commandLine(e))
		if _, err := rundir.WriteFile(filepath.Dir(path), filepath.Base(path), page.Write); err != nil {
			return err
		}
	}
	return c.write(cmd, output{
		text:   func() string { return c.sheetText(t.Sheet()) },
		json:   func() any { return experimentFor(t) },
		csv:    func(w io.Writer) error { return reproduce.CSV(w, []*reproduce.Table{t}) },
		sheets: func() []compare.Sheet { return []compare.Sheet{t.Sheet()} },
	})
}

// printProtocol prints the settings of the methods of an experiment.
func (c *console) printProtocol(cmd *cobra.Command, e *reproduce.Experiment) error {
	s, err := e.Protocol()
	if err != nil {
		return err
	}
	return c.write(cmd, output{
		text:   func() string { return c.sheetText(s) },
		json:   func() any { return e },
		csv:    func(io.Writer) error { return usage(cmd, "--csv cannot be used with --dry-run") },
		sheets: func() []compare.Sheet { return []compare.Sheet{s} },
	})
}

// commandLine returns the command that trains an experiment and prints its table.
func (f *reproduceFlags) commandLine(e *reproduce.Experiment) string {
	line := "dgplab reproduce " + e.ID
	if f.file != "" {
		line = "dgplab reproduce --file " + quote(f.file)
	}
	if f.only != nil {
		line += " --only " + quote(strings.Join(f.only, ","))
	}
	if f.splits != "" {
		line += " --splits " + quote(f.splits)
	}
	for _, text := range f.change {
		line += " --set " + quote(text)
	}
	return line
}

// experimentPage returns the table of an experiment as a page.
func experimentPage(t *reproduce.Table, command string) report.Page {
	compared, apart := t.Judged()
	info, _ := debug.ReadBuildInfo()
	return report.Page{
		Title: t.ID,
		Lead: fmt.Sprintf("%s. %s, %s. %d of %d results differ from the published ones by more than two "+
			"combined standard errors; results marked ? are not counted.",
			t.Title, t.Source, t.Place, apart, compared),
		Sections: []report.PageSection{{Title: "Results", Sheets: []compare.Sheet{t.Sheet()}}},
		Commands: []report.PageCommand{{Line: command}},
		Version:  versionText(info),
	}
}

// shownExperiment is an experiment with its results in JSON.
type shownExperiment struct {
	*reproduce.Experiment
	Done    int              `json:"done"`
	Wanted  int              `json:"wanted"`
	Results []reproduce.Cell `json:"results"`
}

func experimentFor(t *reproduce.Table) shownExperiment {
	return shownExperiment{t.Experiment, t.Done, t.Runs(), t.Cells()}
}

// listExperiments prints all experiments.
func (c *console) listExperiments(cmd *cobra.Command) error {
	runs, err := rundir.List()
	if err != nil {
		return err
	}
	list, err := reproduce.List(runs)
	if err != nil {
		return err
	}
	type listed struct {
		*reproduce.Experiment
		Done    int     `json:"done"`
		Wanted  int     `json:"wanted"`
		Seconds float64 `json:"seconds"`
		Unknown int     `json:"unknown"`
	}
	return c.write(cmd, output{
		text: func() string { return c.tableText(experimentsTable(list)) + listNotes(list) },
		json: func() any {
			return eachOf(list, func(e reproduce.Entry) listed {
				return listed{e.Experiment, e.Done, e.Runs(), e.Seconds, e.Unknown}
			})
		},
		csv: func(io.Writer) error { return usage(cmd, "--csv needs an experiment") },
		sheets: func() []compare.Sheet {
			s := compare.Sheet{Title: "Experiments", Names: 3,
				Columns: []string{"experiment", "title", "source", "runs", "time"}}
			for _, e := range list {
				s.Rows = append(s.Rows, []compare.Entry{{Text: e.ID}, {Text: e.Title},
					{Text: e.Source + ", " + e.Place}, {Text: report.ExistingRuns(e)},
					{Text: report.MissingTime(e)}})
			}
			return []compare.Sheet{s}
		},
	})
}

// experimentsTable lists experiments.
func experimentsTable(list []reproduce.Entry) tables.Table {
	t := tables.Table{Columns: []tables.Column{{Title: "experiment", Keep: true}, {Title: "title", Least: 20},
		{Title: "place", Least: 7, Drop: 1}, {Title: "runs", Right: true}, {Title: "time left", Right: true}}}
	for _, e := range list {
		row := []string{e.ID, e.Title, e.Place, report.ExistingRuns(e), report.MissingTime(e)}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// listNotes explains unknown times.
func listNotes(list []reproduce.Entry) string {
	if !report.HasUnknownTime(list) {
		return ""
	}
	return "\n? or +: unknown before the first run of each method and data set; to time some steps and " +
		"print the\nprotocol: dgplab reproduce EXPERIMENT --dry-run\n"
}
