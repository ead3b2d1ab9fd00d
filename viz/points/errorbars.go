package points

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"

	"dgplab/viz/axes"
	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
	"dgplab/viz/number"
)

// ErrorPoint is a mean of N values with its standard error.
type ErrorPoint struct {
	X, Mean float64
	// SE is not drawn if it is not finite or N is 1.
	SE float64
	N  int
}

// ErrorSeries is one method with a mean at each x.
type ErrorSeries struct {
	Label string
	// Run selects colour and marker; see Style.RunColor.
	Run    int
	Points []ErrorPoint
}

// ErrorBars shows a metric against the values of a hyperparameter: means with bars of one standard
// error on both sides. Series are moved sideways so that they do not cover each other.
type ErrorBars struct {
	Series       []ErrorSeries
	XName, YName string
	// Categories, if not nil, name the x values 0, 1, 2... Points are then not joined by lines.
	Categories []string
	// LogX makes the x axis logarithmic. Points whose x is not positive are left out and counted.
	LogX bool
	// Best marks the best mean of all.
	Best axes.Best
}

// errorLayout is an ErrorBars with its ranges. It is the mark of its chart.
type errorLayout struct {
	ErrorBars
	plane axes.Plane
	// xs are the distinct x in order.
	xs []float64
	// best is the marked point, [series][point], or -1.
	best [2]int
	// notFinite and notPositive count points that are left out.
	notFinite, notPositive int
	// least and most are the range of N, and single counts the points with an N of 1.
	least, most, single int
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
			if b.Categories != nil && b.shown(p) {
				x = b.Categories[int(p.X)]
			}
			t.Row(s.Label, x, figure.Exact(p.Mean), figure.Exact(p.SE), strconv.Itoa(p.N))
		}
	}
	return t.Close()
}

// chart describes the series as one mark.
func (b ErrorBars) chart() *chart.Chart {
	l, ok := b.measure()
	c := &chart.Chart{Name: "means", Plane: l.plane, Marks: []chart.Mark{l}, Legend: l.legend, PadY: 0.04,
		Page: chart.Page{W: 14, H: 8, NX: 6, NY: 6}}
	if !ok {
		c.Empty = "no result yet"
	}
	return c
}

// shown reports whether a point can be drawn.
func (b ErrorBars) shown(p ErrorPoint) bool {
	switch {
	case !number.Finite(p.X) || !number.Finite(p.Mean) || b.LogX && b.Categories == nil && p.X <= 0:
		return false
	case b.Categories != nil:
		return p.X == math.Trunc(p.X) && p.X >= 0 && p.X < float64(len(b.Categories))
	}
	return true
}

// bar returns the ends of the bar of a point. ok is false if it has none.
func (p ErrorPoint) bar() (lo, hi float64, ok bool) {
	lo, hi = p.Mean-p.SE, p.Mean+p.SE
	return lo, hi, p.N != 1 && p.SE >= 0 && number.Finite(lo) && number.Finite(hi)
}

// measure takes the ranges. ok is false if there is no point to draw.
func (b ErrorBars) measure() (l *errorLayout, ok bool) {
	l = &errorLayout{ErrorBars: b, best: [2]int{-1, -1}, least: math.MaxInt}
	l.plane.XName, l.plane.YName = b.XName, b.YName
	e, most := axes.NewExtent(), 0.0
	for i, s := range b.Series {
		for k, p := range s.Points {
			if !b.shown(p) {
				if b.LogX && p.X <= 0 && number.Finite(p.Mean) {
					l.notPositive++
				} else {
					l.notFinite++
				}
				continue
			}
			l.xs = append(l.xs, p.X)
			e.Add(p.Mean)
			if lo, hi, ok := p.bar(); ok {
				e.Add(lo)
				e.Add(hi)
			}
			if p.N == 1 {
				l.single++
			}
			l.least = min(l.least, p.N)
			l.most = max(l.most, p.N)
			better := l.best[0] < 0 || b.Best == axes.Highest && p.Mean > most ||
				b.Best == axes.Lowest && p.Mean < most
			if b.Best != axes.NoBest && better {
				l.best, most = [2]int{i, k}, p.Mean
			}
		}
	}
	if e.N == 0 {
		return l, false
	}
	slices.Sort(l.xs)
	l.xs = slices.Compact(l.xs)
	l.plane.Y = axes.Fit(axes.Linear, e, false)
	if b.Categories != nil {
		l.plane.X = axes.Scale{Lo: -0.5, Hi: float64(len(b.Categories)) - 0.5}
		for i, name := range b.Categories {
			l.plane.XTicks = append(l.plane.XTicks, axes.Tick{At: float64(i), Label: name})
		}
		return l, true
	}
	l.plane.X, _ = axes.FitValues([][]float64{l.xs}, b.LogX)
	l.plane.X.Pad(0.06)
	if len(l.xs) <= mostTicks {
		for _, v := range l.xs {
			tick := axes.Tick{At: l.plane.X.Forward(v), Label: number.Short(v)}
			l.plane.XTicks = append(l.plane.XTicks, tick)
		}
	}
	return l, true
}

// mostTicks is the number of distinct x up to which each has a tick.
const mostTicks = 12

// Text draws lines, then bars, then means, so that no line covers a mean.
func (l *errorLayout) Text(cv *canvas.Canvas, p *axes.Plane) {
	if l.Categories == nil {
		for i := range l.Series {
			l.drawJoin(cv, p, i)
		}
	}
	for i := range l.Series {
		l.eachPoint(cv, p, i, func(_, x int, e ErrorPoint, look canvas.Ink) {
			look.Bold = false
			top, bottom := barRows(cv, p, e)
			for y := top; y <= bottom && top < bottom; y++ {
				r := '│'
				switch y {
				case top:
					r = '┬'
				case bottom:
					r = '┴'
				}
				cv.Put(x, y, r, look)
			}
		})
	}
	for i, s := range l.Series {
		l.eachPoint(cv, p, i, func(_, x int, e ErrorPoint, look canvas.Ink) {
			cv.Put(x, p.Row(e.Mean, cv), canvas.Marker(s.Run), look)
		})
	}
	if l.best[0] >= 0 {
		l.eachPoint(cv, p, l.best[0], func(k, x int, e ErrorPoint, _ canvas.Ink) {
			if k == l.best[1] {
				drawBest(cv, p, x, e)
			}
		})
	}
}

// dodge returns the number of columns that series i is moved sideways.
func (l *errorLayout) dodge(cv *canvas.Canvas, p *axes.Plane, i int) int {
	n, spacing := len(l.Series), cv.W
	for k := 1; k < len(l.xs); k++ {
		spacing = min(spacing, p.Col(l.xs[k], cv)-p.Col(l.xs[k-1], cv))
	}
	gap := min(3, spacing/(n+1))
	return i*gap - (n-1)*gap/2
}

// eachPoint calls do with every point of series i that is drawn, its index and its column.
func (l *errorLayout) eachPoint(cv *canvas.Canvas, p *axes.Plane, i int,
	do func(k, x int, e ErrorPoint, look canvas.Ink)) {
	look := canvas.Ink{FG: cv.Style.RunColor(l.Series[i].Run), Bold: true}
	move := l.dodge(cv, p, i)
	for k, e := range l.Series[i].Points {
		if l.shown(e) {
			do(k, max(0, min(p.Col(e.X, cv)+move, cv.W-1)), e, look)
		}
	}
}

// drawJoin joins the means of series i by a faint line, from column to column.
func (l *errorLayout) drawJoin(cv *canvas.Canvas, p *axes.Plane, i int) {
	columns := *p
	columns.X = axes.Scale{Hi: float64(max(cv.W-1, 1))}
	line := chart.Line{Color: chart.Run(l.Series[i].Run).Fade(0.5, 128), Corners: true}
	l.eachPoint(cv, p, i, func(_, x int, e ErrorPoint, _ canvas.Ink) {
		line.XY = append(line.XY, axes.XY{X: float64(x), Y: e.Mean})
	})
	slices.SortStableFunc(line.XY, func(a, b axes.XY) int { return cmp.Compare(a.X, b.X) })
	line.Text(cv, &columns)
}

// barRows returns the first and the last row of the bar of a point. It reaches as far above the mean
// as below, so that no bar has one end only. A bar shorter than its marker is not seen.
func barRows(cv *canvas.Canvas, p *axes.Plane, e ErrorPoint) (top, bottom int) {
	mean, reach := p.Row(e.Mean, cv), 0
	if lo, hi, ok := e.bar(); ok {
		reach = (p.Row(lo, cv) - p.Row(hi, cv)) / 2
	}
	return max(mean-reach, 0), min(mean+reach, cv.H-1)
}

// drawBest puts a star beside the best mean.
func drawBest(cv *canvas.Canvas, p *axes.Plane, x int, e ErrorPoint) {
	y := p.Row(e.Mean, cv)
	top, _ := barRows(cv, p, e)
	for _, at := range [...][2]int{{x, top - 1}, {x + 1, y}, {x - 1, y}, {x + 1, y - 1}, {x - 1, y - 1}} {
		if cv.Free(at[0], at[1], 1) {
			cv.Put(at[0], at[1], '★', canvas.Ink{FG: cv.Style.Good(), Bold: true})
			return
		}
	}
}

// seriesShift is the distance between series in a figure, as a share of the least distance of two x.
const seriesShift = 0.14

// Figure adds the bars and the means, series side by side.
func (l *errorLayout) Figure(to *plot.Plot, p *axes.Plane) error {
	spacing := 1.0
	if l.Categories == nil {
		spacing = p.X.Hi - p.X.Lo
		for k := 1; k < len(l.xs); k++ {
			spacing = min(spacing, p.X.Forward(l.xs[k])-p.X.Forward(l.xs[k-1]))
		}
	}
	places := axes.Plane{X: axes.Scale{Lo: p.X.Lo, Hi: p.X.Hi}, Y: p.Y}
	for i, s := range l.Series {
		color := chart.Run(s.Run)
		bars := chart.Whiskers{Color: color, Width: 1 / 2.5}
		means := chart.Points{Name: s.Label, Color: color, Radius: 0.9}
		for _, e := range s.Points {
			if !l.shown(e) {
				continue
			}
			x := p.X.Forward(e.X) + seriesShift*spacing*(float64(i)-0.5*float64(len(l.Series)-1))
			means.XY = append(means.XY, axes.XY{X: x, Y: e.Mean})
			if lo, hi, ok := e.bar(); ok {
				bars.List = append(bars.List, chart.Whisker{X: x, Lo: lo, Hi: hi})
			}
		}
		marks := []chart.Mark{bars, means}
		if l.Categories == nil {
			line := chart.Line{XY: slices.Clone(means.XY), Color: color.Fade(0, 128), Width: 1. / 4}
			slices.SortStableFunc(line.XY, func(a, b axes.XY) int { return cmp.Compare(a.X, b.X) })
			marks = append([]chart.Mark{line}, marks...)
		}
		for _, m := range marks {
			if err := m.Figure(to, &places); err != nil {
				return err
			}
		}
	}
	return nil
}

// legend lists the series, explains the bars, and counts what is left out.
func (l *errorLayout) legend(style canvas.Style) []canvas.Part {
	var parts []canvas.Part
	dim := canvas.Ink{FG: style.Dim()}
	for _, s := range l.Series {
		parts = append(parts, canvas.Label(style, s.Run, s.Label, 5))
	}
	n := number.Count(l.least, l.most)
	sign := style.PlusMinus()
	if l.most > 1 {
		parts = append(parts, canvas.Note(1, dim, "mean "+sign+" s.e., n = "+n, sign+" s.e., n="+n, "n="+n))
	} else if l.most == 1 {
		parts = append(parts, canvas.Note(1, dim, "no s.e., n = 1", "n=1"))
	}
	if l.best[0] >= 0 {
		p := l.Series[l.best[0]].Points[l.best[1]]
		good := canvas.Ink{FG: style.Good(), Bold: true}
		at := number.Short(p.X)
		if l.Categories != nil {
			at = l.Categories[int(p.X)]
		}
		best := canvas.Text("★ "+number.Short(p.Mean), good)
		parts = append(parts, canvas.Part{
			Variants: [][]canvas.Span{{best, canvas.Text(" at "+at, dim)}, {best}, nil},
		})
	}
	if l.single > 0 && l.most > 1 {
		parts = append(parts, canvas.Note(2, dim, strconv.Itoa(l.single)+" without s.e. (n = 1)",
			strconv.Itoa(l.single)+" of n=1"))
	}
	if l.LogX {
		parts = append(parts, canvas.Note(0, dim, "log x", ""))
	}
	return append(parts, axes.LeftOut(style, l.notPositive, l.notFinite)...)
}
