package sweep

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit"
)

// part is a part of the Grid, in the order of tab.
type part int

const (
	partForm part = iota
	partList
	numParts
)

// Grid is the screen that configures a sweep and lists earlier sweeps. It implements kit.Screen. Typed values
// are kept while another screen is in front.
type Grid struct {
	*work
	w, h int

	part   part
	form   gridForm
	sweeps kit.List // the window of the list of sweeps
	plan   kit.Preview[plan]
	picker kit.Picker // for the data sets

	// earlier holds all sweeps, newest first. chosen is the index of the selected sweep.
	earlier []sweeps.Entry
	chosen  int
	listed  kit.Preview[[]sweeps.Entry]
}

// fill fills in the values and the name of a sweep.
func (g *Grid) fill(grid sweeps.Grid, name string) {
	g.form = formOf(grid, name)
	g.form.list(g.engine)
	g.part = partForm
}

// Title returns the name of the screen.
func (g *Grid) Title() string { return "Set up a sweep" }

// Bindings returns the keys.
func (g *Grid) Bindings() []kit.Binding { return gridBindings }

// SetSize sets the size of the screen.
func (g *Grid) SetSize(w, h int) {
	g.w = w
	g.h = h
}

// fillGrid is the payload that fills in the values of a sweep.
type fillGrid struct {
	grid sweeps.Grid
	name string
}

// Open lists the sweeps and inspects the data again. A kit.Fill or a fillGrid fills in the form
// first.
func (g *Grid) Open(payload any) tea.Cmd {
	switch p := payload.(type) {
	case kit.Fill:
		grid := gridOf(p.Config)
		if p.Families != nil {
			grid.Families = p.Families
		}
		g.fill(grid, "")
	case fillGrid:
		g.fill(p.grid, p.name)
	}
	return tea.Batch(g.plan.Schedule(), g.listSweeps())
}

// listSweeps reads the list of all sweeps in the background.
func (g *Grid) listSweeps() tea.Cmd {
	e := g.engine
	return g.listed.Start(g.host.Context(), func(context.Context) ([]sweeps.Entry, error) {
		return e.ListSweeps()
	})
}

// setEarlier shows the list and keeps the selection on the same sweep.
func (g *Grid) setEarlier(list []sweeps.Entry) {
	name := ""
	if g.chosen < len(g.earlier) {
		name = g.earlier[g.chosen].Name
	}
	g.earlier, g.chosen = list, 0
	for i, e := range g.earlier {
		if e.Name == name {
			g.chosen = i
		}
	}
}

// Update handles plans, lists, and started and ended sweeps.
func (g *Grid) Update(msg tea.Msg) (cmd tea.Cmd, changed bool) {
	switch msg := msg.(type) {
	case kit.PreviewDueMsg[plan], kit.PreviewedMsg[plan]:
		return g.plan.Update(g.host.Context(), msg, g.inspect), true
	case kit.PreviewedMsg[[]sweeps.Entry]:
		if g.listed.Take(msg) {
			g.setEarlier(msg.Known)
		}
	case sweepStartedMsg, sweepEndedMsg:
		return tea.Batch(g.listSweeps(), g.plan.Schedule()), true
	case kit.CompletedMsg:
		if msg.Owner != g {
			return nil, false
		}
		return g.completed(msg.Completion)
	default:
		return nil, g.picker.Update(msg)
	}
	return nil, true
}

// begin starts the typed sweep, or reports the first error and selects its field.
func (g *Grid) begin() tea.Cmd {
	if field, err := g.form.FirstBad(); err != nil {
		g.part = partForm
		g.form.GoTo(field.Name)
		return g.host.Say(kit.Bad, field.Name+": "+err.Error())
	}
	if g.plan.Err != nil {
		return g.host.Say(kit.Bad, planTrouble(g.plan.Err))
	}
	o := g.form.options()
	g.jobs = o.Jobs
	if o.Name == "" && g.plan.Known != nil && !g.plan.Running {
		o.Name = g.plan.Known.state.Name
	}
	if o.Name != "" && g.going(o.Name) != nil {
		return g.host.Go(kit.SweepProgress, showSweep{o.Name})
	}
	return g.start(g.form.grid(), o)
}

// open shows the selected sweep of the list.
func (g *Grid) open() tea.Cmd {
	if g.chosen >= len(g.earlier) {
		return nil
	}
	e := g.earlier[g.chosen]
	if e.Err != nil {
		return g.host.Say(kit.Bad, e.Err.Error())
	}
	g.jobs = max(g.form.options().Jobs, 1)
	return g.host.Go(kit.SweepProgress, showSweep{e.Name})
}

// PlainText returns the typed values, or the list.
func (g *Grid) PlainText() string {
	if g.part == partList {
		lines := make([]string, len(g.earlier))
		for i := range g.earlier {
			lines[i] = strings.Join(entryTexts(&g.earlier[i]), "  ")
		}
		return kit.Plain(lines)
	}
	return g.form.PlainText()
}
