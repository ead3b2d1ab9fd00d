package board

import (
	"math"
	"strings"
	"testing"

	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// New points do not move a zoomed window unless it follows them.
func TestZoomWithNewData(t *testing.T) {
	d := newStage(kittest.Training(someConfig, 400))
	d.do(ActZoomIn, ActPanLeft, ActPanLeft)
	before := d.shownRange(ofObjective)
	if !d.curves.window.on || d.curves.window.follow {
		t.Fatalf("window %+v", d.curves.window)
	}
	kittest.CheckShows(t, "the objective", d.frame(), "ELBO ── sum · zoomed")
	kittest.CheckShows(t, "the validation", d.see("Validation").frame(), "log-likelihood ── zoomed")
	d.Runs[0].Snapshot = kittest.Training(someConfig, 800)
	if after := d.shownRange(ofObjective); after != before {
		t.Errorf("new points moved the window from %v to %v", before, after)
	}
	d.do(ActFollow)
	width := before[1] - before[0]
	if got := d.shownRange(ofObjective); got[1] != 799 || math.Abs(got[1]-got[0]-width) > 1e-9 {
		t.Errorf("f shows %v", got)
	}
	d.Runs[0].Snapshot = kittest.Training(someConfig, 1200)
	if got := d.shownRange(ofObjective); got[1] < 1190 || math.Abs(got[1]-got[0]-width) > 1e-9 {
		t.Errorf("a window that follows shows %v", got)
	}
	d.do(ActZoomReset)
	if d.curves.window.on {
		t.Error("0 does not show everything")
	}
	d.do(ActPanRight)
	if !strings.Contains(d.said, "zooms in") {
		t.Errorf("moving an unzoomed window reports %q", d.said)
	}
}

// Runs of several families are drawn over time, others over steps, unless the user has chosen.
func TestFirstXAxis(t *testing.T) {
	d := newStage(kittest.Training(kittest.OfFamily("star", 0), 400))
	d.start(kittest.Training(kittest.OfFamily("star", 1), 400))
	if d.curves.X != xSteps {
		t.Errorf("seeds of a family are drawn over %v", d.curves.X)
	}
	d.start(kittest.Training(kittest.OfFamily("chain", 0), 300))
	if d.curves.X != xTime {
		t.Errorf("families are drawn over %v", d.curves.X)
	}
	d.do(kit.ActXAxis)
	d.start(kittest.Training(kittest.OfFamily("mean-field", 0), 300))
	if d.curves.X != xSteps {
		t.Errorf("the choice of the user became %v", d.curves.X)
	}
}

func TestCurveCursor(t *testing.T) {
	d := newStage(kittest.Training(kittest.OfFamily("star", 0), 400))
	d.start(kittest.Training(kittest.OfFamily("chain", 0), 300))
	d.turnXAxis(xSteps)
	d.do(kit.ActLeft)
	if c := d.curves.cursor; !c.on || c.x != 400 {
		t.Fatalf("the cursor appears at %+v", c)
	}
	for range 5 {
		d.do(kit.ActLeft)
	}
	at := d.curves.cursor.x
	if at >= 400 || at < 300 {
		t.Errorf("five columns to the left it is at %g", at)
	}
	kittest.CheckShows(t, "the objective", d.frame(), "step 3")
	kittest.CheckShows(t, "the validation", d.see("Validation").frame(), "step 3")
	d.do(kit.ActRight, kit.ActRight)
	if d.curves.cursor.x <= at {
		t.Error("the validation panel does not move the same cursor")
	}
	// Zooming keeps the cursor at its place, and changing the axis keeps it at its point.
	x := d.curves.cursor.x
	d.do(ActZoomIn, ActZoomIn, ActZoomIn)
	if w := d.shownRange(ofObjective); w[0] > x || w[1] < x {
		t.Errorf("after zooming at %g the window is %v", x, w)
	}
	d.do(kit.ActXAxis, kit.ActXAxis)
	if got := d.curves.cursor.x; math.Abs(got-x*0.0285) > 0.05 {
		t.Errorf("step %g is %g s", x, got)
	}
	if w := d.shownRange(ofObjective); w[1] > 400*0.03 {
		t.Errorf("the window of steps is %v in seconds", w)
	}
}

func TestCurveKeyMessages(t *testing.T) {
	s := kittest.Training(someConfig, 400)
	s.Curve[100].Objective = -1e9
	d := newStage(s)
	d.do(ActClip)
	frame := d.frame()
	if !strings.Contains(frame, "below") || !strings.Contains(frame, "outliers clipped") {
		t.Errorf("clipping is not shown:\n%s", frame)
	}
	d.do(ActClip)
	if strings.Contains(d.frame(), "below") || !strings.Contains(d.frame(), "all values") {
		t.Errorf("all values are not shown:\n%s", d.frame())
	}
	d.do(ActClip)
	if !strings.Contains(d.frame(), "below") || strings.Contains(d.frame(), "all values") {
		t.Errorf("recent values do not determine the axis:\n%s", d.frame())
	}
	d.do(ActLogX)
	if frame := d.frame(); !strings.Contains(frame, "over log steps") {
		t.Errorf("no logarithmic steps:\n%s", frame)
	}
	if x, _ := values(d.curve(ofObjective).Series[0].Prepared); x[0] != 0 ||
		math.Abs(x[len(x)-1]-math.Log10(400)) > 1e-12 {
		t.Errorf("log steps from %g to %g", x[0], x[len(x)-1])
	}
	d.do(kit.ActXAxis)
	if !strings.Contains(d.frame(), "over log epochs") {
		t.Errorf("the scale of the previous axis is not kept:\n%s", d.frame())
	}
	d.do(kit.ActXAxis, kit.ActXAxis, ActLogX)
	d.do(ActPerPoint)
	_, y := values(d.curve(ofObjective).Series[0].Prepared)
	if want := s.Curve[0].Objective / 1620; y[0] != want {
		t.Errorf("the first value per point is %g, want %g", y[0], want)
	}
	// Without curves on the screen there is a message.
	d.see("Health").do(kit.ActXAxis)
	if d.said != "horizontal axis: epochs" {
		t.Errorf("said %q", d.said)
	}
}

func TestWheelZoom(t *testing.T) {
	d := newStage(kittest.Training(someConfig, 400))
	inside := d.Inside(d.panel)
	x := inside.W / 2
	under := func() (at float64, ok bool) { return d.curve(ofObjective).XAt(inside.W, inside.H, x-inside.X) }
	at, ok := under()
	if !ok {
		t.Fatal("no curve is under the mouse")
	}
	for range 4 {
		d.panel.Mover.Point(d, inside, x, -1)
	}
	if got, _ := under(); math.Abs(got-at) > 2 {
		t.Errorf("zooming moved the position under the mouse from %g to %g", at, got)
	}
	if w := d.shownRange(ofObjective); w[1]-w[0] > 250 {
		t.Errorf("four turns of the wheel show %v", w)
	}
	for range 9 {
		d.panel.Mover.Point(d, inside, x, 1)
	}
	if d.curves.window.on {
		t.Error("turning the wheel back does not show everything")
	}
	d.panel.Mover.Point(d, inside, x, 0)
	if c := d.curves.cursor; !c.on || math.Abs(c.x-at) > 3 {
		t.Errorf("a click puts the cursor at %+v, the mouse is at %g", c, at)
	}
}

// Actions pan and zoom the window of the curves. Away from the newest point they zoom around its middle.
func TestWindowKeys(t *testing.T) {
	d := newStage(kittest.Training(someConfig, 400))
	at := func() (middle, width float64) {
		w := d.shownRange(ofObjective)
		return (w[0] + w[1]) / 2, w[1] - w[0]
	}
	d.do(ActZoomIn, ActZoomIn, ActPanLeft, ActPanLeft)
	middle, width := at()
	for _, c := range []struct {
		act           kit.Action
		middle, width float64
	}{{ActZoomIn, middle, width / 2}, {ActZoomOut, middle, width}, {ActPanRight, middle + width/4, width},
		{ActPanLeft, middle, width}} {
		d.do(c.act)
		m, w := at()
		if math.Abs(m-c.middle) > 1e-9*width || math.Abs(w-c.width) > 1e-9*width {
			t.Errorf("%s: the window is %g wide around %g, want %g around %g", c.act, w, m, c.width,
				c.middle)
		}
	}
	// A cursor outside of the window enters it at the nearer end.
	for x, want := range map[float64]float64{1: middle - width/2, 399: middle + width/2} {
		d.curves.cursor = curveCursor{true, x}
		if d.do(kit.ActRight); math.Abs(d.curves.cursor.x-want) > 1 {
			t.Errorf("from %g the cursor moves to %g, want %g", x, d.curves.cursor.x, want)
		}
	}
}

// Another horizontal axis ends a zoom that would be a single point on it. Runs without points do not count.
func TestAxisWithoutWidth(t *testing.T) {
	s := kittest.Training(someConfig, 400)
	for i := range s.Curve {
		s.Curve[i].Seconds = 5
	}
	d := newStage(nil)
	d.start(s)
	d.Chosen = 0
	d.do(ActZoomIn, kit.ActXAxis, kit.ActXAxis)
	if d.curves.X.String() != "time" || d.curves.window.on {
		t.Errorf("over %s the window is %+v", d.curves.X, d.curves.window)
	}
	d = newStage(nil)
	d.curves.cursor = curveCursor{true, 7}
	if d.do(kit.ActXAxis); d.curves.cursor.x != 7 {
		t.Errorf("without points the cursor moves to %g", d.curves.cursor.x)
	}
}
