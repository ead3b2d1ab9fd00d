package viz

import (
	"math"
	"slices"
	"strconv"
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
	Best Best
}

// errorLayout is an ErrorBars, measured.
type errorLayout struct {
	ErrorBars
	plane
	// xs are the distinct x in order.
	xs []float64
	// best is the marked point, [series][point]; -1 without.
	best [2]int
	// left out: points that are not finite, or not positive on a log axis.
	notFinite, notPositive int
	least, most, single    int // of N, and points with N of 1
}

// Render draws the chart as w x h cells.
func (b ErrorBars) Render(style Style, w, h int) string {
	l, ok := b.measure()
	if !ok {
		return emptyPlane(style, w, h, "no result yet")
	}
	return l.chart(style, w, h, l.draw, l.legend)
}

// shown tells whether a point can be drawn.
func (b ErrorBars) shown(p ErrorPoint) bool {
	switch {
	case !finite(p.X) || !finite(p.Mean) || b.LogX && b.Categories == nil && p.X <= 0:
		return false
	case b.Categories != nil:
		return p.X == math.Trunc(p.X) && p.X >= 0 && p.X < float64(len(b.Categories))
	}
	return true
}

// bar returns the ends of the bar of a point; ok is false where it has none.
func (p ErrorPoint) bar() (lo, hi float64, ok bool) {
	lo, hi = p.Mean-p.SE, p.Mean+p.SE
	return lo, hi, p.N != 1 && p.SE >= 0 && finite(lo) && finite(hi)
}

// measure takes the ranges; ok is false without a point to draw.
func (b ErrorBars) measure() (*errorLayout, bool) {
	l := &errorLayout{ErrorBars: b, best: [2]int{-1, -1}, least: math.MaxInt}
	l.plane.xName, l.plane.yName = b.XName, b.YName
	e, most := newExtent(), 0.0
	for i, s := range b.Series {
		for k, p := range s.Points {
			if !b.shown(p) {
				if b.LogX && p.X <= 0 && finite(p.Mean) {
					l.notPositive++
				} else {
					l.notFinite++
				}
				continue
			}
			l.xs = append(l.xs, p.X)
			e.add(p.Mean)
			if lo, hi, ok := p.bar(); ok {
				e.add(lo)
				e.add(hi)
			}
			if p.N == 1 {
				l.single++
			}
			l.least, l.most = min(l.least, p.N), max(l.most, p.N)
			better := l.best[0] < 0 || b.Best == Highest && p.Mean > most || b.Best == Lowest && p.Mean < most
			if b.Best != NoBest && better {
				l.best, most = [2]int{i, k}, p.Mean
			}
		}
	}
	if e.n == 0 {
		return l, false
	}
	slices.Sort(l.xs)
	l.xs = slices.Compact(l.xs)
	l.y = fitScale(Linear, e, false)
	l.y.pad(0.04)
	l.measureX()
	return l, true
}

// measureX fits the x axis, with ticks at the values that there are.
func (l *errorLayout) measureX() {
	if l.Categories != nil {
		l.x = scale{lo: -0.5, hi: float64(len(l.Categories)) - 0.5}
		for i, name := range l.Categories {
			l.xTicks = append(l.xTicks, Tick{float64(i), name})
		}
		return
	}
	l.x, _ = axisScale([][]float64{l.xs}, l.LogX)
	l.x.pad(0.06)
	if len(l.xs) > 12 {
		return // as many as on any axis
	}
	for _, v := range l.xs {
		l.xTicks = append(l.xTicks, Tick{l.x.forward(v), Short(v)})
	}
}

// dodge returns by how many columns series i is moved sideways.
func (l *errorLayout) dodge(i int, cv *canvas) int {
	n, spacing := len(l.Series), cv.w
	for k := 1; k < len(l.xs); k++ {
		spacing = min(spacing, l.col(l.xs[k], cv)-l.col(l.xs[k-1], cv))
	}
	gap := min(3, spacing/(n+1))
	return i*gap - (n-1)*gap/2
}

// draw draws lines, then bars, then means, so that no mean is covered by a line.
func (l *errorLayout) draw(cv *canvas) {
	for i := range l.Series {
		if l.Categories == nil {
			l.drawJoin(cv, i)
		}
	}
	for i := range l.Series {
		l.eachPoint(cv, i, func(_ int, x int, p ErrorPoint, look ink) { l.drawBar(cv, x, p, look) })
	}
	for i := range l.Series {
		l.eachPoint(cv, i, func(k, x int, p ErrorPoint, look ink) {
			cv.put(x, l.row(p.Mean, cv), runMarker(l.Series[i].Run), look)
		})
	}
	if l.best[0] >= 0 {
		l.eachPoint(cv, l.best[0], func(k, x int, p ErrorPoint, _ ink) {
			if k == l.best[1] {
				l.drawBest(cv, x, p)
			}
		})
	}
}

// eachPoint calls do with every point of series i that is drawn, and its column.
func (l *errorLayout) eachPoint(cv *canvas, i int, do func(k, x int, p ErrorPoint, look ink)) {
	look := ink{fg: cv.style.RunColor(l.Series[i].Run), bold: true}
	move := l.dodge(i, cv)
	for k, p := range l.Series[i].Points {
		if l.shown(p) {
			do(k, max(0, min(l.col(p.X, cv)+move, cv.w-1)), p, look)
		}
	}
}

// drawJoin joins the means of series i by faint lines.
func (l *errorLayout) drawJoin(cv *canvas, i int) {
	var points []XY
	l.eachPoint(cv, i, func(_, x int, p ErrorPoint, _ ink) {
		points = append(points, XY{float64(x), unit(l.y.forward(p.Mean), l.y.lo, l.y.hi)})
	})
	slices.SortStableFunc(points, func(a, b XY) int { return int(a.X - b.X) })
	look := ink{fg: cv.style.tint(cv.style.RunColor(l.Series[i].Run), 0.5)}
	drawGlyphs(cv, lineGlyphs(joined(points, cv.w, cv.h), cv.h), look)
}

// drawBar draws one standard error on both sides of a mean.
func (l *errorLayout) drawBar(cv *canvas, x int, p ErrorPoint, look ink) {
	lo, hi, ok := p.bar()
	if !ok {
		return
	}
	look.bold = false
	top, bottom := l.row(hi, cv), l.row(lo, cv)
	for y := top; y <= bottom && top < bottom; y++ {
		r := '│'
		switch y {
		case top:
			r = '┬'
		case bottom:
			r = '┴'
		}
		cv.put(x, y, r, look)
	}
}

// drawBest puts a star beside the best mean.
func (l *errorLayout) drawBest(cv *canvas, x int, p ErrorPoint) {
	y, top := l.row(p.Mean, cv), l.row(p.Mean, cv)
	if _, hi, ok := p.bar(); ok {
		top = l.row(hi, cv)
	}
	for _, at := range [...][2]int{{x, top - 1}, {x + 1, y}, {x - 1, y}, {x + 1, y - 1}, {x - 1, y - 1}} {
		if cv.free(at[0], at[1], 1) {
			cv.put(at[0], at[1], '★', ink{fg: cv.style.Good(), bold: true})
			return
		}
	}
}

// legend lists the series, what the bars are, and what is left out.
func (l *errorLayout) legend(style Style) []part {
	var parts []part
	dim := ink{fg: style.Dim()}
	for _, s := range l.Series {
		m := mark(style, s.Run)
		parts = append(parts, part{[][]span{{m, {s.Label, ink{}}}, {m, {truncate(s.Label, 12), ink{}}}, {m, {truncate(s.Label, 5), ink{}}}}, 2})
	}
	n := countText(l.least, l.most)
	sign := style.plusMinus()
	parts = append(parts, part{[][]span{{{"mean " + sign + " s.e., n = " + n, dim}}, {{sign + " s.e., n=" + n, dim}}, {{"n=" + n, dim}}}, 1})
	if l.best[0] >= 0 {
		p, good := l.Series[l.best[0]].Points[l.best[1]], ink{fg: style.Good(), bold: true}
		at := Short(p.X)
		if l.Categories != nil {
			at = l.Categories[int(p.X)]
		}
		parts = append(parts, part{[][]span{{{"★ " + Short(p.Mean), good}, {" at " + at, dim}}, {{"★ " + Short(p.Mean), good}}, nil}, 0})
	}
	if l.single > 0 && l.most > 1 {
		parts = append(parts, part{[][]span{{{strconv.Itoa(l.single) + " without s.e. (n = 1)", dim}}, {{strconv.Itoa(l.single) + " of n=1", dim}}}, 2})
	}
	if l.LogX {
		parts = append(parts, part{[][]span{{{"log x", dim}}, nil}, 0})
	}
	if l.notPositive > 0 {
		parts = append(parts, notPositivePart(style, l.notPositive))
	}
	if l.notFinite > 0 {
		parts = append(parts, notFinitePart(style, l.notFinite))
	}
	return parts
}

// countText writes a number, or a range of numbers.
func countText(least, most int) string {
	if least == most {
		return strconv.Itoa(most)
	}
	return strconv.Itoa(least) + "–" + strconv.Itoa(most)
}

// notPositivePart is the legend's count of values that a logarithmic axis cannot
// show.
func notPositivePart(style Style, n int) part {
	text, look := strconv.Itoa(n), ink{fg: style.Warn(), bold: true}
	return part{[][]span{{{text + " not positive", look}}, {{text + " ≤ 0", look}}}, 3}
}
