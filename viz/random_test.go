package viz_test

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"image"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dgplab/viz"
	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/curves"
	"dgplab/viz/figure"
	"dgplab/viz/golden"
	"dgplab/viz/heatmap"
	"dgplab/viz/plots"
	"dgplab/viz/tables"
)

// maker makes random parts of pictures. All numbers of a picture have about the same level and spread. They
// are multiples of step if it is positive, so that some are equal.
type maker struct {
	*rand.Rand
	level, spread, step float64
	odd                 bool // whether some numbers are missing or extreme
}

// newMaker returns the maker of picture i of a kind.
func newMaker(kind string, i int) *maker {
	m := &maker{Rand: rand.New(rand.NewPCG(uint64(crc32.ChecksumIEEE([]byte(kind))), uint64(i)))}
	m.level = m.pick(0, 0, 0, 1, -5, 300, -1e4, 2e6)
	m.spread = m.pick(1, 1, 1, 0.1, 10, 200, 1e-4, 1e5)
	if m.chance(0.05) {
		m.spread = m.pick(0, 0, 5e307)
	}
	if m.chance(0.03) {
		m.level = math.NaN()
	}
	if m.chance(0.3) {
		m.step = m.spread / m.pick(1, 2, 4)
	}
	m.odd = m.chance(0.3)
	return m
}

// chance reports true with a probability.
func (m *maker) chance(p float64) bool { return m.Float64() < p }

// upTo returns a whole number from 0 to n.
func (m *maker) upTo(n int) int { return m.IntN(n + 1) }

// pick returns one of some numbers.
func (m *maker) pick(list ...float64) float64 { return list[m.IntN(len(list))] }

// word returns one of some texts.
func (m *maker) word(list ...string) string { return list[m.IntN(len(list))] }

// run returns the number of a run.
func (m *maker) run() int { return m.upTo(11) }

// name returns the name of a run or of a category.
func (m *maker) name() string {
	return m.word("star", "mean-field", "fully coupled, seed 3", "linear", "dgp layers=3 inducing=64", "svgp",
		"a", "", "宽 name", "naïve", "stripes-and-arrow, learning rate 0.01", "seed 12", "<b> & \"c\"", "=1+1")
}

// axis returns the name of an axis or of a quantity.
func (m *maker) axis() string {
	return m.word("x", "input 1", "mean log-likelihood", "squared error", "", "relative compactness of it")
}

// stage returns the step of a model.
func (m *maker) stage() string { return m.word("", "", "at step 290", "at step 12,500") }

// title returns the title of a figure, which can need several lines.
func (m *maker) title() string {
	var words []string
	for range m.upTo(6) {
		words = append(words, m.name())
	}
	return strings.Join(words, " ")
}

// names returns n names, which differ or are all empty.
func (m *maker) names(n int) (list []string) {
	if m.chance(0.03) {
		return make([]string, n)
	}
	for k := range n {
		list = append(list, fmt.Sprintf("%s %d", m.name(), k+1))
	}
	return list
}

// value returns a number, which is rarely missing or extreme.
func (m *maker) value() float64 {
	if m.odd && m.chance(0.08) {
		return m.pick(math.NaN(), math.NaN(), math.Inf(1), math.Inf(-1), 0,
			m.level, m.level+100*m.spread, -m.level, m.pick(1e12, 1e308))
	}
	v := m.spread * m.NormFloat64()
	if m.step > 0 {
		v = m.step * math.Round(v/m.step)
	}
	return m.level + v
}

// values returns n numbers.
func (m *maker) values(n int) (list []float64) {
	for range n {
		list = append(list, m.value())
	}
	return list
}

// wave returns n numbers of a smooth function with noise.
func (m *maker) wave(n int) (list []float64) {
	turns, phase, noise := 3*m.Float64(), 6*m.Float64(), m.pick(0, 0.1, 0.5)
	for k := range n {
		v := m.spread * math.Sin(phase+turns*2*math.Pi*float64(k)/float64(max(n, 1)))
		list = append(list, m.level+v+noise*(m.value()-m.level))
	}
	return list
}

// rising returns n finite numbers that rise. They are rarely far apart.
func (m *maker) rising(n int) (list []float64) {
	v := m.pick(0, 0, 1, -3, 1000)
	unit := m.pick(1, 1, 0.25, 10, 500)
	even := m.chance(0.5)
	for range n {
		list = append(list, v)
		if even {
			v += unit
		} else {
			v += unit * (0.1 + m.Float64())
		}
	}
	return list
}

// share returns a number from 0 to 1.
func (m *maker) share() float64 {
	if m.chance(0.2) {
		return m.pick(0, 1, 0.5, 0.004, 0.00995, 0.996)
	}
	return m.Float64()
}

// shares returns n numbers from 0 to 1, and rarely others.
func (m *maker) shares(n int) (list []float64) {
	for range n {
		v := m.share()
		if m.odd && m.chance(0.1) {
			v = m.pick(math.NaN(), math.Inf(1), m.value())
		}
		list = append(list, v)
	}
	return list
}

// spot returns a point.
func (m *maker) spot() chart.XY { return chart.XY{X: m.value(), Y: m.value()} }

// spots returns n points.
func (m *maker) spots(n int) (list []chart.XY) {
	for range n {
		list = append(list, m.spot())
	}
	return list
}

// ranges returns ranges around a function, the widest first.
func (m *maker) ranges(mean []float64) (list []chart.Range) {
	n := m.upTo(3)
	for k := range n {
		r := chart.Range{Name: []string{"95 %", "80 %", "50 %"}[k]}
		for _, v := range mean {
			half := m.spread * float64(n-k) * (0.2 + 0.1*m.Float64())
			r.Lo = append(r.Lo, v-half)
			r.Hi = append(r.Hi, v+half)
		}
		list = append(list, r)
	}
	return list
}

// dates returns an axis of time, or rarely another.
func (m *maker) dates() chart.Dates {
	if m.chance(0.3) {
		return chart.Dates{}
	}
	return chart.Dates{Name: m.word("", "date"), Unit: m.pick(0.01, 1, 60, 3600, 86400, 31557600, 1e9)}
}

// series returns a curve over training on an axis.
func (m *maker) series(axis chart.Axis, smoothing float64) curves.Series {
	s := curves.Series{Label: m.name(), Run: m.run(), Exact: m.chance(0.1)}
	n := m.upTo(int(m.pick(1, 3, 20, 60, 400)))
	if m.chance(0.1) {
		n = 2000
	}
	if m.chance(0.7) {
		s.X = m.rising(n)
		for k, x := range s.X {
			if axis != axis.Base() {
				s.X[k] = math.Log10(1 + math.Abs(x))
			}
		}
	}
	drop := m.pick(0, 1, 5, 50)
	for k, v := range m.values(n) {
		s.Y = append(s.Y, v-drop*m.spread*math.Exp(-8*float64(k)/float64(n)))
	}
	if m.chance(0.05) {
		slices.Reverse(s.X)
	}
	if m.chance(0.1) {
		from := m.upTo(n)
		for k := range s.Y[from:] {
			s.Y[from+k] = math.NaN()
		}
	}
	switch {
	case m.chance(0.1):
		s.Prepared = curves.Prepare(s.X, s.Y, smoothing)
	case m.chance(0.1) && s.X != nil:
		k := m.upTo(n)
		s.Prepared = curves.Prepare(s.X[:k], s.Y[:k], smoothing).Grow(s.X, s.Y)
	}
	return s
}

// curve returns training curves.
func (m *maker) curve() any {
	c := curves.Curve{X: chart.Axis(m.upTo(int(chart.Lags))), Scale: chart.Kind(m.upTo(2)),
		Best: chart.Best(m.upTo(2)), Range: curves.Range(m.upTo(2)),
		Smoothing: m.pick(0, 0, 0.5, 0.9, 0.99, 0.9999), Means: m.chance(0.3), Bare: m.chance(0.1)}
	if m.chance(0.2) {
		c.X = c.X.Log()
	}
	for range m.upTo(4) {
		c.Series = append(c.Series, m.series(c.X, c.Smoothing))
	}
	for range m.upTo(5) - 3 {
		g := curves.Group{Label: m.name(), Of: m.word("", "seeds"), Run: m.run()}
		for range m.upTo(5) {
			g.Members = append(g.Members, m.series(c.X, c.Smoothing))
		}
		c.Groups = append(c.Groups, g)
	}
	if m.chance(0.4) {
		at := m.along(c)
		c.Cursor = &at
	}
	if m.chance(0.3) {
		a := m.along(c)
		b := m.along(c)
		c.Zoom = [2]float64{min(a, b), max(a, b)}
	}
	return c
}

// along returns a place on the x axis of curves, often close to a point of a series.
func (m *maker) along(c curves.Curve) float64 {
	list := slices.Clone(c.Series)
	for _, g := range c.Groups {
		list = append(list, g.Members...)
	}
	if len(list) == 0 || m.chance(0.2) {
		return 40 * m.Float64() * m.pick(1, 1, 10)
	}
	s := list[m.IntN(len(list))]
	k := float64(m.upTo(len(s.Y)))
	if s.X != nil && len(s.Y) > 0 {
		k = s.X[m.IntN(len(s.X))]
	}
	return k + m.pick(0, 0, -0.4, 0.4, 1, 3, -3)
}

// fit returns a function with ranges and points.
func (m *maker) fit(x []float64) plots.Fit {
	n := len(x)
	f := plots.Fit{Label: m.name(), Step: m.stage(), Run: m.run(), X: x, Mean: m.wave(n),
		MeanName: "predictive mean", DrawsName: "draws of f", MarksName: "inducing inputs"}
	f.Ranges = m.ranges(f.Mean)
	for range m.upTo(4) - 1 {
		f.Draws = append(f.Draws, m.wave(n))
	}
	for range m.upTo(3) {
		o := plots.Observations{Name: m.word("training points", "test points"), Short: m.word("", "test")}
		for range m.upTo(int(m.pick(3, 30, 300))) {
			o.X = append(o.X, x[0]+(x[n-1]-x[0])*(1.2*m.Float64()-0.1))
			o.Y = append(o.Y, m.value())
		}
		f.Observations = append(f.Observations, o)
	}
	for range m.upTo(5) - 2 {
		f.Marks = append(f.Marks, x[0]+(x[n-1]-x[0])*(1.2*m.Float64()-0.1))
	}
	return f
}

// fits returns the fits of some runs.
func (m *maker) fits() any {
	f := plots.Fits{XName: m.axis(), YName: m.axis()}
	x := m.rising(2 + m.upTo(60))
	if m.chance(0.3) {
		f.XDates = m.dates()
	}
	for range m.upTo(3) {
		if m.chance(0.2) {
			x = m.rising(2 + m.upTo(60))
		}
		if m.odd && m.chance(0.2) {
			x[len(x)-1] = math.Inf(1)
		}
		f.List = append(f.List, m.fit(x))
		if m.chance(0.1) {
			f.List[len(f.List)-1].Mean = nil
		}
	}
	return f
}

// levels returns predictions at the levels of a category.
func (m *maker) levels() any {
	n := 1 + m.upTo(int(m.pick(2, 5, 20)))
	l := plots.Levels{Names: m.names(n), More: max(m.upTo(8)-5, 0)}
	l.XName, l.YName = m.axis(), m.axis()
	x := make([]float64, n)
	for k := range x {
		x[k] = float64(k)
		l.Counts = append(l.Counts, m.upTo(int(m.pick(3, 2000))))
	}
	for range 1 + m.upTo(2) {
		f := m.fit(x)
		for _, o := range f.Observations {
			for k := range o.X {
				o.X[k] = math.Round(o.X[k])
			}
		}
		l.List = append(l.List, f)
	}
	if m.chance(0.05) {
		l.Names = l.Names[1:]
	}
	if m.chance(0.05) {
		l.List[0].Mean = l.List[0].Mean[1:]
	}
	return l
}

// predictions returns predictions of some runs against observations.
func (m *maker) predictions() any {
	a := plots.Predictions{XName: m.axis(), YName: m.axis()}
	for range m.upTo(3) {
		n := m.upTo(int(m.pick(2, 10, 80, 400)))
		p := plots.Prediction{Label: m.name(), Step: m.stage(), Run: m.run(), Observed: m.values(n)}
		for _, v := range p.Observed {
			p.Mean = append(p.Mean, v+0.4*(m.value()-m.level))
		}
		p.Ranges = m.ranges(p.Mean)
		a.List = append(a.List, p)
	}
	return a
}

// bands returns functions with their uncertainty.
func (m *maker) bands() any {
	n := m.upTo(60)
	b := plots.Bands{X: m.rising(n), XName: m.axis(), YName: m.axis(), DotsName: "data",
		MarksName: "inducing"}
	for range m.upTo(4) {
		f := plots.Band{Label: m.name(), Run: m.run(), Mean: m.wave(n)}
		for range n {
			f.SD = append(f.SD, m.spread*m.share())
		}
		b.Bands = append(b.Bands, f)
	}
	if n > 0 {
		for range m.upTo(9) - 3 {
			x := b.X[0] + (b.X[n-1]-b.X[0])*(1.2*m.Float64()-0.1)
			b.Dots = append(b.Dots, chart.XY{X: x, Y: m.value()})
			b.Marks = append(b.Marks, x)
		}
	}
	return b
}

// histogram returns one or several histograms.
func (m *maker) histogram() any {
	one := func() (b plots.Histogram) {
		n := m.upTo(int(m.pick(5, 60, 400)))
		bins := 1 + m.upTo(int(m.pick(3, 12, 60)))
		switch m.upTo(3) {
		case 0:
			b = plots.NewHistogram(m.values(n), bins, m.level, m.spread)
		case 1:
			b = plots.NewPITHistogram(m.shares(n), bins)
		case 2:
			var counts []int
			for range bins {
				counts = append(counts, m.upTo(20))
			}
			b = plots.NewRankHistogram(counts)
		default:
			b = plots.Histogram{Values: m.shares(bins), Lo: m.level, Hi: m.level + m.spread, XName: m.axis(),
				YName: m.axis(), XShort: m.word("", "z"), Left: max(m.upTo(9)-6, 0)}
			if m.chance(0.5) {
				b.Expected, b.Band, b.Chance = 0.5, [2]float64{0.2, 0.5 + m.Float64()}, 3*m.Float64()
			}
			b.Density = m.shares(m.upTo(9))
		}
		b.Label, b.Step, b.Run = m.name(), m.stage(), m.run()
		for range m.upTo(4) - 2 {
			b.At = append(b.At, b.Lo+(b.Hi-b.Lo)*(1.2*m.Float64()-0.1))
		}
		return b
	}
	if m.chance(0.5) {
		return one()
	}
	var list plots.Histograms
	for range m.upTo(6) {
		list = append(list, one())
	}
	return list
}

// coverage returns the coverage of some runs.
func (m *maker) coverage() any {
	var c plots.Coverage
	for range m.upTo(3) {
		l := plots.NewCoverageLine(m.shares(m.upTo(int(m.pick(2, 20, 300)))), 2+m.upTo(20))
		l.Label, l.Step, l.Run = m.name(), m.stage(), m.run()
		c.Lines = append(c.Lines, l)
	}
	return c
}

// reliability returns the reliability of some runs.
func (m *maker) reliability() any {
	var r plots.Reliability
	bins := 1 + m.upTo(20)
	for range m.upTo(3) {
		confidence := m.shares(m.upTo(int(m.pick(2, 20, 300))))
		right := make([]bool, len(confidence))
		for k, p := range confidence {
			right[k] = m.chance(p * p)
		}
		l := plots.NewReliabilityLine(confidence, right, bins)
		l.Label, l.Step, l.Run = m.name(), m.stage(), m.run()
		r.Lines = append(r.Lines, l)
	}
	return r
}

// scatter returns clouds of points.
func (m *maker) scatter() any {
	s := plots.Scatter{XName: m.axis(), YName: m.axis(), XShort: m.word("", "v"), Points: m.word("", "rows"),
		LogX: m.chance(0.3), LogY: m.chance(0.4), Diagonal: m.chance(0.3), Trend: plots.Trend(m.upTo(2))}
	if s.LogX || s.LogY {
		m.level = m.pick(2, 3, 8) * m.spread
	}
	for range m.upTo(3) {
		n := m.upTo(int(m.pick(2, 20, 120, 600)))
		c := plots.Cloud{Label: m.name(), Step: m.stage(), Run: m.run(), X: m.values(n),
			Y: m.values(n + m.upTo(1)), Of: max(m.upTo(900)-300, 0)}
		if s.LogY && m.chance(0.5) {
			for k := range c.Y {
				c.Y[k] *= math.Exp(3 * m.NormFloat64())
			}
		}
		s.Clouds = append(s.Clouds, c)
	}
	for range m.upTo(9) - 4 {
		at := m.spot()
		s.Names = append(s.Names, plots.PointName{X: at.X, Y: at.Y, Text: m.name()})
	}
	return s
}

// errorBars returns means with standard errors.
func (m *maker) errorBars() any {
	b := plots.ErrorBars{XName: m.axis(), YName: m.axis(), LogX: m.chance(0.3), Best: chart.Best(m.upTo(2)),
		OffName: m.word("", "linear")}
	n := 1 + m.upTo(int(m.pick(1, 4, 9, 20)))
	xs := m.rising(n)
	if m.chance(0.3) {
		b.Categories = m.names(n)
		for k := range xs {
			xs[k] = float64(k)
		}
	}
	for range m.upTo(4) {
		s := plots.ErrorSeries{Label: m.name(), Run: m.run()}
		off := m.chance(0.2)
		for _, x := range xs {
			if m.chance(0.2) {
				continue
			}
			p := plots.ErrorPoint{X: x, Mean: m.value(), SE: m.spread * m.share(), N: 1 + m.upTo(5), Off: off}
			if off {
				p.Mean += m.pick(0, 0, 9, -9) * m.spread
			}
			s.Points = append(s.Points, p)
		}
		if m.chance(0.2) {
			slices.Reverse(s.Points)
		}
		b.Series = append(b.Series, s)
	}
	return b
}

// inducing returns the inducing points of some inputs.
func (m *maker) inducing() any {
	p := plots.Inducing{XName: m.axis(), YName: m.axis(), Seen: m.spots(m.upTo(100)), Chosen: m.upTo(9) - 2}
	n := m.upTo(int(m.pick(3, 9, 70)))
	for range m.upTo(6) {
		p.Inputs = append(p.Inputs, plots.InducingInput{At: m.spot(), Z: m.spots(n)})
	}
	for range m.upTo(3) {
		var line []plots.Fact
		for range 1 + m.upTo(4) {
			line = append(line, plots.Fact{Name: m.axis(), Value: m.word("", "0.12±0.18", "1 of 2 (seen 2)"),
				Wrong: m.chance(0.2)})
		}
		p.Facts = append(p.Facts, line)
	}
	return p
}

// stems returns weighted points.
func (m *maker) stems() any {
	n := m.upTo(int(m.pick(3, 12, 40)))
	s := plots.Stems{RowName: m.word("GP", "row"), XName: m.axis(), Chosen: m.upTo(20) - 2}
	for range n {
		s.Weights = append(s.Weights, math.Round(100*m.ExpFloat64()/float64(n))/100)
	}
	if m.chance(0.7) {
		m.level, m.spread, m.step = 0, 1, 0
	}
	for range m.upTo(int(m.pick(1, 4, 18))) {
		s.Rows = append(s.Rows, m.values(n))
	}
	return s
}

// layer returns the samples in a layer.
func (m *maker) layer() any {
	p := plots.Layer{Index: m.upTo(3), Layers: m.upTo(4), Variance: math.Abs(m.value()), XName: m.axis(),
		Grid: m.rising(m.upTo(40)), Selected: m.upTo(12) - 1, Lengthscales: m.shares(m.upTo(3))}
	n := m.upTo(int(m.pick(1, 4, 12)))
	for range n {
		g := plots.LayerGP{Mean: m.value(), SD: m.spread * m.share(), Min: m.value() - 2*m.spread,
			Max: m.value() + 2*m.spread, Share: m.shares(1)[0], Collapsed: m.chance(0.2)}
		for range m.upTo(30) {
			g.Histogram = append(g.Histogram, max(m.upTo(40)-5, 0))
		}
		for range m.upTo(4) {
			g.Curves = append(g.Curves, m.wave(len(p.Grid)))
		}
		p.GPs = append(p.GPs, g)
	}
	if m.chance(0.7) {
		for range n {
			row := m.shares(n)
			for k := range row {
				row[k] *= m.pick(1, -1)
			}
			p.Correlation = append(p.Correlation, row)
		}
	}
	return p
}

// depths returns functions by depth.
func (m *maker) depths() any {
	p := plots.Depths{Grid: m.rising(m.upTo(40)), Along: m.axis(), Selected: m.upTo(9) - 1}
	for range m.upTo(3) {
		k := plots.DepthsKind{Name: m.name()}
		for range m.upTo(6) {
			var list [][]float64
			for range m.upTo(4) {
				list = append(list, m.wave(len(p.Grid)))
			}
			k.Depths = append(k.Depths, list)
		}
		p.Kinds = append(p.Kinds, k)
	}
	return p
}

// relevance returns the relevance of inputs.
func (m *maker) relevance() any {
	r := plots.Relevance{Inputs: m.names(m.upTo(int(m.pick(2, 5, 20))))}
	n := m.upTo(4)
	for range n {
		l := plots.Lengths{Label: m.name(), Run: m.run()}
		for range max(len(r.Inputs)-max(m.upTo(9)-8, 0), 0) {
			l.Values = append(l.Values, m.pick(1, 1, 10, 300)*m.ExpFloat64())
		}
		if m.odd && len(l.Values) > 0 {
			l.Values[0] = m.pick(0, math.NaN(), math.Inf(1), 1e-9, -1)
		}
		r.List = append(r.List, l)
	}
	r.Lead = m.upTo(max(n-1, 0))
	return r
}

// dots returns values next to a table.
func (m *maker) dots() any {
	d := plots.Dots{Columns: []string{m.axis(), "method", "mean"}, Words: m.upTo(2), XName: m.axis(),
		DotName: m.word("", "each run"), RangeName: m.word("", "2 sd"), TickName: m.word("", "reference"),
		Empty: "no run yet"}
	for range m.upTo(int(m.pick(3, 8, 30))) {
		v := m.value()
		r := plots.DotRow{Label: m.name(), Texts: []string{m.name(), fmt.Sprint(m.upTo(999))}, Run: m.run(),
			Values: m.values(m.upTo(4)), Lo: v, Hi: v + m.spread, Tick: m.value()}
		if m.chance(0.2) {
			r = plots.NewCoverageRow(m.shares(m.upTo(40)), m.pick(0.5, 0.9, 0.95))
			r.Label = m.name()
		}
		if m.chance(0.2) {
			r.Tick = math.NaN()
		}
		d.Rows = append(d.Rows, r)
	}
	return d
}

// blockMap returns a covariance in blocks.
func (m *maker) blockMap() heatmap.BlockMap {
	b := heatmap.BlockMap{Title: m.word("", "star", "a long title of a map"), Step: m.stage(),
		Mark: m.word("", "A")}
	named := m.chance(0.3)
	cells := 1 + m.upTo(8)
	even := m.chance(0.6)
	for group := range 1 + m.upTo(3) {
		for k := range 1 + m.upTo(int(m.pick(1, 3, 5))) {
			if !even {
				cells = 1 + m.upTo(8)
			}
			p := heatmap.Part{Group: group, Cells: cells, Size: cells * int(m.pick(1, 1, 4, 0))}
			if named {
				p.Group, p.Name = 0, fmt.Sprintf("%s_%d", m.word("f", "w", "noise"), 5*group+k)
			}
			b.Parts = append(b.Parts, p)
		}
	}
	n := len(b.Parts)
	b.Log10 = m.values(b.Side() * b.Side())
	if m.chance(0.05) {
		b.Log10 = b.Log10[1:]
		return b
	}
	if m.chance(0.7) {
		m.decouple(&b)
	}
	if m.chance(0.3) {
		b.Lo, b.Hi = m.level-m.spread, m.level+m.spread
	}
	b.Chosen = max(m.upTo(n+2)-2, 0)
	if m.chance(0.5) {
		b.Cursor = &heatmap.Cursor{Row: b.Start(m.upTo(n)).Row, Column: b.Start(m.upTo(n)).Column}
		b.Cursor.Row.Variable += m.upTo(3)
		b.Cursor.Column.Variable += max(m.upTo(8)-3, 0)
	}
	return b
}

// decouple makes some blocks of a covariance zero.
func (m *maker) decouple(b *heatmap.BlockMap) {
	side := b.Side()
	row := 0
	for i, p := range b.Parts {
		col := 0
		for j, q := range b.Parts[:i] {
			zero := m.chance(0.5)
			if zero && m.chance(0.3) {
				b.Free = append(b.Free, [2]int{i, j})
			}
			for r := row; r < row+p.Cells && zero; r++ {
				for c := col; c < col+q.Cells; c++ {
					b.Log10[r*side+c] = math.Inf(-1)
					b.Log10[c*side+r] = math.Inf(-1)
				}
			}
			col += q.Cells
		}
		row += p.Cells
	}
}

// blockMaps returns one or several covariances in blocks.
func (m *maker) blockMaps() any {
	m.level, m.spread = m.pick(0, -2, 3), m.pick(0.5, 1, 4)
	if m.chance(0.6) {
		return m.blockMap()
	}
	var list heatmap.BlockMaps
	for k := range m.upTo(int(m.pick(3, 5, 15))) {
		b := m.blockMap()
		if k > 0 {
			b.Cursor = list[0].Cursor
		}
		list = append(list, b)
	}
	return list
}

// plane returns a quantity over a plane.
func (m *maker) plane() heatmap.PlaneMap {
	p := heatmap.PlaneMap{X: m.rising(2 + m.upTo(20)), Y: m.rising(2 + m.upTo(20)), XName: m.axis(),
		YName: m.axis(), Name: m.axis(), Level: m.level + m.pick(0.137, -0.731, math.NaN())*m.spread,
		Title: m.name(), Step: m.stage(), Run: m.run()}
	number := func(list []float64) {
		for k := range list {
			list[k] = float64(k)
		}
	}
	if m.chance(0.2) {
		number(p.X)
		p.XLevels = m.names(len(p.X))
	} else if m.chance(0.2) {
		p.XDates = m.dates()
	}
	if m.chance(0.2) {
		number(p.Y)
		p.YLevels = m.names(len(p.Y))
	}
	if m.chance(0.2) {
		p.Classes = m.names(2 + m.upTo(8))
	}
	a, b, noise := m.NormFloat64(), m.NormFloat64(), m.pick(0, 0.1, 1)
	for y := range p.Y {
		for x := range p.X {
			v := m.level + m.spread*math.Sin(a*float64(x)/4+b*float64(y)/4) + noise*(m.value()-m.level)
			if p.Classes != nil && canvas.Finite(v) {
				v = float64(m.upTo(len(p.Classes) - 1))
			}
			p.Values = append(p.Values, v)
		}
	}
	if m.chance(0.3) {
		p.Lo, p.Hi = m.level-m.spread/2, m.level+m.spread
	}
	points := func(n int) (q heatmap.Points) {
		q.Label = m.name()
		for range n {
			q.X = append(q.X, p.X[0]+(p.X[len(p.X)-1]-p.X[0])*(1.2*m.Float64()-0.1))
			q.Y = append(q.Y, p.Y[0]+(p.Y[len(p.Y)-1]-p.Y[0])*(1.2*m.Float64()-0.1))
		}
		return q
	}
	for range m.upTo(3) {
		p.Points = append(p.Points, points(m.upTo(int(m.pick(3, 60)))))
	}
	for k := range p.Points[:min(len(p.Points), len(p.Classes))] {
		p.Points[k].Label = p.Classes[k]
	}
	p.Of = max(m.upTo(300)-200, 0)
	if m.chance(0.3) {
		p.Marks = points(m.upTo(int(m.pick(5, 60))))
	}
	if m.chance(0.03) {
		p.X = p.X[1:]
	}
	return p
}

// planes returns one or several quantities over a plane.
func (m *maker) planes() any {
	if m.chance(0.6) {
		return m.plane()
	}
	var list heatmap.PlaneMaps
	for range m.upTo(4) {
		list = append(list, m.plane())
	}
	return list.Ranged()
}

// matrices returns bands of matrices.
func (m *maker) matrices() any {
	g := heatmap.Matrices{Rows: m.names(m.upTo(int(m.pick(2, 5, 14)))), Axes: []string{"x", "y"},
		RowsName: m.word("", "observed"), ColumnsName: m.word("", "predicted")}
	shapes := 1 + m.upTo(2)
	whole := m.chance(0.3)
	for range m.upTo(3) {
		b := heatmap.MatrixBand{Name: m.name(), Step: m.stage()}
		if m.chance(0.5) {
			b.At = m.values(2)
		}
		for range shapes {
			w := heatmap.Matrix{Name: m.word("|W|", "correlation", "observed, by most probable class"),
				Columns: m.names(m.upTo(6)), Whole: whole,
				Most: m.pick(0, m.spread, 2*m.spread, 5000, math.NaN())}
			for range g.Rows {
				row := m.values(len(w.Columns))
				for k := range row {
					if w.Whole {
						row[k] = float64(m.upTo(2000))
					}
				}
				w.Values = append(w.Values, row)
			}
			if m.odd && len(w.Values) > 0 {
				w.Values = w.Values[1:]
			}
			b.Matrices = append(b.Matrices, w)
		}
		g.Bands = append(g.Bands, b)
	}
	return g
}

// ranks returns average ranks of methods.
func (m *maker) ranks() any {
	n := m.upTo(int(m.pick(2, 5, 12)))
	c := tables.RankDiagram{Labels: m.names(n), CD: max(m.pick(0, 1, 2)*m.Float64(), 0),
		Note: m.word("", "Friedman P = 0.03")}
	for range n {
		c.Ranks = append(c.Ranks, 1+math.Round(4*float64(n-1)*m.Float64())/4)
	}
	if m.odd && n > 0 {
		c.Ranks[0] = math.NaN()
	}
	for range m.upTo(4) - 1 {
		var group []int
		for k := range n {
			if m.chance(0.5) {
				group = append(group, k)
			}
		}
		c.Groups = append(c.Groups, group)
	}
	return c
}

// table returns rows of text.
func (m *maker) table() any {
	t := tables.Table{Selected: m.upTo(20) - 2, Mark: m.chance(0.5)}
	for range m.upTo(6) {
		t.Columns = append(t.Columns, tables.Column{Title: m.axis(), Order: m.word("", "", " ", "▲"),
			Right: m.chance(0.4), Names: m.chance(0.3), Least: m.upTo(9), Drop: m.upTo(4),
			Keep: m.chance(0.2)})
	}
	for range m.upTo(int(m.pick(3, 20))) {
		var row []string
		for range max(len(t.Columns)-max(m.upTo(9)-7, 0), 0) {
			row = append(row, m.word(m.name(), m.axis(), fmt.Sprint(m.upTo(99999)), "1.2 ± 0.1", "a\nb"))
		}
		t.Rows = append(t.Rows, row)
	}
	if m.chance(0.5) {
		t.Look = func(row, column int) canvas.Ink {
			return canvas.Ink{Bold: (row+column)%3 == 0, Reverse: row == 1}
		}
	}
	return t
}

// kinds holds functions that return random pictures of each kind, and the number of pictures in a group. The
// number is larger for pictures that are drawn quickly.
var kinds = map[string]struct {
	make  func(*maker) any
	count int
}{
	"curves": {(*maker).curve, 24}, "fits": {(*maker).fits, 16}, "levels": {(*maker).levels, 24},
	"predictions": {(*maker).predictions, 16}, "bands": {(*maker).bands, 12},
	"histograms": {(*maker).histogram, 24}, "coverage": {(*maker).coverage, 12},
	"reliability": {(*maker).reliability, 20}, "scatter": {(*maker).scatter, 32},
	"error bars": {(*maker).errorBars, 32}, "inducing": {(*maker).inducing, 32},
	"stems":  {(*maker).stems, 24},
	"layers": {(*maker).layer, 40}, "depths": {(*maker).depths, 24}, "relevance": {(*maker).relevance, 60},
	"dots": {(*maker).dots, 80}, "block maps": {(*maker).blockMaps, 32}, "planes": {(*maker).planes, 24},
	"matrices": {(*maker).matrices, 50}, "ranks": {(*maker).ranks, 80}, "tables": {(*maker).table, 80},
}

// style returns a random terminal, which rarely shows bitmaps.
func (m *maker) style() canvas.Style {
	s := canvas.Style{Mode: canvas.ColorMode(m.upTo(int(canvas.TrueColor))), Dark: m.chance(0.5),
		ASCII: m.chance(0.2), Braille: m.chance(0.4), HighContrast: m.chance(0.2)}
	if m.chance(0.2) {
		w := 2 + m.upTo(6)
		s.Images = &bitmaps{w: w, h: 2 * w}
	}
	return s
}

// size returns the size of a picture in cells. Small sizes are frequent.
func (m *maker) size() (w, h int) {
	a := m.Float64()
	b := m.Float64()
	if m.chance(0.02) {
		return int(5 * a), -int(2 * b)
	}
	return 1 + int(140*a*a), 1 + int(45*b*b)
}

// bitmaps is a terminal with bitmaps for cells of w x h pixels. It keeps the checksum of all of them.
type bitmaps struct {
	sum  uint32
	w, h int
}

func (b *bitmaps) CellSize() (w, h int) { return b.w, b.h }

func (b *bitmaps) Show(bitmap *image.RGBA, w, h int) (number int, ok bool) {
	b.sum = crc32.Update(b.sum, crc32.IEEETable, bitmap.Pix)
	return w * h, b.w > 2
}

func (*bitmaps) Cell(row, column int) string { return string(rune('a' + (row+3*column)%26)) }

// A change of random pictures of any kind, of their sizes, cursors and tables changes a checksum. A kind has
// checksums of groups of pictures: of texts, and of tables.
func TestRandomPicturesAreUnchanged(t *testing.T) {
	const groups, views = 3, 4
	var sums strings.Builder
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		fmt.Fprintf(&sums, "%-12s", kind)
		for group := range groups {
			text := crc32.NewIEEE()
			table := crc32.NewIEEE()
			for i := range kinds[kind].count {
				m := newMaker(kind, group*kinds[kind].count+i)
				p := kinds[kind].make(m)
				writeTable(table, p)
				for range views {
					style := m.style()
					w, h := m.size()
					lines := p.(golden.Picture).Render(style, w, h)
					golden.CheckBox(t, lines, style, w, h)
					fmt.Fprintln(text, lines)
					describe(text, m, p, style, w, h)
					if b, ok := style.Images.(*bitmaps); ok {
						fmt.Fprintln(text, b.sum)
					}
				}
			}
			fmt.Fprintf(&sums, "  %08x %08x", text.Sum32(), table.Sum32())
		}
		sums.WriteByte('\n')
	}
	golden.CheckLines(t, "random_pictures", sums.String())
}

// writeTable writes the table of a picture. It rounds numbers, whose last digits depend on the processor.
func writeTable(out io.Writer, p any) {
	table, ok := p.(interface{ CSV(io.Writer) error })
	if !ok {
		return
	}
	var b bytes.Buffer
	err := table.CSV(&b)
	fmt.Fprintln(out, err)
	if layer, ok := p.(plots.Layer); ok {
		fmt.Fprintln(out, plots.LayerGPsCSV(&b, []plots.Layer{layer, layer}))
	}
	for _, field := range strings.FieldsFunc(b.String(), func(r rune) bool { return r == ',' || r == '\n' }) {
		v, err := strconv.ParseFloat(field, 64)
		if err == nil {
			field = fmt.Sprintf("%.7g", v)
		}
		fmt.Fprintln(out, field)
	}
}

// describe writes the other properties of a picture in w x h cells.
func describe(out io.Writer, m *maker, p any, style canvas.Style, w, h int) {
	across, down := m.upTo(8)-4, m.upTo(8)-4
	switch p := p.(type) {
	case curves.Curve:
		x, ok := p.XAt(w, h, m.upTo(w))
		to, moved := p.MoveCursor(m.along(p), m.NormFloat64()*m.pick(0, 1, 20))
		fmt.Fprintf(out, "%.6g %t %.6g %t\n", x, ok, to, moved)
	case heatmap.BlockMap:
		fmt.Fprintln(out, p.Height(style, w, h), p.HasReadout(h), p.Side(), p.Subject(), p.Symbol())
		fmt.Fprintln(out, p.Moved(style, w, h, across, down), p.Start(m.upTo(9)-1))
	case heatmap.BlockMaps:
		fmt.Fprintln(out, p.Height(style, w, h))
		if len(p) > 0 {
			fmt.Fprintln(out, p.Moved(style, w, h, m.upTo(len(p)-1), across, down))
		}
	case heatmap.Matrices:
		fmt.Fprintln(out, p.Height())
	case plots.Dots:
		fmt.Fprintln(out, p.Lines())
	case plots.Histogram:
		fmt.Fprintln(out, p.Outside())
	case tables.Table:
		l := p.Layout(w)
		fmt.Fprintln(out, l.Widths, l.Width(), l.At(m.upTo(w)), p.Width(), slices.Collect(p.Lines(style, w)))
	}
}

// A change of random figures of any kind changes a checksum of their kind.
func TestRandomFiguresAreUnchanged(t *testing.T) {
	const count = 24
	var sums strings.Builder
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		sum := crc32.NewIEEE()
		for i := range count {
			m := newMaker("figures of "+kind, i)
			p, ok := kinds[kind].make(m).(viz.Picture)
			if !ok {
				continue
			}
			var b bytes.Buffer
			err := export(&b, figure.SVG, p, figure.Options{Title: m.title(), Y: m.axis()})
			fmt.Fprintln(sum, err)
			sum.Write(withoutCodes(t, b.Bytes()))
		}
		fmt.Fprintf(&sums, "%-12s  %08x\n", kind, sum.Sum32())
	}
	golden.CheckLines(t, "random_figures", sums.String())
}
