package browse

import (
	"slices"
	"strings"
	"testing"

	"dgplab/session/metric"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
)

// panickingEngine panics when it lists or removes runs.
type panickingEngine struct{ *fakeEngine }

func (panickingEngine) ListRuns(int) ([]rundir.Info, bool, error) { panic("no list") }

func (panickingEngine) Trash(string) error { panic("no trash") }

// A run that causes a panic is listed as unreadable, even after the next reading.
func TestPanicWhileDrawing(t *testing.T) {
	bad := someRuns()[1].ID
	before := columns
	t.Cleanup(func() { columns = before })
	columns = slices.Clone(before)
	columns[2].cell = func(run metric.Run) string {
		if run.ID() == bad && run.State() != string(rundir.Broken) {
			panic("no family")
		}
		return ""
	}
	d := newHarness(nil, 160, 40)
	d.engine.runs = someRuns()
	list := d.browse.relist()()
	why := kit.CatchPanic(func() { d.browse.Update(list) })
	if why == nil {
		t.Fatal("drawing does not panic")
	}
	d.browse.Recover(why)
	const want = "cannot show 1 run: internal error: no family (recover_test.go:"
	if !strings.HasPrefix(d.Note, want) {
		t.Errorf("message %q, want %q", d.Note, want)
	}
	for range 2 {
		run := d.browse.find(bad)
		if run.State != rundir.Broken || len(d.browse.shown) != len(someRuns()) {
			t.Fatalf("the run is %+v, one of %d", run, len(d.browse.shown))
		}
		d.refresh()
	}
	d.browse.choose(d.browse.index(bad))
	if view := d.View(); !strings.Contains(view, "internal error: no family") {
		t.Errorf("screen:\n%s", view)
	}
}

// Panics while runs are listed and while a run is removed become errors.
func TestEnginePanicsAreErrors(t *testing.T) {
	d := newHarness(someRuns(), 160, 40)
	d.browse.engine = panickingEngine{d.engine}
	d.refresh()
	if err := d.browse.listErr; err == nil || !strings.Contains(err.Error(), "no list") {
		t.Errorf("the list: %v", err)
	}
	d.do("down", "d")
	if !strings.Contains(d.Note, "no trash") {
		t.Errorf("removing a run: message %q", d.Note)
	}
}
