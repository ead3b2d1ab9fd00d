package viz

import (
	"math"
	"slices"
	"strconv"
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
func (c Coverage) Render(style Style, w, h int) string {
	least := 0
	for _, l := range c.Lines {
		if l.N > 0 && len(l.Nominal) > 0 && (least == 0 || l.N < least) {
			least = l.N
		}
	}
	if least == 0 {
		return emptyPlane(style, w, h, "no points yet")
	}
	p := plane{x: scale{hi: 1}, y: scale{hi: 1}, xName: "nominal coverage", yName: "observed coverage"}
	return p.chart(style, w, h, func(cv *canvas) { c.draw(cv, &p, least) }, func(s Style) []part { return c.legend(s, least) })
}

func (c Coverage) draw(cv *canvas, p *plane, least int) {
	for x := range cv.w {
		a := unit(float64(x), 0, float64(cv.w-1))
		lo, hi := binomialBand(least, a)
		for y := p.row(float64(hi)/float64(least), cv); y <= p.row(float64(lo)/float64(least), cv); y++ {
			cv.put(x, y, '░', ink{fg: cv.style.Faint()})
		}
		cv.put(x, p.row(a, cv), '╱', ink{fg: cv.style.Dim()})
	}
	for i, l := range c.Lines {
		rows := make([]int, cv.w)
		for x := range rows {
			rows[x] = -1
			if v := l.At(unit(float64(x), 0, float64(cv.w-1))); finite(v) {
				rows[x] = p.y.rowOf(v, cv.h)
			}
		}
		look := ink{fg: cv.style.RunColor(l.Run), bold: true}
		drawGlyphs(cv, lineGlyphs(rows, cv.h), look)
		if len(c.Lines) > 1 {
			drawMarker(cv, rows, l.Run, (2*i+1)*markerEvery/(2*len(c.Lines)))
		}
	}
}

// legend tells for every line what its 95 % intervals cover.
func (c Coverage) legend(style Style, least int) []part {
	var parts []part
	dim := ink{fg: style.Dim()}
	for _, l := range c.Lines {
		m, label := mark(style, l.Run), span{l.Label, ink{}}
		p := part{[][]span{{m, label}, {m, {truncate(l.Label, 8), ink{}}}, {m, {truncate(l.Label, 4), ink{}}}}, 2}
		if v := l.At(0.95); finite(v) {
			in := span{"  " + strconv.FormatFloat(100*v, 'f', 1, 64) + "%", ink{bold: true}}
			p.variants = append([][]span{{m, label, in, {" in 95%", dim}}, {m, label, in}}, p.variants...)
		}
		parts = append(parts, p)
	}
	n := strconv.Itoa(least)
	return append(parts, part{[][]span{{{"░ 95% band of chance, n = " + n, dim}}, {{"░ chance, n=" + n, dim}}, {{"n=" + n, dim}}}, 1})
}
