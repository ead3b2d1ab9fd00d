package dash

import (
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
		d, run := newDesk(kittest.Training(ofFamily("mean-field", 0), 500), 120, 40)
		d.folder("good", kittest.Ended(ofFamily("star", 1), rundir.StopSteps))
		d.dash.engine = panickingFolders{d.engine}
		d.watchAll(run.ID(), id, "good")
		want = "cannot show " + id + ": internal error: " + want
		if !strings.HasPrefix(d.Note, want) {
			t.Errorf("%s: the message is %q, want %q", id, d.Note, want)
		}
		if len(d.dash.runs) != 2 || d.dash.place("good") < 0 || d.dash.place(run.ID()) < 0 {
			t.Errorf("%s: %d runs are shown", id, len(d.dash.runs))
		}
	}
}

// watchAll is watch with the engine of the dashboard.
func (d *desk) watchAll(ids ...string) {
	d.dash.Open(kit.Watch{Runs: ids})
	for _, r := range d.dash.runs {
		if r.run == nil && r.record == nil {
			d.Send(open(d.dash.engine, r.id, r.gen)())
		}
	}
}
