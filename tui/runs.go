package tui

import (
	"maps"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// maxGoing is the maximum number of runs that train at the same time. Runs of sweeps do not count.
const maxGoing = 4

// Start sends a start request to the engine.
func (a *app) Start(s kit.Start) tea.Cmd {
	if a.numGoing() >= maxGoing {
		err := errTooMany
		return tea.Batch(a.Say(kit.Warn, err.Error()), a.broadcast(kit.RunStartedMsg{Asked: s, Err: err}))
	}
	work, j := a.work, a.work.add(&job{asked: &s})
	return func() tea.Msg {
		r, err := work.start(j)
		return runStartedMsg{s, r, err}
	}
}

// runStarted notifies the screens and opens the dashboard.
func (a *app) runStarted(msg runStartedMsg) tea.Cmd {
	started := kit.RunStartedMsg{Asked: msg.asked, Run: msg.run, Err: msg.err}
	if msg.err != nil {
		return tea.Batch(a.broadcast(started), a.Say(kit.Bad, "cannot start: "+msg.err.Error()))
	}
	cmds := []tea.Cmd{a.broadcast(started), a.Go(kit.Dash, nil), waitForEnd(msg.run)}
	if text := report.SharedText(a.work.busy(), a.cores); text != "" {
		cmds = append(cmds, a.Say(kit.Calm, text))
	}
	return tea.Batch(cmds...)
}

// waitForEnd returns a command that waits for the goroutine of r to return.
func waitForEnd(r kit.Run) tea.Cmd {
	return func() tea.Msg {
		<-r.Done()
		return runEndedMsg{r}
	}
}

// runEnded notifies the screens.
func (a *app) runEnded(msg runEndedMsg) tea.Cmd {
	a.work.release()
	return a.broadcast(kit.RunEndedMsg{Run: msg.run})
}

// Runs returns the runs of this program that are kept in memory, oldest first: the training ones
// and the newest ended ones.
func (a *app) Runs() (list []kit.Run) {
	for _, j := range a.work.list() {
		if j.run != nil {
			list = append(list, j.run)
		}
	}
	return list
}

// Sweeps returns the sweeps of this program, oldest first.
func (a *app) Sweeps() (list []kit.SweepRun) {
	for _, j := range a.work.list() {
		if j.sweep != nil {
			list = append(list, j.sweep)
		}
	}
	return list
}

// numGoing returns the number of runs that have not ended. Runs of sweeps do not count.
func (a *app) numGoing() (n int) {
	for _, j := range a.work.list() {
		if j.asked != nil && !isClosed(j.done) {
			n++
		}
	}
	return n
}

// SecondsPerStep returns the time per step of the newest run of a configuration that has trained at
// least 20 steps in this program, or 0.
func (a *app) SecondsPerStep(c rundir.Config) float64 {
	key := costKey(c)
	for _, j := range slices.Backward(a.work.list()) {
		s := j.latest()
		if s != nil && s.Step >= 20 && s.Seconds > 0 && costKey(j.asked.Config) == key {
			return s.Seconds / float64(s.Step)
		}
	}
	return 0
}

// costKey returns a key for the parts of a configuration that determine the time per step.
func costKey(c rundir.Config) string {
	key := c.Dataset + "\x00" + c.Split + "\x00" + c.Family
	for _, name := range slices.Sorted(maps.Keys(c.Set)) {
		if name != rundir.StepsSetting && name != rundir.EpochsSetting {
			key += "\x00" + name + "=" + c.Set[name]
		}
	}
	return key
}
