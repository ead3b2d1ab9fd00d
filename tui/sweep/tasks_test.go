package sweep

import (
	"errors"
	"slices"
	"strings"
	"testing"

	sweeps "dgplab/session/sweep"
)

// submitted shows a sweep on Slurm. Some of its tasks run, and one is pending.
func submitted(t testing.TB, w, h int) *harness {
	t.Helper()
	d := newHarness(t, w, h)
	s := middle(t)
	s.Submitted = true
	d.engine.states["abl"] = s
	d.engine.tasks = &sweeps.Tasks{Running: 2, Nodes: []string{"n1", "n2"}, Pending: 1, Jobs: []string{"7"},
		Reasons: []string{"waits for free cores or memory (Resources)"}}
	d.front(d.progress, w, h)
	d.Send(d.progress.Open(showSweep{"abl"})())
	d.progress.cell = 16
	return d
}

// The page of a sweep on Slurm shows the running tasks with their nodes and the pending tasks with their
// reasons.
func TestTasksOfASweep(t *testing.T) {
	d := submitted(t, 120, 40)
	for _, want := range []string{"on Slurm", "tasks: 2 running on n1, n2, 1 pending: waits for free",
		"covariance of the inducing"} {
		if view := d.View(); !strings.Contains(view, want) {
			t.Errorf("no %q in\n%s", want, view)
		}
	}
	d.engine.tasks = &sweeps.Tasks{Err: errors.New("squeue: the Slurm controller does not answer")}
	d.Send(d.progress.read()())
	for _, want := range []string{"Slurm does not answer", "squeue: the Slurm controller does not answer"} {
		if view := d.View(); !strings.Contains(view, want) {
			t.Errorf("no %q in\n%s", want, view)
		}
	}
}

// The keys cancel tasks and submit cells again, unless the action is unavailable.
func TestKeysOnSlurm(t *testing.T) {
	d := submitted(t, 120, 40)
	p := d.progress
	press := func(key string, err error, call, note string) {
		t.Helper()
		d.engine.calls, d.engine.slurmErr, d.Note = nil, err, ""
		cmd := d.Keys(key)
		if key == "s" && call != "" {
			cmd = d.Asked.Yes()
		}
		if cmd != nil {
			d.Send(cmd())
		}
		if got := strings.Join(d.engine.calls, " "); got != call || d.Note != note {
			t.Errorf("%q: calls %q, note %q; want %q, %q", key, got, d.Note, call, note)
		}
	}
	press("s", nil, "cancel", "cancelled 3 tasks")
	press("s", errors.New("scancel: no"), "cancel", "scancel: no")
	press("R", nil, "submit", "submitted 3 cells")
	press("R", errors.New("sbatch: no"), "submit", "sbatch: no")
	press(" ", nil, "", "its tasks are on Slurm; s: cancel them")
	p.changing = true
	press("s", nil, "", "Slurm is working on the last request")
	p.changing = false
	p.tasks = &sweeps.Tasks{}
	press("s", nil, "", "no tasks are pending or running")
	whole := p.state.Cells
	p.state.Cells = slices.Clone(whole[:16])
	press("R", nil, "", "all cells are done, running or awaited by tasks")
	p.tasks.Err = errors.New("the Slurm controller does not answer")
	press("s", nil, "", "the Slurm controller does not answer")
	p.tasks = nil
	press("s", nil, "", "this sweep is not running here")
}

// The sweep is read again while tasks are pending or running. Answers about another sweep are dropped.
func TestTasksAreAskedAgain(t *testing.T) {
	d := submitted(t, 120, 40)
	p := d.progress
	for i := range p.state.Cells {
		p.state.Cells[i].Status = sweeps.Waiting
	}
	opened := sweepOpenedMsg{gen: p.gen, state: p.state, tasks: &sweeps.Tasks{Pending: 1}}
	if cmd, _ := p.opened(opened); cmd == nil {
		t.Error("pending tasks are not asked for again")
	}
	opened.tasks = &sweeps.Tasks{}
	if cmd, _ := p.opened(opened); cmd != nil {
		t.Error("tasks are asked for again although none is left")
	}
	opened.gen--
	if cmd, changed := p.opened(opened); cmd != nil || changed {
		t.Error("an answer about another sweep is shown")
	}
	p.changing = true
	if cmd := p.tasksChanged(tasksChangedMsg{gen: p.gen - 1, text: "cancelled"}); cmd != nil || p.changing ||
		d.Note != "cancelled" {
		t.Errorf("a change of another sweep reads this one again, or is not reported: %q", d.Note)
	}
}
