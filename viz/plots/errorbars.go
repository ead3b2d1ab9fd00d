package plots

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
)

// ErrorPoint is a mean of N values with its standard error.
type ErrorPoint struct {
	X, Mean float64
	// SE is not drawn if it is not finite or N is 1.
	SE float64
	N  int
	// Off excludes the point from the range of the axis. A point outside the range is marked at the edge.
	Off bool
}

// ErrorSeries holds the means of one method at each x.
type ErrorSeries struct {
	Label string
	// Run selects colour and marker; see Style.RunColor.
	Run    int
	Points []ErrorPoint
}

// ErrorBars shows a metric against the values of a hyperparameter: means with bars of one standard
// error on both sides. Series are shifted sideways to avoid overlap.
type ErrorBars struct {
	Series       []ErrorSeries
	XName, YName string
	// Categories, if not nil, name the x values 0, 1, 2... Points are then not joined by lines.
	Categories []string
	// LogX makes the x axis logarithmic. Points whose x is not positive are omitted and counted.
	LogX bool
	// Best marks the best mean of all.
	Best chart.Best
	// OffName names the points that are excluded from the range of the axis.
	OffName string
}

// Render draws the chart as h lines of w cells.
func (b ErrorBars) Render(style canvas.Style, w, h int) []string {
	return b.chart().Render(style, w, h)
}

// Figure returns the chart as a figure of 14 x 8 cm.
func (b ErrorBars) Figure(o figure.Options) (*figure.Figure, error) { return b.chart().Figure(o) }

// CSV writes the mean and the standard error of every point of every series.
func (b ErrorBars) CSV(out io.Writer) error {
	t := figure.NewTable(out, "name", "x", "mean", "se", "n")
	for _, s := range b.Series {
		for _, p := range s.Points {
			x := figure.Exact(p.X)
			if name, ok := b.category(p.X); ok {
				x = name
			}
			t.Row(s.Label, x, figure.Exact(p.Mean), figure.Exact(p.SE), strconv.Itoa(p.N))
		}
	}
	return t.Close()
}

// chart describes lines, then bars, then means. Means are never covered.
func (b ErrorBars) chart() *chart.Chart {
	c := &chart.Chart{Name: "means", PadY: 0.04, Page: chart.Page{W: 14, H: 8, NX: 6, NY: 6}}
	y := chart.NewExtent()
	counts := errorCounts{least: math.MaxInt}
	best := (*ErrorPoint)(nil)
	var xs []float64
	for _, s := range b.Series {
		for k, p := range s.Points {
			if !b.shown(p) {
				if b.LogX && p.X <= 0 && canvas.Finite(p.Mean) {
					counts.notPositive++
				} else {
					counts.notFinite++
				}
				continue
			}
			xs = append(xs, p.X)
			if !p.Off {
				y.Add(p.Mean)
			}
			if lo, hi, ok := p.bar(); ok && !p.Off {
				y.Add(lo)
				y.Add(hi)
			}
			if p.N == 1 {
				counts.single++
			}
			counts.least = min(counts.least, p.N)
			counts.most = max(counts.most, p.N)
			if b.Best != chart.NoBest && (best == nil || b.Best == chart.Highest && p.Mean > best.Mean ||
				b.Best == chart.Lowest && p.Mean < best.Mean) {
				best = &s.Points[k]
			}
		}
	}
	if y.N == 0 && len(xs) > 0 {
		return b.withAll().chart()
	}
	if y.N == 0 {
		c.Empty = "no result yet"
		return c
	}
	slices.Sort(xs)
	xs = slices.Compact(xs)
	c.Y, c.XName, c.YName = chart.Fit(chart.Linear, y, false), b.XName, b.YName
	c.X, c.XTicks = b.xAxis(xs)
	side := chart.Side{Count: len(b.Series), X: xs, Spacing: 1}
	if b.Categories == nil {
		side.Spacing = c.X.Hi - c.X.Lo
		for k := 1; k < len(xs); k++ {
			side.Spacing = min(side.Spacing, c.X.Forward(xs[k])-c.X.Forward(xs[k-1]))
		}
	}
	if b.Categories == nil { // The figure has room for series that are shifted sideways.
		c.Page.Pad[0] = side.Reach() / (c.X.Hi - c.X.Lo)
	}
	var lines, bars, means, edges []chart.Mark
	var star chart.Mark
	for i, s := range b.Series {
		side.Index = i
		color := chart.Run(s.Run)
		whiskers := chart.Whiskers{Color: color, Width: 1 / 2.5, Caps: true, Side: side}
		points := chart.Points{Name: s.Label, Glyph: canvas.Marker(s.Run), Color: color, Bold: true,
			Radius: 0.9, Side: side}
		for k, p := range s.Points {
			if !b.shown(p) {
				continue
			}
			at := chart.XY{X: p.X, Y: p.Mean}
			if p.Off && (p.Mean < y.Lo || p.Mean > y.Hi) {
				edges = append(edges, edgeMark{b.OffName, at, side, color, at.Y > y.Hi, c.Y})
				counts.off = append(counts.off, at.Y)
				continue
			}
			whisker := chart.Whisker{X: p.X, Lo: p.Mean, Mid: p.Mean, Hi: p.Mean}
			if lo, hi, ok := p.bar(); ok {
				whisker.Lo, whisker.Hi = lo, hi
				whiskers.List = append(whiskers.List, whisker)
			}
			points.XY = append(points.XY, at)
			if best == &s.Points[k] {
				star = chart.OnText(func(cv *canvas.Canvas, p *chart.Plane) {
					drawBest(cv, p, points.Side.Column(at.X, cv, p), whisker)
				})
			}
		}
		if b.Categories == nil {
			line := chart.Line{XY: slices.Clone(points.XY), Color: color.Fade(0.5, 128), Width: 1. / 4,
				Corners: true, Side: side}
			slices.SortStableFunc(line.XY, func(a, b chart.XY) int { return cmp.Compare(a.X, b.X) })
			lines = append(lines, line)
		}
		bars = append(bars, whiskers)
		means = append(means, points)
	}
	c.Marks = slices.Concat(lines, bars, means, edges)
	if star != nil {
		c.Marks = append(c.Marks, star)
	}
	c.Legend = func(style canvas.Style) []canvas.Part { return b.legend(style, counts, best) }
	return c
}

// withAll returns the chart with all points within the range of the axis.
func (b ErrorBars) withAll() ErrorBars {
	list := slices.Clone(b.Series)
	for i := range list {
		list[i].Points = slices.Clone(list[i].Points)
		for k := range list[i].Points {
			list[i].Points[k].Off = false
		}
	}
	b.Series = list
	return b
}

// edgeMark marks a point outside the range of the axis at its edge.
type edgeMark struct {
	name  string
	at    chart.XY
	side  chart.Side
	color chart.Color
	above bool
	y     chart.Scale
}

// Text puts a mark at the edge.
func (m edgeMark) Text(cv *canvas.Canvas, p *chart.Plane) {
	glyph, row := chart.MarkBelow, cv.H-1
	if m.above {
		glyph, row = chart.MarkAbove, 0
	}
	look := canvas.Ink{FG: m.color.Text(cv.Style), Bold: true}
	cv.Put(m.side.Column(m.at.X, cv, p), row, glyph, look)
}

// Figure adds a triangle at the edge with the value next to it.
func (m edgeMark) Figure(to *figure.Plot, p *chart.Plane) {
	edge := chart.XY{X: m.at.X, Y: m.y.Lo}
	if m.above {
		edge.Y = m.y.Hi
	}
	chart.Points{XY: []chart.XY{edge}, Color: m.color, Radius: 1.2, Shape: draw.TriangleGlyph{},
		Side: m.side}.Figure(to, p)
	edge.X += m.side.Shift()
	nameMarks{{X: edge.X, Y: edge.Y, Text: m.name + " at " + canvas.Number(m.at.Y)}}.Figure(to, p)
}

// errorCounts holds the numbers in the legend.
type errorCounts struct {
	// notFinite and notPositive count the omitted points.
	notFinite, notPositive int
	// least and most are the ends of the range of N, and single counts the points with N = 1.
	least, most, single int
	// off holds the means at the edge.
	off []float64
}

// mostTicks is the maximum number of distinct x that have a tick each.
const mostTicks = 12

// xAxis returns the x axis and a tick for each distinct x, or nil if there are many.
func (b ErrorBars) xAxis(xs []float64) (x chart.Scale, ticks func(n int) []chart.Tick) {
	var list []chart.Tick
	ticks = func(int) []chart.Tick { return list }
	if b.Categories != nil {
		for i, name := range b.Categories {
			list = append(list, chart.Tick{At: float64(i), Label: name})
		}
		return chart.Scale{Lo: -0.5, Hi: float64(len(b.Categories)) - 0.5}, ticks
	}
	x, _ = chart.FitValues([][]float64{xs}, b.LogX)
	x.Pad(0.06)
	if len(xs) > mostTicks {
		return x, nil
	}
	for _, v := range xs {
		list = append(list, chart.Tick{At: x.Forward(v), Label: canvas.Number(v)})
	}
	return x, ticks
}

// category returns the name of the category at x. It returns false if there is none.
func (b ErrorBars) category(x float64) (name string, ok bool) {
	if x == math.Trunc(x) && x >= 0 && x < float64(len(b.Categories)) {
		return b.Categories[int(x)], true
	}
	return "", false
}

// shown reports whether a point can be drawn.
func (b ErrorBars) shown(p ErrorPoint) bool {
	switch {
	case !canvas.Finite(p.X) || !canvas.Finite(p.Mean) || b.LogX && b.Categories == nil && p.X <= 0:
		return false
	case b.Categories != nil:
		_, ok := b.category(p.X)
		return ok
	}
	return true
}

// bar returns the ends of the bar of a point. ok is false if it has none.
func (p ErrorPoint) bar() (lo, hi float64, ok bool) {
	lo, hi = p.Mean-p.SE, p.Mean+p.SE
	return lo, hi, p.N != 1 && p.SE >= 0 && canvas.Finite(lo) && canvas.Finite(hi)
}

// drawBest puts a star next to the best mean, which is in column x.
func drawBest(cv *canvas.Canvas, p *chart.Plane, x int, bar chart.Whisker) {
	y := p.Row(bar.Mid, cv)
	top, _ := bar.Rows(cv, p)
	for _, at := range [...][2]int{{x, top - 1}, {x + 1, y}, {x - 1, y}, {x + 1, y - 1}, {x - 1, y - 1}} {
		if cv.Free(at[0], at[1], 1) {
			cv.Put(at[0], at[1], '★', canvas.Ink{FG: cv.Style.Good(), Bold: true})
			return
		}
	}
}

// legend lists the series, explains the bars, and counts missing points.
func (b ErrorBars) legend(style canvas.Style, counts errorCounts, best *ErrorPoint) []canvas.Part {
	var parts []canvas.Part
	dim := canvas.Ink{FG: style.Dim()}
	for _, s := range b.Series {
		parts = append(parts, canvas.Label(style, s.Run, s.Label, "").Part())
	}
	n := canvas.CountRange(counts.least, counts.most)
	sign := style.PlusMinus()
	if counts.most > 1 {
		parts = append(parts, canvas.Note(1, dim, "mean "+sign+" s.e., n = "+n, sign+" s.e., n="+n, "n="+n))
	} else {
		parts = append(parts, canvas.Note(1, dim, "no s.e., n = 1", "n=1"))
	}
	if best != nil {
		good := canvas.Ink{FG: style.Good(), Bold: true}
		at := canvas.Number(best.X)
		if b.Categories != nil {
			at = b.Categories[int(best.X)]
		}
		star := canvas.Text("★ "+canvas.Number(best.Mean), good)
		parts = append(parts, canvas.Part{
			Variants: [][]canvas.Span{{star, canvas.Text(" at "+at, dim)}, {star}, nil},
		})
	}
	if counts.single > 0 && counts.most > 1 {
		parts = append(parts, canvas.Note(2, dim, strconv.Itoa(counts.single)+" without s.e. (n = 1)",
			strconv.Itoa(counts.single)+" of n=1"))
	}
	if len(counts.off) > 0 {
		lo := canvas.Number(slices.Min(counts.off))
		text := b.OffName + " at " + lo
		if hi := canvas.Number(slices.Max(counts.off)); hi != lo {
			text = b.OffName + " from " + lo + " to " + hi
		}
		glyphs := string(chart.MarkBelow) + string(chart.MarkAbove)
		parts = append(parts, canvas.Note(2, dim, glyphs+" "+text+", beyond the axis", glyphs+" "+text,
			glyphs+" "+b.OffName))
	}
	if b.LogX {
		parts = append(parts, canvas.Note(0, dim, "log x", ""))
	}
	return append(parts, chart.LeftOut(style, counts.notPositive, counts.notFinite)...)
}
