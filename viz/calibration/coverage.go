package calibration

import (
	"math"
	"slices"
	"strconv"

	"dgplab/viz/axes"
	"dgplab/viz/canvas"
	"dgplab/viz/number"
)

// CoverageLine is one run: the share of test targets that lie in the central
// interval of each nominal probability. Nominal rises and lies, as Observed does,
// between 0 and 1; both have the same length.
type CoverageLine struct {
	Label             string
	Run               int
	Nominal, Observed []float64
	// N is the number of targets.
	N int
}

// Covered returns the coverage line of a probability integral transform: a target
// lies in the central interval of probability a when its transform is at most
// a/2 away from 1/2. The levels are 0, 1/(levels-1), ..., 1. Values that are no
// probabilities are left out.
func Covered(pit []float64, levels int) CoverageLine {
	var distance []float64
	for _, v := range pit {
		if v >= 0 && v <= 1 {
			distance = append(distance, math.Abs(2*v-1))
		}
	}
	slices.Sort(distance)
	line := CoverageLine{N: len(distance)}
	for i := range max(levels, 2) {
		a := float64(i) / float64(max(levels, 2)-1)
		below, _ := slices.BinarySearch(distance, math.Nextafter(a, 2))
		line.Nominal = append(line.Nominal, a)
		line.Observed = append(line.Observed, float64(below)/math.Max(1, float64(len(distance))))
	}
	return line
}

// At returns the observed coverage at a nominal probability, on straight lines
// between the levels; NaN without targets or beside the levels.
func (c CoverageLine) At(nominal float64) float64 {
	n := min(len(c.Nominal), len(c.Observed))
	i, _ := slices.BinarySearch(c.Nominal[:n], nominal)
	switch {
	case c.N == 0 || i == n || i == 0 && c.Nominal[0] != nominal:
		return math.NaN()
	case c.Nominal[i] == nominal:
		return c.Observed[i]
	}
	t := (nominal - c.Nominal[i-1]) / (c.Nominal[i] - c.Nominal[i-1])
	return (1-t)*c.Observed[i-1] + t*c.Observed[i]
}

// Coverage compares observed with nominal coverage: a line above the diagonal is
// of a model that is less sure than it could be.
type Coverage struct {
	Lines []CoverageLine
}

// Render draws the chart as w x h cells: the diagonal with the band in which 95 %
// of what chance does lies, of the line with the fewest targets, and the lines.
func (c Coverage) Render(style canvas.Style, w, h int) []string {
	least := c.Least()
	if least == 0 {
		return canvas.Empty(style, w, h, "no points yet")
	}
	p := axes.Plane{
		X:     axes.Scale{Hi: 1},
		Y:     axes.Scale{Hi: 1},
		XName: "nominal coverage",
		YName: "observed coverage",
	}
	return p.Chart(style, w, h, func(cv *canvas.Canvas) { c.draw(cv, &p, least) },
		func(s canvas.Style) []canvas.Part { return c.legend(s, least) })
}

// Least returns the number of targets of the line with the fewest, 0 without any.
func (c Coverage) Least() (least int) {
	for _, l := range c.Lines {
		if l.N > 0 && len(l.Nominal) > 0 && (least == 0 || l.N < least) {
			least = l.N
		}
	}
	return least
}

// Chance returns the shares that 95 % of what chance does with n targets lies between, at a
// nominal probability.
func Chance(n int, nominal float64) (lo, hi float64) {
	from, to, _ := binomialBand(n, nominal)
	return float64(from) / float64(n), float64(to) / float64(n)
}

func (c Coverage) draw(cv *canvas.Canvas, p *axes.Plane, least int) {
	for x := range cv.W {
		a := number.Unit(float64(x), 0, float64(cv.W-1))
		lo, hi := Chance(least, a)
		p.Shade(cv, x, lo, hi, cv.Style.Faint(), '░')
	}
	drawDiagonal(cv)
	for i, l := range c.Lines {
		rows := func(w, h int) []int {
			rows := make([]int, w)
			for x := range rows {
				rows[x] = -1
				if v := l.At(number.Unit(float64(x), 0, float64(w-1))); number.Finite(v) {
					rows[x] = p.Y.RowOf(v, h)
				}
			}
			return rows
		}
		canvas.DrawLine(cv, canvas.Ink{FG: cv.Style.RunColor(l.Run), Bold: true}, rows)
		if len(c.Lines) > 1 {
			canvas.DrawMarkers(cv, rows(cv.W, cv.H), l.Run, i, len(c.Lines))
		}
	}
}

// chance is the entry of the band of chance of n points: its text in full, and shorter.
func chance(style canvas.Style, text, n string) canvas.Part {
	p := canvas.Band(style, 1, style.Faint(), '░', text, "chance, n="+n)
	p.Variants = append(p.Variants, []canvas.Span{canvas.Text("n="+n, canvas.Ink{FG: style.Dim()})})
	return p
}

// drawDiagonal draws the line of equal shares from corner to corner.
func drawDiagonal(cv *canvas.Canvas) {
	look := canvas.Ink{FG: cv.Style.Dim()}
	row := func(x, w, h int) int {
		return int(number.Unit(float64(x), 0, float64(max(w-1, 1)))*float64(h-1) + 0.5)
	}
	if !cv.Style.Dots() {
		for x := range cv.W {
			cv.Put(x, cv.H-1-row(x, cv.W, cv.H), '╱', look)
		}
		return
	}
	canvas.DrawLine(cv, look, func(w, h int) []int {
		rows := make([]int, w)
		for x := range rows {
			rows[x] = row(x, w, h)
		}
		return rows
	})
}

// legend tells for every line what its 95 % intervals cover.
func (c Coverage) legend(style canvas.Style, least int) []canvas.Part {
	var parts []canvas.Part
	dim := canvas.Ink{FG: style.Dim()}
	for _, l := range c.Lines {
		p := canvas.Label(style, l.Run, l.Label, 4)
		if v := l.At(0.95); number.Finite(v) {
			in := canvas.Text("  "+strconv.FormatFloat(100*v, 'f', 1, 64)+"%", canvas.Ink{Bold: true})
			full := slices.Concat(p.Variants[0], []canvas.Span{in, canvas.Text(" in 95%", dim)})
			p.Variants = append([][]canvas.Span{full, full[:len(full)-1]}, p.Variants...)
			p.Cut = p.Cut + 2
		}
		parts = append(parts, p)
	}
	n := strconv.Itoa(least)
	return append(parts, chance(style, "95% band of chance, n = "+n, n))
}
