// Package calibration compares what a model promises with what it keeps: the
// histogram of the probability integral transform, and observed coverage.
package calibration

import (
	"math"
	"slices"
	"strconv"

	"dgplab/viz/axes"
	"dgplab/viz/canvas"
	"dgplab/viz/number"
)

// Bars is a histogram: bars from zero, over equal bins of a range. It can have a
// line for what is expected, with a band that holds 95 % of what chance does.
type Bars struct {
	Values []float64
	// Lo and Hi are the ends of the range of all bins.
	Lo, Hi       float64
	Label        string
	XName, YName string
	// XShort is XName in fewer words, for where that has no room.
	XShort string
	// Run picks the colour; see Style.RunColor.
	Run int
	// Expected is the height of the line, and Band are the ends of its band. Unless
	// Expected is positive there are none.
	Expected float64
	Band     [2]float64
	// Chance is the number of bars that are beside the band on average where the values
	// are as expected.
	Chance float64
	// Density is the height of another line at even distances from Lo to Hi; nil for none.
	Density []float64
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
	b := Bars{
		Values: make([]float64, bins),
		Hi:     1,
		XName:  "probability integral transform",
		XShort: "PIT",
		YName:  "points",
	}
	n := 0
	for _, v := range pit {
		if !(v >= 0 && v <= 1) {
			b.Left++
			continue
		}
		b.Values[min(int(v*float64(bins)), bins-1)]++
		n++
	}
	return b.uniform(n)
}

// Render draws the histogram as w x h cells.
func (b Bars) Render(style canvas.Style, w, h int) []string {
	e := axes.NewExtent()
	e.Add(0)
	for _, v := range b.Values {
		if number.Finite(v) {
			e.Add(v)
		}
	}
	if len(b.Values) == 0 || e.Hi <= 0 || !(b.Lo < b.Hi) || !number.Finite(b.Hi-b.Lo) {
		return canvas.Empty(style, w, h, "no points yet")
	}
	for _, v := range b.Density {
		if number.Finite(v) {
			e.Add(v)
		}
	}
	if b.Expected > 0 && number.Finite(b.Band[1]) {
		e.Add(math.Max(b.Expected, b.Band[1]))
	}
	p := axes.Plane{
		X:      axes.Scale{Lo: b.Lo, Hi: b.Hi},
		Y:      axes.Scale{Hi: e.Hi},
		XName:  b.XName,
		XShort: b.XShort,
		YName:  b.YName,
	}
	return p.Chart(style, w, h, func(cv *canvas.Canvas) { b.draw(cv, &p) }, b.legend)
}

// draw draws the band, the lines, and the bars before them: a line goes on within a bar where
// the terminal has the colours for it, and cuts none in two. Elsewhere the Gaussian is over
// the bars.
func (b Bars) draw(cv *canvas.Canvas, p *axes.Plane) {
	expected := b.Expected > 0 && number.Finite(b.Expected)
	if expected && number.Finite(b.Band[0]) && number.Finite(b.Band[1]) {
		for x := range cv.W {
			p.Shade(cv, x, b.Band[0], b.Band[1], cv.Style.Faint(), '░')
		}
	}
	if expected {
		for x := range cv.W {
			cv.Put(x, p.Row(b.Expected, cv), '─', canvas.Ink{FG: cv.Style.Dim(), Bold: true})
		}
	}
	if cv.Style.Shades() {
		b.drawDensity(cv, &p.Y)
	}
	n := len(b.Values)
	for i, v := range b.Values {
		x0, x1 := i*cv.W/n, (i+1)*cv.W/n
		if x1-x0 >= 3 {
			x1-- // a gap between bars
		}
		if number.Finite(v) && v > 0 {
			b.drawBar(cv, p, x0, max(x1, x0+1), v)
		}
	}
	if !cv.Style.Shades() {
		b.drawDensity(cv, &p.Y)
	}
}

// drawBar draws one bar in eighths of a cell, up to where a line at its value
// would be. A bar that leaves the band stands out; the legend counts them.
func (b Bars) drawBar(cv *canvas.Canvas, p *axes.Plane, x0, x1 int, v float64) {
	eighths := int(number.Unit(v, p.Y.Lo, p.Y.Hi)*float64(cv.H*8-8)+0.5) + 4
	look := canvas.Ink{FG: cv.Style.RunColor(b.Run)}
	if b.Expected > 0 && b.leaves(v) {
		look.FG = cv.Style.Warn()
	}
	for x := x0; x < x1; x++ {
		for y := range (eighths + 7) / 8 {
			full := min(eighths-8*y, 8)
			switch line := cv.At(x, cv.H-1-y); {
			// that of another bar
			case !cv.Style.Shades() || line == ' ' || slices.Contains(canvas.Eighths[:], line):
				cv.Put(x, cv.H-1-y, canvas.Eighths[full-1], look)
			case full >= 4: // most of the cell
				cv.Put(x, cv.H-1-y, line, canvas.Ink{FG: look.FG.Opposite(), BG: look.FG})
			}
		}
	}
}

// leaves tells whether a value is beside the band.
func (b Bars) leaves(v float64) bool { return v < b.Band[0] || v > b.Band[1] }

// Outside counts the bars that leave the band.
func (b Bars) Outside() int {
	n := 0
	for _, v := range b.Values {
		if b.leaves(v) {
			n++
		}
	}
	return n
}

func (b Bars) legend(style canvas.Style) []canvas.Part {
	dim := canvas.Ink{FG: style.Dim()}
	var parts []canvas.Part
	if b.Label != "" {
		parts = append(parts, canvas.Label(style, b.Run, b.Label, 8))
	}
	if b.Expected > 0 {
		out := strconv.Itoa(b.Outside())
		chance := strconv.FormatFloat(b.Chance, 'f', 1, 64) + " expected"
		parts = append(parts,
			canvas.Note(1, dim, "─ uniform", ""),
			canvas.Band(style, 1, style.Faint(), '░', "95% band", "95%", ""),
			canvas.Note(2, canvas.Ink{}, out+" of "+strconv.Itoa(len(b.Values))+" bins outside",
				out+" outside", out+" out", ""),
			canvas.Note(1, dim, chance, ""))
	}
	parts = append(parts, b.densityPart()...)
	if b.Left > 0 {
		n := strconv.Itoa(b.Left)
		look := canvas.Ink{FG: style.Bad(), Bold: true}
		parts = append(parts, canvas.Note(3, look, "× "+n+" in no bin", "×"+n))
	}
	return parts
}
