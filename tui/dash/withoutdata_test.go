package dash

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"dgplab/models/view"
	"dgplab/session"
	"dgplab/session/probe"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// A key that needs a run, a checkpoint or data says why it does nothing.
func TestKeysWithoutData(t *testing.T) {
	bare := kittest.Training(someConfig, 40)
	bare.Curve, bare.Diagnostics = nil, nil
	ended := kittest.Ended(someConfig, rundir.StopSteps)
	ended.CheckpointStep = -1
	sampled := kittest.Ended(someConfig, rundir.StopSteps)
	sampled.Diagnostics = &rundir.Diagnostics{Views: view.Views{Fit: kittest.Fit(1, 0)}}
	watching := func(s *session.Snapshot) func() *desk {
		return func() *desk { d, _ := newDesk(s, 120, 40); return d }
	}
	desks := map[string]func() *desk{
		"empty":     func() *desk { return emptyDesk(120, 40) },
		"preparing": watching(nil), "bare": watching(bare), "ended": watching(ended),
		"reading": func() *desk {
			d := emptyDesk(120, 40)
			d.dash.Open(kit.Watch{Runs: []string{"a"}})
			return d
		},
	}
	for _, c := range []struct{ desk, keys, want string }{
		{"empty", " ", noRun}, {"empty", "N", noRun}, {"empty", "B", noRun}, {"empty", "e", noRun},
		{"empty", "]", noRun}, {"empty", "d", noRun}, {"empty", "R", noRun}, {"empty", "w", noRun},
		{"preparing", "F", noRun}, {"preparing", "w", noRun}, {"preparing", "R", "the run has not ended"},
		{"preparing", "B", "there is no run to compare with the baseline"},
		{"preparing", "left", "there are no points yet"},
		{"reading", "e", "reading a"},
		{"reading", "s", "a sweep or another process trains this run; it can only be watched here"},
		{"bare", "left", "there are no points yet"}, {"bare", "L", "there is no layer to choose"},
		{"bare", "o", "there is no quantity to choose"}, {"bare", "t", "there is no target to choose"},
		{"bare", "C", "there is no covariance map for a cursor"},
		{"bare", "e", "there is nothing to export yet"},
		{"ended", "d", "the run has no checkpoint"}, {"ended", "w", "the run has no checkpoint"},
		{"ended", "F", "the run has no checkpoint yet; k writes one"}, {"ended", "k", "the run has ended"},
	} {
		d := desks[c.desk]()
		d.Keys(c.keys)
		if d.Note != c.want || len(d.Visits)+len(d.Starts) > 0 {
			t.Errorf("%s: %q says %q, want %q", c.desk, c.keys, d.Note, c.want)
		}
	}
	for desk, want := range map[string]string{"empty": "no run yet: n sets one up", "preparing": "preparing",
		"reading": "reading a", "bare": "waiting for"} {
		if frame := desks[desk]().View(); !strings.Contains(frame, want) {
			t.Errorf("%s: no %q in\n%s", desk, want, frame)
		}
	}
}

// A run that has ended shows its error, or that it ended before there were data.
func TestEndedWithoutData(t *testing.T) {
	d := several(2)
	if got := d.dash.noDataYet("samples"); got != "waiting for samples" {
		t.Errorf("while runs train: %q", got)
	}
	for _, r := range d.dash.Runs {
		r.Snapshot.State = session.Ended
	}
	if got := d.dash.noDataYet("samples"); got != "the runs ended before samples" {
		t.Errorf("after all runs: %q", got)
	}
	d, _ = newDesk(kittest.Ended(someConfig, rundir.StopSteps), 80, 24)
	if got := d.dash.noDataYet("samples"); got != "the run ended before samples" {
		t.Errorf("after the run: %q", got)
	}
	failed := kittest.Ended(someConfig, rundir.StopFailed)
	d, _ = newDesk(failed, 80, 24)
	if got := d.dash.noDataYet("samples"); got != failed.Err.Error() {
		t.Errorf("after a failure: %q", got)
	}
}

// Keys open the forms of a copy and of a sweep with the configuration of the selected run.
func TestForms(t *testing.T) {
	d, _ := newDesk(nil, 120, 40)
	d.Keys("a")
	s := kittest.Ended(someConfig, rundir.StopSteps)
	s.ID, s.CheckpointStep = "origin", 1000
	s.Values = map[string]string{"batch": "512"}
	d.folder("origin", s)
	d.watch("origin")
	d.Keys("a", "F")
	if len(d.Visits) != 3 || d.Visits[0] != (kittest.Visit{To: kit.Sweep}) {
		t.Fatalf("visits %+v", d.Visits)
	}
	for i, want := range []kit.ScreenID{kit.Sweep, kit.Setup} {
		v := d.Visits[i+1]
		fill, ok := v.Payload.(kit.Fill)
		if !ok || v.To != want || fill.Parent != "origin" || fill.Config.Dataset != someConfig.Dataset {
			t.Errorf("visit %+v, want %s", v, want)
		}
		if i == 1 && (fill.Config.Set["batch"] != "512" ||
			fill.Config.Set[rundir.WarmStartSetting] != "origin") {
			t.Errorf("the copy has the settings %v", fill.Config.Set)
		}
	}
}

// Diagnostics and suggestions go to the run that asked for them, also when another one is selected. They are
// not computed twice at a time, and are dropped when their run has left the screen.
func TestAnswersToRuns(t *testing.T) {
	for key, busy := range map[string]string{"d": "the diagnostics of the checkpoint are being computed",
		"w": "the suggestions are being computed"} {
		d := emptyDesk(120, 40)
		for _, id := range []string{"a", "b"} {
			f := d.folder(id, kittest.Ended(kittest.OfFamily("star", 0), rundir.StopSteps))
			f.inside = &rundir.Diagnostics{Step: 1000}
			f.suggestions = &probe.Suggestions{Step: 1500, List: []probe.Suggestion{{}}}
		}
		d.watch("a", "b")
		d.Keys(".")
		cmd := d.Keys(key)
		if d.Keys(key); d.Note != busy {
			t.Errorf("%s twice says %q", key, d.Note)
		}
		d.Keys(",")
		d.Perform(cmd)
		a, b := d.dash.watched[0], d.dash.watched[1]
		if a.loaded != nil || a.Suggested != nil || b.loaded == nil && b.Suggested == nil ||
			b.loading || b.suggesting {
			t.Errorf("%s: the answer went to the wrong run, or is still awaited", key)
		}
		cmd = d.Keys(key)
		d.Keys("N", "N")
		d.Perform(cmd)
		if !strings.HasSuffix(d.Note, "is no longer shown") {
			t.Errorf("%s: the answer to a removed run says %q", key, d.Note)
		}
	}
}

// The wheel moves the marked choice of a panel, or its first one, by one value, and back.
func TestWheelChoosesValues(t *testing.T) {
	views, classes := kittest.ViewRun(kittest.AllViews(), 1240), emptyDesk(120, 40)
	turned := map[string]bool{}
	one, _ := newDesk(views, 120, 40)
	for _, r := range threeClassRuns() {
		classes.start(r.Snapshot)
	}
	for _, d := range []*desk{one, several(4), classes} {
		d.Size(120, 40)
		for page := range d.dash.Pages {
			for _, p := range d.dash.Panels(page) {
				if len(p.Choices) == 0 || p.Mover != nil {
					continue
				}
				c := p.Choices[0]
				if i := slices.IndexFunc(p.Choices, func(c *Choice) bool { return c.wheel }); i > 0 {
					c = p.Choices[i]
				}
				n := c.Count(d.dash.Board)
				if n < 2 {
					continue
				}
				d.dash.page = page
				d.dash.FocusOn(p)
				i := slices.IndexFunc(d.dash.arrange().panels, func(q placed) bool { return q.ID == p })
				at := d.dash.arrange().panels[i].Rect
				before := d.dash.Board.value(c)
				by := 1
				if c.stops && before == n-1 {
					by = -1
				}
				d.Wheel(at.X+at.W/2, at.Y+at.H/2, by)
				if got := d.dash.Board.value(c); got != (before+by+n)%n {
					t.Errorf("%s: the wheel moves %s %d of %d to %d", p.Name, c.name, before, n, got)
				}
				d.Wheel(at.X+at.W/2, at.Y+at.H/2, -by)
				if got := d.dash.Board.value(c); got != before {
					t.Errorf("%s: the wheel does not move %s back to %d: %d", p.Name, c.name, before, got)
				}
				turned[p.Name] = true
			}
		}
	}
	if len(turned) < 12 {
		t.Errorf("only %d panels were turned: %v", len(turned), turned)
	}
}

// A key of a shared choice moves through the values of the panel that has the most.
func TestSharedChoice(t *testing.T) {
	views := kittest.AllViews()
	views.Amortization.Layers = views.Amortization.Layers[:1]
	views.Quadrature.Layers = views.Quadrature.Layers[:1]
	d, _ := newDesk(kittest.ViewRun(views, 1240), 120, 40)
	for _, want := range []int{1, 2, 0} {
		if d.Keys("L"); d.chosen("Layers", 0) != want {
			t.Errorf("L shows layer %d, want %d (%q)", d.chosen("Layers", 0)+1, want+1, d.Note)
		}
	}
	views.Plane.Fields = views.Plane.Fields[:1]
	d, _ = newDesk(kittest.ViewRun(views, 1240), 120, 40)
	if d.Keys("o"); d.Note != "there is only one quantity" {
		t.Errorf("o with one quantity says %q", d.Note)
	}
}

// Keys pan and zoom the window of the curves. Away from the newest point they zoom around its middle.
func TestWindowKeys(t *testing.T) {
	d, _ := newDesk(kittest.Training(someConfig, 400), 120, 40)
	at := func() (middle, width float64) {
		w := d.dash.shownRange(ofObjective)
		return (w[0] + w[1]) / 2, w[1] - w[0]
	}
	d.Keys("]", "]", "<", "<")
	middle, width := at()
	for _, c := range []struct {
		key           string
		middle, width float64
	}{{"]", middle, width / 2}, {"[", middle, width}, {">", middle + width/4, width},
		{"<", middle, width}} {
		d.Keys(c.key)
		m, w := at()
		if math.Abs(m-c.middle) > 1e-9*width || math.Abs(w-c.width) > 1e-9*width {
			t.Errorf("%s: the window is %g wide around %g, want %g around %g", c.key, w, m, c.width,
				c.middle)
		}
	}
	// A cursor outside of the window enters it at the nearer end.
	for x, want := range map[float64]float64{1: middle - width/2, 399: middle + width/2} {
		d.dash.curves.cursor = curveCursor{true, x}
		if d.Keys("right"); math.Abs(d.dash.curves.cursor.x-want) > 1 {
			t.Errorf("from %g the cursor moves to %g, want %g", x, d.dash.curves.cursor.x, want)
		}
	}
}

// Another horizontal axis ends a zoom that would be a single point on it. Runs without points do not count.
func TestAxisWithoutWidth(t *testing.T) {
	s := kittest.Training(someConfig, 400)
	for i := range s.Curve {
		s.Curve[i].Seconds = 5
	}
	d, _ := newDesk(nil, 120, 40)
	d.start(s)
	d.Keys(",", "]", "x", "x")
	if d.dash.curves.X.String() != "time" || d.dash.curves.window.on {
		t.Errorf("over %s the window is %+v", d.dash.curves.X, d.dash.curves.window)
	}
	d, _ = newDesk(nil, 120, 40)
	d.dash.curves.cursor = curveCursor{true, 7}
	if d.Keys("x"); d.dash.curves.cursor.x != 7 {
		t.Errorf("without points the cursor moves to %g", d.dash.curves.cursor.x)
	}
}

// On a small screen a message names the run that a key selects.
func TestSelectedRunIsNamed(t *testing.T) {
	d := several(2)
	d.Size(60, 10)
	second := d.dash.Runs[1]
	if d.Keys("."); d.Note != "selected: "+d.dash.Mark(second)+" "+second.Label {
		t.Errorf("said %q", d.Note)
	}
}

// On a screen without titles, a message names the new value of a choice.
func TestChoiceMessages(t *testing.T) {
	one, _ := newDesk(kittest.ViewRun(kittest.AllViews(), 1240), 11, 20)
	several := several(2)
	several.Size(11, 20)
	named := map[string]bool{}
	for _, d := range []*desk{one, several} {
		for page := range d.dash.Pages {
			for _, p := range d.dash.Panels(page) {
				for _, c := range p.Choices {
					key := map[arrows]string{leftRight: "right", upDown: "down", downUp: "up",
						anyArrow: "right"}[c.arrows]
					across, down := 0, 0
					switch key {
					case "right":
						across = 1
					case "down":
						down = 1
					case "up":
						down = -1
					}
					turned := slices.IndexFunc(p.Choices, func(o *Choice) bool {
						return o.arrows.step(across, down) != 0 && o.Count(d.dash.Board) > 1
					})
					if turned < 0 || p.Choices[turned] != c || p.Mover != nil || c.shown == nowhere {
						continue
					}
					d.dash.page = page
					d.dash.FocusOn(p)
					d.Keys(key)
					b := d.dash.Board
					text := fmt.Sprintf("%s %d of %d", c.name, b.value(c)+1, c.Count(b))
					if c.label != nil {
						text = c.label(b, b.value(c)) + " (" + text + ")"
						named[p.Name+" "+c.name] = true
					}
					if d.Note != p.Name+": "+text {
						t.Errorf("%s: %s says %q, want %q", p.Name, key, d.Note, text)
					}
				}
			}
		}
	}
	if len(named) < 4 {
		t.Errorf("only the choices %v have names", named)
	}
}

// The arrows and the wheel select the run in the next or previous row of the table, and stop at its ends.
func TestTableRows(t *testing.T) {
	d := several(4)
	d.Size(120, 40)
	d.Keys("2", "right", "i")
	sort := d.dash.table.sort
	if word := map[bool]string{true: "descending", false: "ascending"}[sort.Descending]; !strings.Contains(
		d.View(), "by "+sort.Column+", "+word) {
		t.Errorf("the order %+v is not in the title:\n%s", sort, d.View())
	}
	d.Keys("i")
	order := tableOrder(d.dash.Board.comparedRuns(), d.dash.table.sort)
	d.dash.Chosen = order[0]
	for _, want := range []int{1, 2, 3, 3} {
		if d.Keys("down"); d.dash.Chosen != order[want] {
			t.Errorf("down selects run %d, want %d of %v", d.dash.Chosen, order[want], order)
		}
	}
	x, y := d.Find(t, "by "+sort.Column)
	for _, want := range []int{2, 1, 0, 0} {
		if d.Wheel(x, y+2, -1); d.dash.Chosen != order[want] {
			t.Errorf("the wheel selects run %d, want %d of %v", d.dash.Chosen, order[want], order)
		}
	}
	if d.Click(x, y+2); d.dash.Chosen != order[0] {
		t.Error("a click in the table selects another run")
	}
}

// The wheel scrolls the health panel, and an arrow selects another run.
func TestHealthWheel(t *testing.T) {
	d := several(4)
	d.Size(80, 18)
	d.Keys("4")
	d.View()
	p := d.dash.arrange().panels[0].Rect
	for _, c := range []struct{ by, want int }{{-1, 0}, {1, 1}, {1, 2}, {-1, 1}} {
		d.Wheel(p.X+5, p.Y+3, c.by)
		d.View()
		if got := d.dash.health.top; got != c.want {
			t.Errorf("the wheel scrolls to line %v, want %d", got, c.want)
		}
	}
	if d.Keys("right"); d.dash.Chosen != 1 {
		t.Errorf("an arrow selects run %d, want 1", d.dash.Chosen)
	}
}

// A click on the header selects the run, or the first run of the group, on its line.
func TestClickOnHeader(t *testing.T) {
	d := several(4)
	d.Size(120, 40)
	d.View()
	if d.Click(5, 2); d.dash.Chosen != 2 {
		t.Errorf("a click on the third line selects run %d", d.dash.Chosen)
	}
	d = emptyDesk(120, 40)
	var ids []string
	for i, family := range []string{"star", "star", "star", "chain", "chain", "chain"} {
		id := fmt.Sprintf("%s-%d", family, i)
		s := kittest.Training(kittest.OfFamily(family, uint64(i)), 100)
		if i == 4 {
			s.Alarms = []rundir.Alarm{{Kind: rundir.AlarmValidation, Since: 50, Text: "it has been falling"}}
		}
		d.folder(id, s)
		ids = append(ids, id)
	}
	d.watch(ids...)
	frame := d.View()
	if d.Click(5, 1); d.dash.Chosen != 3 {
		t.Errorf("a click on the second group selects run %d:\n%s", d.dash.Chosen, frame)
	}
	lines := strings.Split(frame, "\n")
	if strings.Contains(lines[0], "! 1") || !strings.Contains(lines[1], "! 1") {
		t.Errorf("the alarm is not counted in the second group alone:\n%s\n%s", lines[0], lines[1])
	}
}

// A request to evaluate reaches the run.
func TestEvaluateKey(t *testing.T) {
	d, r := newDesk(kittest.Training(someConfig, 100), 120, 40)
	if d.Keys("v"); r.Count("evaluate") != 1 || !strings.HasPrefix(d.Note, "test scores and the objective") {
		t.Errorf("requests %v, message %q", r.Asked(), d.Note)
	}
}

// Numbers come before words in the table, whatever their order.
func TestValueOrder(t *testing.T) {
	number := func(x float64) value { return value{text: "z", number: x, numeric: true} }
	for _, c := range []struct {
		a, b value
		want int
	}{
		{number(2), number(10), -1}, {number(2), number(2), 0}, {number(10), value{text: "a"}, -1},
		{value{text: "a"}, number(10), 1}, {value{text: "b"}, value{text: "a"}, 1},
	} {
		if got := compareValues(c.a, c.b); got != c.want {
			t.Errorf("%+v and %+v: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// The log densities of one target are used if each target has its own.
func TestLogDensityOfTarget(t *testing.T) {
	r := evaluatedRun{Predictions: &rundir.Predictions{N: 2, P: 2, LogLik: []float64{-9, -8}}, target: 1}
	if got := r.logDensity(1); got != -8 {
		t.Errorf("of the point: %g", got)
	}
	r.LogLikByTarget = []float64{-1, -2, -3, -4}
	if got := r.logDensity(1); got != -4 {
		t.Errorf("of the target: %g", got)
	}
}

// The last reading of a gauge comes from the newest of the snapshot, the summary and the report lines.
func TestLastGauge(t *testing.T) {
	s := &session.Snapshot{}
	if got := lastGauge(s, "step_size"); !math.IsNaN(got) {
		t.Errorf("without readings: %g", got)
	}
	s.Curve = []rundir.Point{{Readings: []rundir.Reading{{Key: "step_size", Value: 1}}},
		{Readings: []rundir.Reading{{Key: "step_size", Value: 2}}}}
	if got := lastGauge(s, "step_size"); got != 2 {
		t.Errorf("of the report lines: %g", got)
	}
	s.Chains = &rundir.Chains{Gauges: map[string]rundir.Number{"step_size": 3}}
	if got := lastGauge(s, "step_size"); got != 3 {
		t.Errorf("of the summary: %g", got)
	}
	s.Last.Readings = []rundir.Reading{{Key: "step_size", Value: 4}}
	if got := lastGauge(s, "step_size"); got != 4 {
		t.Errorf("of the snapshot: %g", got)
	}
}

// Ranks are shown if there are several chains to compare.
func TestRanksNeedChains(t *testing.T) {
	for n, want := range map[int]bool{1: false, 2: true, 3: true} {
		c := kittest.Chains(100)
		c.Chains = n
		d, _ := newDesk(kittest.ViewRun(view.Views{Chains: c}, 1240), 120, 40)
		if got := d.panel("Ranks").present(d.dash.Board); got != want {
			t.Errorf("%d chains: ranks are present: %v", n, got)
		}
	}
}
