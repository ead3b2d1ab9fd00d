package curves

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/golden"
)

func TestCurveGolden(t *testing.T) {
	elbo := elboSeries(3000)
	broken := elboSeries(600)
	broken.Y[100] = math.NaN()
	broken.Y[300] = math.Inf(1)
	broken.Y[400] = math.Inf(-1)
	pair := []Series{validationSeries("stripes-and-arrow", 0, -2.4), validationSeries("mean-field", 1, -2.6)}
	curves := map[string]Curve{
		"smooth":     {Series: []Series{elbo}, Smoothing: 0.9},
		"raw":        {Series: []Series{elbo}},
		"gap":        {Series: []Series{elbo}, Smoothing: 0.95, Scale: chart.Gap},
		"symlog":     {Series: []Series{elbo}, Smoothing: 0.95, Scale: chart.Log, X: chart.Seconds},
		"clip":       {Series: []Series{elbo}, Range: Inner, Smoothing: 0.99},
		"validation": {Series: pair[:1], Best: chart.Highest},
		"pair":       {Series: pair, Best: chart.Highest, X: chart.Seconds},
		"broken":     {Series: []Series{broken}, Best: chart.Highest},
		"log": {Series: []Series{{Label: "noise", Y: []float64{1, 0.5, 0.2, 0.1, 0.03, 0.01, 0.008}}},
			Scale: chart.Log, Best: chart.Lowest},
		"constant": {Series: []Series{{Label: "c", Y: []float64{2, 2, 2}}}},
		"single":   {Series: []Series{{Label: "one", Y: []float64{-3.5}}}, Best: chart.Highest},
		"empty":    {},
		"nan":      {Series: []Series{{Label: "nothing", Y: []float64{math.NaN(), math.NaN()}}}},
		"four":     {Series: fourRuns(), Smoothing: 0.95, Best: chart.Highest},
		"cursor":   {Series: fourRuns(), Smoothing: 0.9, Cursor: &cursorAt},
		"zoom":     {Series: fourRuns()[:2], Cursor: &cursorAt, Zoom: [2]float64{6900, 7200}},
		"beside":   {Series: pair, Zoom: [2]float64{6900, 6950}},
		"groups":   {Groups: twoGroups()},
		"band": {Groups: twoGroups()[1:], Series: pair[:1], Cursor: &cursorAt,
			X: chart.Epochs, Scale: chart.Gap},
	}
	for name, c := range curves {
		t.Run(name, func(t *testing.T) {
			golden.CheckSizes(t, "curve_"+name, c, canvas.Style{}, golden.Sizes)
			golden.CheckSizes(t, "curve_"+name+"_ascii", c, canvas.Style{ASCII: true}, golden.Sizes[1:3])
		})
	}
	for _, name := range []string{"smooth", "raw", "pair", "broken", "cursor", "groups", "zoom"} {
		golden.CheckSizes(t, "curve_"+name+"_braille", curves[name], canvas.Style{Braille: true},
			golden.Sizes)
	}
	t.Run("colour", func(t *testing.T) {
		for _, style := range golden.Styles[2:5] {
			golden.CheckSizes(t, fmt.Sprintf("curve_colour_%d", style.Mode), curves["pair"], style,
				golden.Sizes[1:2])
		}
	})
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
