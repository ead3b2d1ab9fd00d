package tui

import (
	"context"
	"maps"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// mostGoing is how many runs of this program may train at once.
const mostGoing = 4

// startedRun is a run of this program and what was asked for.
type startedRun struct {
	kit.Run
	asked kit.Start
}

// mostKept is how many runs that have ended stay at hand, with their curves and
// predictions. What is shown of older ones is read from their directories.
const mostKept = 8

// pastRun is what is remembered of a run that is no longer at hand.
type pastRun struct {
	last  *session.Snapshot // without curves and predictions
	asked kit.Start
}

// latest returns the newest snapshot.
func (r startedRun) latest() pastRun { return pastRun{r.Latest(), r.asked} }

// retire lets go of the oldest runs that have ended.
func (a *app) retire() {
	var kept []startedRun
	ended := 0
	for _, r := range slices.Backward(a.started) {
		if !kit.Going(r.Run) {
			ended++
		}
		if kit.Going(r.Run) || ended <= mostKept {
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
			slim.Summary = nil
			slim.Test = nil
			a.past = append(a.past, pastRun{&slim, r.asked})
		}
	}
	slices.Reverse(kept)
	a.started = kept
}

// allRuns returns all runs of this program, those at hand last.
func (a *app) allRuns() []pastRun {
	list := slices.Clone(a.past)
	for _, r := range a.started {
		list = append(list, r.latest())
	}
	return list
}

// Start asks the engine for a run.
func (a *app) Start(s kit.Start) tea.Cmd {
	if n := a.numGoing() + a.starting; n >= mostGoing {
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

// runStarted owns the run, tells the screens and shows the dashboard.
func (a *app) runStarted(msg runStartedMsg) tea.Cmd {
	a.starting--
	told := kit.RunStartedMsg{Asked: msg.asked, Run: msg.run, Err: msg.err}
	if msg.err != nil {
		return tea.Batch(a.broadcast(told), a.Say(kit.Bad, "cannot start: "+msg.err.Error()),
			a.leaveWhenDone())
	}
	a.started = append(a.started, startedRun{msg.run, msg.asked})
	wait := waitForEnd(a.ctx, msg.run)
	return tea.Batch(a.broadcast(told), a.Go(kit.Dash, nil), a.sayShared(), wait)
}

// sayShared says so when there are more trainings than cores.
func (a *app) sayShared() tea.Cmd {
	if text := kit.Shared(a.numBusy(), a.cores); text != "" {
		return a.Say(kit.Calm, text)
	}
	return nil
}

// waitForEnd reports that the goroutine of r has returned.
func waitForEnd(ctx context.Context, r kit.Run) tea.Cmd {
	return func() tea.Msg {
		select {
		case <-r.Done():
		case <-ctx.Done():
		}
		return runEndedMsg{r}
	}
}

// runEnded tells the screens, and leaves when it was the last that was waited for.
func (a *app) runEnded(msg runEndedMsg) tea.Cmd {
	a.retire()
	return tea.Batch(a.broadcast(kit.RunEndedMsg{Run: msg.run}), a.leaveWhenDone())
}

// leaveWhenDone quits when that was asked for and no run is left to wait for.
func (a *app) leaveWhenDone() tea.Cmd {
	if a.quitting && !a.going() && a.starting == 0 {
		return tea.Quit
	}
	return nil
}

// Runs returns the runs of this program that are at hand, the oldest first: those that go on
// and the newest that have ended.
func (a *app) Runs() []kit.Run {
	list := make([]kit.Run, len(a.started))
	for i, r := range a.started {
		list[i] = r.Run
	}
	return list
}

// numGoing returns how many runs have not ended.
func (a *app) numGoing() (n int) {
	for _, r := range a.started {
		if kit.Going(r.Run) {
			n++
		}
	}
	return n
}

// numBusy returns how many runs have not ended, those of the screens' own work
// included.
func (a *app) numBusy() int {
	n := a.numGoing()
	for _, w := range a.workers() {
		n += w.Busy()
	}
	return n
}

// going reports whether there is a run that has not ended.
func (a *app) going() bool { return a.numBusy() > 0 }

// workers returns the screens that have work of their own.
func (a *app) workers() (list []kit.Worker) {
	for _, s := range a.screens {
		if w, ok := s.Screen.(kit.Worker); ok {
			list = append(list, w)
		}
	}
	return list
}

// endWork asks all work to end, each run with a checkpoint and without an
// evaluation, and returns what is closed when it has.
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

// SecondsPerStep returns the time of a step of a configuration that has trained
// for a while in this program, the newest run's.
func (a *app) SecondsPerStep(c rundir.Config) float64 {
	key := costKey(c)
	for _, r := range slices.Backward(a.allRuns()) {
		if s := r.last; s != nil && s.Step >= 20 && s.Seconds > 0 && costKey(r.asked.Config) == key {
			return s.Seconds / float64(s.Step)
		}
	}
	return 0
}

// costKey names all of a configuration that decides what a step costs.
func costKey(c rundir.Config) string {
	key := c.Dataset + "\x00" + c.Split + "\x00" + c.Family
	for _, name := range slices.Sorted(maps.Keys(c.Set)) {
		if name != rundir.StepsSetting && name != rundir.EpochsSetting {
			key += "\x00" + name + "=" + c.Set[name]
		}
	}
	return key
}
