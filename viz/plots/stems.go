package plots

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
)

// Stems shows weighted points on a line. The points of the selected row are stems as high as their weights,
// over the standard normal density. Below, every row is drawn with glyphs.
type Stems struct {
	// Weights are non-negative and shared by all rows, [S].
	Weights []float64
	// Rows holds the points, [R][S]. Chosen is the index of the selected row, which is drawn as stems.
	// RowName precedes the number of a row.
	Rows    [][]float64
	RowName string
	Chosen  int
	XName   string
}

// weightRunes holds the glyphs for weights below 1/2, below 3/2, and at least 3/2 times an equal weight.
var weightRunes = [...]rune{'·', '•', '●'}

// leastReach is the minimum half width of the axis. It covers nearly all of the standard normal distribution.
const leastReach = 3

// stemsHeight is the minimum height of the chart above the rows.
const stemsHeight = 8

// Render draws the stems and the rows below as h lines of w cells.
func (s Stems) Render(style canvas.Style, w, h int) []string {
	c := s.chart()
	rows := min(len(s.Rows), max(h-stemsHeight-1, 0), h/2)
	if c.Empty != "" || w < 1 || h < 1 || len(s.Rows) < 2 || rows == 0 {
		return c.Render(style, w, h)
	}
	cv := canvas.New(style, w, rows+1)
	c.Plane.X.Pad(c.PadX)
	s.drawRows(cv, rows, &c.Plane)
	c = s.chart()
	return append(c.Render(style, w, h-rows-1), cv.Lines()...)
}

// Figure returns the stems of the selected row as a figure of 14 x 8 cm.
func (s Stems) Figure(o figure.Options) (*figure.Figure, error) { return s.chart().Figure(o) }

// CSV writes the points of one layer.
func (s Stems) CSV(out io.Writer) error { return StemsCSV(out, []Stems{s}) }

// StemsCSV writes the points of all rows of some layers with their weights. Layers, rows and points are
// counted from 1.
func StemsCSV(out io.Writer, layers []Stems) error {
	t := figure.NewTable(out, "layer", "gp", "sample", "point", "weight")
	for l, s := range layers {
		for i, row := range s.Rows {
			for k := range min(len(row), len(s.Weights)) {
				t.Row(strconv.Itoa(l+1), strconv.Itoa(i+1), strconv.Itoa(k+1), figure.Exact(row[k]),
					figure.Exact(s.Weights[k]))
			}
		}
	}
	return t.Close()
}

// chosen returns the index of the selected row.
func (s Stems) chosen() int { return min(max(s.Chosen, 0), len(s.Rows)-1) }

// points returns the finite points of row i with their weights, relative to an equal weight.
func (s Stems) points(i int) (list []chart.XY) {
	if i < 0 || i >= len(s.Rows) {
		return nil
	}
	for k, w := range s.Weights {
		share := w * float64(len(s.Weights))
		if row := s.Rows[i]; k < len(row) && canvas.Finite(row[k]) && canvas.Finite(share) && share >= 0 {
			list = append(list, chart.XY{X: row[k], Y: share})
		}
	}
	return list
}

// normalPoints is the number of points of the density.
const normalPoints = 241

// chart describes the density, a line at equal weights, and the stems. All rows set the ranges, which do not
// depend on the selection.
func (s Stems) chart() *chart.Chart {
	c := &chart.Chart{Name: "stems", PadX: 0.02, Page: chart.Page{W: 14, H: 8, NX: 7, NY: 5,
		YName: "weight, 1 = equal", Top: 0.05}}
	x := chart.NewExtent()
	y := chart.NewExtent()
	n := 0
	notFinite := 0
	for i := range s.Rows {
		list := s.points(i)
		notFinite += len(s.Weights) - len(list)
		n += len(list)
		for _, at := range list {
			x.Add(at.X)
			y.Add(at.Y)
		}
	}
	if n == 0 {
		c.Empty = "no points yet"
		return c
	}
	x.Add(-leastReach)
	x.Add(leastReach)
	y.Add(0)
	y.Add(1.2)
	c.Plane = chart.Plane{X: chart.Fit(chart.Linear, x, false), Y: chart.Fit(chart.Linear, y, false),
		XName: s.XName}
	var density []chart.XY
	reach := c.PadX * (c.X.Hi - c.X.Lo)
	for k := range normalPoints {
		t := float64(k) / (normalPoints - 1)
		v := (c.X.Lo-reach)*(1-t) + (c.X.Hi+reach)*t
		density = append(density, chart.XY{X: v, Y: 0.9 * c.Y.Hi * math.Exp(-v*v/2)})
	}
	list := s.points(s.chosen())
	sticks := chart.Whiskers{Color: chart.Run(0), Bold: true, Width: 1 / 2.5}
	for _, at := range list {
		sticks.List = append(sticks.List, chart.Whisker{X: at.X, Hi: at.Y})
	}
	even := chart.Level{Y: 1, Glyph: '┄', Color: chart.Faint, Width: 1. / 4}
	c.Marks = []chart.Mark{
		chart.Line{XY: density, Color: chart.Soft, Width: 1. / 4, Dash: 1}, even, sticks,
		chart.Points{XY: list, Glyph: '●', Color: chart.Run(0), Bold: true, Radius: 0.9},
	}
	c.Legend = func(style canvas.Style) []canvas.Part { return s.legend(style, notFinite) }
	return c
}

// moments returns the weighted mean and standard deviation of the points of row i.
func (s Stems) moments(i int) (mean, sd float64) {
	var total, square float64
	points := s.points(i)
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

// effective returns the effective sample size of the weights, (sum w)^2 / sum w^2 (Kong, "A note on
// importance sampling using standardized weights", University of Chicago, 1992).
func (s Stems) effective() float64 {
	var sum, squares float64
	for _, p := range s.points(s.chosen()) {
		sum += p.Y
		squares += p.Y * p.Y
	}
	return sum * sum / squares
}

// legend explains the marks.
func (s Stems) legend(style canvas.Style, notFinite int) []canvas.Part {
	dim := canvas.Ink{FG: style.Dim()}
	name := s.RowName + " " + strconv.Itoa(s.chosen()+1)
	mean, sd := s.moments(s.chosen())
	short := func(v float64) string { return canvas.Digits(v, 2) }
	parts := []canvas.Part{
		canvas.Note(4, canvas.Ink{Bold: true}, name),
		canvas.Note(3, canvas.Ink{}, "mean "+short(mean)+", sd "+short(sd),
			short(mean)+" "+style.PlusMinus()+" "+short(sd), ""),
		canvas.Note(2, dim, fmt.Sprintf("● weights of %d points, 1 = equal", len(s.Weights)),
			fmt.Sprintf("● of %d", len(s.Weights)), ""),
		canvas.Note(1, dim, "effective size "+short(s.effective()), ""),
		canvas.Note(0, dim, "─ standard normal, initial points", "─ N(0,1), initial", "─ N(0,1)", ""),
	}
	return append(parts, chart.LeftOut(style, 0, notFinite)...)
}

// drawRows draws n rows, including the selected row, over the range of the chart above. The line above them
// explains the glyphs.
func (s Stems) drawRows(cv *canvas.Canvas, n int, p *chart.Plane) {
	dim := canvas.Ink{FG: cv.Style.Dim()}
	gutter := canvas.Width(s.RowName) + 1 + len(strconv.Itoa(len(s.Rows))) + 2
	tail := len("-0.00 ± 0.00") + 2
	if cv.W < gutter+tail+20 {
		tail = 0
	}
	plot := canvas.New(cv.Style, max(cv.W-gutter-tail, 1), n)
	r := func(i int) string { return string(weightRunes[i]) }
	canvas.DrawLegend(cv, 0, 0, cv.W, []canvas.Part{
		canvas.Note(1, dim, "all rows, same range", "all rows", ""),
		canvas.Note(0, dim, r(0)+" weight below 0.5  "+r(1)+" below 1.5  "+r(2)+" above",
			r(0)+" <0.5  "+r(1)+" <1.5  "+r(2)+" more", ""),
		canvas.Note(0, dim, "mean "+cv.Style.PlusMinus()+" sd at right", ""),
	})
	first := min(max(s.chosen()-n/2, 0), len(s.Rows)-n)
	for y := range n {
		i := first + y
		look := canvas.Ink{FG: cv.Style.RunColor(0)}
		if i == s.chosen() {
			cv.Put(0, y+1, '▸', canvas.Ink{Bold: true})
			look.Bold = true
		}
		cv.Text(2, y+1, canvas.Truncate(s.RowName+" "+strconv.Itoa(i+1), gutter-2), canvas.Ink{
			Bold: i == s.chosen(),
		})
		s.drawRow(plot, p, y, i, look)
		if mean, sd := s.moments(i); tail > 0 && canvas.Finite(mean) {
			cv.TextRight(cv.W, y+1, fmt.Sprintf("%.2f %s %.2f", mean, cv.Style.PlusMinus(), sd), dim)
		}
	}
	cv.Blit(gutter, 1, plot)
}

// drawRow draws the points of row i, heavy points over light points.
func (s Stems) drawRow(plot *canvas.Canvas, p *chart.Plane, y, i int, look canvas.Ink) {
	for size, r := range weightRunes {
		for _, at := range s.points(i) {
			if int(math.Min(at.Y+0.5, float64(len(weightRunes)-1))) == size {
				plot.Put(p.Col(at.X, plot), y, r, look)
			}
		}
	}
}
