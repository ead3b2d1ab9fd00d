package dash

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// on returns the runs on the screen with their colours, such as "fake-1:0 fake-2:1".
func (d *desk) on() string {
	var list []string
	for i, r := range d.dash.Runs {
		text := fmt.Sprintf("%s:%d", r.ID, r.Index)
		if i == d.dash.Chosen {
			text += "*"
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

func (d *desk) check(t *testing.T, when, want string) {
	t.Helper()
	if got := d.on(); got != want {
		t.Fatalf("%s: on the screen are %q, want %q", when, got, want)
	}
}

func TestAddAndRemoveRuns(t *testing.T) {
	d, _ := newDesk(kittest.Training(kittest.OfFamily("star", 0), 100), 120, 40)
	d.start(kittest.Training(kittest.OfFamily("mean-field", 0), 100))
	d.check(t, "a second run joins", "fake-1:0 fake-2:1*")
	d.start(kittest.Training(kittest.OfFamily("chain", 0), 100))
	d.Keys(",", "N")
	d.check(t, "the second leaves", "fake-1:0 fake-3:2*")
	if !strings.Contains(d.Note, "fake-2 is no longer shown; training continues") {
		t.Errorf("said %q", d.Note)
	}
	d.start(kittest.Training(kittest.OfFamily("star", 1), 100))
	d.check(t, "a run gets the first free colour", "fake-1:0 fake-3:2 fake-4:1*")
	d.Keys(".")
	d.check(t, "next is round", "fake-1:0* fake-3:2 fake-4:1")
	d.Keys("N", "N", "N")
	if frame := d.View(); d.on() != "" || !strings.Contains(frame, "no run yet") {
		t.Errorf("without runs (%q):\n%s", d.on(), frame)
	}
}

func TestMaximumOfRuns(t *testing.T) {
	d, _ := newDesk(kittest.Training(kittest.OfFamily("star", 0), 100), 120, 40)
	for seed := range uint64(3) {
		d.start(kittest.Training(kittest.OfFamily("star", seed+1), 100))
	}
	d.Keys("n")
	if len(d.Visits) != 0 || !strings.Contains(d.Note, "N removes one") {
		t.Errorf("n with four training runs: visits %v, message %q", d.Visits, d.Note)
	}
	d.start(kittest.Training(kittest.OfFamily("star", 9), 100))
	d.check(t, "a fifth is not shown", "fake-1:0 fake-2:1 fake-3:2 fake-4:3*")
	if !strings.Contains(d.Note, "not shown") {
		t.Errorf("said %q", d.Note)
	}
	r := d.Started[1].(*kittest.Run)
	r.Stop()
	d.Send(kit.RunEndedMsg{Run: r})
	d.start(kittest.Training(kittest.OfFamily("star", 10), 100))
	d.check(t, "an ended run makes room", "fake-1:0 fake-3:2 fake-4:3 fake-6:1*")
	if !strings.Contains(d.Note, "seed 1 was removed from the screen") {
		t.Errorf("said %q", d.Note)
	}
	d.Keys("n")
	if len(d.Visits) != 0 {
		t.Error("n with four training runs is not refused")
	}
	d.watch("fake-1", "fake-2", "fake-3", "fake-4", "fake-5", "fake-6")
	d.check(t, "six runs in one group", "fake-1:0* fake-2:0 fake-3:0 fake-4:0 fake-5:0 fake-6:0")
	d.watch("fake-1", "fake-2", "fake-3")
	d.check(t, "few again", "fake-1:0* fake-2:1 fake-3:2")
	var many []string
	for i := range kit.MostWatched + 2 {
		many = append(many, d.start(kittest.Training(kittest.OfFamily("star", uint64(i)), 10)).ID())
	}
	d.watch(many...)
	if len(d.dash.Runs) != kit.MostWatched || !strings.Contains(d.Note, "2 left out") {
		t.Errorf("%d runs, message %q", len(d.dash.Runs), d.Note)
	}
}

func TestWatch(t *testing.T) {
	d, _ := newDesk(kittest.Training(kittest.OfFamily("star", 0), 100), 120, 40)
	d.start(kittest.Training(kittest.OfFamily("chain", 0), 100))
	d.folder("old-a1", kittest.Ended(kittest.OfFamily("star", 1), rundir.StopSteps))
	d.watch("old-a1", "fake-2")
	d.check(t, "requested order, same colours", "old-a1:0* fake-2:1")
	if r := d.dash.watched[1]; r.own == nil {
		t.Error("a run of this program is read from its directory")
	}
	frame := d.View()
	if !strings.Contains(frame, "✓ finished") || !strings.Contains(frame, "● running") {
		t.Errorf("header:\n%s", frame)
	}
	d.watch("nothing")
	if d.on() != "" || !strings.Contains(d.Note, "cannot show nothing: no run nothing") {
		t.Errorf("%q on the screen, message %q", d.on(), d.Note)
	}
}

// When a run on the screen is resumed, it replaces its directory.
func TestResumedRunReplacesDirectory(t *testing.T) {
	d, _ := newDesk(kittest.Training(kittest.OfFamily("star", 0), 100), 120, 40)
	d.folder("fake-2", kittest.Ended(kittest.OfFamily("chain", 0), rundir.StopAsked))
	d.watch("fake-2", "fake-1")
	d.start(kittest.Training(kittest.OfFamily("chain", 0), 200)) // Its ID is fake-2.
	d.check(t, "the run is at the position of its directory", "fake-2:1* fake-1:0")
	if r := d.dash.watched[0]; r.own == nil || r.Snapshot.Step != 200 {
		t.Error("the directory is still shown")
	}
}

func TestKeysControlChosenRun(t *testing.T) {
	d, first := newDesk(kittest.Training(kittest.OfFamily("star", 0), 100), 120, 40)
	second := d.start(kittest.Training(kittest.OfFamily("chain", 0), 100))
	d.Keys(" ", ",", "k", "d")
	if got := first.Asked(); !slices.Equal(got, []string{"checkpoint", "diagnose"}) {
		t.Errorf("the first run received the requests %v", got)
	}
	if got := second.Asked(); !slices.Equal(got, []string{"pause"}) {
		t.Errorf("the second run received the requests %v", got)
	}
	other := d.folder("other", kittest.Training(kittest.OfFamily("star", 3), 100))
	d.watch("other")
	d.Keys("s")
	if !strings.Contains(d.Note, "another process") {
		t.Errorf("stopping a run of another process reports %q", d.Note)
	}
	other.snap = kittest.Ended(kittest.OfFamily("star", 3), rundir.StopSteps)
	d.Send(read(other, d.dash.watched[0].gen))
	d.Keys("s")
	if !strings.Contains(d.Note, "has ended") {
		t.Errorf("stopping a run that has ended reports %q", d.Note)
	}
}

func TestWatchDirectories(t *testing.T) {
	d := emptyDesk(120, 40)
	f := d.folder("other", kittest.Training(kittest.OfFamily("star", 0), 100))
	d.watch("other")
	gen := d.dash.watched[0].gen
	cmd, changed := d.dash.Update(read(f, gen))
	if cmd == nil || changed {
		t.Errorf("without a change: command %v, changed %v", cmd != nil, changed)
	}
	f.snap = kittest.Training(kittest.OfFamily("star", 0), 150)
	if _, changed := d.dash.Update(read(f, gen)); !changed || d.dash.Snapshot().Step != 150 {
		t.Error("a new snapshot is not shown")
	}
	f.err = errors.New("metrics.jsonl: damaged at byte 7")
	d.Send(read(f, gen))
	if frame := d.View(); !strings.Contains(frame,
		"! alarm: cannot be read: metrics.jsonl: damaged at byte 7") {
		t.Errorf("a damaged directory is not reported:\n%s", frame)
	}
	f.err = nil
	d.Send(read(f, gen))
	if strings.Contains(d.View(), "alarm") {
		t.Error("the alarm stays when the directory is readable again")
	}
	d.Keys("N")
	if cmd, _ := d.dash.Update(read(f, gen)); cmd != nil {
		t.Error("a removed run is read again")
	}
}

func TestInterruptedRun(t *testing.T) {
	s := kittest.Training(kittest.OfFamily("star", 0), 150)
	s.State = rundir.Interrupted
	d := emptyDesk(120, 40)
	d.folder("died", s)
	d.watch("died")
	if frame := d.View(); !strings.Contains(frame, "interrupted at step 150: the process died") ||
		strings.Contains(frame, "failed") {
		t.Errorf("screen:\n%s", frame)
	}
}

// More runs do not request more frames.
func TestSingleTick(t *testing.T) {
	d, _ := newDesk(kittest.Training(kittest.OfFamily("star", 0), 100), 120, 40)
	for seed := range uint64(3) {
		s := kittest.Training(kittest.OfFamily("star", seed+1), 100)
		r := kittest.NewRun(fmt.Sprint("more-", seed), s)
		if cmd, _ := d.dash.Update(kit.RunStartedMsg{Run: r}); cmd != nil {
			t.Error("a second tick is pending")
		}
	}
	if cmd := d.Send(frameDueMsg{}); cmd == nil {
		t.Error("the next tick is not scheduled")
	}
}

func TestRunNames(t *testing.T) {
	d, _ := newDesk(kittest.Training(kittest.OfFamily("star", 0), 100), 120, 40)
	named := d.folder("fake-1", nil) // The directory of the run in progress.
	named.name = "baseline"
	d.folder("old", kittest.Ended(kittest.OfFamily("chain", 0), rundir.StopSteps))
	d.watch("fake-1", "old")
	d.Perform(d.dash.readNames())
	if a, b := d.dash.Runs[0].Label, d.dash.Runs[1].Label; a != "baseline" || b != "chain" {
		t.Errorf("labels %q and %q", a, b)
	}
	d.folders["old"].name = "baseline"
	d.Perform(d.dash.readNames())
	if a, b := d.dash.Runs[0].Label, d.dash.Runs[1].Label; a != "baseline star" || b != "baseline chain" {
		t.Errorf("labels for the same name: %q and %q", a, b)
	}
}

// A paused run has neither speed nor remaining time on screens of any size.
func TestPaceOfPausedRun(t *testing.T) {
	paused := kittest.Training(someConfig, 400)
	paused.State = rundir.Paused
	d, _ := newDesk(paused, 120, 40)
	check := func(what string) {
		t.Helper()
		for line := range strings.SplitSeq(d.View(), "\n") {
			if strings.Contains(line, "paused") &&
				(strings.Contains(line, "35.1") || strings.Contains(line, "9m00s")) {
				t.Errorf("%s: %q", what, line)
			}
		}
	}
	check("alone")
	d.Size(40, 5)
	check("on a small screen")
	d.Size(120, 40)
	d.start(kittest.Training(kittest.OfFamily("chain", 0), 400))
	check("beside another one")
}

// namesRead reports a change only if a name has changed.
func TestNamesRead(t *testing.T) {
	d, _ := newDesk(kittest.Training(kittest.OfFamily("star", 0), 100), 120, 40)
	names := namesReadMsg{map[string]string{"fake-1": "first"}}
	if !d.dash.namesRead(names) || d.dash.Runs[0].Name != "first" {
		t.Errorf("the label of the run is %q", d.dash.Runs[0].Name)
	}
	if d.dash.namesRead(names) {
		t.Error("the same name counts as a change")
	}
	if !d.dash.namesRead(namesReadMsg{}) || d.dash.Runs[0].Name != "" {
		t.Errorf("without a name the label of the run is %q", d.dash.Runs[0].Name)
	}
}
