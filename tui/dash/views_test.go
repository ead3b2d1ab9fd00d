package dash

import (
	"math"
	"slices"
	"strings"
	"testing"

	"dgplab/models/family"
	"dgplab/models/view"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit/kittest"
	"dgplab/viz/golden"
)

// showing is a run whose model shows views at a step.
func showing(v view.Views, step int) *session.Snapshot {
	s := kittest.Training(ofFamily("star", 0), step)
	s.Objective = family.Objective{Name: "amortized objective", Kind: family.Surrogate, Noisy: true}
	s.Diagnostics = &rundir.Diagnostics{Step: step - step%100, Views: v}
	return s
}

// checkPanel draws a panel at two sizes, alone on the screen and beside others.
func checkPanel(t *testing.T, name string, panel Panel, s *session.Snapshot, keys ...string) *desk {
	t.Helper()
	var last *desk
	for _, size := range kittest.Sizes {
		for _, zoomed := range []bool{false, true} {
			if size.H < 24 {
				continue
			}
			d, _ := newDesk(s, size.W, size.H)
			d.dash.focusOn(panel)
			d.dash.zoomed = zoomed
			d.Keys(keys...)
			frame := d.View()
			kittest.CheckFrame(t, name, frame, size.W, size.H)
			suffix := size.Name
			if zoomed {
				suffix += "_zoomed"
			}
			golden.Check(t, name+"_"+suffix, kittest.Trim(frame))
			last = d
		}
	}
	return last
}

// fakePlane is the mean and the standard deviation of a function of two inputs.
func fakePlane() *view.Plane {
	p := &view.Plane{Inputs: [2]string{"position", "velocity"}, Samples: 16, Of: 1620,
		Fields: []view.Field{{Name: "mean of value"}, {Name: "standard deviation of value"}}, Points: []view.PlanePoints{{}}}
	for i := range 24 {
		p.X = append(p.X, -1.2+1.8*float64(i)/23)
	}
	for j := range 16 {
		p.Y = append(p.Y, -0.07+0.14*float64(j)/15)
	}
	for j, y := range p.Y {
		for i, x := range p.X {
			p.Fields[0].Values = append(p.Fields[0].Values, math.Sin(3*x)*math.Cos(20*y))
			p.Fields[1].Values = append(p.Fields[1].Values, 0.1+x*x+100*y*y)
			if (7*i+3*j)%11 == 0 {
				p.Points[0].X, p.Points[0].Y = append(p.Points[0].X, x), append(p.Points[0].Y, y)
			}
		}
	}
	return p
}

func TestPlaneOfTwoInputs(t *testing.T) {
	d := checkPanel(t, "plane", planePanel{}, showing(view.Views{Plane: fakePlane()}, 1240))
	if frame := d.View(); !strings.Contains(frame, "16 samples") || !strings.Contains(frame, "mean of value") || !strings.Contains(frame, "1 of 2") {
		t.Errorf("what is shown is not said:\n%s", frame)
	}
	d.Keys("o")
	if frame := d.View(); !strings.Contains(frame, "standard deviation of") || d.Note != "" {
		t.Errorf("o (said %q):\n%s", d.Note, frame)
	}
	d.Keys("right")
	if frame := d.View(); !strings.Contains(frame, "mean of value") {
		t.Errorf("the arrow does not go round:\n%s", frame)
	}
	d.Keys("2", "o")
	if !strings.Contains(d.Note, "standard deviation of value (2 of 2)") {
		t.Errorf("on another page it says %q", d.Note)
	}
}

// TestPanelsAroundTheFocus has more panels than a screen has room for.
func TestPanelsAroundTheFocus(t *testing.T) {
	views := kittest.Training(ofFamily("star", 0), 1240).Diagnostics.Views
	views.Plane, views.Functions = fakePlane(), exactRun("gp", 3).Diagnostics.Functions
	d, _ := newDesk(showing(views, 1240), 120, 40)
	all := d.dash.panels(0)
	for i, focus := range all {
		d.dash.focusOn(focus)
		got := d.onScreen()
		if !slices.Contains(got, focus) || len(got) != 5 || got[0] != all[0] || got[1] != all[1] {
			t.Errorf("with the focus on %d of %d: %T", i, len(all), got)
		}
		kittest.CheckFrame(t, "around", d.View(), 120, 40)
	}
}
