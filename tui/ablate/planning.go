package ablate

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/sweep"
	"dgplab/tui/kit"
)

// planDelay is how long the screen waits after the last change before it looks at
// the runs and the data.
const planDelay = 200 * time.Millisecond

// preview is what is known of the sweep that is typed.
type preview struct {
	gen    int
	under  bool // way: what is known is of before the last change
	state  *sweep.State
	cost   sweep.Estimate
	err    error
	cancel context.CancelFunc // of the inspection under way
}

// planSoon drops what is known and asks anew when the grid has stayed the same for
// a moment.
func (g *Grid) planSoon() tea.Cmd {
	p := &g.plan
	if p.cancel != nil {
		p.cancel()
		p.cancel = nil
	}
	p.gen++
	p.under, p.err = true, nil
	gen := p.gen
	return tea.Tick(planDelay, func(time.Time) tea.Msg { return planDueMsg{gen} })
}

// inspect looks at earlier runs and the data, in the background.
func (g *Grid) inspect() tea.Cmd {
	if _, err := g.form.FirstBad(); err != nil {
		g.plan.under, g.plan.state, g.plan.err = false, nil, err
		return nil
	}
	ctx, cancel := context.WithCancel(g.host.Context())
	g.plan.cancel = cancel
	gen, grid, name, e := g.plan.gen, g.form.grid(), g.form.options().Name, g.engine
	return func() tea.Msg {
		state, err := e.PreviewSweep(grid, name)
		if err != nil {
			return plannedMsg{gen: gen, err: err}
		}
		cost, err := e.InspectSweep(ctx, state.Left(false))
		return plannedMsg{gen, state, cost, err}
	}
}

// planned shows what an inspection found.
func (g *Grid) planned(msg plannedMsg) {
	g.plan.under, g.plan.state, g.plan.cost, g.plan.err = false, msg.state, msg.estimate, msg.err
}

// planRows says what the sweep would be: its runs, its time.
func (g *Grid) planRows(w int) []string {
	th, p := g.theme, &g.plan
	sep := th.Dim.Render(" " + th.Glyphs.Dot + " ")
	if p.err != nil {
		return kit.Paragraph(th.Bad, th.Glyphs.Cross+" "+p.err.Error(), w)
	}
	if p.state == nil {
		return []string{th.Dim.Render("looking at the data" + th.Glyphs.Ellipsis)}
	}
	style := th.Text
	if p.under {
		style = th.Dim // Of the grid before the last change.
	}
	runs := style.Render(kit.Plural(len(p.state.Cells), "run", "runs"))
	if done := p.state.Count(sweep.Done); done > 0 {
		runs += style.Render(fmt.Sprintf(", %s done before", kit.Grouped(done)))
	}
	if failed := p.state.Count(sweep.Failed); failed > 0 {
		runs += th.Warn.Render(fmt.Sprintf(", %s failed", kit.Grouped(failed)))
	}
	rows := []string{
		kit.JoinFitting(w, sep, runs, style.Render(g.timeText())),
		kit.JoinFitting(w, sep, style.Render("named "+p.state.Name), th.Dim.Render("a cell that is done is never run again")),
	}
	if text := g.sharedText(); text != "" {
		rows = append(rows, th.Warn.Render("! "+text))
	}
	if len(p.cost.Warnings) > 0 {
		rows = append(rows, th.Warn.Render("! "+strings.Join(p.cost.Warnings, "; ")))
	}
	return rows
}

// sharedText says so when the sweep would have more workers than there are cores left.
func (g *Grid) sharedText() string {
	runs := g.plan.cost.Runs
	workers := min(g.form.options().Jobs, runs)
	if workers == 0 {
		return ""
	}
	text := kit.Shared(workers+g.beside(nil), g.cores)
	if n := g.beside(nil); n > 0 && text != "" {
		text += "; " + kit.Grouped(n) + " of them going now"
	}
	return text
}

// timeText says how long the runs that are left take.
func (g *Grid) timeText() string {
	e, jobs := g.plan.cost, g.form.options().Jobs
	switch {
	case e.Runs == 0:
		return "nothing is left to train"
	case e.Unknown == e.Runs:
		return "time: known after a first run of these families"
	}
	text := "at most about " + kit.Seconds(e.Seconds)
	switch {
	case e.Unknown > 0:
		text += fmt.Sprintf(" and that of %s never measured", kit.Plural(e.Unknown, "run", "runs"))
	case jobs > 1 && e.Runs > 1:
		text += fmt.Sprintf(", %s with %d workers if the cores suffice", kit.Duration(e.Time(jobs)), jobs)
	}
	return text + " (estimated from earlier runs)"
}
