package dash

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"dgplab/datasets"
	"dgplab/models/family"
	"dgplab/models/view"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
	"dgplab/tui/report"
	"dgplab/viz/golden"
)

// viewRun returns a run with views at a step.
func viewRun(v view.Views, step int) *session.Snapshot {
	s := kittest.Training(ofFamily("star", 0), step)
	s.ObjectiveIs = family.Objective{Name: "amortized objective", Kind: family.Surrogate, Noisy: true}
	s.Diagnostics = &rundir.Diagnostics{Step: step - step%100, Views: v}
	return s
}

// panelDesk returns a dashboard of 80 x 24 cells that shows only one panel.
func panelDesk(panel string, s *session.Snapshot) *desk {
	d, _ := newDesk(s, 80, 24)
	d.dash.FocusOn(d.panel(panel))
	d.dash.zoomed = true
	return d
}

// checkPanel compares a panel of 80 x 20 cells, after keys, with a golden file. It draws the panel at the
// usual sizes, alone on the screen and with others.
func checkPanel(t *testing.T, name, panel string, s *session.Snapshot, keys ...string) *desk {
	t.Helper()
	d := panelDesk(panel, s)
	d.Keys(keys...)
	for _, zoomed := range []bool{false, true} {
		d.dash.zoomed = zoomed
		for _, size := range kittest.Sizes {
			kittest.CheckFrame(t, name, d.ViewAt(size[0], size[1]), size[0], size[1])
		}
	}
	lines := d.dash.drawPanel(placed{ID: d.panel(panel), Rect: kit.Area(0, 0, 80, 20)})
	golden.Check(t, "panel_"+name, kittest.Trim(strings.Join(lines, "\n")))
	d.Size(80, 24)
	return d
}

// fakePlane returns the mean and the standard deviation of a function of two inputs.
func fakePlane() *view.Plane {
	p := &view.Plane{Step: 1100, Inputs: [2]string{"position", "velocity"}, Samples: 16, Total: 1620,
		Fields: []view.Field{{Name: "mean of value"}, {Name: "standard deviation of value"}},
		Points: []view.PlanePoints{{}}}
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
				p.Points[0].X = append(p.Points[0].X, x)
				p.Points[0].Y = append(p.Points[0].Y, y)
			}
		}
	}
	return p
}

func TestPlanePanel(t *testing.T) {
	d := checkPanel(t, "plane", "Plane", viewRun(view.Views{Plane: fakePlane()}, 1240))
	if frame := d.View(); !strings.Contains(frame, "16 samples") ||
		!strings.Contains(frame, "mean of value") || !strings.Contains(frame, "1 of 2") {
		t.Errorf("the notes on the quantity are missing:\n%s", frame)
	}
	d.Keys("o")
	if frame := d.View(); !strings.Contains(frame, "standard deviation of") || d.Note != "" {
		t.Errorf("o (message %q):\n%s", d.Note, frame)
	}
	d.Keys("right")
	if frame := d.View(); !strings.Contains(frame, "mean of value") {
		t.Errorf("the arrow does not wrap around:\n%s", frame)
	}
	p := fakePlane()
	p.Fields[1].Name, p.Fields[1].Function, p.Samples = "mean of f_1", true, 1
	d, _ = newDesk(viewRun(view.Views{Plane: p}, 1240), 120, 40)
	d.dash.FocusOn(d.panel("Plane"))
	d.Keys("o")
	if frame := d.View(); !strings.Contains(frame, "mean of f_1") ||
		!strings.Contains(frame, "Functions of the posterior") || !strings.Contains(frame, "standardised") {
		t.Errorf("a function:\n%s", frame)
	}
	d, _ = newDesk(viewRun(view.Views{Plane: fakePlane()}, 1240), 120, 40)
	d.Keys("2", "o")
	if !strings.Contains(d.Note, "Plane: standard deviation of value (quantity 2 of 2)") {
		t.Errorf("on another page it says %q", d.Note)
	}
}

// If not all panels fit on the screen, the panels around the focus are shown.
func TestPanelsAroundFocus(t *testing.T) {
	views := kittest.Training(ofFamily("star", 0), 1240).Diagnostics.Views
	views.Plane = fakePlane()
	views.Functions = exactRun("gp", 3).Diagnostics.Functions
	d, _ := newDesk(viewRun(views, 1240), 120, 40)
	all := d.dash.PanelsOf(0)
	for i, focus := range all {
		d.dash.FocusOn(focus)
		got := d.onScreen()
		if !slices.Contains(got, nameOf(focus)) || len(got) != 5 || got[0] != nameOf(all[0]) ||
			got[1] != nameOf(all[1]) {
			t.Errorf("with the focus on %d of %d: %s", i, len(all), got)
		}
		kittest.CheckFrame(t, "around", d.View(), 120, 40)
	}
}

// fakeAmortization returns inducing points around the inputs in two layers. In the second layer they have
// collapsed to a line.
func fakeAmortization() *view.Amortization {
	const inputs, inducing = 6, 4
	a := &view.Amortization{}
	for l, outputs := range []int{2, 1} {
		layer := view.AmortizedLayer{Width: 2, Outputs: outputs, Inducing: inducing,
			Axes: [2]string{"input 1", "input 2"}, Rank: 1.96, SeenRank: 1.98,
			Distances: view.Spread{0.2, 0.4, 0.6, 0.7, 0.9}, Means: view.Spread{-1, -0.5, 0.1, 0.5, 1.2},
			SDs: view.Spread{0.01, 0.1, 0.2, 0.3, 0.4}}
		if l == 1 {
			layer.Rank, layer.Collapsed = 1.03, true
		}
		for i := range 60 {
			layer.SeenX = append(layer.SeenX, 2*math.Sin(float64(7*i)))
			layer.SeenY = append(layer.SeenY, 2*math.Cos(float64(3*i)))
		}
		for i := range inputs {
			in := view.AmortizedInput{X: view.Float(layer.SeenX[i]), Y: view.Float(layer.SeenY[i])}
			for m := range inducing {
				x := layer.SeenX[i] + 0.6*math.Cos(float64(m))
				y := layer.SeenY[i] + 0.6*math.Sin(1.6*float64(m))
				if l == 1 {
					y = 0.5*x + 0.01*y
				}
				in.ZX = append(in.ZX, x)
				in.ZY = append(in.ZY, y)
			}
			for t := range outputs {
				mean := make(view.Rounded, inducing)
				sd := make(view.Rounded, inducing)
				for m := range inducing {
					mean[m] = float64(t) + 0.25*float64(m+i)
					sd[m] = 0.1 * float64(m+1)
				}
				in.Mean = append(in.Mean, mean)
				in.SD = append(in.SD, sd)
			}
			layer.Inputs = append(layer.Inputs, in)
		}
		a.Layers = append(a.Layers, layer)
	}
	return a
}

func TestInducingPanel(t *testing.T) {
	s := viewRun(view.Views{Amortization: fakeAmortization()}, 1240)
	d := checkPanel(t, "inducing", "Inducing", s)
	has := func(when string, words ...string) {
		t.Helper()
		for _, word := range words {
			if frame := d.View(); !strings.Contains(frame, word) {
				t.Errorf("%s: no %q in\n%s", when, word, frame)
			}
		}
	}
	has("at first", "Inducing points of layer 1 of 2", "★ input 1 of 6",
		"1.96 of 2 (seen 1.98)", "q of output 1 of 2")
	d.Keys("left", "down")
	has("left and down", "★ input 6 of 6", "q of output 2 of 2")
	d.Keys("L")
	has("next layer", "layer 2 of 2", "1.03 of 2", "degenerated to a subspace", "q of output 1 of 1")
	d.Keys("L")
	has("round", "layer 1 of 2")
	d.dash.FocusOn(d.panel("Covariance"))
	has("the map", "Covariance of q(f_M)", "input 6 of 6")
	d.Keys("2", "L")
	if !strings.Contains(d.Note, "layer 2 of 2") {
		t.Errorf("on another page it says %q", d.Note)
	}
}

// fakeQuadrature returns the quadrature points of two hidden layers.
func fakeQuadrature() *view.Quadrature {
	q := &view.Quadrature{}
	for s := range 8 {
		q.Weights = append(q.Weights, float64(s+1)/36)
	}
	for l := range 2 {
		var layer view.QuadratureLayer
		for t := range 3 - l {
			points := make(view.Rounded, 8)
			for s := range points {
				points[s] = -2 + 0.55*float64(s) + 0.1*float64(t) + 0.3*math.Sin(float64(s*(l+2)))
			}
			layer.Points = append(layer.Points, points)
		}
		q.Layers = append(q.Layers, layer)
	}
	return q
}

func TestQuadraturePanel(t *testing.T) {
	d := checkPanel(t, "quadrature", "Quadrature",
		viewRun(view.Views{Quadrature: fakeQuadrature()}, 1240))
	if frame := d.View(); !strings.Contains(frame, "Quadrature points of hidden layer 1 of 2") ||
		!strings.Contains(frame, "GP 1  mean") {
		t.Errorf("at first:\n%s", frame)
	}
	d.Keys("right", "down")
	if frame := d.View(); !strings.Contains(frame, "Quadrature points of hidden layer 2 of 2") ||
		!strings.Contains(frame, "GP 2  mean") {
		t.Errorf("the next layer and GP:\n%s", frame)
	}
	d.Keys("right", "right", "down", "down")
	l := d.chosen("Quadrature", 0)
	gp := d.chosen("Quadrature", 1)
	if l != 1 || gp != 1 {
		t.Errorf("after the last it is layer %d, GP %d", l, gp)
	}
}

// fakeFunctions returns n functions along two inputs.
func fakeFunctions(n int) *view.Functions {
	f := &view.Functions{Input: 1, Name: "Yloc", Others: []view.Functions{{Input: 0, Name: "Xloc"}}}
	for k, l := range f.Lines() {
		for i := range 24 {
			l.Grid = append(l.Grid, -2+4*float64(i)/23)
		}
		for j := range n {
			item := view.Function{Name: fmt.Sprintf("w_%d", j+1)}
			for _, x := range l.Grid {
				item.Mean = append(item.Mean, math.Sin(x*float64(j+1))+float64(k))
				item.SD = append(item.SD, 0.1+0.1*x*x)
			}
			l.Items = append(l.Items, item)
		}
	}
	return f
}

func TestFunctionChoice(t *testing.T) {
	d := checkPanel(t, "functions", "Functions",
		viewRun(view.Views{Functions: fakeFunctions(5)}, 1240))
	has := func(when string, words ...string) {
		t.Helper()
		for _, word := range words {
			if frame := d.View(); !strings.Contains(frame, word) {
				t.Errorf("%s: no %q in\n%s", when, word, frame)
			}
		}
	}
	has("at first", "w_1, 1 of 5", "input 1 of 2", "Yloc, standardised")
	d.Keys("right", "down")
	has("to the right and down", "w_2, 2 of 5", "input 2 of 2", "Xloc, standardised")
	d.Keys("right", "up", "up")
	has("round", "all functions", "input 1 of 2")
	d.Keys("down")
	has("and round", "w_1, 1 of 5")

	few := fakeFunctions(3)
	d, _ = newDesk(viewRun(view.Views{Functions: few}, 1240), 120, 40)
	d.dash.FocusOn(d.panel("Functions"))
	has("of a few", "all functions")
	d.Keys("up")
	has("the last of a few", "w_3, 3 of 3")
}

// fakeNetwork returns a network of three outputs and two latent functions at four points.
func fakeNetwork() *view.Network {
	n := &view.Network{
		Inputs:  []string{"Xloc", "Yloc"},
		Outputs: []string{"Cd", "Ni", "Zn"},
		Latents: []string{"f_1", "f_2"},
		Noise:   0.25,
		Total:   359,
	}
	for k := range 5 {
		var p view.NetworkPoint
		for i := range 3 {
			var weights, signal view.Rounded
			for j := range 2 {
				weights = append(weights, math.Abs(math.Sin(float64(1+k+2*i+j))))
			}
			for j := range 3 {
				signal = append(signal, math.Cos(float64((i-j)*(1+k))/2))
			}
			p.Weights = append(p.Weights, weights)
			p.Signal = append(p.Signal, signal)
		}
		n.Average = p
		if k < 4 {
			p.X = view.Rounded{1.5 + float64(k), 2.25}
			n.Points = append(n.Points, p)
		}
	}
	return n
}

func TestNetworkPanel(t *testing.T) {
	d := checkPanel(t, "network", "Network", viewRun(view.Views{Network: fakeNetwork()}, 1240))
	has := func(when string, words ...string) {
		t.Helper()
		for _, word := range words {
			if frame := d.View(); !strings.Contains(frame, word) {
				t.Errorf("%s: no %q in\n%s", when, word, frame)
			}
		}
	}
	has("at first", "point 1 of 4: Xloc 1.5, Yloc 2.25", "average of 359 points", "f_2",
		"corr. with noise", "0.70")
	d.Keys("right", "down")
	has("to the right and down", "point 2 of 4: Xloc 2.5", "corr. of signals", "0.54")
	d.Keys("left", "left", "up")
	has("round", "point 4 of 4", "corr. with noise")
	d.Keys("2", "1")
	d.dash.FocusOn(d.panel("Covariance"))
	point := d.chosen("Network", 0)
	signals := d.chosen("Network", 1)
	if point != 3 || signals != 0 {
		t.Errorf("point %d and covariance %d are chosen", point, signals)
	}
}

// fakeMoments returns the moments of three points in two layers.
func fakeMoments() *view.MomentMatching {
	p := &view.MomentMatching{Total: 455, Samples: 256, GPs: []view.MatchedGP{
		{Strength: view.Spread{0.2, 0.5, 0.8, 0.9, 0.99}, Widest: 1.02}, {GP: 1,
			Strength: view.Spread{0.1, 0.4, 0.6, 0.7, 0.9}, Widest: 1.1},
		{Layer: 1, Strength: view.Spread{0.3, 0.6, 0.97, 0.99, 1}, Widest: 1.31}}}
	for k := range 3 {
		x := float64(k)
		p.Points = append(p.Points, view.MatchedPoint{Row: 56 * k, Moments: []view.MatchedMoments{
			{Mean: view.Float(0.4 - x), SD: 0.11, SampleMean: view.Float(0.41 - x), SampleSD: 0.108},
			{Mean: view.Float(0.2 * x), SD: 0.3, SampleMean: view.Float(0.2*x + 0.02), SampleSD: 0.28},
			{Mean: 1.25, SD: 0.5, SampleMean: 1.19, SampleSD: 0.25}}})
	}
	return p
}

func TestMomentsPanel(t *testing.T) {
	d := checkPanel(t, "moments", "Moments", viewRun(view.Views{MomentMatching: fakeMoments()}, 1240))
	for _, word := range []string{"training row 0", "point 1 of 3", "layer 2, GP 1", "256 samples"} {
		if frame := d.View(); !strings.Contains(frame, word) {
			t.Errorf("no %q in\n%s", word, frame)
		}
	}
	d.Keys("left")
	if frame := d.View(); !strings.Contains(frame, "training row 112") {
		t.Errorf("to the left:\n%s", frame)
	}
}

// fakeMaps returns maps of two GPs over two inputs and of one GP over one input.
func fakeMaps() *view.Maps {
	m := &view.Maps{Total: 455, More: 2}
	grid := func(n int) (list view.Rounded) {
		for i := range n {
			list = append(list, 2*float64(i)/float64(n-1)-1)
		}
		return list
	}
	scatter := func(n int, step float64) (list view.Rounded) {
		for i := range n {
			list = append(list, math.Sin(step*float64(i*i)))
		}
		return list
	}
	for k := range 2 {
		g := view.Map{GP: k, Axes: []int{0, 3}, Names: []string{"position", "velocity"},
			X: grid(9), Y: grid(7),
			Data: []view.Rounded{scatter(20, 1), scatter(20, 2)}, Out: scatter(20, 3),
			Inducing: []view.Rounded{scatter(8, 4), scatter(8, 5)},
			Strength: view.Rounded{0.9, 0.2, 0.5, 2.1, 0.1, 0.7, 0.4, 0}}
		for _, y := range g.Y {
			for _, x := range g.X {
				g.Mean = append(g.Mean, math.Sin(3*x+y+float64(k)))
				g.SD = append(g.SD, 0.2+0.1*x*x)
			}
		}
		m.GPs = append(m.GPs, g)
	}
	last := view.Map{Layer: 1, Axes: []int{0}, Names: []string{"unit 1 of the layer below"}, X: grid(41),
		Data: []view.Rounded{scatter(20, 1)}, Out: scatter(20, 2),
		Inducing: []view.Rounded{scatter(8, 4)},
		Strength: view.Rounded{0.9, 0.2, 0.5, 2.1, 0.1, 0.7, 0.4, 0}}
	for _, x := range last.X {
		last.Mean = append(last.Mean, math.Tanh(4*x))
		last.SD = append(last.SD, 0.1+0.2*x*x)
	}
	m.GPs = append(m.GPs, last)
	return m
}

func TestMapsPanel(t *testing.T) {
	d := checkPanel(t, "maps", "Maps", viewRun(view.Views{Maps: fakeMaps()}, 1240))
	has := func(words ...string) {
		t.Helper()
		for _, word := range words {
			if frame := d.View(); !strings.Contains(frame, word) {
				t.Errorf("no %q in\n%s", word, frame)
			}
		}
	}
	has("Map of layer 1, GP 1", "1 of 5", "velocity", "mean of f", "+ data", "× inducing")
	d.Keys("right")
	has("Map of layer 1, GP 2", "2 of 5", "mean of f")
	d.Keys("down")
	has("Map of layer 1, GP 2", "2 of 5", "sd of f")
	d.Keys("right")
	has("Map of layer 2, GP 1", "unit 1 of the layer below", "+ inducing")
	d.Keys("right")
	if d.chosen("Maps", 0) != 0 {
		t.Error("the last map is followed by another one")
	}
}

func TestFactorsPanel(t *testing.T) {
	d := checkPanel(t, "factors", "Factors", viewRun(view.Views{Maps: fakeMaps()}, 1240))
	for _, word := range []string{"Factor of layer 1, GP 1", "strongest at point 4", "inducing point"} {
		if frame := d.View(); !strings.Contains(frame, word) {
			t.Errorf("no %q in\n%s", word, frame)
		}
	}
	d.Keys("left")
	if !strings.Contains(d.View(), "by its input") {
		t.Errorf("to the left:\n%s", d.View())
	}
}

// fakeWeights returns the weights of a network with one hidden layer.
func fakeWeights() *view.Weights {
	list := func(n int, scale float64) (mean, sd []float64) {
		for i := range n {
			mean = append(mean, scale*math.Sin(float64(i*i)))
			sd = append(sd, 0.2+0.3*math.Abs(math.Cos(float64(i))))
		}
		return mean, sd
	}
	return &view.Weights{Layers: []view.WeightLayer{
		{Inputs: 8, Units: 50, Weights: view.NewWeightsSpread(list(400, 0.8)),
			Biases: view.NewWeightsSpread(list(50, 0.3))},
		{Inputs: 50, Units: 1, Weights: view.NewWeightsSpread(list(50, 0.5)),
			Biases: view.NewWeightsSpread(list(1, 0.1))}}}
}

func TestWeightsPanel(t *testing.T) {
	d := checkPanel(t, "weights", "Weights", viewRun(view.Views{Weights: fakeWeights()}, 1240))
	for _, word := range []string{"Weights by layer", "1: 8 to 50", "2: biases", "sure"} {
		if frame := d.View(); !strings.Contains(frame, word) {
			t.Errorf("no %q in\n%s", word, frame)
		}
	}
}

// fakePrior returns draws from two priors through three layers.
func fakePrior() *view.Prior {
	p := &view.Prior{
		Direction: "first principal direction",
		Kinds:     []view.PriorKind{{Name: "conventional"}, {Name: "amortized"}},
	}
	for i := range 24 {
		p.Grid = append(p.Grid, -2+4*float64(i)/23)
	}
	for k := range p.Kinds {
		for l := range 3 {
			var curves []view.Rounded
			for c := range 2 {
				var curve view.Rounded
				for _, x := range p.Grid {
					v := math.Sin(2*x + float64(c))
					for range l * (1 - k) {
						v = math.Tanh(4 * v)
					}
					curve = append(curve, v)
				}
				curves = append(curves, curve)
			}
			p.Kinds[k].Depths = append(p.Kinds[k].Depths, curves)
		}
	}
	return p
}

func TestPriorPanel(t *testing.T) {
	d := checkPanel(t, "prior", "Prior", viewRun(view.Views{Prior: fakePrior()}, 1240))
	for _, word := range []string{"Prior by depth", "first principal direction", "3 layers"} {
		if frame := d.View(); !strings.Contains(frame, word) {
			t.Errorf("no %q in\n%s", word, frame)
		}
	}
	d.Keys("right")
	if !strings.Contains(d.Note, "Prior: depth 2 of 3") {
		t.Errorf("the message of the arrow is %q", d.Note)
	}
}

// TestViewExport checks the files of panels of views.
func TestViewExport(t *testing.T) {
	d, _ := newDesk(viewRun(view.Views{
		Amortization:   fakeAmortization(),
		Quadrature:     fakeQuadrature(),
		Prior:          fakePrior(),
		Network:        fakeNetwork(),
		Functions:      fakeFunctions(2),
		Weights:        fakeWeights(),
		Plane:          fakePlane(),
		MomentMatching: fakeMoments(),
		Maps:           fakeMaps(),
	}, 1240), 120, 40)
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

// allViews returns views of all kinds.
func allViews() view.Views {
	views := kittest.Training(ofFamily("star", 0), 1240).Diagnostics.Views
	views.Amortization = fakeAmortization()
	views.Quadrature = fakeQuadrature()
	views.Prior = fakePrior()
	views.Network = fakeNetwork()
	views.Functions = fakeFunctions(2)
	views.Weights = fakeWeights()
	views.Plane = fakePlane()
	views.MomentMatching = fakeMoments()
	views.Maps = fakeMaps()
	views.Chains = someChains()[2]
	views.Fit = fakeFit(2, 0)
	return views
}

// closedWriter rejects all writes.
type closedWriter struct{}

func (closedWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// Tables for one run and for two runs return the errors of their writer.
func TestTablesThatCannotBeWritten(t *testing.T) {
	views := allViews()
	d, _ := newDesk(viewRun(views, 1240), 120, 40)
	for range 2 {
		tables := 0
		for _, f := range report.Files(d.dash.Figures(), report.CSV) {
			if err := f.Write(closedWriter{}); !errors.Is(err, io.ErrClosedPipe) {
				t.Errorf("%s: %v", f.Name, err)
			}
			tables++
		}
		if tables < 20 {
			t.Errorf("%d tables", tables)
		}
		d.start(viewRun(views, 1300))
	}
	if err := matricesCSV(closedWriter{}, nil); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("matrices: %v", err)
	}
}

// TestPlaneOfLevels checks the names of levels and the notes on other inputs in a plane.
func TestPlaneOfLevels(t *testing.T) {
	p := fakePlane()
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
		d, _ := newDesk(viewRun(view.Views{Plane: p}, 1240), 200, 60)
		_, notes := d.panel("Plane").border(d.dash.Board)
		if !slices.Contains(notes, tt.want) || !slices.Contains(notes, "2 rarer levels not shown") {
			t.Errorf("notes %q, want %q", notes, tt.want)
		}
		d.dash.FocusOn(d.panel("Plane"))
		d.dash.zoomed = true
		if frame := d.View(); !strings.Contains(frame, "high") || !strings.Contains(frame, "none") {
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
		views := kittest.Training(ofFamily("star", 0), 1240).Diagnostics.Views
		views.Fit, views.Functions = fakeFit(2, 0), fakeFunctions(2)
		s := viewRun(views, 1240)
		c.change(s, &s.Diagnostics.Views)
		d, _ := newDesk(s, 120, 40)
		p := d.panel(c.panel)
		if c.panel == "Functions" {
			d.dash.Board.set(p.choices[0], 0)
		}
		title, notes := p.border(d.dash.Board)
		if !slices.ContainsFunc(append(notes, title), func(text string) bool {
			return strings.HasSuffix(text, c.want)
		}) {
			t.Errorf("%s: no %q in %q, %q", c.panel, c.want, title, notes)
		}
	}
}

// An empty panel tells a model without the view from a run that has not computed it yet.
func TestAbsentViews(t *testing.T) {
	single := viewRun(view.Views{Fit: fakeFit(1, 0)}, 1240)
	waiting := kittest.Training(ofFamily("star", 0), 20)
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
		d, _ := newDesk(c.s, 120, 40)
		if got := d.panel(c.panel).empty(d.dash.Board); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q, want %q", c.panel, got, c.want)
		}
	}
}
