package viz

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"

	"dgplab/viz/golden"
)

// styles are the terminals that boxes are checked for.
var styles = []Style{
	{}, {ASCII: true}, {Mode: ANSI16, Dark: true}, {Mode: ANSI256}, {Mode: TrueColor, Dark: true}, {Mode: TrueColor, ASCII: true},
	{Braille: true}, {Mode: TrueColor, HighContrast: true, Braille: true, Dark: true}, {ASCII: true, Braille: true},
}

// boxProblem says what keeps a picture from being a box of w x h cells in a
// style, or "".
func boxProblem(picture string, style Style, w, h int) string {
	if w < 1 || h < 1 {
		if picture != "" {
			return "not empty"
		}
		return ""
	}
	lines := strings.Split(picture, "\n")
	if len(lines) != h {
		return fmt.Sprintf("%d lines, want %d", len(lines), h)
	}
	for i, line := range lines {
		if got := lipgloss.Width(line); got != w {
			return fmt.Sprintf("line %d has %d cells, want %d: %q", i, got, w, line)
		}
	}
	for _, r := range picture {
		switch {
		case r == '\x1b' && style.Mode == NoColor:
			return "an escape code without colour"
		case style.ASCII && r != '\n' && r != '\x1b' && (r < 32 || r > 126):
			return fmt.Sprintf("%q in ASCII", r)
		}
	}
	return ""
}

// checkBox fails the test when a picture is no exact box.
func checkBox(t *testing.T, picture string, style Style, w, h int) {
	t.Helper()
	if p := boxProblem(picture, style, w, h); p != "" {
		t.Fatalf("%dx%d %+v: %s\n%s", w, h, style, p, picture)
	}
}

// checkGolden compares a text with testdata/NAME.golden. Escape is written as ␛ so
// that the files can be read.
func checkGolden(t *testing.T, name, got string) {
	t.Helper()
	golden.Check(t, name, strings.ReplaceAll(got, "\x1b", "␛")+"\n")
}

// frame puts a picture between bars, so that a golden file shows its extent.
func frame(title, picture string, w int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n+%s+\n", title, strings.Repeat("-", w))
	for _, line := range strings.Split(picture, "\n") {
		b.WriteString("|" + line + "|\n")
	}
	return b.String() + "+" + strings.Repeat("-", w) + "+\n"
}

// renderer is what all pictures have in common.
type renderer interface {
	Render(style Style, w, h int) string
}

// sweep draws a picture in many sizes, checks every box and returns them all.
func sweep(t *testing.T, r renderer, style Style, sizes [][2]int) string {
	t.Helper()
	var b strings.Builder
	for _, s := range sizes {
		picture := r.Render(style, s[0], s[1])
		checkBox(t, picture, style, s[0], s[1])
		b.WriteString(frame(fmt.Sprintf("%d x %d", s[0], s[1]), picture, s[0]) + "\n")
	}
	return b.String()
}

// elboSeries is a noisy ELBO of n steps with one dip.
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

// validationSeries is a validation curve of 30 points around level.
func validationSeries(label string, run int, level float64) Series {
	r := rand.New(rand.NewPCG(3, uint64(run)))
	s := Series{Label: label, Run: run}
	for i := range 30 {
		s.X = append(s.X, float64(i*600))
		s.Y = append(s.Y, level-math.Exp(-float64(i)/4)+0.02*r.NormFloat64())
	}
	return s
}

// cursorAt is where demo cursors are.
var cursorAt = 7012.0

// fourRuns are ELBOs of four runs of different length.
func fourRuns() []Series {
	var out []Series
	for run, label := range []string{"star", "mean-field", "fully-coupled M=64", "star lr=0.1"} {
		r := rand.New(rand.NewPCG(11, uint64(run)))
		s := Series{Label: label, Run: run}
		for i := range 1000 - 150*run {
			s.X = append(s.X, float64(i*20))
			s.Y = append(s.Y, -900-300*float64(run)-8000*math.Exp(-float64(i)/80)+60*float64(run+1)*r.NormFloat64())
		}
		out = append(out, s)
	}
	return out
}

// twoGroups are validation curves of five and of three seeds; one of the three
// stops early.
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

// demoErrors is a metric against the number of inducing points for n methods.
func demoErrors(n int) ErrorBars {
	r := rand.New(rand.NewPCG(21, 22))
	b := ErrorBars{XName: "inducing", YName: "test log-likelihood", LogX: true, Best: Highest}
	for run := range n {
		s := ErrorSeries{Label: []string{"stripes-and-arrow", "mean-field", "fully-coupled", "svgp"}[run], Run: run}
		for i := range 5 {
			m := math.Pow(2, float64(4+i))
			p := ErrorPoint{X: m, Mean: -2.2 - 0.15*float64(run) - 4/m + 0.02*r.NormFloat64(), SE: 0.02 + 0.04*r.Float64(), N: 6 - i%2}
			s.Points = append(s.Points, p)
		}
		b.Series = append(b.Series, s)
	}
	return b
}

// demoCloud is squared errors against predicted variances of a model that is a
// little too sure of itself.
func demoCloud(run, n int) Cloud {
	r := rand.New(rand.NewPCG(31, uint64(run)))
	c := Cloud{Label: []string{"star", "mean-field", "svgp"}[run], Run: run}
	for range n {
		variance := 0.3 * math.Exp(r.NormFloat64())
		e := 1.2 * math.Sqrt(variance) * r.NormFloat64()
		c.X, c.Y = append(c.X, variance), append(c.Y, e*e+1e-7)
	}
	return c
}

// demoScatter compares clouds with the diagonal.
func demoScatter(n ...int) Scatter {
	s := Scatter{XName: "predicted variance", YName: "squared error", LogX: true, LogY: true, Diagonal: true, Trend: RunningMean}
	for run, n := range n {
		s.Clouds = append(s.Clouds, demoCloud(run, n))
	}
	return s
}

// demoPIT is the transform of n targets; with tilt 1 it is uniform, below of a
// model that is too sure.
func demoPIT(n int, tilt float64) []float64 {
	r := rand.New(rand.NewPCG(41, uint64(n)))
	var out []float64
	for range n {
		v := 2*r.Float64() - 1
		out = append(out, 0.5+0.5*math.Copysign(math.Pow(math.Abs(v), tilt), v))
	}
	return out
}

// demoCoverage has n lines.
func demoCoverage(n int) (c Coverage) {
	for run, label := range []string{"star", "mean-field", "svgp"}[:n] {
		l := Covered(demoPIT(400, 1-0.25*float64(run)), 101)
		l.Label, l.Run = label, run
		c.Lines = append(c.Lines, l)
	}
	return c
}

// demoMap is the map of a posterior over layers of the given widths with
// decaying covariance; keep tells which blocks are not zero.
func demoMap(gps []int, cells int, keep func(i, j int) bool) BlockMap {
	r := rand.New(rand.NewPCG(5, 6))
	b := BlockMap{GPs: gps, M: 64, Cells: cells}
	side := b.total() * cells
	b.Log10 = make([]float64, side*side)
	for i := range side {
		for j := range side {
			bi, bj := i/cells, j/cells
			v := -0.3*math.Abs(float64(i%cells-j%cells))*16/float64(cells) - 0.5 + 0.3*r.NormFloat64()
			if bi != bj {
				v -= 1.5 + 0.5*math.Abs(float64(bi-bj))
			}
			if !keep(bi, bj) {
				v = math.Inf(-1)
			}
			b.Log10[i*side+j] = v
		}
	}
	return b
}

// starBlocks is the pattern of stripes and arrow for layers of t GPs below a
// last one.
func starBlocks(t, last int) func(i, j int) bool {
	return func(i, j int) bool { return (i-j)%t == 0 && i != last && j != last || i == last || j == last }
}

// demoMaps are maps of n runs with different widths, each weaker than the last.
func demoMaps(n int) BlockMaps {
	var out BlockMaps
	for i := range n {
		t := 2 + i%3
		m := demoMap([]int{t, t, 1}, 12, starBlocks(t, 2*t))
		m.Title = fmt.Sprintf("%s star M=64", Style{}.RunMarker(i))
		for k := range m.Log10 {
			m.Log10[k] -= float64(2 * i)
		}
		out = append(out, m)
	}
	return out
}

// demoLayer is a layer of n GPs, the second of which has collapsed.
func demoLayer(n int) LayerPanel {
	r := rand.New(rand.NewPCG(7, 8))
	p := LayerPanel{Layers: 3, Lengthscales: []float64{1.234, 0.8}, Variance: 0.9812}
	for i := range 60 {
		p.Grid = append(p.Grid, -3+6*float64(i)/59)
	}
	for t := range n {
		g := GP{Mean: 0.1 * r.NormFloat64(), SD: math.Exp(r.NormFloat64() / 3), Min: -2.3 + r.Float64(), Max: 2.5, Share: r.Float64(), Collapsed: t == 1}
		for k := range 20 {
			d := float64(k-10+t) / 4
			g.Histogram = append(g.Histogram, int(200*math.Exp(-d*d/2)))
		}
		for range 3 {
			a, b := r.NormFloat64(), r.NormFloat64()
			var curve []float64
			for _, x := range p.Grid {
				curve = append(curve, math.Tanh(2*x)+0.3*(a*math.Sin(x)+b*math.Cos(1.3*x)))
			}
			g.Curves = append(g.Curves, curve)
		}
		p.GPs = append(p.GPs, g)
		row := make([]float64, n)
		for j := range row {
			row[j] = 2*r.Float64() - 1
		}
		p.Correlation = append(p.Correlation, row)
	}
	return p
}
