package sweep

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/metric"
	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// Typed returns false, because the screen has no text input.
func (p *Progress) Typed(tea.KeyMsg) (cmd tea.Cmd, taken bool) { return nil, false }

// Act performs an action.
func (p *Progress) Act(act kit.Action, _ tea.KeyMsg) tea.Cmd {
	if p.on == pageCompare {
		if cmd, did := p.actCompare(act); did {
			return cmd
		}
	}
	switch act {
	case kit.ActBack:
		return p.host.Back()
	case kit.ActFocusNext:
		p.focus = (p.focus + 1) % numPanels
		return nil
	case kit.ActFocusPrevious:
		p.focus = (p.focus + numPanels - 1) % numPanels
		return nil
	}
	switch act {
	case kit.ActOpen:
		return p.host.Go(kit.Dash, kit.Watch{Runs: []string{p.chosen().Run}})
	case actOpenAll:
		return p.host.Go(kit.Dash, kit.Watch{Runs: p.startedRuns()})
	case kit.ActPause:
		return p.pause()
	case kit.ActStop:
		return p.stop()
	case actRetry:
		return p.retry()
	case kit.ActSweep:
		if len(p.state.Grid.Methods) > 0 {
			return p.host.Say(kit.Warn, "the methods of this sweep are fixed")
		}
		return p.host.Go(kit.Sweep, fillGrid{p.state.Grid, p.state.Name})
	case actMetric:
		p.turnMetric(1)
	case actMetricBefore:
		p.turnMetric(-1)
	case kit.ActXAxis:
		p.nextAxis()
	case actLogAxis:
		p.look.log = !p.look.log
	case actCurves:
		p.look.curves = !p.look.curves
	case actBaselineOff:
		p.look.off = !p.look.off
	case actPageCells:
		return p.turn(pageCells)
	case actPageCompare:
		return p.turn(pageCompare)
	case actRanksBy:
		return p.rankBy()
	case kit.ActLeft:
		return p.chooseA(-1)
	case kit.ActRight:
		return p.chooseA(1)
	}
	p.cell = act.Moved(p.cell, len(p.state.Cells), p.page)
	return nil
}

// startedRuns returns the runs of all cells that have a run, except failed cells.
func (p *Progress) startedRuns() (ids []string) {
	for _, c := range p.state.Cells {
		if c.Run != "" && c.Status != sweeps.Failed {
			ids = append(ids, c.Run)
		}
	}
	return ids
}

// workers returns the number of parallel runs.
func (p *Progress) workers() int {
	if p.state.Jobs > 0 {
		return p.state.Jobs
	}
	return p.jobs
}

// pause pauses or continues the sweep, or resumes it if it is not running.
func (p *Progress) pause() tea.Cmd {
	switch {
	case p.live == nil:
		return p.resume(p.name, sweeps.Options{Jobs: p.workers()})
	case p.state.Phase == sweeps.Resting:
		p.live.Continue()
	default:
		p.live.Pause()
	}
	return nil
}

// failedHint returns a hint on failed cells.
func (p *Progress) failedHint() string {
	if p.state.Count(sweeps.Failed) > 0 {
		return "R: retry failed cells"
	}
	return "all cells are done"
}

// stop asks for confirmation and cancels the sweep.
func (p *Progress) stop() tea.Cmd {
	live := p.live
	if live == nil {
		return p.cancelTasks()
	}
	key, _ := kit.Find(progressBindings, kit.ActStop)
	p.host.Ask(kit.Question{
		Text:  "Stop the sweep? It can be resumed.",
		Short: "Stop the sweep?",
		Again: key.Binding, Yes: func() tea.Cmd {
			live.Cancel()
			return p.host.Say(kit.Calm, "stopping after the current steps")
		},
	})
	return nil
}

// retry trains failed and stopped cells again.
func (p *Progress) retry() tea.Cmd {
	if p.live == nil && p.tasks != nil {
		return p.resubmit()
	}
	if p.live == nil {
		return p.resume(p.name, sweeps.Options{Jobs: p.workers(), Retry: true})
	}
	p.live.RetryFailed()
	n := p.state.Count(sweeps.Failed) + p.state.Count(sweeps.Stopped)
	return p.host.Say(kit.Calm, "retrying "+report.Plural(n, "cell", "cells"))
}

// turnMetric selects the next or the previous metric.
func (p *Progress) turnMetric(step int) {
	list := p.metrics()
	i := slices.Index(metric.Keys(list), p.metric().Key)
	p.look.metric = list[(i+step+len(list))%len(list)].Key
}

// nextAxis selects the next axis of the plot.
func (p *Progress) nextAxis() {
	varied := p.state.Varied()
	i := slices.Index(varied, p.axis())
	p.look.axis = varied[(i+1)%len(varied)]
}

// Mouse focuses the clicked panel, selects a cell, or scrolls.
func (p *Progress) Mouse(x, y, wheel int) tea.Cmd {
	if p.on == pageCompare {
		p.mouseCompare(x, y, wheel)
		return nil
	}
	b, isTab, ok := p.arrangePanels().At(x, y, progressTabs)
	onCells := !isTab && panel(b.ID) == panelCells && p.state != nil
	switch {
	case !ok:
	case wheel == 0:
		p.focus = panel(b.ID)
		row := p.top + y - b.Inner().Y - titleRows(b.Inner().H)
		if onCells && row >= p.top && row < len(p.state.Cells) {
			p.cell = row
		}
	case onCells:
		p.cell = max(min(p.cell+wheel, len(p.state.Cells)-1), 0)
	}
	return nil
}
