package ablate

import (
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/rundir"
	"dgplab/session/sweep"
	"dgplab/tui/kit"
)

// part is a part of the Grid, in the order of tab.
type part int

const (
	partForm part = iota
	partList
	numParts
)

// Grid is the screen on which a sweep is made, or an earlier one chosen; it is a
// kit.Screen. What was typed survives going to another screen and back.
type Grid struct {
	*work
	w, h int

	part  part
	form  form
	lists [numParts]kit.List
	// typing is on the line of the form where the person is.
	typing kit.Focus
	plan   preview

	// earlier are all sweeps, the newest first; chosen is one of them.
	earlier    []sweep.Entry
	earlierErr error
	chosen     int
	listGen    int
}

func newGrid(w *work) *Grid {
	g := &Grid{work: w}
	g.fill(rundir.Config{})
	return g
}

// fill types the values of a configuration.
func (g *Grid) fill(c rundir.Config) {
	g.form = newForm(c)
	g.form.list(g.engine)
}

// Title names the screen.
func (g *Grid) Title() string { return "Ablations" }

// Bindings returns the keys.
func (g *Grid) Bindings() []kit.Binding { return gridBindings }

// SetSize gives the screen w x h cells.
func (g *Grid) SetSize(w, h int) { g.w, g.h = w, h }

// fillGrid is the payload that types the values of a sweep.
type fillGrid struct {
	grid sweep.Grid
	name string
}

// Open lists the sweeps and looks at the data again; a kit.Fill fills in its
// configuration first.
func (g *Grid) Open(payload any) tea.Cmd {
	switch p := payload.(type) {
	case kit.Fill:
		g.fill(p.Config)
		g.part = partForm
	case fillGrid:
		g.form = formOf(p.grid, p.name)
		g.form.list(g.engine)
		g.part = partForm
	}
	return tea.Batch(g.planSoon(), g.listSweeps())
}

// listSweeps reads the list of all sweeps, in the background.
func (g *Grid) listSweeps() tea.Cmd {
	g.listGen++
	gen, e := g.listGen, g.engine
	return func() tea.Msg {
		list, err := e.ListSweeps()
		return sweepsListedMsg{gen, list, err}
	}
}

// listed shows the list; the same sweep stays chosen.
func (g *Grid) listed(msg sweepsListedMsg) {
	name := ""
	if g.chosen < len(g.earlier) {
		name = g.earlier[g.chosen].Name
	}
	g.earlier, g.earlierErr, g.chosen = msg.list, msg.err, 0
	for i, e := range g.earlier {
		if e.Name == name {
			g.chosen = i
		}
	}
}

// Update takes plans, lists and what becomes of sweeps.
func (g *Grid) Update(msg tea.Msg) (cmd tea.Cmd, changed bool) {
	switch msg := msg.(type) {
	case planDueMsg:
		if msg.gen == g.plan.gen {
			return g.inspect(), true
		}
	case plannedMsg:
		if msg.gen == g.plan.gen {
			g.planned(msg)
		}
	case sweepsListedMsg:
		if msg.gen == g.listGen {
			g.listed(msg)
		}
	case sweepStartedMsg, sweepEndedMsg:
		return tea.Batch(g.listSweeps(), g.planSoon()), true
	default:
		return nil, false
	}
	return nil, true
}

// begin starts the sweep that is typed, or says what is in the way and goes there.
func (g *Grid) begin() tea.Cmd {
	if i, err := g.form.firstBad(); err != nil {
		g.part, g.form.at = partForm, i
		return g.host.Say(kit.Bad, g.form.rows[i].Name+": "+err.Error())
	}
	if g.plan.err != nil {
		return g.host.Say(kit.Bad, g.plan.err.Error())
	}
	o := g.form.options()
	g.jobs = o.Jobs
	if o.Name == "" && g.plan.state != nil && !g.plan.under {
		o.Name = g.plan.state.Name
	}
	if o.Name != "" && g.going(o.Name) != nil {
		return g.host.Go(kit.Sweep, showSweep{o.Name})
	}
	return g.start(g.form.grid(), o)
}

// open shows the chosen sweep of the list.
func (g *Grid) open() tea.Cmd {
	if g.chosen >= len(g.earlier) {
		return nil
	}
	e := g.earlier[g.chosen]
	if e.Err != nil {
		return g.host.Say(kit.Bad, e.Err.Error())
	}
	g.jobs = max(g.form.options().Jobs, 1)
	return g.host.Go(kit.Sweep, showSweep{e.Name})
}

// PlainText returns the values that are typed, or the list.
func (g *Grid) PlainText() string {
	var lines []string
	if g.part == partList {
		for i := range g.earlier {
			lines = append(lines, strings.TrimRight(strings.Join(entryTexts(&g.earlier[i]), "  "), " "))
		}
		return strings.Join(lines, "\n")
	}
	for _, r := range g.form.rows {
		lines = append(lines, strings.TrimRight(r.Name+" "+r.text(), " "))
	}
	return strings.Join(lines, "\n")
}

// formOf returns the form of a sweep.
func formOf(g sweep.Grid, name string) form {
	f := newForm(rundir.Config{Targets: g.Targets})
	put := func(name string, values []string) {
		if len(values) > 0 {
			f.typed[name] = sweep.Join(values)
		}
	}
	put(rundir.DatasetField, g.Datasets)
	put(rundir.FamilyField, g.Families)
	put(rundir.SplitField, g.Splits)
	var seeds []string
	for _, s := range g.Seeds {
		seeds = append(seeds, strconv.FormatUint(s, 10))
	}
	put(rundir.SeedField, seeds)
	for _, a := range g.Set {
		put(a.Name, a.Values)
	}
	if name != "" {
		f.typed[rowName] = name
	}
	return f
}
