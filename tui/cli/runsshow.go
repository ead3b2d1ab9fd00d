package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dgplab/models"
	"dgplab/session"
	"dgplab/session/config"
	"dgplab/session/rundir"
	"dgplab/tui/report"
	"dgplab/viz/tables"
)

func (c *console) showRunCommand() *cobra.Command {
	var data string
	cmd := c.withOutput(&cobra.Command{
		Use:   "show ID",
		Short: "Show the configuration, results and curves of a run",
		Long: `Show the configuration, results and curves of a run, with the covariance map at
its last checkpoint and, for data with two inputs, the predictions over the
input plane. Runs that another process is training can be shown, too, and models
packed by dgplab pack, which have no curves.` + idHelp,
		Example:           "  dgplab runs show 20250131-142501",
		ValidArgsFunction: completeFirst(modelNames),
		Args:              exactlyOne("run ID"),
	}, func(cmd *cobra.Command, args []string) (output, error) {
		run, err := findModel(args[0], data)
		if err != nil {
			return output{}, err
		}
		s := session.Open(run)
		if s.State == rundir.Broken {
			run.State, run.Err = s.State, s.Err
		}
		if formOf(cmd) == textForm && run.State == rundir.Broken {
			return output{}, fmt.Errorf("%s: %w", run.ID, run.Err)
		}
		return output{
			text: func() string { return c.runText(cmd.Context(), run, s) },
			json: func() any { return runFor(run) },
		}, nil
	})
	dataFlag(cmd, &data)
	return cmd
}

// runText returns the text of dgplab runs show.
func (c *console) runText(ctx context.Context, run rundir.Info, s *session.Snapshot) string {
	if s.CheckpointStep >= 0 {
		var err error
		s.Diagnostics, err = session.Diagnose(ctx, run)
		if err != nil {
			c.say("warning: no covariance map: %s", oneLine(err))
		}
	}
	parts := []string{configuration(run, s), c.result(s)}
	if p := c.pictures(s, true); p != "" {
		parts = append(parts, p)
	}
	if run.Resumable {
		parts = append(parts, "to continue, run: "+report.Program()+" train --resume "+run.ID+"\n")
	}
	return strings.Join(parts, "\n")
}

// originFacts describes a run, its notes and its data.
func originFacts(r rundir.Info, s *session.Snapshot) (rows facts) {
	rows.add("run", "%s, %s", r.ID, r.Status())
	rows.notes(r)
	rows.add("created", "%s", r.Created.Local().Format("2006-01-02 15:04:05"))
	rows.add("data", "%s, %s: %s training, %s validation, %s test points; %s, %s", s.Dataset, s.Split,
		report.Grouped(s.Data.N), report.Grouped(s.Data.Validation), report.Grouped(s.Data.Test),
		plural(s.Data.D, "input"), plural(s.Data.P, "target"))
	if d := r.Data; len(d.Classes) > 0 && len(d.Counts) == len(d.Classes) {
		rows.add("classes", "%s", classesText(d))
	}
	rows.remarks("remark", s.Notes, s.Warnings)
	if r.Config.Preset != "" {
		rows.add("preset", "%s", presetText(r))
	}
	return rows
}

// classesText lists the classes with their numbers of rows.
func classesText(d rundir.DataFacts) string {
	var list []string
	for k, name := range d.Classes {
		list = append(list, fmt.Sprintf("%s (%d)", name, d.Counts[k]))
	}
	return strings.Join(list, ", ")
}

// configuration describes the configuration of a run: the command that repeats it and all
// hyperparameters.
func configuration(run rundir.Info, s *session.Snapshot) string {
	rows := originFacts(run, s)
	rows.add("command", "%s", recordedCommand(run))
	var values []string
	for _, name := range sortedKeys(run.Values) {
		values = append(values, name+"="+run.Values[name])
	}
	for i, line := range wrap(values, pictureWidth) {
		name := ""
		if i == 0 {
			name = "hyperparameters"
		}
		rows.add(name, "%s", line)
	}
	return rows.String()
}

// presetText returns the preset of a run and the values that differ from it.
func presetText(i rundir.Info) string {
	text := i.Config.Preset
	spec, err := models.Lookup(i.Config.Family)
	if err != nil {
		return text
	}
	changed, err := config.PresetChanges(spec, text, i.Values)
	switch {
	case err != nil:
		return text + " (unknown to this version)"
	case len(changed) > 0:
		text += ", except " + strings.Join(changed, ", ")
	}
	return text
}

// notes adds the user's notes on a run and its origin.
func (f *facts) notes(i rundir.Info) {
	for _, fact := range [][2]string{
		{"name", i.Notes.Name}, {"tags", strings.Join(i.Notes.Tags, ", ")}, {"fork of", i.Parent},
		{"started from", i.WarmStart.Text()}, {"sweep", i.Sweep},
	} {
		if fact[1] != "" {
			f.add(fact[0], "%s", fact[1])
		}
	}
	name := "note"
	for line := range strings.Lines(i.Notes.Note) {
		f.add(name, "%s", strings.TrimSuffix(line, "\n"))
		name = ""
	}
	if i.NotesErr != nil {
		f.add("notes", "cannot be read: %s", oneLine(i.NotesErr))
	}
}

// wrap joins words into lines of at most w characters unless a word is longer.
func wrap(words []string, w int) []string {
	var lines []string
	for _, word := range words {
		if n := len(lines); n > 0 && len(lines[n-1])+1+len(word) <= w {
			lines[n-1] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return slices.Clip(lines)
}

func (c *console) diffRunsCommand() *cobra.Command {
	return c.withOutput(&cobra.Command{
		Use:   "diff ID ID...",
		Short: "Show differences between the configurations of runs",
		Long: `Show differences between the configurations of runs, with one line for each
field that differs. A dash means that a run does not have the field.` + idHelp,
		Example:           "  dgplab runs diff 20250131-142501 20250131-150210",
		ValidArgsFunction: complete(runNames),
		Args:              atLeastRuns(2),
	}, c.diffRuns)
}

// diffJSON is the output of dgplab runs diff --json. Values are in the order of the runs.
type diffJSON struct {
	Runs        []string            `json:"runs"`
	Differences []config.Difference `json:"differences"`
}

func (c *console) diffRuns(_ *cobra.Command, ids []string) (output, error) {
	runs, err := readRuns(ids)
	if err != nil {
		return output{}, err
	}
	out := diffJSON{Runs: idsOf(runs, nil), Differences: []config.Difference{}}
	t := tables.Table{Columns: []tables.Column{{Title: "field"}}}
	for _, run := range runs {
		t.Columns = append(t.Columns, tables.Column{Title: cmp.Or(run.Notes.Name, run.ID), Least: 8})
	}
	for _, d := range config.Differences(runs) {
		out.Differences = append(out.Differences, d)
		row := []string{d.Field}
		for _, value := range d.Values {
			row = append(row, cmp.Or(value, "-"))
		}
		t.Rows = append(t.Rows, row)
	}
	return output{json: func() any { return out }, text: func() string {
		if len(t.Rows) == 0 {
			c.say("the configurations are equal")
			return ""
		}
		return c.tableText(t)
	}}, nil
}
