package curves

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/golden"
)

// Curves are drawn once on each kind of axis, with their legend and the names of the axes.
func TestPictures(t *testing.T) {
	elbo := []Series{elboSeries(3000)}
	noise := []Series{{Label: "noise", Y: []float64{1, 0.5, 0.2, 0.1, 0.03, 0.01, 0.008}}}
	pair := validationPair()
	for _, c := range []struct {
		name  string
		curve Curve
	}{
		{"curve", Curve{Series: fourRuns(), Smoothing: 0.95, Best: chart.Highest}},
		{"curve_gap_with_a_cursor", Curve{Groups: twoGroups()[1:], Series: pair[:1], Cursor: &cursorAt,
			X: chart.Epochs, Scale: chart.Gap}},
		{"curve_log", Curve{Series: noise, Scale: chart.Log, Best: chart.Lowest}},
		{"curve_of_groups", Curve{Groups: twoGroups()}},
		{"curve_symlog_over_time", Curve{Series: elbo, Smoothing: 0.95, Scale: chart.Log, X: chart.Seconds}},
		{"curve_zoomed", Curve{Series: fourRuns()[:2], Cursor: &cursorAt, Zoom: [2]float64{6900, 7200}}},
	} {
		t.Run(c.name, func(t *testing.T) { golden.CheckPicture(t, c.name, c.curve, 100, 20) })
	}
}

// Unusual curves say what is unusual.
func TestUnusualCurves(t *testing.T) {
	nan := math.NaN()
	broken := elboSeries(600)
	broken.Y[100], broken.Y[300], broken.Y[400] = nan, math.Inf(1), math.Inf(-1)
	for _, c := range []struct {
		name  string
		curve Curve
		want  []string
	}{
		{"no series", Curve{}, []string{"no data yet"}},
		{"no finite value", Curve{Series: []Series{{Label: "nothing", Y: []float64{nan, nan}}}},
			[]string{"● nothing", "× 2 not finite", "no finite value yet"}},
		{"some values", Curve{Series: []Series{broken}, Best: chart.Highest},
			[]string{"× 3 not finite", "★ -626.2 at step 5.75k", "↑", "↓"}},
		{"equal values", Curve{Series: []Series{{Label: "c", Y: []float64{2, 2, 2}}}},
			[]string{"2.00┤──────"}},
		{"one value", Curve{Series: []Series{{Label: "one", Y: []float64{-3.5}}}, Best: chart.Highest},
			[]string{"★ -3.5 at step 0", "-3.5┤"}},
		{"a window without points", Curve{Series: validationPair(), Zoom: [2]float64{6900, 6950}},
			[]string{"● stripes-and-arrow", "no point from 6900 to 6950", "6940"}},
		{"an axis of the inner values", Curve{Series: []Series{elboSeries(3000)}, Range: Inner,
			Smoothing: 0.99}, []string{"┊ raw", "smoothed 0.99", "▾67 raw below"}},
	} {
		text := golden.Text(c.curve, canvas.Style{}, 100, 20)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, text)
			}
		}
		golden.CheckBoxes(t, c.curve)
	}
}

// Every run has its colour, on all terminals with colours: in the legend and as its line.
func TestRunsHaveTheirColors(t *testing.T) {
	c := Curve{Series: validationPair()}
	for _, style := range golden.Styles[2:5] {
		legend, plot, _ := strings.Cut(golden.Text(c, style, 58, 16), "\n")
		for run := range c.Series {
			ink, _, _ := strings.Cut(style.Paint(style.RunColor(run), false, "x"), "x")
			code := strings.TrimPrefix(ink, "\x1b[") // with or without bold before it
			if !strings.Contains(legend, code+style.RunMarker(run)) || !strings.Contains(plot, code) {
				t.Errorf("%+v: run %d is not drawn in %q:\n%q", style, run, code, legend)
			}
		}
	}
}

// validationPair returns the validation curves of two runs.
func validationPair() []Series {
	return []Series{validationSeries("stripes-and-arrow", 0, -2.4), validationSeries("mean-field", 1, -2.6)}
}

// elboSeries returns a noisy ELBO of n steps with one dip.
func elboSeries(n int) Series {
	r := rand.New(rand.NewPCG(1, 2))
	s := Series{Label: "ELBO"}
	for i := range n {
		s.X = append(s.X, float64(i*10))
		s.Y = append(s.Y, -900-9000*math.Exp(-float64(i)/float64(n)*15)+120*r.NormFloat64())
	}
	s.Y[n*3/4] = -6000
	return s
}

// validationSeries returns a validation curve of 30 points around level.
func validationSeries(label string, run int, level float64) Series {
	r := rand.New(rand.NewPCG(3, uint64(run)))
	s := Series{Label: label, Run: run}
	for i := range 30 {
		s.X = append(s.X, float64(i*600))
		s.Y = append(s.Y, level-math.Exp(-float64(i)/4)+0.02*r.NormFloat64())
	}
	return s
}

// cursorAt is the position of cursors.
var cursorAt = 7012.0

// fourRuns returns ELBOs of four runs of different lengths.
func fourRuns() []Series {
	var out []Series
	for run, label := range []string{"star", "mean-field", "fully-coupled M=64", "star lr=0.1"} {
		r := rand.New(rand.NewPCG(11, uint64(run)))
		s := Series{Label: label, Run: run}
		for i := range 1000 - 150*run {
			s.X = append(s.X, float64(i*20))
			s.Y = append(s.Y, -900-300*float64(run)-8000*math.Exp(-float64(i)/80)+
				60*float64(run+1)*r.NormFloat64())
		}
		out = append(out, s)
	}
	return out
}

// twoGroups returns validation curves of five and of three seeds. One of the three stops early.
func twoGroups() []Group {
	groups := []Group{{Label: "star"}, {Label: "mean-field", Run: 1}}
	for seed := range 8 {
		s := validationSeries("seed", seed, -2.4-0.3*float64(seed/5)+0.05*float64(seed%3))
		if seed == 7 {
			s.X, s.Y = s.X[:20], s.Y[:20]
		}
		groups[seed/5].Members = append(groups[seed/5].Members, s)
	}
	return groups
}
