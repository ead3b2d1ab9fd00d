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

// Histogram is a histogram with bins of equal width. It can have a line at the expected height, with a band
// that holds 95 % of the bars if the values are as expected.
type Histogram struct {
	Values []float64
	// Lo and Hi are the ends of the range of all bins.
	Lo, Hi float64
	// Label names the run. Step is the step of the model, for example "at step 290".
	Label, Step  string
	XName, YName string
	// XShort is a shorter XName for narrow charts.
	XShort string
	// Run selects the colour; see Style.RunColor.
	Run int
	// Expected is the height of the line, and Band holds the ends of its band. They are drawn only if
	// Expected is positive.
	Expected float64
	Band     [2]float64
	// Chance is the mean number of bars outside the band if the values are as expected.
	Chance float64
	// Density holds the heights of another line at even distances from Lo to Hi. It may be nil.
	Density []float64
	// At holds the positions of vertical lines.
	At []float64
	// Left is the number of values that are in no bin because they are not finite or outside the range.
	Left int
}

// densityPoints is the number of points of the density that is drawn over the bars.
const densityPoints = 121

// NewHistogram returns the histogram of values with the density of a Gaussian with the given mean
// and standard deviation, on the scale of the counts. The values set the range.
func NewHistogram(values []float64, bins int, mean, sd float64) Histogram {
	bins = max(bins, 1)
	b := Histogram{Values: make([]float64, bins), Lo: math.Inf(1), Hi: math.Inf(-1), YName: "draws"}
	for _, v := range values {
		if canvas.Finite(v) {
			b.Lo = min(b.Lo, v)
			b.Hi = max(b.Hi, v)
		}
	}
	n := 0
	for _, v := range values {
		if !canvas.Finite(v) {
			b.Left++
			continue
		}
		b.Values[min(int(canvas.Fraction(v, b.Lo, b.Hi)*float64(bins)), bins-1)]++
		n++
	}
	if !(b.Lo < b.Hi) || !(sd > 0) || !canvas.Finite(mean) {
		return b
	}
	scale := float64(n) * (b.Hi - b.Lo) / float64(bins) / (sd * math.Sqrt(2*math.Pi))
	for k := range densityPoints {
		z := (b.Lo + (b.Hi-b.Lo)*float64(k)/(densityPoints-1) - mean) / sd
		b.Density = append(b.Density, scale*math.Exp(-z*z/2))
	}
	return b
}

// NewRankHistogram returns the histogram of the ranks that the draws of one chain have among the
// draws of all chains, in equal bins. The ranks are uniform if the chains have mixed (Vehtari et
// al., "An Improved R-hat for Assessing Convergence of MCMC", 2021, arXiv:1903.08008, section 4.4).
// The band holds 95 % of the binomial distribution of each bin, for independent draws.
func NewRankHistogram(counts []int) Histogram {
	b := Histogram{Hi: 1, XName: "rank, as a share", XShort: "rank", YName: "draws"}
	n := 0
	for _, c := range counts {
		b.Values = append(b.Values, float64(c))
		n += c
	}
	return b.uniform(n)
}

// uniform returns the bars with the line and the band of a uniform distribution of n values.
func (b Histogram) uniform(n int) Histogram {
	p := 1 / float64(max(len(b.Values), 1))
	b.Expected = float64(n) * p
	lo, hi, outside := binomialBand(n, p)
	b.Band = [2]float64{float64(lo), float64(hi)}
	b.Chance = float64(len(b.Values)) * outside
	return b
}

// NewPITHistogram returns the histogram of the probability integral transform of test targets. The
// transform is uniform for a calibrated model (Gneiting, Balabdaoui and Raftery, "Probabilistic
// forecasts, calibration and sharpness", 2007, doi.org/10.1111/j.1467-9868.2007.00587.x). The band
// holds 95 % of the binomial distribution of each bin alone.
func NewPITHistogram(pit []float64, bins int) Histogram {
	bins = max(bins, 1)
	b := Histogram{
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

// Render draws the histogram as h lines of w cells.
func (b Histogram) Render(style canvas.Style, w, h int) []string {
	return b.chart().Render(style, w, h)
}

// Figure returns the histogram as a figure of 16 x 7 cm.
func (b Histogram) Figure(o figure.Options) (*figure.Figure, error) { return b.chart().Figure(o) }

// CSV writes the value of every bin.
func (b Histogram) CSV(out io.Writer) error { return Histograms{b}.CSV(out) }

// chart describes the band, the expected line, the bars and the density.
func (b Histogram) chart() *chart.Chart {
	c := &chart.Chart{Name: "bars", Legend: b.legend, Page: chart.Page{W: 16, H: 7, NX: 8, NY: 5, Top: 0.05}}
	e := chart.NewExtent()
	e.Add(0)
	for _, v := range b.Values {
		if canvas.Finite(v) {
			e.Add(v)
		}
	}
	if len(b.Values) == 0 || e.Hi <= 0 || !(b.Lo < b.Hi) || !canvas.Finite(b.Hi-b.Lo) {
		c.Empty = "no points yet"
		return c
	}
	ends := []float64{b.Lo, b.Hi}
	bars := chart.Bars{Lo: b.Lo, Hi: b.Hi, Values: b.Values, Run: b.Run}
	if b.Expected > 0 && canvas.Finite(b.Expected) {
		bars.Marked, bars.MarkedName = b.leaves, "outside the band"
		lo, hi := b.Band[0], b.Band[1]
		if !canvas.Finite(lo) || !canvas.Finite(hi) {
			c.Err = fmt.Errorf("band %q: from %v to %v", b.Label, lo, hi)
		} else {
			e.Add(hi)
			band := chart.Range{Name: "95 % band of a calibrated model",
				Lo: []float64{lo, lo}, Hi: []float64{hi, hi}}
			c.Marks = append(c.Marks, chart.Band{X: ends, Ranges: []chart.Range{band},
				Color: chart.Faint.Fade(0, 110), Plain: true})
		}
		e.Add(b.Expected)
		level := chart.Level{Y: b.Expected, Glyph: '─', Color: chart.Soft, Bold: true, Width: 1. / 3}
		c.Marks = append(c.Marks, chart.OnText(level.Text))
		bars.Over = append(bars.Over, chart.OnPage{Mark: level})
	}
	density := chart.Line{Color: chart.Warn, Bold: true, Width: 1. / 3}
	for k, v := range b.Density {
		if canvas.Finite(v) {
			e.Add(v)
		}
		x := b.Lo + (b.Hi-b.Lo)*float64(k)/float64(max(len(b.Density)-1, 1))
		density.XY = append(density.XY, chart.XY{X: x, Y: v})
	}
	bars.Over = append(bars.Over, density)
	c.Marks = append(c.Marks, bars)
	if len(b.At) > 0 {
		lines := chart.Whiskers{Color: chart.Ink, Width: 1. / 3}
		for _, x := range b.At {
			if x >= b.Lo && x <= b.Hi {
				lines.List = append(lines.List, chart.Whisker{X: x, Hi: e.Hi})
			}
		}
		c.Marks = append(c.Marks, lines)
	}
	c.Plane = chart.Plane{X: chart.Scale{Lo: b.Lo, Hi: b.Hi}, Y: chart.Scale{Hi: e.Hi}, XName: b.XName,
		XShort: b.XShort, YName: b.YName}
	return c
}

// leaves reports whether a value is outside the band.
func (b Histogram) leaves(v float64) bool { return v < b.Band[0] || v > b.Band[1] }

// Outside counts the bars outside the band.
func (b Histogram) Outside() int {
	n := 0
	for _, v := range b.Values {
		if b.leaves(v) {
			n++
		}
	}
	return n
}

// outsideNote returns the legend entry of the bars outside the band.
func (b Histogram) outsideNote(style canvas.Style) canvas.Part {
	n := strconv.Itoa(b.Outside())
	part := canvas.Note(3, canvas.Ink{}, n+" of "+strconv.Itoa(len(b.Values))+" bins outside",
		n+" outside", n+" out")
	if b.Outside() == 0 {
		return part
	}
	for i, spans := range part.Variants {
		part.Variants[i] = append([]canvas.Span{chart.MarkedBar(style, b.Run)}, spans...)
	}
	return part
}

func (b Histogram) legend(style canvas.Style) []canvas.Part {
	dim := canvas.Ink{FG: style.Dim()}
	var parts []canvas.Part
	if b.Label != "" {
		parts = append(parts, canvas.Label(style, b.Run, b.Label, b.Step).Part())
	}
	if b.Expected > 0 {
		chance := strconv.FormatFloat(b.Chance, 'f', 1, 64) + " expected"
		parts = append(parts,
			canvas.Note(1, dim, "─ uniform", ""),
			canvas.Band(style, 1, style.Faint(), '░', "95% band", "95%", ""),
			b.outsideNote(style),
			canvas.Note(1, dim, chance, ""))
	}
	if len(b.Density) > 0 {
		parts = append(parts, canvas.Note(1, canvas.Ink{},
			"─ Gaussian of the same mean and sd, "+strconv.Itoa(len(b.Values))+" bins", "─ Gaussian", ""))
	}
	if b.Left > 0 {
		n := strconv.Itoa(b.Left)
		look := canvas.Ink{FG: style.Bad(), Bold: true}
		parts = append(parts, canvas.Note(3, look, "× "+n+" outside the bins", "×"+n))
	}
	return parts
}
