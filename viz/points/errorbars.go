package points

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"dgplab/viz/axes"
	"dgplab/viz/canvas"
	"dgplab/viz/number"
)

// ErrorPoint is a mean over N values, with its standard error.
type ErrorPoint struct {
	X, Mean float64
	// SE is not drawn where it is not finite or N is 1.
	SE float64
	N  int
}

// ErrorSeries is one method: a mean for each value of what varies.
type ErrorSeries struct {
	Label string
	// Run picks colour and marker; see Style.RunColor.
	Run    int
	Points []ErrorPoint
}

// ErrorBars shows a metric against the values of a hyperparameter: means with a
// bar of one standard error on both sides. Series are moved a little sideways so
// that they do not cover each other. The zero value has a linear x axis.
type ErrorBars struct {
	Series       []ErrorSeries
	XName, YName string
	// Categories, if not nil, name the x values 0, 1, 2...; points are then not
	// joined by lines.
	Categories []string
	// LogX makes the x axis logarithmic; x that are not positive are left out and
	// counted.
	LogX bool
	// Best marks the best mean of all.
	Best axes.Best
}

// errorLayout is an ErrorBars, measured.
type errorLayout struct {
	ErrorBars
	axes.Plane
	// xs are the distinct x in order.
	xs []float64
	// best is the marked point, [series][point]; -1 without.
	best [2]int
	// left out: points that are not finite, or not positive on a log axis.
	notFinite, notPositive int
	least, most, single    int // of N, and points with N of 1
}

// Render draws the chart as w x h cells.
func (b ErrorBars) Render(style canvas.Style, w, h int) []string {
	l, ok := b.measure()
	if !ok {
		return canvas.Empty(style, w, h, "no result yet")
	}
	return l.Chart(style, w, h, l.draw, l.legend)
}

// shown tells whether a point can be drawn.
func (b ErrorBars) shown(p ErrorPoint) bool {
	switch {
	case !number.Finite(p.X) || !number.Finite(p.Mean) || b.LogX && b.Categories == nil && p.X <= 0:
		return false
	case b.Categories != nil:
		return p.X == math.Trunc(p.X) && p.X >= 0 && p.X < float64(len(b.Categories))
	}
	return true
}

// bar returns the ends of the bar of a point; ok is false where it has none.
func (p ErrorPoint) bar() (lo, hi float64, ok bool) {
	lo, hi = p.Mean-p.SE, p.Mean+p.SE
	return lo, hi, p.N != 1 && p.SE >= 0 && number.Finite(lo) && number.Finite(hi)
}

// measure takes the ranges; ok is false without a point to draw.
func (b ErrorBars) measure() (*errorLayout, bool) {
	l := &errorLayout{ErrorBars: b, best: [2]int{-1, -1}, least: math.MaxInt}
	l.Plane.XName, l.Plane.YName = b.XName, b.YName
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
	l.Y = axes.Fit(axes.Linear, e, false)
	l.Y.Pad(0.04)
	l.measureX()
	return l, true
}

// measureX fits the x axis, with ticks at the values that there are.
func (l *errorLayout) measureX() {
	if l.Categories != nil {
		l.X = axes.Scale{Lo: -0.5, Hi: float64(len(l.Categories)) - 0.5}
		for i, name := range l.Categories {
			l.XTicks = append(l.XTicks, axes.Tick{At: float64(i), Label: name})
		}
		return
	}
	l.X, _ = axes.FitValues([][]float64{l.xs}, l.LogX)
	l.X.Pad(0.06)
	if len(l.xs) > 12 {
		return // as many as on any axis
	}
	for _, v := range l.xs {
		l.XTicks = append(l.XTicks, axes.Tick{At: l.X.Forward(v), Label: number.Short(v)})
	}
}

// dodge returns by how many columns series i is moved sideways.
func (l *errorLayout) dodge(i int, cv *canvas.Canvas) int {
	n, spacing := len(l.Series), cv.W
	for k := 1; k < len(l.xs); k++ {
		spacing = min(spacing, l.Col(l.xs[k], cv)-l.Col(l.xs[k-1], cv))
	}
	gap := min(3, spacing/(n+1))
	return i*gap - (n-1)*gap/2
}

// draw draws lines, then bars, then means, so that no mean is covered by a line.
func (l *errorLayout) draw(cv *canvas.Canvas) {
	for i := range l.Series {
		if l.Categories == nil {
			l.drawJoin(cv, i)
		}
	}
	for i := range l.Series {
		l.eachPoint(cv, i, func(_ int, x int, p ErrorPoint, look canvas.Ink) { l.drawBar(cv, x, p, look) })
	}
	for i := range l.Series {
		l.eachPoint(cv, i, func(k, x int, p ErrorPoint, look canvas.Ink) {
			cv.Put(x, l.Row(p.Mean, cv), canvas.Marker(l.Series[i].Run), look)
		})
	}
	if l.best[0] >= 0 {
		l.eachPoint(cv, l.best[0], func(k, x int, p ErrorPoint, _ canvas.Ink) {
			if k == l.best[1] {
				l.drawBest(cv, x, p)
			}
		})
	}
}

// eachPoint calls do with every point of series i that is drawn, and its column.
func (l *errorLayout) eachPoint(cv *canvas.Canvas, i int, do func(k, x int, p ErrorPoint, look canvas.Ink)) {
	look := canvas.Ink{FG: cv.Style.RunColor(l.Series[i].Run), Bold: true}
	move := l.dodge(i, cv)
	for k, p := range l.Series[i].Points {
		if l.shown(p) {
			do(k, max(0, min(l.Col(p.X, cv)+move, cv.W-1)), p, look)
		}
	}
}

// drawJoin joins the means of series i by faint lines.
func (l *errorLayout) drawJoin(cv *canvas.Canvas, i int) {
	var points []axes.XY
	l.eachPoint(cv, i, func(_, x int, p ErrorPoint, _ canvas.Ink) {
		points = append(points, axes.XY{
			X: number.Unit(float64(x), 0, float64(cv.W-1)),
			Y: number.Unit(l.Y.Forward(p.Mean), l.Y.Lo, l.Y.Hi),
		})
	})
	slices.SortStableFunc(points, func(a, b axes.XY) int { return cmp.Compare(a.X, b.X) })
	look := canvas.Ink{FG: cv.Style.Tint(cv.Style.RunColor(l.Series[i].Run), 0.5)}
	canvas.DrawLine(cv, look, func(w, h int) []int { return joined(points, w, h) })
}

// barRows returns where the bar of a point begins and ends: as far above its mean as below,
// so that none has one end only; a bar that is shorter than its marker is not seen.
func (l *errorLayout) barRows(cv *canvas.Canvas, p ErrorPoint) (top, bottom int) {
	mean, reach := l.Row(p.Mean, cv), 0
	if lo, hi, ok := p.bar(); ok {
		reach = (l.Row(lo, cv) - l.Row(hi, cv)) / 2
	}
	return max(mean-reach, 0), min(mean+reach, cv.H-1)
}

// drawBar draws one standard error on both sides of a mean.
func (l *errorLayout) drawBar(cv *canvas.Canvas, x int, p ErrorPoint, look canvas.Ink) {
	look.Bold = false
	top, bottom := l.barRows(cv, p)
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
}

// drawBest puts a star beside the best mean.
func (l *errorLayout) drawBest(cv *canvas.Canvas, x int, p ErrorPoint) {
	y := l.Row(p.Mean, cv)
	top, _ := l.barRows(cv, p)
	for _, at := range [...][2]int{{x, top - 1}, {x + 1, y}, {x - 1, y}, {x + 1, y - 1}, {x - 1, y - 1}} {
		if cv.Free(at[0], at[1], 1) {
			cv.Put(at[0], at[1], '★', canvas.Ink{FG: cv.Style.Good(), Bold: true})
			return
		}
	}
}

// legend lists the series, what the bars are, and what is left out.
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
