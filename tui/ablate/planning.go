package ablate

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/sweep"
)

// planDelay is how long the screen waits after the last change before it looks at
// the runs and the data.
const planDelay = 200 * time.Millisecond

// plan is what is known of the sweep that is typed.
type plan struct {
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
	if _, err := g.form.firstBad(); err != nil {
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
