package sweep

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/charmbracelet/lipgloss"

	"dgplab/datasets/table"
	"dgplab/session"
	"dgplab/session/rundir"
	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// plan is the preview of the typed sweep: its cells and the cost of the remaining cells.
type plan struct {
	state *sweeps.State
	cost  sweeps.Estimate
}

// inspect returns a function that looks up earlier runs and inspects the data, in the background.
func (g *Grid) inspect() (func(context.Context) (plan, error), error) {
	if _, err := g.form.FirstBad(); err != nil {
		return nil, err
	}
	grid := g.form.grid()
	name := g.form.options().Name
	e := g.engine
	return func(ctx context.Context) (p plan, err error) {
		p.state, err = e.PreviewSweep(grid, name)
		if err == nil {
			p.cost, err = e.InspectSweep(ctx, p.state)
		}
		return p, err
	}, nil
}

// planRows returns the number of runs of the sweep, its estimated time and remarks.
func (g *Grid) planRows(w int) []string {
	th, p := g.theme, g.plan.Known
	sep := th.Separator()
	if g.plan.Err != nil {
		return kit.Paragraph(th.Bad, th.Glyphs.Cross+" "+planTrouble(g.plan.Err), w)
	}
	if p == nil {
		return []string{th.Dim.Render("reading the data" + th.Glyphs.Ellipsis)}
	}
	style := th.Text
	if g.plan.Running {
		style = th.Dim // The plan belongs to the grid before the last change.
	}
	runs := style.Render(report.Plural(len(p.state.Cells), "run", "runs"))
	if done := p.state.Count(sweeps.Done); done > 0 {
		runs += style.Render(fmt.Sprintf(", %s already done", report.Grouped(done)))
	}
	if pruned := p.state.Count(sweeps.Pruned); pruned > 0 {
		runs += style.Render(fmt.Sprintf(", %s pruned", report.Grouped(pruned)))
	}
	if failed := p.state.Count(sweeps.Failed); failed > 0 {
		runs += th.Warn.Render(fmt.Sprintf(", %s failed", report.Grouped(failed)))
	}
	rows := []string{
		kit.JoinFitting(w, sep, append([]string{runs}, g.timeParts(style)...)...),
		kit.JoinFitting(w, sep, style.Render("named "+p.state.Name),
			th.Dim.Render("finished cells are not run again")),
	}
	if grid := p.state.Grid; grid.Halving > 0 {
		rows = append(rows, kit.Paragraph(style, report.Halving(grid), w)...)
	}
	if text := g.sharedText(); text != "" {
		rows = append(rows, th.Warn.Render("! "+text))
	}
	return append(rows, th.NoteRows(p.cost.Notes, p.cost.Warnings)...)
}

// planTrouble returns the reason why there is no plan. Problems with the columns of a file can be
// fixed only on the set-up screen's columns page.
func planTrouble(err error) string {
	var csv *table.Error
	if errors.As(err, &csv) && (csv.Remedies != nil || csv.Question != nil) {
		return csv.WithoutFlags() + "; fix it on the set-up screen's columns page"
	}
	return err.Error()
}

// sharedText returns a remark if the training runs would share cores, and "" otherwise.
func (g *Grid) sharedText() string {
	runs := g.plan.Known.cost.Runs
	workers := min(g.form.options().Jobs, runs)
	if workers == 0 {
		return ""
	}
	text := report.SharedText(workers+g.beside(nil), g.cores)
	if n := g.beside(nil); n > 0 && text != "" {
		text += "; " + report.Grouped(n) + " already running"
	}
	return text
}

// timeParts draws the estimated time of the remaining runs. A long time is a warning, followed by advice.
func (g *Grid) timeParts(style lipgloss.Style) []string {
	p := g.plan.Known
	if !session.Long(p.cost.Time(g.form.options().Jobs).Seconds()) {
		return []string{style.Render(g.timeText())}
	}
	warn := g.theme.Warn
	parts := []string{warn.Render(g.timeText())}
	if !slices.ContainsFunc(p.state.Grid.Set, hasBudget) {
		parts = append(parts, warn.Render("budget limits each run"))
	}
	return parts
}

// hasBudget reports whether an axis is the time budget.
func hasBudget(a sweeps.Axis) bool { return a.Name == rundir.BudgetSetting }

// timeText returns the estimated time of the remaining runs.
func (g *Grid) timeText() string {
	e, jobs := g.plan.Known.cost, g.form.options().Jobs
	switch {
	case e.Runs == 0:
		return "nothing left to train"
	case e.Unknown == e.Runs:
		return "time: unknown before the first run of these families"
	}
	text := "at most about " + report.Seconds(e.Seconds)
	switch {
	case e.Unknown > 0:
		text += fmt.Sprintf(" plus %s without an estimate", report.Plural(e.Unknown, "run", "runs"))
	case jobs > 1 && e.Runs > 1:
		text += fmt.Sprintf(", %s with %d workers if there are enough cores",
			report.Duration(e.Time(jobs)), jobs)
	}
	return text + " (estimated from earlier runs)"
}
