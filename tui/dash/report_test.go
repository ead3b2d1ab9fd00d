package dash

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"dgplab/models/view"
	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/tui/kit"
	"dgplab/tui/kit/kittest"
	"dgplab/viz/golden"
)

// drawing returns a function that draws runs as h lines of w cells.
type drawing func(th *kit.Theme, runs []comparedRun) func(w, h int) []string

// drawings holds all panels by name.
var drawings = map[string]drawing{
	"table": func(th *kit.Theme, runs []comparedRun) func(w, h int) []string {
		return func(w, h int) []string { return drawTable(th, runs, tableSort{"rmse", false}, w, h) }
	},
	"direct": func(th *kit.Theme, runs []comparedRun) func(w, h int) []string {
		found := compareRuns(runs, "E")
		return func(w, h int) []string { return drawDirect(th, found, w, h) }
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
	"health": func(th *kit.Theme, runs []comparedRun) func(w, h int) []string {
		return func(w, h int) []string {
			lines, _ := drawHealth(th, runs, 0, w, h)
			return lines
		}
	},
}

// drawPanel returns a drawing of a panel with its choices set to a value.
func drawPanel(name string, value int) drawing {
	return func(th *kit.Theme, runs []comparedRun) func(w, h int) []string {
		d := emptyDesk(80, 24)
		d.dash.theme = th
		for i, r := range runs {
			d.dash.runs = append(d.dash.runs, &watchedRun{id: fmt.Sprint(i), snap: r.Snapshot,
				index: r.Index, label: r.Label, brief: r.Label})
			if r.Chosen {
				d.dash.chosen = i
			}
		}
		d.dash.group()
		p := d.panel(name)
		for _, c := range p.choices {
			c.position.offset = value
		}
		return func(w, h int) []string {
			if w < 1 || h < 1 {
				return nil
			}
			return th.Box(p.body(d.dash.scene(), w, h), w, h)
		}
	}
}

// sets returns sets of runs by name.
func sets() map[string][]comparedRun {
	list := map[string][]comparedRun{
		"none": nil, "one": four()[:1], "two": two(), "four": four(), "splits": splits(),
		"classes": classifiers(), "broken": broken(),
	}
	list["mixed"] = append(classifiers()[:1], two()[1])
	list["waiting"] = four()[2:]
	return list
}

// broken returns runs with missing and non-finite values wherever possible, and with escape codes
// in names.
func broken() []comparedRun {
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
	p := predictions(0, 30, 3, 1, 1)
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
	evaluatedAs(s, p)
	s.Test.Coverage, s.Test.LogLik = nil, rundir.Number(nan)
	s.Diagnostics = healthAt(100)
	health := s.Diagnostics.Matrices
	health.Effective, health.ShareByLayer, health.Shares = health.Effective[:1], nil, nil
	health.KLByLayer = []rundir.Number{rundir.Number(nan), rundir.Number(-inf), 0}
	health.Matrices[0].Condition = rundir.Number(inf)
	health.Matrices[1].SmallestPivot = rundir.Number(nan)
	for i := range s.Curve {
		setGradient(s.Curve[i], []float64{nan, inf, 1e300, 5e-324}[i%4])
	}
	empty := &session.Snapshot{
		State:       session.Ended,
		Diagnostics: &rundir.Diagnostics{Views: view.Views{Matrices: &view.Matrices{}}},
		Predictions: &rundir.Predictions{},
		Summary: rundir.Summary{
			BestVal: rundir.Number(nan), Alarms: []rundir.Alarm{{Text: "\x07 one\ntwo"}},
		},
	}
	return []comparedRun{{Snapshot: s, Index: -3,
		Label: "naïve \x1b[1mlabel\n of many many words and 宽 cells"},
		{Snapshot: empty, Index: 70}, {Label: ""}}
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

func TestGolden(t *testing.T) {
	sizes := []struct{ w, h int }{{140, 26}, {76, 16}, {40, 8}, {30, 4}, {24, 1}}
	for name, draw := range drawings {
		for _, set := range []string{"two", "splits", "classes"} {
			for look, th := range themes() {
				if look == "colour" {
					continue
				}
				var b strings.Builder
				for _, s := range sizes {
					lines := draw(th, sets()[set])(s.w, s.h)
					check(t, name+" of "+set, th, lines, s.w, s.h)
					if s.h == 16 || s.h == 8 {
						fmt.Fprintf(&b, "%d x %d\n%s\n", s.w, s.h, strings.Join(lines, "\n"))
					}
				}
				if look == "" {
					golden.Check(t, name+"_"+set, kittest.Trim(b.String()))
				}
			}
		}
	}
}

// TestReportSizes draws all panels for all sets of runs at many sizes.
func TestReportSizes(t *testing.T) {
	for set, runs := range sets() {
		t.Run(set, func(t *testing.T) {
			t.Parallel()
			for name, draw := range drawings {
				for look, th := range themes() {
					drawn := draw(th, runs)
					for w := -1; w < 150; w = 1 + w + w/4 {
						for h := 0; h < 45; h = 1 + h + h/3 {
							check(t, name+look, th, drawn(w, h), w, h)
						}
					}
				}
			}
		})
	}
}

// TestRandomRuns draws random selections of the runs above in random order, with some numbers replaced at
// random.
func TestRandomRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var pool []comparedRun
	for _, runs := range sets() {
		pool = append(pool, runs...)
	}
	odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, -1, 1e308, 5e-324, 0.95}
	any := func() float64 { return odd[r.IntN(len(odd))] }
	for range 60 {
		var runs []comparedRun
		for k := range r.IntN(6) {
			run := pool[r.IntN(len(pool))]
			if run.Snapshot != nil {
				s := *run.Snapshot
				s.ID = fmt.Sprint("run-", k)
				s.Last.Objective = any()
				s.Objective = rundir.Number(s.Last.Objective)
				s.BestVal = rundir.Number(any())
				s.BestStep = r.IntN(2)
				s.Seconds = any()
				s.Step = r.IntN(3)
				s.State = []session.State{session.Preparing, session.Training, session.Paused,
					session.Finishing, session.Ended}[r.IntN(5)]
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
			run.Chosen = r.IntN(3) == 0
			run.Index = r.IntN(9)
			runs = append(runs, run)
		}
		w := r.IntN(150)
		h := r.IntN(50)
		for look, th := range themes() {
			for name, draw := range drawings {
				check(t, name+look, th, draw(th, runs)(w, h), w, h)
			}
		}
	}
}
