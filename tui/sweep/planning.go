package sweep

import (
	"context"
	"errors"
	"fmt"
	"slices"

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
		p.state, err = e.PreviewSweep(ctx, grid, name)
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
	text, long := g.timeText()
	timeStyle := style
	if long {
		timeStyle = th.Warn
	}
	name := style.Render("named " + p.state.Name)
	hint := th.Dim.Render("finished cells are not run again")
	rows := []string{runs + sep + timeStyle.Render(text), kit.JoinFitting(w, sep, name, hint)}
	if kit.Cells(rows[0]) > w { // The time has lines of its own.
		rows = []string{kit.JoinFitting(w, sep, runs, name, hint)}
		rows = append(rows, kit.Paragraph(timeStyle, text, w)...)
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

// timeText returns the estimated time of the remaining runs. A long time is followed by advice.
func (g *Grid) timeText() (text string, long bool) {
	p, jobs := g.plan.Known, g.form.options().Jobs
	if p.cost.Runs == 0 {
		return "nothing left to train", false
	}
	text = report.SweepTime(p.cost, jobs)
	long = session.Long(p.cost.Time(jobs).Seconds())
	limited := func(a sweeps.Axis) bool { return a.Name == rundir.BudgetSetting }
	if long && !slices.ContainsFunc(p.state.Grid.Set, limited) {
		text += "; budget limits each run"
	}
	return text, long
}
