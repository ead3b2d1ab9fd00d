package cli

import (
	"fmt"
	"slices"
	"strings"

	"dgplab/models"
	"dgplab/session/compare"
	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/session/sweep"
	"dgplab/tui/kit"
	"dgplab/tui/report"
	"dgplab/viz/canvas"
	"dgplab/viz/tables"
)

// sweepReporter reports the progress of a sweep.
type sweepReporter interface {
	// begin is called once with the initial state.
	begin(s *sweep.State, e sweep.Estimate, jobs int) error
	// cell is called once for every run that ends.
	cell(s *sweep.State, c *sweep.CellState) error
	// progress is called periodically.
	progress(s *sweep.State)
	// end is called once with the last state.
	end(s *sweep.State) error
}

func (c *console) newSweepReporter(json bool) sweepReporter {
	if json {
		return &jsonSweepReporter{c}
	}
	return &plainSweepReporter{console: c, line: c.newStatusLine()}
}

// followSweep reports the progress of a sweep until it ends, and returns its error. The sweep does not wait
// for standard output. If writing fails, the sweep is cancelled.
func (c *console) followSweep(s *sweep.Sweep, r sweepReporter) error {
	err := reportCells(s, r)
	if err == nil {
		err = r.end(s.Wait())
	}
	if err != nil {
		s.Cancel()
		return sweepOutputLost(s.Wait(), err)
	}
	return sweepVerdict(s.Latest())
}

// reportCells reports the runs of a sweep that end and its progress, until the sweep ends or writing fails.
func reportCells(s *sweep.Sweep, r sweepReporter) error {
	told := make(map[int]bool)
	return poll(s.Done(), func() error {
		state := s.Latest()
		for i := range state.Cells {
			cell := &state.Cells[i]
			ended := cell.Status == sweep.Done || cell.Status == sweep.Failed || cell.Status == sweep.Pruned
			if !ended || told[i] {
				continue
			}
			told[i] = true
			if err := r.cell(state, cell); err != nil {
				return err
			}
		}
		r.progress(state)
		return nil
	})
}

// sweepOutputLost returns the error of a sweep that could not be reported.
func sweepOutputLost(s *sweep.State, err error) error {
	then := "to continue, run: " + sweepCommandLine(s.Name)
	if s.Complete() {
		then = "to see the results, run: dgplab sweep show " + s.Name
	}
	if withoutReader(err) != "" {
		return &interruptedError{withoutReader(err) + "; " + then}
	}
	return cannotWrite(err, then)
}

// plainSweepReporter prints the plan and the final table to standard output, and progress to
// standard error.
type plainSweepReporter struct {
	*console
	line *statusLine
	// earlier contains the keys of runs that were done at the start.
	earlier map[string]bool
	// ended is the number of reported runs.
	ended int
}

func (r *plainSweepReporter) begin(s *sweep.State, e sweep.Estimate, jobs int) error {
	r.earlier = map[string]bool{}
	for _, c := range s.Cells {
		if c.Status == sweep.Done || c.Status == sweep.Pruned {
			r.earlier[c.Key] = true
		}
	}
	remarks{}.of(r.console, e.Notes, e.Warnings)
	return r.print(sweepIntroduction(s, e, jobs))
}

// cell reports a run on standard error. On a terminal it reports only failures, because the progress line
// counts the other runs.
func (r *plainSweepReporter) cell(s *sweep.State, c *sweep.CellState) error {
	r.ended++
	if r.earlier[c.Key] || r.line.rewrite && c.Status != sweep.Failed {
		return nil
	}
	r.line.end()
	r.say("%d/%d  %s: %s", r.ended, len(s.Cells), c.Key, sweepCellText(c))
	return nil
}

func (r *plainSweepReporter) progress(s *sweep.State) { r.line.show(sweepProgress(s)) }

func (r *plainSweepReporter) end(s *sweep.State) error {
	r.line.end()
	return r.print("\n" + r.sweepResult(s))
}

// sweepCellText describes the result of a run in one line.
func sweepCellText(c *sweep.CellState) string {
	if c.Status == sweep.Failed {
		return "failed: " + oneLine(c.Err)
	}
	parts := report.Readings(metric.OfSummary(c.Summary), "log_lik")
	if c.Status == sweep.Pruned {
		parts = append([]string{fmt.Sprintf("pruned at rung %d", c.Rung)}, parts...)
	}
	return strings.Join(append(parts, plural(c.Step, "step")+" in "+report.Seconds(c.Seconds)), ", ")
}

// sweepProgress describes the progress of a sweep in one line.
func sweepProgress(s *sweep.State) string {
	text := fmt.Sprintf("%d of %s done, %d running",
		s.Count(sweep.Done), plural(len(s.Cells), "run"), s.Count(sweep.Running))
	if pruned := s.Count(sweep.Pruned); pruned > 0 {
		text += fmt.Sprintf(", %d pruned", pruned)
	}
	if failed := s.Count(sweep.Failed); failed > 0 {
		text += fmt.Sprintf(", %d failed", failed)
	}
	if s.Phase == sweep.Stopping {
		return text + ", stopping"
	}
	if left := s.Remaining(); left > 0 {
		text += ", about " + canvas.Duration(left) + " left"
	}
	return text
}

// jsonSweepReporter writes a JSON object for each finished run and one for the sweep.
type jsonSweepReporter struct{ *console }

func (r *jsonSweepReporter) begin(s *sweep.State, e sweep.Estimate, _ int) error {
	remarks{}.of(r.console, e.Notes, e.Warnings)
	plan := *s
	plan.Phase = "" // The sweep has not started.
	out := sweepFor(&plan, false)
	out.Event, out.Rows, out.Estimate = "plan", nil, &e
	return r.json(out)
}

func (r *jsonSweepReporter) cell(_ *sweep.State, c *sweep.CellState) error {
	out := sweepCellFor(c)
	out.Event = "run"
	return r.json(out)
}

func (r *jsonSweepReporter) progress(*sweep.State) {}

func (r *jsonSweepReporter) end(s *sweep.State) error {
	out := sweepFor(s, false)
	out.Event = "sweep"
	return r.json(out)
}

// sweepIntroduction describes the planned runs and their estimated time.
func sweepIntroduction(s *sweep.State, e sweep.Estimate, jobs int) string {
	var rows facts
	rows.add("sweep", "%s", s.Name)
	rows.grid(s)
	if done := s.Count(sweep.Done); done > 0 {
		rows.add("", "%s of them already done", report.Grouped(done))
	}
	if failed := s.Count(sweep.Failed); failed > 0 && len(s.Left(false)) == e.Runs {
		rows.add("", "%s of them failed earlier; use --retry to train them again", report.Grouped(failed))
	}
	if e.Runs > 0 {
		rows.add("time", "%s", report.SweepTime(e, jobs))
	}
	return rows.String()
}

// grid adds the values of a sweep, the number of runs, and the settings that are left out.
func (f *facts) grid(s *sweep.State) {
	g := s.Grid
	for _, a := range s.Axes() {
		f.add(a.Name, "%s", strings.TrimSuffix(sweep.Join(a.Values), ";"))
	}
	if g.Preset != "" {
		f.add("preset", "%s", g.Preset)
	}
	f.add("runs", "%s", sweepRuns(s))
	f.halving(s)
	if list := leftOutSettings(s); len(list) > 0 {
		f.add("left out", "%s", strings.Join(list, ", "))
	}
}

// halving adds the rungs of successive halving, with the decisions made so far.
func (f *facts) halving(s *sweep.State) {
	if s.Grid.Halving == 0 {
		return
	}
	f.add("halving", "%s", report.Halving(s.Grid))
	for _, d := range s.Decisions {
		f.add("", "%s %s, rung %d: %s", metric.DatasetName(d.Dataset), d.Split, d.Rung, report.Decision(d))
	}
}

// sweepRuns returns the number of runs and its factors.
func sweepRuns(s *sweep.State) string {
	g := s.Grid
	own, product := len(s.Cells), 1
	if g.Baseline && !slices.Contains(g.Families, models.BaselineFamily) {
		own = 0
		for _, c := range s.Cells {
			if c.Config.Family != models.BaselineFamily {
				own++
			}
		}
	}
	var factors []string
	add := func(n int, of string) {
		if n > 1 {
			factors = append(factors, fmt.Sprintf("%s of %s", report.Grouped(n), of))
			product *= n
		}
	}
	add(len(g.Datasets), rundir.DatasetField)
	add(len(g.Methods), "method")
	all, err := g.Combinations()
	if drawn := err == nil && g.Random > 0 && g.Random < all; drawn {
		factors = append(factors, fmt.Sprintf("%s of %s combinations", report.Grouped(g.Random),
			report.Grouped(all)))
		product *= g.Random
	} else {
		for _, a := range s.Axes() {
			switch a.Name {
			case rundir.DatasetField, rundir.SplitField, rundir.SeedField:
			case rundir.FamilyField:
				add(len(g.Families), a.Name)
			default:
				if len(g.Methods) == 0 {
					add(len(a.Values), a.Name)
				}
			}
		}
	}
	add(len(g.Splits), rundir.SplitField)
	add(len(g.Seeds), rundir.SeedField)
	text := strings.Join(factors, " x ")
	if product > own {
		text += fmt.Sprintf(" = %s, less %s", report.Grouped(product), report.Grouped(product-own))
	}
	if more := len(s.Cells) - own; more > 0 {
		text += fmt.Sprintf(", plus %s of %s", report.Grouped(more), models.BaselineFamily)
	}
	text = strings.TrimPrefix(text, ", ")
	if len(factors) < 2 && product == own && own == len(s.Cells) {
		return report.Grouped(own)
	}
	return fmt.Sprintf("%s (%s)", report.Grouped(len(s.Cells)), text)
}

// leftOutSettings lists the hyperparameters that a family lacks, or that have no effect in some of
// its runs.
func leftOutSettings(s *sweep.State) (list []string) {
	for _, name := range s.Grid.Families {
		for _, a := range s.Axes() {
			if rundir.IsField(a.Name) {
				continue
			}
			with, without := 0, 0
			for _, c := range s.Cells {
				_, has := c.Config.Set[a.Name]
				switch {
				case c.Config.Family != name:
				case has:
					with++
				default:
					without++
				}
			}
			switch {
			case with > 0 && without > 0:
				list = append(list, a.Name+" for some runs of "+name)
			case without > 0:
				list = append(list, a.Name+" for "+name)
			}
		}
	}
	return list
}

// sweepResult returns the table of scores with its footnote and the failures.
func (c *console) sweepResult(s *sweep.State) string {
	metrics := s.Main()
	parts := []string{c.tableText(sweepTable(s, metrics))}
	if len(metrics) > 0 {
		parts = append(parts, sweepNotes(s, metrics))
	}
	if failures := sweepFailures(s); failures != "" {
		parts = append(parts, failures)
	}
	return strings.Join(parts, "\n")
}

// sweepNotes returns the footnotes of the table of scores, which explain its contents.
func sweepNotes(s *sweep.State, metrics []metric.Column) string {
	single, improving := false, 0
	means := map[compare.Over]bool{}
	for _, g := range s.Groups(s.Settings()) {
		_, still := s.Done(g)
		improving += still
		for _, m := range metrics {
			score := s.Score(g, m)
			means[score.Over] = means[score.Over] || score.N > 1
			single = single || score.N == 1
		}
	}
	notes := "Mean (standard error)"
	splits := means[compare.OverSplits]
	seeds := means[compare.OverSeeds]
	switch {
	case splits && seeds:
		notes += " over splits, or over the seeds of a single split"
	case splits:
		notes += " over splits"
	case seeds:
		notes += " over seeds"
	}
	if single {
		notes += "; (-) for a single run"
	}
	var others []string
	for _, m := range metrics {
		if m.Key == "val.best" || m.Key == "seconds" {
			others = append(others, m.Short)
		}
	}
	notes += ". Scores"
	if len(others) > 0 {
		notes += " except " + strings.Join(others, " and ")
	}
	notes += " are for the test set, in original units."
	if s.Count(sweep.Pruned) > 0 {
		notes += " * fewer steps, because successive halving pruned runs; not comparable with the other rows."
	}
	if improving > 0 {
		notes += " Runs counted as improving were still improving when they ended; more steps may change " +
			"the order."
	}
	return strings.Join(kit.Wrap(notes, 80), "\n") + "\n"
}

// sweepTable returns a table with a row per setting: the number of finished runs, and the mean and standard
// error of each metric.
func sweepTable(s *sweep.State, metrics []metric.Column) tables.Table {
	axes := s.Settings()
	var t tables.Table
	for i, name := range axes {
		c := tables.Column{Title: name, Right: numeric(s, i, axes)}
		if name == rundir.DatasetField {
			c.Least = 8
		}
		t.Columns = append(t.Columns, c)
	}
	t.Columns = append(t.Columns, tables.Column{Title: "done", Right: true})
	for i, m := range metrics {
		t.Columns = append(t.Columns, tables.Column{Title: m.Short, Right: true, Drop: i})
	}
	for _, g := range s.Groups(axes) {
		row := append(append([]string{}, g.Values...), kit.DoneText(s, g))
		for _, m := range metrics {
			row = append(row, kit.ScoreText(s, g, m))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// numeric reports whether the values of an axis are numbers, which are right-aligned.
func numeric(s *sweep.State, axis int, axes []string) bool {
	return !slices.ContainsFunc(s.Groups(axes), func(g sweep.Group) bool {
		return strings.Trim(g.Values[axis], "0123456789.e-+") != ""
	})
}

// failuresShown is the maximum number of listed failures.
const failuresShown = 10

// sweepFailures lists the runs that failed or could not continue.
func sweepFailures(s *sweep.State) string {
	var b strings.Builder
	n := 0
	for i := range s.Cells {
		c := &s.Cells[i]
		if c.Err == nil {
			continue
		}
		n++
		if n <= failuresShown {
			fmt.Fprintf(&b, "%s: %s: %s\n", c.Status, c.Key, oneLine(c.Err))
		}
	}
	if n > failuresShown {
		fmt.Fprintf(&b, "and %d more\n", n-failuresShown)
	}
	return b.String()
}
