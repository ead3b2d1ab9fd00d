package sweep

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sweeps "dgplab/session/sweep"
)

// submitted shows a sweep on Slurm: some cells are done, and the others are at all places.
func submitted(t testing.TB, w, h int) *harness {
	t.Helper()
	d := newHarness(t, w, h)
	s := middle(t)
	s.Submitted = true
	log := filepath.Join(t.TempDir(), "7_16.log")
	text := "one\ntwo\ninducing=128: layer 2, step 713: covariance is not positive definite\n"
	if err := os.WriteFile(log, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	placed := &sweeps.Placements{Cells: make([]*sweeps.Placement, len(s.Cells)), Jobs: []string{"7"}}
	for i := range placed.Cells {
		placed.Cells[i] = &sweeps.Placement{Place: sweeps.PlaceDone, Most: 3}
	}
	for i, at := range []sweeps.Placement{
		{Place: sweeps.PlaceFailed, Reason: "not positive definite", Log: log},
		{Place: sweeps.PlaceRunning, Node: "n1", Left: time.Hour},
		{Place: sweeps.PlaceRunning, Node: "n2", Timeouts: 1, Most: 3},
		{Place: sweeps.PlaceRequeued, Reason: "time limit; waits for its start time (BeginTime)", Timeouts: 2,
			Most: 3},
		{Place: sweeps.PlacePending, Reason: "waits for free cores or memory (Resources)"},
		{Place: sweeps.PlaceTimedOut, Reason: "more time limits than allowed", Timeouts: 4, Most: 3},
		{Place: sweeps.PlaceCancelled}, {Place: sweeps.PlaceLost, Reason: "killed, or its node was lost"},
	} {
		*placed.Cells[16+i] = at
	}
	d.engine.states["abl"] = s
	d.engine.placed = placed
	d.front(d.progress, w, h)
	d.Send(d.progress.Open(showSweep{"abl"})())
	d.Send(d.progress.askPlaces()())
	d.Send(d.progress.readLog()())
	return d
}

// Each cell on Slurm has its place, and the selected one its reason or the end of its log.
func TestPlacesOfCells(t *testing.T) {
	d := submitted(t, 120, 40)
	if d.progress.cell != 16 {
		t.Errorf("cell %d is selected", d.progress.cell)
	}
	d.Keys("end")
	for _, want := range []string{"failed", "n1", "running (1 of 3)", "requeued (2 of 3)", "pending",
		"timed out (3 of 3)",
		"800/2,000", "66.67", "waits for free", "lost: killed"} {
		if view := d.View(); !strings.Contains(view, want) {
			t.Errorf("no %q in\n%s", want, view)
		}
	}
	d.progress.cell = 16
	for _, want := range []string{"16: failed: not positive definite",
		"covariance is not positive", "on Slurm"} {
		if view := d.View(); !strings.Contains(view, want) {
			t.Errorf("no %q in\n%s", want, view)
		}
	}
	for cell, want := range map[int]string{
		19: "19: requeued after 2 of 3 time limits: time limit", 20: "waits for free cores",
	} {
		d.progress.cell = cell
		if view := d.View(); !strings.Contains(view, want) {
			t.Errorf("no %q in\n%s", want, view)
		}
	}
	d.engine.placed.Err = errors.New("squeue: the Slurm controller does not answer")
	if view := d.View(); !strings.Contains(view, "Slurm does not answer") {
		t.Errorf("frame\n%s", view)
	}
}

// The keys cancel, resubmit and throttle tasks, unless the action is unavailable.
func TestKeysOnSlurm(t *testing.T) {
	d := submitted(t, 120, 40)
	for _, c := range []struct {
		cell       int
		key        string
		call, note string
	}{
		{16, "c", "", "this cell is not pending or running"},
		{17, "c", "cancel 1", "cancelled 1 cell"},
		{17, "+", "throttle 16", "at most 16 tasks at the same time"},
		{17, "-", "throttle 4", "at most 4 tasks at the same time"},
		{17, "R", "submit", "submitted 3 cells"},
		{17, " ", "", "its tasks are on Slurm; s: cancel them"},
	} {
		d.engine.calls, d.Note, d.progress.cell = nil, "", c.cell
		if cmd := d.Keys(c.key); cmd != nil {
			d.Send(cmd())
		}
		var want []string
		if c.call != "" {
			want = []string{c.call}
		}
		if !slices.Equal(d.engine.calls, want) || d.Note != c.note {
			t.Errorf("%q: calls %q, note %q; want %q, %q", c.key, d.engine.calls, d.Note, c.call, c.note)
		}
	}
	d.Keys("s")
	d.Send(d.Asked.Yes()())
	if got := d.engine.calls; len(got) != 1 || got[0] != "cancel 24" {
		t.Errorf("calls %q after s", got)
	}
	d.engine.slurmErr = errors.New("scancel: no")
	d.Send(d.Keys("c")())
	if d.Note != "scancel: no" {
		t.Errorf("note %q", d.Note)
	}
	d.Send(d.Keys("R")())
	if d.Note != "scancel: no" {
		t.Errorf("after R: note %q", d.Note)
	}
	d.progress.placed.changing = true
	if d.Keys("c"); d.Note != "Slurm is working on the last request" {
		t.Errorf("during a request: note %q", d.Note)
	}
	d.progress.placed.changing = false
	places := []sweeps.Place{sweeps.PlaceRunning, sweeps.PlaceDone}
	for i, note := range []string{"all cells are done, pending or running",
		"no tasks are pending or running"} {
		for _, at := range d.engine.placed.Cells {
			at.Place = places[i]
		}
		if i == 0 {
			for cell := range d.progress.state.Cells {
				if d.progress.state.Cells[cell].Status == sweeps.Done {
					d.engine.placed.Cells[cell].Place = sweeps.PlaceDone
				}
			}
		}
		if d.Keys([]string{"R", "s"}[i]); d.Note != note {
			t.Errorf("note %q, want %q", d.Note, note)
		}
	}
	d.engine.placed.Err = errors.New("the Slurm controller does not answer")
	d.Keys("c")
	if d.Note != "the Slurm controller does not answer" {
		t.Errorf("note %q", d.Note)
	}
}

// Answers for another sweep are dropped, and Slurm is not asked again when no task is active.
func TestPlacesAreAskedAgain(t *testing.T) {
	d := submitted(t, 120, 40)
	p := d.progress
	if cmd, changed := p.place(sweepPlacedMsg{gen: p.gen - 1}); cmd != nil || changed {
		t.Error("a stale answer is shown")
	}
	if cmd, _ := p.place(sweepPlacedMsg{gen: p.gen, placed: d.engine.placed}); cmd == nil {
		t.Error("places of active tasks are not asked again")
	}
	if cmd, changed := p.place(sweepPlacedMsg{gen: p.gen}); cmd != nil || changed {
		t.Error("a submission without a record is shown")
	}
	p.placed.changing = true
	if cmd := p.tasksChanged(tasksChangedMsg{gen: p.gen - 1, text: "cancelled"}); cmd != nil ||
		p.placed.changing || d.Note != "cancelled" {
		t.Errorf("a change of another sweep reads this one again, or is not reported: %q", d.Note)
	}
	for _, at := range d.engine.placed.Cells {
		at.Place = sweeps.PlaceDone
	}
	if cmd, _ := p.place(sweepPlacedMsg{gen: p.gen, placed: d.engine.placed}); cmd != nil {
		t.Error("places are asked again without active tasks")
	}
	if p.place(sweepPlacedMsg{gen: p.gen, err: errors.New("no list")}); d.Note != "no list" {
		t.Errorf("note %q", d.Note)
	}
}

// At first the first cell that is not done is selected.
func TestFirstUnfinishedCell(t *testing.T) {
	done, lost := &sweeps.Placement{Place: sweeps.PlaceDone}, &sweeps.Placement{Place: sweeps.PlaceLost}
	for _, c := range []struct {
		cells []*sweeps.Placement
		want  int
	}{
		{nil, 0}, {[]*sweeps.Placement{done, done}, 0}, {[]*sweeps.Placement{lost, done}, 0},
		{[]*sweeps.Placement{done, done, lost}, 2}, {[]*sweeps.Placement{done, nil, lost}, 1},
	} {
		if got := firstUnfinished(&sweeps.Placements{Cells: c.cells}); got != c.want {
			t.Errorf("of %d cells number %d is selected, want %d", len(c.cells), got, c.want)
		}
	}
}
