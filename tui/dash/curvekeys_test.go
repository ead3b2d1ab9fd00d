package dash

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"dgplab/session/rundir"
	"dgplab/tui/kit/kittest"
)

// New points do not move a zoomed window unless it follows them.
func TestZoomWithNewData(t *testing.T) {
	d, r := newDesk(kittest.Training(someConfig, 400), 120, 40)
	d.Keys("]", "<", "<")
	before := d.dash.shownRange(ofObjective)
	if !d.dash.curves.window.on || d.dash.curves.window.follow {
		t.Fatalf("window %+v", d.dash.curves.window)
	}
	for _, title := range []string{"ELBO ── sum · zoomed", "log-likelihood ── zoomed"} {
		if !strings.Contains(d.View(), title) {
			t.Errorf("no %q in\n%s", title, d.View())
		}
	}
	r.Show(kittest.Training(someConfig, 800))
	d.Send(frameDueMsg{})
	if after := d.dash.shownRange(ofObjective); after != before {
		t.Errorf("new points moved the window from %v to %v", before, after)
	}
	d.Keys("f")
	width := before[1] - before[0]
	if got := d.dash.shownRange(ofObjective); got[1] != 799 || math.Abs(got[1]-got[0]-width) > 1e-9 {
		t.Errorf("f shows %v", got)
	}
	r.Show(kittest.Training(someConfig, 1200))
	d.Send(frameDueMsg{})
	if got := d.dash.shownRange(ofObjective); got[1] < 1190 || math.Abs(got[1]-got[0]-width) > 1e-9 {
		t.Errorf("a window that follows shows %v", got)
	}
	d.Keys("0")
	if d.dash.curves.window.on {
		t.Error("0 does not show everything")
	}
	d.Keys(">")
	if !strings.Contains(d.Note, "] zooms in") {
		t.Errorf("moving an unzoomed window reports %q", d.Note)
	}
}

func TestCurveCursor(t *testing.T) {
	d, _ := newDesk(kittest.Training(kittest.OfFamily("star", 0), 400), 120, 40)
	d.start(kittest.Training(kittest.OfFamily("chain", 0), 300))
	d.Keys("left")
	if c := d.dash.curves.cursor; !c.on || c.x != 400 {
		t.Fatalf("the cursor appears at %+v", c)
	}
	for range 5 {
		d.Keys("left")
	}
	at := d.dash.curves.cursor.x
	if at >= 400 || at < 300 {
		t.Errorf("five columns to the left it is at %g", at)
	}
	if n := strings.Count(d.View(), "step 3"); n < 2 {
		t.Errorf("%d panels show the step of the cursor:\n%s", n, d.View())
	}
	d.Keys("tab", "right", "right")
	if d.dash.curves.cursor.x <= at {
		t.Error("the validation panel does not move the same cursor")
	}
	// Zooming keeps the cursor at its place, and changing the axis keeps it at its point.
	x := d.dash.curves.cursor.x
	d.Keys("]", "]", "]")
	if w := d.dash.shownRange(ofObjective); w[0] > x || w[1] < x {
		t.Errorf("after zooming at %g the window is %v", x, w)
	}
	d.Keys("x", "x")
	if got := d.dash.curves.cursor.x; math.Abs(got-x*0.0285) > 0.05 {
		t.Errorf("step %g is %g s", x, got)
	}
	if w := d.dash.shownRange(ofObjective); w[1] > 400*0.03 {
		t.Errorf("the window of steps is %v in seconds", w)
	}
	d.Keys("esc")
	if d.dash.curves.cursor.on || d.Backs != 0 {
		t.Error("esc does not put the cursor away first")
	}
	d.Keys("esc")
	if d.Backs != 1 {
		t.Error("esc does not go back")
	}
	d.Keys("left", "4", "esc")
	if d.Backs != 2 {
		t.Error("on a page without curves esc has no visible effect")
	}
}

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
	if layer != 1 || gp != 1 || d.dash.curves.cursor.on {
		t.Errorf("the arrows on the map choose layer %d, GP %d", layer, gp)
	}
	d.Keys("2", "right")
	if d.dash.table.sort.Column == "" || !strings.Contains(d.View(), "by "+d.dash.table.sort.Column) {
		t.Errorf("right on the table sorts by %q:\n%s", d.dash.table.sort.Column, d.View())
	}
	was := d.dash.table.sort.Descending
	d.Keys("i")
	if d.dash.table.sort.Descending == was {
		t.Error("i does not reverse the order")
	}
	d.Keys("4")
	d.Size(80, 18)
	d.View()
	d.Keys("down")
	d.View()
	if d.dash.health.top != 1 {
		t.Errorf("down in health scrolls to %d", d.dash.health.top)
	}
}

func TestCurveKeyMessages(t *testing.T) {
	s := kittest.Training(someConfig, 400)
	s.Curve[100].Objective = -1e9
	d, _ := newDesk(s, 120, 40)
	d.Keys("enter", "c")
	frame := d.View()
	if !strings.Contains(frame, "below") || !strings.Contains(frame, "outliers clipped") {
		t.Errorf("clipping is not shown:\n%s", frame)
	}
	d.Keys("c")
	if strings.Contains(d.View(), "below") || !strings.Contains(d.View(), "all values") {
		t.Errorf("all values are not shown:\n%s", d.View())
	}
	d.Keys("c")
	if !strings.Contains(d.View(), "below") || strings.Contains(d.View(), "all values") {
		t.Errorf("recent values do not determine the axis:\n%s", d.View())
	}
	d.Keys("X")
	if frame := d.View(); !strings.Contains(frame, "over log steps") {
		t.Errorf("no logarithmic steps:\n%s", frame)
	}
	if x, _ := values(d.dash.Board.curve(ofObjective).Series[0].Prepared); x[0] != 0 ||
		math.Abs(x[len(x)-1]-math.Log10(400)) > 1e-12 {
		t.Errorf("log steps from %g to %g", x[0], x[len(x)-1])
	}
	d.Keys("x")
	if !strings.Contains(d.View(), "over log epochs") {
		t.Errorf("the scale of the previous axis is not kept:\n%s", d.View())
	}
	d.Keys("x", "x", "X")
	d.Keys("p")
	_, y := values(d.dash.Board.curve(ofObjective).Series[0].Prepared)
	if want := s.Curve[0].Objective / 1620; y[0] != want {
		t.Errorf("the first value per point is %g, want %g", y[0], want)
	}
	// Without curves on the screen there is a message.
	d.Keys("4", "x")
	if d.Note != "horizontal axis: epochs" {
		t.Errorf("said %q", d.Note)
	}
}

func TestWheelZoom(t *testing.T) {
	d, _ := newDesk(kittest.Training(someConfig, 400), 120, 40)
	p := d.dash.arrange().panels[0]
	x := p.Rect.X + p.Rect.W/2
	under := func() (at float64, ok bool) {
		return d.dash.Board.curve(ofObjective).XAt(p.Inner().W, p.Inner().H, x-p.Inner().X)
	}
	at, ok := under()
	if !ok {
		t.Fatal("no curve is under the mouse")
	}
	for range 4 {
		d.Wheel(x, p.Rect.Y+5, -1)
	}
	if got, _ := under(); math.Abs(got-at) > 2 {
		t.Errorf("zooming moved the position under the mouse from %g to %g", at, got)
	}
	if w := d.dash.shownRange(ofObjective); w[1]-w[0] > 250 {
		t.Errorf("four turns of the wheel show %v", w)
	}
	for range 9 {
		d.Wheel(x, p.Rect.Y+5, 1)
	}
	if d.dash.curves.window.on {
		t.Error("turning the wheel back does not show everything")
	}
	d.Click(x, p.Rect.Y+5)
	if c := d.dash.curves.cursor; !c.on || math.Abs(c.x-at) > 3 {
		t.Errorf("a click puts the cursor at %+v, the mouse is at %g", c, at)
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
	d.Keys("3", "x", "l", "l", "+", "c", "p", "g")
	d.dash.table.sort.Column = "objective"
	text, err := json.Marshal(d.dash.Keep())
	if err != nil {
		t.Fatal(err)
	}
	again := emptyDesk(80, 24)
	again.Started = d.Started
	again.dash.Restore(text)
	got, want := again.dash.curves.curveSettings, d.dash.curves.curveSettings
	if got != want || again.dash.table.sort != d.dash.table.sort || again.dash.page != 2 {
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
	const settings = `{"page":%d,"x_axis":%d,"y_axis":%d,"y_range":%d,"smoothing":%d}`
	beyond := fmt.Sprintf(settings, len(d.dash.Pages), numXAxes, len(yNames), len(rangeNames), len(strengths))
	for _, bad := range []string{"", "nonsense", beyond, fmt.Sprintf(settings, -1, -1, -1, -1, -1)} {
		d := emptyDesk(80, 24)
		d.dash.Restore([]byte(bad))
		if d.dash.curves.curveSettings != firstSettings || d.dash.page != 0 {
			t.Errorf("%q: page %d, settings %+v", bad, d.dash.page, d.dash.curves.curveSettings)
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
