package dash

import (
	"fmt"
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
		{"bare", "e", "this panel has no figure to export"},
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
	classes.start(kittest.Evaluated(kittest.Training(someConfig, 100), kittest.ThreeClasses()))
	for _, d := range []*desk{one, several(4), classes} {
		d.Size(120, 40)
		for page := range d.dash.Pages {
			for _, p := range d.dash.Panels(page) {
				if len(p.Choices) == 0 || p.Mover != nil {
					continue
				}
				c := p.WheelChoice()
				n := c.Count(d.dash.Board)
				if n < 2 {
					continue
				}
				d.dash.page = page
				d.dash.FocusOn(p)
				i := slices.IndexFunc(d.dash.arrange().panels, func(q placed) bool { return q.ID == p })
				at := d.dash.arrange().panels[i].Rect
				before := d.dash.Value(c)
				by := 1
				if before == n-1 {
					by = -1
				}
				d.Wheel(at.X+at.W/2, at.Y+at.H/2, by)
				if got := d.dash.Value(c); got != before+by {
					t.Errorf("%s: the wheel moves value %d of %d to %d", p.Name, before, n, got)
				}
				d.Wheel(at.X+at.W/2, at.Y+at.H/2, -by)
				if got := d.dash.Value(c); got != before {
					t.Errorf("%s: the wheel does not move the choice back to %d: %d", p.Name, before, got)
				}
				turned[p.Name] = true
			}
		}
	}
	if len(turned) < 12 {
		t.Errorf("only %d panels were turned: %v", len(turned), turned)
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

// The arrows and the wheel select the run in the next or previous row of the table, and stop at its ends.
func TestTableRows(t *testing.T) {
	d := several(4)
	d.Size(120, 40)
	d.Keys("2", "right", "i")
	sort := d.dash.Settings().Sort
	if word := map[bool]string{true: "descending", false: "ascending"}[sort.Descending]; !strings.Contains(
		d.View(), "by "+sort.Column+", "+word) {
		t.Errorf("the order %+v is not in the title:\n%s", sort, d.View())
	}
	d.Keys("up", "up", "up")
	order := []int{d.dash.Chosen}
	for range 3 {
		d.Keys("down")
		order = append(order, d.dash.Chosen)
	}
	if all := slices.Sorted(slices.Values(order)); !slices.Equal(all, []int{0, 1, 2, 3}) {
		t.Errorf("down selects the runs %v one after the other", order)
	}
	if d.Keys("down"); d.dash.Chosen != order[3] {
		t.Errorf("after the last row, down selects run %d of %v", d.dash.Chosen, order)
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
	frames := []string{d.View()} // by the first line of the report
	p := d.dash.arrange().panels[0].Rect
	for _, c := range []struct{ by, want int }{{-1, 0}, {1, 1}, {1, 2}, {-1, 1}, {-1, 0}} {
		d.Wheel(p.X+5, p.Y+3, c.by)
		frame := d.View()
		if c.want == len(frames) && !slices.Contains(frames, frame) {
			frames = append(frames, frame)
		}
		if frame != frames[min(c.want, len(frames)-1)] {
			t.Errorf("the wheel does not scroll to line %d:\n%s", c.want, frame)
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

// A message names the new value of a choice, unless a panel on the screen shows it with its title.
func TestMessagesOfChoices(t *testing.T) {
	d, _ := newDesk(kittest.ViewRun(kittest.AllViews(), 1240), 120, 40)
	d.dash.FocusOn(d.panel("Layers"))
	if d.Keys("L"); d.Note != "" {
		t.Errorf("beside the layers it says %q", d.Note)
	}
	if d.Keys("2", "L"); d.Note != "Covariance: layer 3 of 3" {
		t.Errorf("on another page it says %q", d.Note)
	}
	d.Keys("1")
	d.Size(11, 20)
	if d.Keys("left"); d.Note != "Layers: layer 2 of 3" {
		t.Errorf("without titles it says %q", d.Note)
	}
}

// The inputs of the test rows are read once when the predictions are shown, in the background. A reason why
// they cannot be read stands below the table.
func TestInputsOfPredictions(t *testing.T) {
	d := emptyDesk(120, 40)
	d.folder("a", kittest.Evaluated(kittest.Ended(kittest.OfFamily("star", 0), rundir.StopSteps),
		kittest.Predictions(0, 51, 1, 1, 1)))
	d.watch("a")
	if d.dash.watched[0].inputsAsked {
		t.Error("the inputs are read before the predictions are shown")
	}
	cmd := d.Keys("T")
	if !d.dash.watched[0].inputsAsked {
		t.Fatal("the inputs are not read")
	}
	d.Perform(cmd)
	if view := d.View(); !strings.Contains(view, "no inputs: the data have changed since the run") {
		t.Errorf("the reason is missing:\n%s", view)
	}
}
