package tui

import (
	"context"
	"maps"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/report"
)

// maxGoing is the maximum number of runs that train at the same time.
const maxGoing = 4

// startedRun is a run of this program with its start request.
type startedRun struct {
	kit.Run
	asked kit.Start
}

// maxEnded is the number of ended runs that are kept with their curves and predictions. Older ones
// are read from their run directories.
const maxEnded = 8

// pastRun is the record of an older run.
type pastRun struct {
	last  *session.Snapshot // without curves and predictions
	asked kit.Start
}

// retire releases the oldest ended runs.
func (a *app) retire() {
	var kept []startedRun
	ended := 0
	for _, r := range slices.Backward(a.started) {
		if !kit.Going(r.Run) {
			ended++
		}
		if kit.Going(r.Run) || ended <= maxEnded {
			kept = append(kept, r)
			continue
		}
		if s := r.Latest(); s != nil {
			slim := *s
			slim.Curve = nil
			slim.Predictions = nil
			slim.Diagnostics = nil
			slim.Alarms = nil
			slim.Hyper = nil
			slim.Chains = nil
			slim.Test = nil
			a.past = append(a.past, pastRun{&slim, r.asked})
		}
	}
	slices.Reverse(kept)
	a.started = kept
}

// allRuns returns all runs of this program, oldest first.
func (a *app) allRuns() []pastRun {
	list := slices.Clone(a.past)
	for _, r := range a.started {
		list = append(list, pastRun{r.Latest(), r.asked})
	}
	return list
}

// Start sends a start request to the engine.
func (a *app) Start(s kit.Start) tea.Cmd {
	if n := a.numGoing() + a.starting; n >= maxGoing {
		err := errTooMany
		return tea.Batch(a.Say(kit.Warn, err.Error()), a.broadcast(kit.RunStartedMsg{Asked: s, Err: err}))
	}
	a.starting++
	ctx, e := a.runs, a.engine
	return func() tea.Msg {
		r, err := e.Start(ctx, s)
		return runStartedMsg{s, r, err}
	}
}

// runStarted stores the run, notifies the screens and opens the dashboard.
func (a *app) runStarted(msg runStartedMsg) tea.Cmd {
	a.starting--
	started := kit.RunStartedMsg{Asked: msg.asked, Run: msg.run, Err: msg.err}
	if msg.err != nil {
		return tea.Batch(a.broadcast(started), a.Say(kit.Bad, "cannot start: "+msg.err.Error()),
			a.leaveWhenDone())
	}
	a.started = append(a.started, startedRun{msg.run, msg.asked})
	wait := waitForEnd(a.ctx, msg.run)
	cmds := []tea.Cmd{a.broadcast(started), a.Go(kit.Dash, nil), wait}
	if text := report.SharedText(a.numBusy(), a.cores); text != "" {
		cmds = append(cmds, a.Say(kit.Calm, text))
	}
	return tea.Batch(cmds...)
}

// waitForEnd returns a command that waits for the goroutine of r to return.
func waitForEnd(ctx context.Context, r kit.Run) tea.Cmd {
	return func() tea.Msg {
		select {
		case <-r.Done():
		case <-ctx.Done():
		}
		return runEndedMsg{r}
	}
}

// runEnded notifies the screens, and quits if this was the last run to wait for.
func (a *app) runEnded(msg runEndedMsg) tea.Cmd {
	a.retire()
	return tea.Batch(a.broadcast(kit.RunEndedMsg{Run: msg.run}), a.leaveWhenDone())
}

// leaveWhenDone quits if the user asked for it and all work has ended.
func (a *app) leaveWhenDone() tea.Cmd {
	if a.quitting && !a.going() && a.starting == 0 {
		return tea.Quit
	}
	return nil
}

// Runs returns the runs of this program that are kept in memory, oldest first: the training ones
// and the newest ended ones.
func (a *app) Runs() []kit.Run {
	list := make([]kit.Run, len(a.started))
	for i, r := range a.started {
		list[i] = r.Run
	}
	return list
}

// numGoing returns the number of runs that have not ended.
func (a *app) numGoing() (n int) {
	for _, r := range a.started {
		if kit.Going(r.Run) {
			n++
		}
	}
	return n
}

// numBusy returns the number of runs that have not ended, including the runs of Workers.
func (a *app) numBusy() int {
	n := a.numGoing()
	for _, w := range a.workers() {
		n += w.Busy()
	}
	return n
}

// going reports whether any run has not ended.
func (a *app) going() bool { return a.numBusy() > 0 }

// workers returns the screens that are Workers.
func (a *app) workers() (list []kit.Worker) {
	for _, s := range a.screens {
		if w, ok := s.Screen.(kit.Worker); ok {
			list = append(list, w)
		}
	}
	return list
}

// endWork asks all work to end, each run with a checkpoint and without an evaluation. It returns channels
// that are closed when the work has ended.
func (a *app) endWork() (ends []<-chan struct{}) {
	a.cancelRuns()
	for _, r := range a.started {
		ends = append(ends, r.Done())
	}
	for _, w := range a.workers() {
		ends = append(ends, w.End()...)
	}
	return ends
}

// SecondsPerStep returns the time per step of the newest run of a configuration that has trained at
// least 20 steps in this program, or 0.
func (a *app) SecondsPerStep(c rundir.Config) float64 {
	key := costKey(c)
	for _, r := range slices.Backward(a.allRuns()) {
		if s := r.last; s != nil && s.Step >= 20 && s.Seconds > 0 && costKey(r.asked.Config) == key {
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
