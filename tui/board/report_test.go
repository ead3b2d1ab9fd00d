package board

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"dgplab/models"
	"dgplab/models/view"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
	"dgplab/viz/golden"
)

// drawing returns a function that draws the runs of a board as h lines of w cells.
type drawing func(b *Board) func(w, h int) []string

// drawings holds all panels by name.
var drawings = map[string]drawing{
	"table": func(b *Board) func(w, h int) []string {
		return func(w, h int) []string { return drawTable(b, tableSort{"rmse", false}, w, h) }
	},
	"direct": func(b *Board) func(w, h int) []string {
		found := compareRuns(b, "E")
		return func(w, h int) []string { return drawDirect(b.Theme, found, w, h) }
	},
	"differences": drawPanel("Differences", 0),
	"points":      drawPanel("Points", 0),
	"worst":       drawPanel("Worst", 0),
	"intervals":   drawPanel("Intervals", 0),
	"scores":      drawPanel("Scores", 0),
	"baseline":    drawPanel("Baseline", 0),
	"error":       drawPanel("Errors", 0),
	"distance":    drawPanel("Distance", 0),
	"pit":         drawPanel("PIT", 0),
	"coverage":    drawPanel("Coverage", -1),
	"health": func(b *Board) func(w, h int) []string {
		return func(w, h int) []string { return b.health.draw(b, w, h) }
	},
}

// drawPanel returns a drawing of a panel with its choices set to a value.
func drawPanel(name string, value int) drawing {
	return func(b *Board) func(w, h int) []string {
		p := b.named(name)
		for _, c := range p.Choices {
			c.position.offset = value
		}
		return func(w, h int) []string {
			if w < 1 || h < 1 {
				return nil
			}
			return b.Theme.Box(p.Body(b, w, h), w, h)
		}
	}
}

// sets returns sets of runs by name.
func sets() map[string]*Board {
	list := map[string]*Board{
		"none": boardOf(0), "one": four().only(0), "two": two(), "four": four(), "splits": splits(),
		"classes": classifiers(), "broken": broken(),
	}
	list["mixed"] = boardOf(0, classifiers().Runs[0], two().Runs[1])
	list["waiting"] = four().only(2, 3)
	return list
}

// broken returns runs with missing and non-finite values wherever possible, and with escape codes
// in names.
func broken() *Board {
	nan := math.NaN()
	inf := math.Inf(1)
	s := kittest.Training(rundir.Config{
		Dataset: "/x/über\x1b[31m.csv",
		Family:  "st\tar",
		Split:   "standard:0",
	}, 200)
	s.Last = rundir.Point{Objective: inf}
	s.BestVal = rundir.Number(-inf)
	s.StepsPerSecond = rundir.Number(nan)
	p := kittest.Predictions(0, 30, 3, 1, 1)
	for i := range p.LogLik {
		p.LogLik[i] = []float64{nan, inf, -inf, 0}[i%4]
		p.Distance[i] = []float64{0, nan, inf}[i%3]
	}
	for i := range p.PIT {
		p.PIT[i] = []float64{nan, -1, 2, 0.5}[i%4]
		p.Variance[i] = []float64{0, nan, -1, inf}[i%4]
		p.Mean[i] = []float64{nan, 1, -inf}[i%3]
	}
	p.Of, p.Training = 90, 1000
	kittest.Evaluated(s, p)
	s.Test.Coverage, s.Test.LogLik = nil, rundir.Number(nan)
	s.Diagnostics = kittest.Health(100)
	health := s.Diagnostics.Matrices
	health.Effective, health.ShareByLayer, health.Shares = health.Effective[:1], nil, nil
	health.KLByLayer = []rundir.Number{rundir.Number(nan), rundir.Number(-inf), 0}
	health.Matrices[0].Condition = rundir.Number(inf)
	health.Matrices[1].SmallestPivot = rundir.Number(nan)
	for i := range s.Curve {
		setGradient(s.Curve[i], []float64{nan, inf, 1e300, 5e-324}[i%4])
	}
	empty := &session.Snapshot{
		State:       rundir.Ended,
		Diagnostics: &rundir.Diagnostics{Views: view.Views{Matrices: &view.Matrices{}}},
		Predictions: &rundir.Predictions{},
		Summary: rundir.Summary{
			BestVal: rundir.Number(nan), Alarms: []rundir.Alarm{{Text: "\x07 one\ntwo"}},
		},
	}
	return boardOf(0, labelled(s, -3, "naïve \x1b[1mlabel\n of many many words and 宽 cells"),
		labelled(empty, 70, ""), labelled(nil, 0, ""))
}

// themes returns themes without colour, in Unicode and ASCII, and one with colour.
func themes() map[string]*kit.Theme {
	return map[string]*kit.Theme{
		"":       kittest.PlainTheme(),
		"_ascii": kit.NewTheme(termenv.Ascii, false, kit.ASCII),
		"colour": kit.NewTheme(termenv.TrueColor, true, kit.Unicode),
	}
}

// check fails the test unless there are exactly h lines of w cells with characters that the theme allows.
func check(t *testing.T, what string, th *kit.Theme, lines []string, w, h int) {
	t.Helper()
	if w < 1 || h < 1 {
		if len(lines) > 0 {
			t.Fatalf("%s at %d x %d is not empty", what, w, h)
		}
		return
	}
	picture := strings.Join(lines, "\n")
	kittest.CheckFrame(t, what, picture, w, h)
	for _, r := range picture {
		if r == '\x1b' && th.Profile == termenv.Ascii || r != '\n' && r != '\x1b' && (r < ' ' || r == 0x7f) ||
			r > '~' && !th.Glyphs.Unicode {
			t.Fatalf("%s at %d x %d: %q in %q", what, w, h, r, picture)
		}
	}
}

// besideBaseline returns a run beside the baseline on the same data.
func besideBaseline() *Board {
	set := two()
	set.Chosen = 0
	set.Runs[1].Snapshot.Family, set.Runs[1].Brief = models.BaselineFamily, models.BaselineFamily
	return set
}

// Each panel has a golden file. Most show two runs.
func TestReportPanels(t *testing.T) {
	for name, draw := range drawings {
		set := two()
		switch name {
		case "scores":
			set = splits()
		case "baseline":
			set = besideBaseline()
		}
		lines := draw(set)(76, 16)
		golden.Check(t, "panel_"+name, kittest.Trim(strings.Join(lines, "\n")))
	}
}

// Panels of runs on several splits, and of runs with classes, show what the texts name.
func TestReportPanelsOfOtherRuns(t *testing.T) {
	const otherData = "runs on different data or splits"
	for _, c := range []struct {
		panel string
		set   *Board
		want  []string
	}{
		{"table", splits(), []string{"different data or splits: scores are not compared"}},
		{"direct", splits(), []string{"102 test points of 2 splits", "A  is better, over 2 splits",
			"splits share rows: the t-test is corrected for this"}},
		{"differences", splits(), []string{"A better on 100.0%", "log-likelihood of A minus B"}},
		{"points", splits(), []string{"102 test points", "row 75", "B: mean-field 0"}},
		{"worst", splits(), []string{"observed  predicted     sd", "… 29 more", "predicted minus observed"}},
		{"intervals", splits(), []string{"star 0           54.9%", "share of observations inside"}},
		{"error", splits(), []string{"◆ mean-field 1", "predicted variance", otherData}},
		{"distance", splits(), []string{"distance to the nearest training input, standardised", otherData}},
		{"pit", splits(), []string{"points  ● star 0", "1 outside", otherData}},
		{"coverage", splits(), []string{"nominal coverage", otherData}},
		{"health", splits(), []string{"■ mean-field 0  this family does not report its health"}},
		{"table", classifiers(), []string{"error rate", "21.0%", "log-loss 0.5226★ best"}},
		{"direct", classifiers(), []string{"400 test points", "one split, one seed: no verdict"}},
		{"differences", classifiers(), []string{"A better on 46.8%"}},
		{"points", classifiers(), []string{"400 test points", "B: mean-field"}},
		{"worst", classifiers(), []string{"● of the observed class",
			"266   -2.76        -1         +1   6.3%"}},
		{"scores", classifiers(), []string{"no method has scores on several splits or seeds"}},
		{"baseline", classifiers(), []string{"the selected run has no test scores"}},
		{"error", classifiers(), []string{"classes have no squared errors"}},
		{"coverage", classifiers(), []string{"accuracy  ╱ y=x  ● star", "▲ mean-field  9.2%",
			"probability of the most probable class"}},
	} {
		text := strings.Join(drawings[c.panel](c.set)(76, 16), "\n")
		kittest.CheckShows(t, c.panel+" of "+c.set.Runs[0].Brief, text, c.want...)
	}
}

// Each panel of each set of runs fills its box exactly.
func TestReportSizes(t *testing.T) {
	sizes := [][2]int{{-1, 5}, {5, 0}, {1, 1}, {2, 40}, {9, 3}, {24, 1}, {30, 4}, {40, 8}, {76, 16},
		{140, 26}, {33, 44}, {149, 6}}
	for name, set := range sets() {
		for panel, draw := range drawings {
			for look, th := range themes() {
				set.Theme = th
				drawn := draw(set)
				for _, size := range sizes {
					check(t, panel+look+" of "+name, th, drawn(size[0], size[1]), size[0], size[1])
				}
			}
		}
	}
}

// TestRandomRuns draws random selections of the runs above in random order, with some numbers replaced at
// random.
func TestRandomRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var pool []*Run
	for _, set := range sets() {
		pool = append(pool, set.Runs...)
	}
	odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, -1, 1e308, 5e-324, 0.95}
	any := func() float64 { return odd[r.IntN(len(odd))] }
	for range 15 {
		var runs []*Run
		for k := range r.IntN(6) {
			run := *pool[r.IntN(len(pool))]
			if run.Snapshot != nil {
				s := *run.Snapshot
				s.ID = fmt.Sprint("run-", k)
				s.Last.Objective = any()
				s.Objective = rundir.Number(s.Last.Objective)
				s.BestVal = rundir.Number(any())
				s.BestStep = r.IntN(2)
				s.Seconds = any()
				s.Step = r.IntN(3)
				s.State = []rundir.State{rundir.Preparing, rundir.Running, rundir.Paused,
					rundir.Finishing, rundir.Ended}[r.IntN(5)]
				if s.Diagnostics != nil && s.Diagnostics.Matrices != nil {
					d, h := *s.Diagnostics, *s.Diagnostics.Matrices
					one := func() rundir.Number { return rundir.Number(any()) }
					h.KLByLayer = []rundir.Number{one(), one()}
					h.Effective = []rundir.Number{one()}
					h.Matrices = h.Matrices[:r.IntN(len(h.Matrices)+1)]
					d.Matrices = &h
					s.Diagnostics = &d
				}
				run.Snapshot = &s
			}
			run.Index = r.IntN(9)
			runs = append(runs, &run)
		}
		set := boardOf(r.IntN(max(len(runs), 1)), runs...)
		w := r.IntN(150)
		h := r.IntN(50)
		for look, th := range themes() {
			for name, draw := range drawings {
				set.Theme = th
				check(t, name+look, th, draw(set)(w, h), w, h)
			}
		}
	}
}
