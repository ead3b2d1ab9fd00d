package board

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"dgplab/datasets"
	"dgplab/models/view"
	"dgplab/session"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
	"dgplab/tui/report"
)

func TestPlanePanel(t *testing.T) {
	d := checkPanel(t, "plane", "Plane", kittest.ViewRun(view.Views{Plane: kittest.Plane()}, 1240))
	if frame := d.frame(); !strings.Contains(frame, "16 samples") ||
		!strings.Contains(frame, "mean of value") || !strings.Contains(frame, "1 of 2") {
		t.Errorf("the notes on the quantity are missing:\n%s", frame)
	}
	d.do(ActPlaneField)
	if frame := d.frame(); !strings.Contains(frame, "standard deviation of") {
		t.Errorf("the next quantity:\n%s", frame)
	}
	d.do(kit.ActRight)
	if frame := d.frame(); !strings.Contains(frame, "mean of value") {
		t.Errorf("the arrow does not wrap around:\n%s", frame)
	}
	p := kittest.Plane()
	p.Fields[1].Name, p.Fields[1].Function, p.Samples = "mean of f_1", true, 1
	d = newStage(kittest.ViewRun(view.Views{Plane: p}, 1240))
	d.see("Plane").w = 120
	d.do(ActPlaneField)
	if frame := d.frame(); !strings.Contains(frame, "mean of f_1") ||
		!strings.Contains(frame, "Functions of the posterior") || !strings.Contains(frame, "standardised") {
		t.Errorf("a function:\n%s", frame)
	}
	d = newStage(kittest.ViewRun(view.Views{Plane: kittest.Plane()}, 1240))
	d.do(ActPlaneField)
	if !strings.Contains(d.said, "Plane: standard deviation of value (quantity 2 of 2)") {
		t.Errorf("on another page it says %q", d.said)
	}
}

func TestInducingPanel(t *testing.T) {
	s := kittest.ViewRun(view.Views{Amortization: kittest.Amortization()}, 1240)
	d := checkPanel(t, "inducing", "Inducing", s)
	has := func(when string, words ...string) {
		t.Helper()
		kittest.CheckShows(t, when, d.frame(), words...)
	}
	has("at first", "Inducing points of layer 1 of 2", "★ input 1 of 6",
		"1.96 of 2 (seen 1.98)", "q of output 1 of 2")
	d.do(kit.ActLeft, kit.ActDown)
	has("left and down", "★ input 6 of 6", "q of output 2 of 2")
	d.do(ActNextLayer)
	has("next layer", "layer 2 of 2", "1.03 of 2", "degenerated to a subspace", "q of output 1 of 1")
	d.do(ActNextLayer)
	has("round", "layer 1 of 2")
	d.see("Covariance")
	has("the map", "Covariance of q(f_M)", "input 6 of 6")
	d.do(ActNextLayer)
	if !strings.Contains(d.said, "layer 2 of 2") {
		t.Errorf("on another page it says %q", d.said)
	}
}

func TestQuadraturePanel(t *testing.T) {
	d := checkPanel(t, "quadrature", "Quadrature",
		kittest.ViewRun(view.Views{Quadrature: kittest.Quadrature()}, 1240))
	if frame := d.frame(); !strings.Contains(frame, "Quadrature points of hidden layer 1 of 2") ||
		!strings.Contains(frame, "GP 1  mean") {
		t.Errorf("at first:\n%s", frame)
	}
	d.do(kit.ActRight, kit.ActDown)
	if frame := d.frame(); !strings.Contains(frame, "Quadrature points of hidden layer 2 of 2") ||
		!strings.Contains(frame, "GP 2  mean") {
		t.Errorf("the next layer and GP:\n%s", frame)
	}
	d.do(kit.ActRight, kit.ActRight, kit.ActDown, kit.ActDown)
	l := d.chosen("Quadrature", 0)
	gp := d.chosen("Quadrature", 1)
	if l != 1 || gp != 1 {
		t.Errorf("after the last it is layer %d, GP %d", l, gp)
	}
}

func TestFunctionChoice(t *testing.T) {
	d := checkPanel(t, "functions", "Functions",
		kittest.ViewRun(view.Views{Functions: kittest.Functions(5)}, 1240))
	has := func(when string, words ...string) {
		t.Helper()
		kittest.CheckShows(t, when, d.frame(), words...)
	}
	has("at first", "w_1, 1 of 5", "input 1 of 2", "Yloc, standardised")
	d.do(kit.ActRight, kit.ActDown)
	has("to the right and down", "w_2, 2 of 5", "input 2 of 2", "Xloc, standardised")
	d.do(kit.ActRight, kit.ActUp, kit.ActUp)
	has("round", "all functions", "input 1 of 2")
	d.do(kit.ActDown)
	has("and round", "w_1, 1 of 5")

	few := kittest.Functions(3)
	d = newStage(kittest.ViewRun(view.Views{Functions: few}, 1240))
	d.see("Functions")
	has("of a few", "all functions")
	d.do(kit.ActUp)
	has("the last of a few", "w_3, 3 of 3")
}

func TestNetworkPanel(t *testing.T) {
	d := checkPanel(t, "network", "Network", kittest.ViewRun(view.Views{Network: kittest.Network()}, 1240))
	has := func(when string, words ...string) {
		t.Helper()
		kittest.CheckShows(t, when, d.frame(), words...)
	}
	has("at first", "point 1 of 4: Xloc 1.5, Yloc 2.25", "average of 359 points", "f_2",
		"corr. with noise", "0.70")
	d.do(kit.ActRight, kit.ActDown)
	has("to the right and down", "point 2 of 4: Xloc 2.5", "corr. of signals", "0.54")
	d.do(kit.ActLeft, kit.ActLeft, kit.ActUp)
	has("round", "point 4 of 4", "corr. with noise")
	d.see("Covariance")
	point := d.chosen("Network", 0)
	signals := d.chosen("Network", 1)
	if point != 3 || signals != 0 {
		t.Errorf("point %d and covariance %d are chosen", point, signals)
	}
}

func TestMomentsPanel(t *testing.T) {
	d := checkPanel(t, "moments", "Moments",
		kittest.ViewRun(view.Views{MomentMatching: kittest.Moments()}, 1240))
	for _, word := range []string{"training row 0", "point 1 of 3", "layer 2, GP 1", "256 samples"} {
		if frame := d.frame(); !strings.Contains(frame, word) {
			t.Errorf("no %q in\n%s", word, frame)
		}
	}
	d.do(kit.ActLeft)
	if frame := d.frame(); !strings.Contains(frame, "training row 112") {
		t.Errorf("to the left:\n%s", frame)
	}
}

func TestMapsPanel(t *testing.T) {
	d := checkPanel(t, "maps", "Maps", kittest.ViewRun(view.Views{Maps: kittest.Maps()}, 1240))
	has := func(words ...string) {
		t.Helper()
		for _, word := range words {
			if frame := d.frame(); !strings.Contains(frame, word) {
				t.Errorf("no %q in\n%s", word, frame)
			}
		}
	}
	has("Map of layer 1, GP 1", "1 of 5", "velocity", "mean of f", "+ data", "× inducing")
	d.do(kit.ActRight)
	has("Map of layer 1, GP 2", "2 of 5", "mean of f")
	d.do(kit.ActDown)
	has("Map of layer 1, GP 2", "2 of 5", "sd of f")
	d.do(kit.ActRight)
	has("Map of layer 2, GP 1", "unit 1 of the layer below", "+ inducing")
	d.do(kit.ActRight)
	if d.chosen("Maps", 0) != 0 {
		t.Error("the last map is followed by another one")
	}
}

func TestFactorsPanel(t *testing.T) {
	d := checkPanel(t, "factors", "Factors", kittest.ViewRun(view.Views{Maps: kittest.Maps()}, 1240))
	for _, word := range []string{"Factor of layer 1, GP 1", "strongest at point 4", "inducing point"} {
		if frame := d.frame(); !strings.Contains(frame, word) {
			t.Errorf("no %q in\n%s", word, frame)
		}
	}
	d.do(kit.ActLeft)
	if !strings.Contains(d.frame(), "by its input") {
		t.Errorf("to the left:\n%s", d.frame())
	}
}

func TestWeightsPanel(t *testing.T) {
	d := checkPanel(t, "weights", "Weights", kittest.ViewRun(view.Views{Weights: kittest.Weights()}, 1240))
	for _, word := range []string{"Weights by layer", "1: 8 to 50", "2: biases", "sure"} {
		if frame := d.frame(); !strings.Contains(frame, word) {
			t.Errorf("no %q in\n%s", word, frame)
		}
	}
}

func TestPriorPanel(t *testing.T) {
	d := checkPanel(t, "prior", "Prior", kittest.ViewRun(view.Views{Prior: kittest.Prior()}, 1240))
	for _, word := range []string{"Prior by depth", "first principal direction", "3 layers"} {
		if frame := d.frame(); !strings.Contains(frame, word) {
			t.Errorf("no %q in\n%s", word, frame)
		}
	}
	d.do(kit.ActRight)
	if !strings.Contains(d.said, "Prior: depth 2 of 3") {
		t.Errorf("the message of the arrow is %q", d.said)
	}
}

// TestViewExport checks the files of panels of views.
func TestViewExport(t *testing.T) {
	d := newStage(kittest.ViewRun(view.Views{
		Amortization:   kittest.Amortization(),
		Quadrature:     kittest.Quadrature(),
		Prior:          kittest.Prior(),
		Network:        kittest.Network(),
		Functions:      kittest.Functions(2),
		Weights:        kittest.Weights(),
		Plane:          kittest.Plane(),
		MomentMatching: kittest.Moments(),
		Maps:           kittest.Maps(),
	}, 1240))
	files := d.exports(t)
	for name, first := range map[string]string{
		"inducing.csv":   "layer,input,inducing,x,y\n1,,,0,2\n",
		"quadrature.csv": "layer,gp,sample,point,weight\n1,1,1,-2,",
		"prior.csv":      "prior,layers,curve,x,value\nconventional,1,1,-2,",
		"plane.csv":      "position,velocity,mean of value\n-1.2,-0.07,",
		"network.csv":    "band,Xloc,Yloc,matrix,row,column,value\npoint 1,1.5,2.25,|W|,Cd,f_1,0.84",
		"network.svg":    "<?xml",
		"weights.csv":    "layer,what,rms,sure,mean_5", "functions.csv": "function,name,x,mean,sd\n1,w_1,-2,",
		"functions-input-1.svg": "<?xml",
		"moments.csv":           "row,layer,gp,mean,sd,sample_mean", "moments.svg": "<?xml",
		"factor.svg": "<?xml", "map-layer-1-gp-2-sd.csv": "position,velocity,sd of f\n-1,-1,0.3",
		"map-points.csv":       "layer,gp,what,point,x,y,f,strength\n1,1,training,1,0,0,0,\n",
		"map-layer-2-gp-1.svg": "<?xml",
		"covariance.csv":       "row_layer,", "inducing-layer-2.svg": "<?xml", "quadrature.svg": "<?xml",
		"prior.svg": "<?xml", "plane.svg": "<?xml",
	} {
		if text := files[name]; !strings.HasPrefix(text, first) {
			t.Errorf("%s begins with %.60q", name, text)
		}
	}
}

// closedWriter rejects all writes.
type closedWriter struct{}

func (closedWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// Tables for one run and for two runs return the errors of their writer.
func TestTablesThatCannotBeWritten(t *testing.T) {
	views := kittest.AllViews()
	d := newStage(kittest.ViewRun(views, 1240))
	for range 2 {
		tables := 0
		for _, f := range report.Files(d.Figures(), report.CSV) {
			if err := f.Write(closedWriter{}); !errors.Is(err, io.ErrClosedPipe) {
				t.Errorf("%s: %v", f.Name, err)
			}
			tables++
		}
		if tables < 20 {
			t.Errorf("%d tables", tables)
		}
		d.start(kittest.ViewRun(views, 1300))
	}
	if err := matricesCSV(closedWriter{}, nil); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("matrices: %v", err)
	}
}

// TestPlaneOfLevels checks the names of levels and the notes on other inputs in a plane.
func TestPlaneOfLevels(t *testing.T) {
	p := kittest.Plane()
	p.X = view.Rounded{0, 1, 2}
	p.XCategory = &view.Category{Names: []string{"high", "low", "none"}, Counts: []int{3, 20, 7}, More: 2}
	for k := range p.Fields {
		p.Fields[k].Values = p.Fields[k].Values[:3*len(p.Y)]
	}
	p.Points = []view.PlanePoints{{X: view.Rounded{0, 1, math.NaN()}, Y: p.Y[1:4]}}
	p.Others = 3
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		categories int
		want       string
	}{
		{0, "3 other inputs at the median"}, {2, "3 other inputs at medians and most frequent levels"},
		{3, "3 other inputs at the most frequent level"},
	} {
		p.Categories = tt.categories
		d := newStage(kittest.ViewRun(view.Views{Plane: p}, 1240))
		_, notes := d.named("Plane").border(d.Board)
		if !slices.Contains(notes, tt.want) || !slices.Contains(notes, "2 rarer levels not shown") {
			t.Errorf("notes %q, want %q", notes, tt.want)
		}
		d.see("Plane").w = 120
		if frame := d.frame(); !strings.Contains(frame, "high") || !strings.Contains(frame, "none") {
			t.Errorf("no levels in\n%s", frame)
		}
	}
	p.XCategory.Counts = nil
	if p.Check() == nil {
		t.Error("levels without counts are accepted")
	}
}

// Titles name the source of a covariance, a unit, a class and a part of the inputs.
func TestTitlesOfViews(t *testing.T) {
	for _, c := range []struct {
		panel, want string
		change      func(s *session.Snapshot, v *view.Views)
	}{
		{"Covariance", "Covariance of q(f_M)", func(*session.Snapshot, *view.Views) {}},
		{"Covariance", "Covariance of f_M", func(_ *session.Snapshot, v *view.Views) { v.Blocks.Draws = 1 }},
		{"Covariance", "1,600 draws, correlations below 0.05 are noise",
			func(_ *session.Snapshot, v *view.Views) { v.Blocks.Draws = 1600 }},
		{"Covariance", "Covariance of q", func(_ *session.Snapshot, v *view.Views) {
			for i := range v.Blocks.Parts {
				v.Blocks.Parts[i].Name = fmt.Sprint("part ", i)
			}
		}},
		{"Layers", "Layer 1, GP 1: noise", func(_ *session.Snapshot, v *view.Views) {
			v.Units[0].Units[0].Name = "noise"
		}},
		{"Fit", "input 1 of the 2 most correlated with the target, of 3 in all",
			func(_ *session.Snapshot, v *view.Views) { v.Fit.Inputs = []string{"a", "b", "c"} }},
		{"Fit", "class 1 of 2", func(_ *session.Snapshot, v *view.Views) { v.Fit.Classes = true }},
		{"Fit", "others at their medians", func(_ *session.Snapshot, v *view.Views) {}},
		{"Fit", "others at their most frequent levels", func(_ *session.Snapshot, v *view.Views) {
			v.Fit.Categories = []int{1}
		}},
		{"Functions", "66% of the prior variance, 1 of 2", func(_ *session.Snapshot, v *view.Views) {
			v.Functions.Items[0].Share = 0.66
		}},
		{"Functions", "other inputs at their means",
			func(s *session.Snapshot, _ *view.Views) { s.Data.D = 3 }},
		{"Functions", "other inputs at means and most frequent levels",
			func(s *session.Snapshot, _ *view.Views) { s.Data.Columns = []datasets.InputColumn{{}} }},
	} {
		views := kittest.Training(kittest.OfFamily("star", 0), 1240).Diagnostics.Views
		views.Fit, views.Functions = kittest.Fit(2, 0), kittest.Functions(2)
		s := kittest.ViewRun(views, 1240)
		c.change(s, &s.Diagnostics.Views)
		d := newStage(s)
		p := d.named(c.panel)
		if c.panel == "Functions" {
			d.set(p.Choices[0], 0)
		}
		title, notes := p.border(d.Board)
		if !slices.ContainsFunc(append(notes, title), func(text string) bool {
			return strings.HasSuffix(text, c.want)
		}) {
			t.Errorf("%s: no %q in %q, %q", c.panel, c.want, title, notes)
		}
	}
}

// An empty panel tells a model without the view from a run that has not computed it yet.
func TestAbsentViews(t *testing.T) {
	single := kittest.ViewRun(view.Views{Fit: kittest.Fit(1, 0)}, 1240)
	waiting := kittest.Training(kittest.OfFamily("star", 0), 20)
	waiting.Diagnostics = nil
	for _, c := range []struct {
		panel, want string
		s           *session.Snapshot
	}{
		{"Quadrature", "this model draws its samples at random", single},
		{"Functions", "this model has no functions to show", single},
		{"Trace", "this model does not sample", single},
		{"Dependence", "with a single input, the fit shows the dependence", single},
		{"Quadrature", "waiting for the first diagnostics", waiting},
		{"Trace", "waiting for", waiting},
		{"Left out", "no run on the screen has leave-one-out predictions", waiting},
		{"Direct", "a direct comparison needs a second run", waiting},
	} {
		d := newStage(c.s)
		if got := d.named(c.panel).absent(d.Board); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q, want %q", c.panel, got, c.want)
		}
	}
}
