package points

import (
	"fmt"
	"math"
	"strconv"

	"dgplab/viz/axes"
	"dgplab/viz/canvas"
	"dgplab/viz/number"
)

// Stems shows weighted points of a line: those of one of several rows as stems as high
// as their weights, beside the standard normal density, and below every row by glyphs.
type Stems struct {
	// Weights are shared by the rows, [S], not negative.
	Weights []float64
	// Rows are points, [R][S]; Chosen is the one with stems. RowName names one, before its
	// number.
	Rows    [][]float64
	RowName string
	Chosen  int
	XName   string
}

// weightRunes stand for weights below half of an equal one, below 3/2, and above.
var weightRunes = [...]rune{'·', '•', '●'}

// leastReach is how far the axis reaches at least: nearly all of the standard normal.
const leastReach = 3

// stemsHeight is the least height of the chart of stems.
const stemsHeight = 8

// stemsLayout is a Stems, measured.
type stemsLayout struct {
	Stems
	axes.Plane
	notFinite int
}

// Render draws the stems and the rows below as w x h cells.
func (s Stems) Render(style canvas.Style, w, h int) []string {
	if w < 1 || h < 1 {
		return nil
	}
	l := &stemsLayout{Stems: s}
	if !l.measure() {
		return canvas.Empty(style, w, h, "no points yet")
	}
	rows := min(len(s.Rows), max(h-stemsHeight-1, 0), h/2)
	if len(s.Rows) < 2 {
		rows = 0
	}
	if rows == 0 {
		return l.Chart(style, w, h, l.draw, l.legend)
	}
	cv := canvas.New(style, w, rows+1)
	l.drawRows(cv, rows)
	return append(l.Chart(style, w, h-rows-1, l.draw, l.legend), cv.Lines()...)
}

// Points returns the points of row i that can be drawn, with their weights in units of an
// equal one, which are finite too.
func (s Stems) Points(i int) (list []axes.XY) {
	if i < 0 || i >= len(s.Rows) {
		return nil
	}
	for k, w := range s.Weights {
		share := w * float64(len(s.Weights))
		if row := s.Rows[i]; k < len(row) && number.Finite(row[k]) && number.Finite(share) && share >= 0 {
			list = append(list, axes.XY{X: row[k], Y: share})
		}
	}
	return list
}

// measure fits the axes to all rows, so that they stay when another one is chosen; it
// reports whether there is anything to draw.
func (l *stemsLayout) measure() bool {
	x := axes.NewExtent()
	y := axes.NewExtent()
	n := 0
	x.Add(-leastReach)
	x.Add(leastReach)
	y.Add(0)
	for i := range l.Rows {
		points := l.Points(i)
		l.notFinite += len(l.Weights) - len(points)
		n += len(points)
		for _, p := range points {
			x.Add(p.X)
			y.Add(p.Y)
		}
	}
	if n == 0 {
		return false
	}
	y.Add(1.2)
	l.Chosen = min(max(l.Chosen, 0), len(l.Rows)-1)
	l.Plane = axes.Plane{
		X:     axes.Fit(axes.Linear, x, false),
		Y:     axes.Fit(axes.Linear, y, false),
		XName: l.Stems.XName,
	}
	l.X.Pad(0.02)
	return true
}

// draw draws the density, a line at equal weights, and the stems over both.
func (l *stemsLayout) draw(cv *canvas.Canvas) {
	l.drawDensity(cv)
	even := l.Row(1, cv)
	for x := range cv.W {
		cv.Put(x, even, '┄', canvas.Ink{FG: cv.Style.Faint()})
	}
	look := canvas.Ink{FG: cv.Style.RunColor(0), Bold: true}
	for _, p := range l.Points(l.Chosen) {
		x := l.Col(p.X, cv)
		top := l.Row(p.Y, cv)
		for y := cv.H - 1; y > top; y-- {
			if cv.At(x, y) != '●' {
				cv.Put(x, y, '│', look)
			}
		}
		cv.Put(x, top, '●', look)
	}
}

// drawDensity draws the standard normal density, its peak near the top.
func (l *stemsLayout) drawDensity(cv *canvas.Canvas) {
	canvas.DrawLine(cv, canvas.Ink{FG: cv.Style.Dim()}, func(w, h int) []int {
		rows := make([]int, w)
		for x := range rows {
			t := number.Unit(float64(x), 0, float64(max(w-1, 1)))
			v := l.X.Lo*(1-t) + l.X.Hi*t
			rows[x] = int(0.9*math.Exp(-v*v/2)*float64(h-1) + 0.5)
		}
		return rows
	})
}

// moments returns the weighted mean and standard deviation of the points of row i.
func (l *stemsLayout) moments(i int) (mean, sd float64) {
	var total, square float64
	points := l.Points(i)
	for _, p := range points {
		total += p.Y
		mean += p.Y * p.X
	}
	mean /= total
	for _, p := range points {
		square += p.Y * (p.X - mean) * (p.X - mean)
	}
	return mean, math.Sqrt(square / total)
}

// effective returns how many equal weights are as good as those of the chosen row: the
// effective sample size (sum w)^2 / sum w^2 (Kong, "A note on importance sampling using
// standardized weights", University of Chicago, 1992).
func (l *stemsLayout) effective() float64 {
	var sum, squares float64
	for _, p := range l.Points(l.Chosen) {
		sum += p.Y
		squares += p.Y * p.Y
	}
	return sum * sum / squares
}

// legend says what is drawn.
func (l *stemsLayout) legend(style canvas.Style) []canvas.Part {
	dim := canvas.Ink{FG: style.Dim()}
	name := l.RowName + " " + strconv.Itoa(l.Chosen+1)
	mean, sd := l.moments(l.Chosen)
	short := func(v float64) string { return number.Short(number.Round(v, 2)) }
	parts := []canvas.Part{
		canvas.Note(4, canvas.Ink{Bold: true}, name),
		canvas.Note(3, canvas.Ink{}, "mean "+short(mean)+", sd "+short(sd),
			short(mean)+" "+style.PlusMinus()+" "+short(sd), ""),
		canvas.Note(2, dim, fmt.Sprintf("● weight of %d, 1 is equal", len(l.Weights)),
			fmt.Sprintf("● of %d", len(l.Weights)), ""),
		canvas.Note(1, dim, "as good as "+short(l.effective())+" equal ones", ""),
		canvas.Note(0, dim, "─ standard normal, where they started", "─ N(0,1) at the start", "─ N(0,1)", ""),
	}
	return append(parts, axes.LeftOut(style, 0, l.notFinite)...)
}

// drawRows draws n rows, the chosen one among them, below a line that says what the
// glyphs are, over the range of the chart above.
func (l *stemsLayout) drawRows(cv *canvas.Canvas, n int) {
	dim := canvas.Ink{FG: cv.Style.Dim()}
	gutter := canvas.Width(l.RowName) + 1 + len(strconv.Itoa(len(l.Rows))) + 2
	tail := len("-0.00 ± 0.00") + 2
	if cv.W < gutter+tail+20 {
		tail = 0
	}
	plot := canvas.New(cv.Style, max(cv.W-gutter-tail, 1), n)
	r := func(i int) string { return string(weightRunes[i]) }
	canvas.DrawLegend(cv, 0, 0, cv.W, []canvas.Part{
		canvas.Note(1, dim, "all of the layer, over the same range", "all of the layer", ""),
		canvas.Note(0, dim, r(0)+" weight below 0.5  "+r(1)+" below 1.5  "+r(2)+" above",
			r(0)+" <0.5  "+r(1)+" <1.5  "+r(2)+" more", ""),
		canvas.Note(0, dim, "mean "+cv.Style.PlusMinus()+" sd on the right", ""),
	})
	first := min(max(l.Chosen-n/2, 0), len(l.Rows)-n)
	for y := range n {
		i := first + y
		look := canvas.Ink{FG: cv.Style.RunColor(0)}
		if i == l.Chosen {
			cv.Put(0, y+1, '▸', canvas.Ink{Bold: true})
			look.Bold = true
		}
		cv.Text(2, y+1, canvas.Truncate(l.RowName+" "+strconv.Itoa(i+1), gutter-2), canvas.Ink{
			Bold: i == l.Chosen,
		})
		l.drawRow(plot, y, i, look)
		if mean, sd := l.moments(i); tail > 0 && number.Finite(mean) {
			cv.TextRight(cv.W, y+1, fmt.Sprintf("%.2f %s %.2f", mean, cv.Style.PlusMinus(), sd), dim)
		}
	}
	cv.Blit(gutter, 1, plot)
}

// drawRow draws the points of row i, the heavy ones over the light ones.
func (l *stemsLayout) drawRow(plot *canvas.Canvas, y, i int, look canvas.Ink) {
	for size, r := range weightRunes {
		for _, p := range l.Points(i) {
			if int(math.Min(p.Y+0.5, float64(len(weightRunes)-1))) == size {
				plot.Put(l.Col(p.X, plot), y, r, look)
			}
		}
	}
}
