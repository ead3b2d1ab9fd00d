package viz

import (
	"math"
	"strconv"
)

// Bars is a histogram: bars from zero, over equal bins of a range. It can have a
// line for what is expected, with a band that holds 95 % of what chance does.
type Bars struct {
	Values []float64
	// Lo and Hi are the ends of the range of all bins.
	Lo, Hi       float64
	Label        string
	XName, YName string
	// Run picks the colour; see Style.RunColor.
	Run int
	// Expected is the height of the line, and Band are the ends of its band. Unless
	// Expected is positive there are none.
	Expected float64
	Band     [2]float64
	// Left is the number of values that are in no bin, since they were not finite
	// or beside the range.
	Left int
}

// PITBars returns the histogram of the probability integral transform of test
// targets in the given number of bins. Of a calibrated model they are uniform
// (Gneiting, Balabdaoui and Raftery, "Probabilistic forecasts, calibration and
// sharpness", 2007, doi.org/10.1111/j.1467-9868.2007.00587.x). The band holds 95 %
// of the binomial distribution of each bin alone.
func PITBars(pit []float64, bins int) Bars {
	bins = max(bins, 1)
	b := Bars{Values: make([]float64, bins), Hi: 1, XName: "probability integral transform", YName: "points"}
	n := 0
	for _, v := range pit {
		if !(v >= 0 && v <= 1) {
			b.Left++
			continue
		}
		b.Values[min(int(v*float64(bins)), bins-1)]++
		n++
	}
	p := 1 / float64(bins)
	b.Expected = float64(n) * p
	lo, hi := binomialBand(n, p)
	b.Band = [2]float64{float64(lo), float64(hi)}
	return b
}

// binomialBand returns the 2.5 % and the 97.5 % quantile of the number of
// successes in n trials of probability p: the least k up to which the
// probabilities add up to so much. They are summed over ten standard deviations
// on both sides of the mean, beyond which less than 1e-14 is left.
func binomialBand(n int, p float64) (lo, hi int) {
	if n < 1 || !(p > 0) {
		return 0, 0
	}
	if p >= 1 {
		return n, n
	}
	mean := float64(n) * p
	reach := 10*math.Sqrt(mean*(1-p)) + 10
	k := max(0, int(mean-reach))
	choose := lgamma(n) - lgamma(k) - lgamma(n-k)
	mass := math.Exp(choose + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
	sum, lo := mass, -1
	for ; k < n && sum < 0.975; k++ {
		if lo < 0 && sum >= 0.025 {
			lo = k
		}
		mass *= float64(n-k) / float64(k+1) * p / (1 - p)
		sum += mass
	}
	if lo < 0 {
		lo = k
	}
	return lo, k
}

// lgamma returns the logarithm of k!.
func lgamma(k int) float64 {
	v, _ := math.Lgamma(float64(k) + 1)
	return v
}

// Render draws the histogram as w x h cells.
func (b Bars) Render(style Style, w, h int) string {
	e := newExtent()
	e.add(0)
	for _, v := range b.Values {
		if finite(v) {
			e.add(v)
		}
	}
	if len(b.Values) == 0 || e.hi <= 0 || !(b.Lo < b.Hi) || !finite(b.Hi-b.Lo) {
		return emptyPlane(style, w, h, "no points yet")
	}
	if b.Expected > 0 && finite(b.Band[1]) {
		e.add(math.Max(b.Expected, b.Band[1]))
	}
	p := plane{x: scale{lo: b.Lo, hi: b.Hi}, y: scale{hi: e.hi}, xName: b.XName, yName: b.YName}
	return p.chart(style, w, h, func(cv *canvas) { b.draw(cv, &p) }, b.legend)
}

// draw draws the band, the bars and over them the line.
func (b Bars) draw(cv *canvas, p *plane) {
	expected := b.Expected > 0 && finite(b.Expected)
	if expected && finite(b.Band[0]) && finite(b.Band[1]) {
		for y := p.row(b.Band[1], cv); y <= p.row(b.Band[0], cv); y++ {
			for x := range cv.w {
				cv.put(x, y, '░', ink{fg: cv.style.Faint()})
			}
		}
	}
	n := len(b.Values)
	for i, v := range b.Values {
		x0, x1 := i*cv.w/n, (i+1)*cv.w/n
		if x1-x0 >= 3 {
			x1-- // a gap between bars
		}
		if finite(v) && v > 0 {
			b.drawBar(cv, p, x0, max(x1, x0+1), v)
		}
	}
	if expected {
		y := p.row(b.Expected, cv)
		for x := range cv.w {
			cv.put(x, y, '─', ink{fg: cv.style.Dim(), bold: true})
		}
	}
}

// drawBar draws one bar in eighths of a cell, up to where a line at its value
// would be. A bar that leaves the band stands out; the legend counts them.
func (b Bars) drawBar(cv *canvas, p *plane, x0, x1 int, v float64) {
	eighths := int(unit(v, p.y.lo, p.y.hi)*float64(cv.h*8-8)+0.5) + 4
	look := ink{fg: cv.style.RunColor(b.Run)}
	if b.Expected > 0 && b.leaves(v) {
		look.fg = cv.style.Warn()
	}
	for x := x0; x < x1; x++ {
		for y := range (eighths + 7) / 8 {
			cv.put(x, cv.h-1-y, barRunes[min(eighths-8*y, 8)-1], look)
		}
	}
}

// leaves tells whether a value is beside the band.
func (b Bars) leaves(v float64) bool { return v < b.Band[0] || v > b.Band[1] }

// outside counts the bars that leave the band.
func (b Bars) outside() int {
	n := 0
	for _, v := range b.Values {
		if b.leaves(v) {
			n++
		}
	}
	return n
}

func (b Bars) legend(style Style) []part {
	dim := ink{fg: style.Dim()}
	var parts []part
	if m := mark(style, b.Run); b.Label != "" {
		parts = append(parts, part{[][]span{{m, {b.Label, ink{}}}, {m, {truncate(b.Label, 8), ink{}}}}, 2})
	}
	if b.Expected > 0 {
		out := b.outside()
		text := strconv.Itoa(out) + " of " + strconv.Itoa(len(b.Values)) + " bins outside"
		parts = append(parts,
			part{[][]span{{{"─ uniform  ░ 95% band", dim}}, {{"░ 95%", dim}}, nil}, 1},
			part{[][]span{{{text, ink{}}}, {{strconv.Itoa(out) + " outside", ink{}}}}, 2})
	}
	if b.Left > 0 {
		n, look := strconv.Itoa(b.Left), ink{fg: style.Bad(), bold: true}
		parts = append(parts, part{[][]span{{{"× " + n + " in no bin", look}}, {{"×" + n, look}}}, 3})
	}
	return parts
}
