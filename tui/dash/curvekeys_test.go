package dash

import (
	"encoding/json"
	"strings"
	"testing"

	"dgplab/session/rundir"
	"dgplab/tui/board"
	"dgplab/tui/kit/kittest"
)

func TestArrowKeys(t *testing.T) {
	d := several(4)
	d.Size(120, 40)
	d.Keys("down")
	if d.dash.Chosen != 1 {
		t.Error("down on the curves does not choose the next run")
	}
	d.Keys("tab", "tab", "right", "down")
	layer := d.chosen("Covariance", 0)
	gp := d.chosen("Covariance", 1)
	if layer != 1 || gp != 1 || d.panel("Objective").Mover.HasCursor() {
		t.Errorf("the arrows on the map choose layer %d, GP %d", layer, gp)
	}
	d.Keys("2", "right")
	by := d.dash.Settings().Sort
	if by.Column == "" || !strings.Contains(d.View(), "by "+by.Column) {
		t.Errorf("right on the table sorts by %q:\n%s", by.Column, d.View())
	}
	d.Keys("i")
	if d.dash.Settings().Sort.Descending == by.Descending {
		t.Error("i does not reverse the order")
	}
	d.Keys("4")
	d.Size(80, 18)
	before := d.View()
	d.Keys("down")
	if d.View() == before {
		t.Errorf("down does not scroll the health:\n%s", before)
	}
}

func TestClickOnTabs(t *testing.T) {
	d := several(2)
	for _, w := range []int{200, 120, 80, 60, 40, tabsWidth} {
		d.Size(w, 24)
		d.dash.page = 0
		l := d.dash.arrange()
		if len(l.pageTabs) != len(d.dash.Pages) {
			t.Fatalf("%d columns have %d tabs of pages", w, len(l.pageTabs))
		}
		d.Click(l.pages.X+tabsRoom(l.pageTabs[:1])+2, l.pages.Y)
		if d.dash.page != 1 {
			t.Errorf("at %d columns a click opens page %d", w, d.dash.page)
		}
		l = d.dash.arrange()
		if d.Click(l.pages.X+tabsRoom(l.pageTabs[:4])+2, l.pages.Y); d.dash.page != 1 || d.Note == "" {
			t.Errorf("at %d columns a click on a page without panels opens page %d", w, d.dash.page)
		}
		d.Note = ""
	}
	d.Size(120, 40)
	d.Click(30, 1)
	if d.dash.Chosen != 1 {
		t.Error("a click on a run in the header does not select it")
	}
	for h := 40; d.dash.arrange().header.H > 2; h-- {
		d.Size(120, h)
	}
	d.dash.Chosen = 0
	d.Click(30, 1)
	if header := d.dash.arrange().header; header.H != 2 || d.dash.Chosen != 1 {
		t.Errorf("in a header of %d lines a click on the second run selects run %d", header.H, d.dash.Chosen)
	}
}

func TestKeepAndRestore(t *testing.T) {
	d := several(2)
	d.Keys("2", "right", "3", "x", "l", "l", "+", "c", "p", "g")
	text, err := json.Marshal(d.dash.Keep())
	if err != nil {
		t.Fatal(err)
	}
	again := emptyDesk(80, 24)
	again.Started = d.Started
	again.dash.Restore(text)
	got, want := again.dash.Settings(), d.dash.Settings()
	if got != want || got == board.FirstSettings || again.dash.page != 2 {
		t.Errorf("page %d, look %+v, want %+v", again.dash.page, got, want)
	}
	again.dash.Open(nil)
	again.check(t, "the remembered runs", "fake-1:0* fake-2:1")
	first := emptyDesk(80, 24)
	first.dash.Restore(text)
	first.start(kittest.Training(someConfig, 100))
	if first.dash.page != 0 {
		t.Errorf("the first run of a session opens page %d", first.dash.page)
	}
	for _, bad := range []string{"", "nonsense",
		`{"page":6,"x_axis":3,"y_axis":3,"y_range":3,"smoothing":8}`,
		`{"page":-1,"x_axis":-1,"y_axis":-1,"y_range":-1,"smoothing":-1}`} {
		d := emptyDesk(80, 24)
		d.dash.Restore([]byte(bad))
		if d.dash.Settings() != board.FirstSettings || d.dash.page != 0 {
			t.Errorf("%q: page %d, settings %+v", bad, d.dash.page, d.dash.Settings())
		}
	}
}

func TestRememberedRuns(t *testing.T) {
	d := emptyDesk(80, 24)
	d.dash.Restore([]byte(`{"runs":["old"]}`))
	d.folder("old", kittest.Ended(someConfig, rundir.StopSteps))
	d.start(kittest.Training(someConfig, 100))
	d.dash.Open(nil)
	d.check(t, "a run was started first", "fake-1:0*")
}
