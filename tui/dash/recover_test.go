package dash

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// panickingFolder panics when it is read.
type panickingFolder struct{ *folder }

func (panickingFolder) Latest() (*session.Snapshot, error) { panic("no such step\nand a stack") }

// panickingFolders panics when it opens the run "bad".
type panickingFolders struct{ engine }

func (f panickingFolders) Open(id string) (Record, error) {
	switch id {
	case "bad":
		var none []int
		_ = none[len(id)]
	case "worse":
		return panickingFolder{f.folders["good"]}, nil
	}
	return f.folders.Open(id)
}

// Run directories that panic are removed from the screen, and a run in training stays.
func TestRunsThatPanic(t *testing.T) {
	for id, want := range map[string]string{
		"bad":   "runtime error: index out of range [3] with length 0 (recover_test.go:",
		"worse": "no such step (recover_test.go:",
	} {
		d, run := newDesk(kittest.Training(kittest.OfFamily("mean-field", 0), 500), 120, 40)
		d.folder("good", kittest.Ended(kittest.OfFamily("star", 1), rundir.StopSteps))
		d.dash.engine = panickingFolders{d.engine}
		d.watchAll(run.ID(), id, "good")
		want = "cannot show " + id + ": internal error: " + want
		if !strings.HasPrefix(d.Note, want) {
			t.Errorf("%s: the message is %q, want %q", id, d.Note, want)
		}
		if len(d.dash.Runs) != 2 || d.dash.place("good") < 0 || d.dash.place(run.ID()) < 0 {
			t.Errorf("%s: %d runs are shown", id, len(d.dash.Runs))
		}
	}
}

// watchAll is watch with the engine of the dashboard.
func (d *desk) watchAll(ids ...string) {
	d.dash.Open(kit.Watch{Runs: ids})
	for _, r := range d.dash.watched {
		if r.own == nil && r.record == nil {
			d.Send(open(d.dash.engine, r.ID, r.gen)())
		}
	}
}

// Runs that cannot be drawn are removed and named. The others stay, in their order.
func TestRecover(t *testing.T) {
	for _, c := range []struct {
		bad  []int
		runs string
		want string
	}{
		{nil, "a b fake-1 c", "cannot show the dashboard: too bad"},
		{[]int{1}, "a fake-1 c", "cannot show b: "},
		{[]int{2}, "a b c", "cannot show fake-1 (training continues): "},
		{[]int{0, 3}, "b fake-1", "cannot show 2 runs: "},
	} {
		d := emptyDesk(120, 40)
		snaps := make([]*session.Snapshot, 4)
		for i := range snaps {
			snaps[i] = kittest.Scored(kittest.Ended(kittest.OfFamily("star", uint64(i)), rundir.StopSteps), i)
			if i == 2 {
				snaps[i] = kittest.Scored(kittest.Training(kittest.OfFamily("star", 2), 500), i)
			}
		}
		for _, i := range c.bad {
			snaps[i].Predictions.Target = nil
		}
		d.start(snaps[2])
		for i, id := range []string{"a", "b", "", "c"} {
			if id != "" {
				d.folder(id, snaps[i])
			}
		}
		d.watch("a", "b", "fake-1", "c")
		d.dash.page, d.dash.Chosen, d.dash.zoomed = 2, 2, true
		d.dash.Recover(errors.New("too bad"))
		var left []string
		for _, r := range d.dash.watched {
			left = append(left, r.ID)
		}
		if got := strings.Join(left, " "); got != c.runs || !strings.HasPrefix(d.Note, c.want) ||
			d.dash.zoomed {
			t.Errorf("without %v: runs %s, message %q", c.bad, got, d.Note)
		}
		if want := max(slices.Index(left, "fake-1"), 0); d.dash.Chosen != want {
			t.Errorf("without %v: run %d is selected", c.bad, d.dash.Chosen)
		}
	}
}
