package dash

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
)

// states returns dashboards by name.
func states() map[string]func() *desk {
	base := func(s *session.Snapshot) func() *desk {
		return func() *desk { d, _ := newDesk(s, 80, 24); return d }
	}
	bare := *kittest.Training(someConfig, 40)
	bare.Curve, bare.Diagnostics = nil, nil
	list := map[string]func() *desk{
		"training":  base(kittest.Training(someConfig, 1240)),
		"preparing": base(nil),
		"no points": base(&bare),
		"ended":     base(kittest.Ended(someConfig, rundir.StopEarly)),
		"failed":    base(kittest.Ended(someConfig, rundir.StopFailed)),
	}
	list["no run"] = func() *desk {
		return emptyDesk(80, 24)
	}
	for p, page := range emptyDesk(80, 24).dash.Pages {
		list[page.Name] = func() *desk { return allPanels(p) }
		list["four runs, "+page.Name] = func() *desk {
			d := several(4)
			d.dash.page = p
			return d
		}
	}
	list["two runs, zoomed curves and cursor"] = func() *desk {
		d := several(2)
		d.Keys("]", "left", "left", "c", "g")
		return d
	}
	list["zoomed"] = func() *desk { d := list["training"](); d.dash.zoomed = true; return d }
	list["note"] = func() *desk { d := list["training"](); d.Note = "something was said"; return d }
	return list
}

// allPanels returns a dashboard on a page, with a run that has all views.
func allPanels(page int) *desk {
	d, _ := newDesk(kittest.Scored(kittest.ViewRun(kittest.AllViews(), 1240), 0), 120, 40)
	d.dash.page = page
	return d
}

// Frames of all states fill the screen exactly.
func TestFrameSizes(t *testing.T) {
	for name, make := range states() {
		kittest.CheckSizes(t, name, make().ViewAt)
	}
}

func TestFramesInASCII(t *testing.T) {
	for name, make := range states() {
		d := make()
		*d.Theme() = *kittest.ASCIITheme()
		kittest.CheckASCII(t, name, d.ViewAt)
	}
}

func TestFramesWithoutColour(t *testing.T) {
	for name, make := range states() {
		if frame := make().View(); strings.Contains(frame, "\x1b") {
			t.Errorf("%s has escape codes without colour", name)
		}
	}
}

// Frames with and without colour have the same cells, except for the map, which has twice as many pixels in
// colour.
func TestColourKeepsCells(t *testing.T) {
	for _, name := range []string{"preparing", "no points", "no run"} {
		kittest.CheckColours(t, name, func(th *kit.Theme) string {
			d := states()[name]()
			*d.Theme() = *th
			return d.View()
		})
	}
}

// Without colour, the focused panel is marked by a glyph.
func TestFocusWithoutColour(t *testing.T) {
	d, _ := newDesk(kittest.Training(rundir.Config{}, 500), 120, 40)
	for _, title := range []string{"ELBO", "Validation log-likelihood", "Covariance", "Layer 1"} {
		frame := d.View()
		if !strings.Contains(frame, "─▸ "+title) || strings.Count(frame, "─▸") != 1 {
			t.Errorf("the focus on %s is not marked by one glyph:\n%s", title, frame)
		}
		d.Keys("tab")
	}
}

// Without new data, panels are not drawn again.
func TestUnchangedPanelsAreNotDrawnAgain(t *testing.T) {
	d, r := newDesk(kittest.Training(rundir.Config{}, 500), 120, 40)
	d.View()
	if _, changed := d.dash.Update(frameDueMsg{}); changed {
		t.Error("an unchanged snapshot changes the screen")
	}
	objective := d.panel("Objective")
	before := &d.dash.drawings[objective].lines[0]
	d.View()
	if &d.dash.drawings[objective].lines[0] != before {
		t.Error("a panel is drawn again although nothing has changed")
	}
	r.Show(kittest.Training(rundir.Config{}, 501))
	if _, changed := d.dash.Update(frameDueMsg{}); !changed {
		t.Error("a new snapshot does not change the screen")
	}
	d.View()
	if &d.dash.drawings[objective].lines[0] == before {
		t.Error("a new snapshot does not redraw a panel")
	}
}

// A step redraws the curves. New diagnostics and the end of a run also redraw the views of the posterior.
func TestStepsDoNotRedrawDiagnostics(t *testing.T) {
	d, r := newDesk(kittest.Training(kittest.OfFamily("star", 0), 500), 120, 40)
	redrawn := func(change func(*session.Snapshot)) (list []string) {
		before := maps.Clone(d.dash.drawings)
		s := *r.Latest()
		change(&s)
		r.Show(&s)
		d.Send(frameDueMsg{})
		d.View()
		for _, name := range []string{"Objective", "Covariance"} {
			p := d.panel(name)
			if &d.dash.drawings[p].lines[0] != &before[p].lines[0] {
				list = append(list, name)
			}
		}
		return list
	}
	d.View()
	for _, c := range []struct {
		what   string
		change func(*session.Snapshot)
		want   []string
	}{
		{"a step", func(s *session.Snapshot) { s.Step++ }, []string{"Objective"}},
		{"new diagnostics", func(s *session.Snapshot) { fresh := *s.Diagnostics; s.Diagnostics = &fresh },
			[]string{"Objective", "Covariance"}},
		{"the end", func(s *session.Snapshot) { s.State = rundir.Ended },
			[]string{"Objective", "Covariance"}},
	} {
		if got := redrawn(c.change); !slices.Equal(got, c.want) {
			t.Errorf("%s redraws %q, want %q", c.what, got, c.want)
		}
	}
}

// A change of the style of lines redraws panels.
func TestCacheDependsOnStyle(t *testing.T) {
	d, _ := newDesk(kittest.Training(rundir.Config{}, 500), 120, 40)
	d.dash.Theme.Braille = false
	strokes := d.View()
	d.dash.Theme.Braille = true
	if d.View() == strokes {
		t.Error("dots instead of strokes change nothing")
	}
}

func TestPlainText(t *testing.T) {
	d, _ := newDesk(kittest.Training(someConfig, 500), 120, 40)
	*d.Theme() = *kit.NewTheme(termenv.TrueColor, true, kit.Unicode)
	d.Keys("tab")
	d.View()
	text := d.dash.PlainText()
	if !strings.Contains(text, "Validation") || strings.Contains(text, "\x1b") ||
		strings.Contains(text, "sum") {
		t.Errorf("copied:\n%s", text)
	}
}

// Before the first step, missing numbers are not shown as NaN.
func TestBeforeFirstStep(t *testing.T) {
	s := kittest.FitRun(3, 0)
	s.Step = 0
	s.Seconds = 0
	s.StepsPerSecond = 0
	s.Remaining = 0
	s.Last = rundir.Point{Objective: math.NaN()}
	d, _ := newDesk(s, 120, 40)
	view := d.View()
	if strings.Contains(view, "NaN") || !strings.Contains(view, "- steps/s") ||
		!strings.Contains(view, s.ObjectiveIs.Name+" -  ") {
		t.Errorf("screen:\n%s", view)
	}
}
