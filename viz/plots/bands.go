package plots

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
)

// Band is a function with its uncertainty: mean and standard deviation at every x of the chart.
type Band struct {
	Label string
	// Run selects colour and marker; see Style.RunColor.
	Run      int
	Mean, SD []float64
}

// Bands draws functions of one variable as lines, each with a band around it.
type Bands struct {
	X            []float64
	Bands        []Band
	XName, YName string
	// Dots are points in addition to the functions. Marks are positions on the x axis, drawn along the lower
	// edge. DotsName and MarksName name them.
	Dots                []chart.XY
	Marks               []float64
	DotsName, MarksName string
}

// bandSDs is the half width of a band in standard deviations. The band holds about 95 % of a Gaussian.
const bandSDs = 2

// dotGlyph is the glyph of dots.
const dotGlyph = '∙'

// Render draws the chart as h lines of w cells.
func (b Bands) Render(style canvas.Style, w, h int) []string { return b.chart().Render(style, w, h) }

// Figure returns the chart as a figure of 16 x 9 cm.
func (b Bands) Figure(o figure.Options) (*figure.Figure, error) { return b.chart().Figure(o) }

// CSV writes every point of every function. Functions are counted from 1.
func (b Bands) CSV(out io.Writer) error {
	t := figure.NewTable(out, "function", "name", "x", "mean", "sd")
	for i, band := range b.Bands {
		for k := range min(len(b.X), len(band.Mean), len(band.SD)) {
			t.Row(strconv.Itoa(i+1), band.Label, figure.Exact(b.X[k]), figure.Exact(band.Mean[k]),
				figure.Exact(band.SD[k]))
		}
	}
	return t.Close()
}

// chart describes the bands and lines, then the dots and marks. The functions set the range of x.
func (b Bands) chart() *chart.Chart {
	c := &chart.Chart{Name: "functions", PadY: 0.04, Page: chart.Page{W: 16, H: 9, NX: 7, NY: 6}}
	x := chart.NewExtent()
	y := chart.NewExtent()
	var lines []chart.Mark
	var markers chart.Markers
	leftOut := 0
	for i, band := range b.Bands {
		area, mean := b.function(band)
		leftOut += len(band.Mean) - len(mean)
		for k, at := range mean {
			x.Add(at.X)
			y.Add(at.Y)
			if lo, hi := area.Ranges[0].Lo[k], area.Ranges[0].Hi[k]; canvas.Finite(lo) {
				y.Add(lo)
				y.Add(hi)
			}
		}
		area.Ranges[0].Name = fmt.Sprintf("mean ± %d sd", bandSDs)
		line := chart.RunLine(band.Label, band.Run, mean)
		line.Index, line.Count = i, len(b.Bands)
		c.Marks = append(c.Marks, area)
		lines = append(lines, line)
		markers = append(markers, line)
	}
	if x.N == 0 {
		c.Empty = "no function yet"
		return c
	}
	var dots []chart.XY
	for _, p := range b.Dots {
		if p.X >= x.Lo && p.X <= x.Hi && canvas.Finite(p.Y) {
			y.Add(p.Y)
			dots = append(dots, p)
		}
	}
	c.Marks = append(c.Marks, lines...)
	c.Marks = append(c.Marks, markers,
		chart.Points{Name: b.DotsName, XY: dots, Glyph: dotGlyph, Color: chart.Ink, Bold: true, Radius: 0.5},
		chart.Rug{Name: b.MarksName, X: b.Marks, Color: chart.Soft})
	c.Plane = chart.Plane{X: chart.Fit(chart.Linear, x, false), Y: chart.Fit(chart.Linear, y, false),
		XName: b.XName, YName: b.YName}
	c.Legend = func(style canvas.Style) []canvas.Part { return b.legend(style, leftOut) }
	return c
}

// function returns the band and the mean of a function. It drops points that are not finite or
// whose x does not rise. The ends of the band are NaN without a standard deviation.
func (b Bands) function(band Band) (area chart.Band, mean []chart.XY) {
	area = chart.Band{Color: chart.Run(band.Run).Fade(0.6, 50), Ranges: make([]chart.Range, 1)}
	r := &area.Ranges[0]
	for k := range min(len(b.X), len(band.Mean)) {
		at := chart.XY{X: b.X[k], Y: band.Mean[k]}
		if !canvas.Finite(at.X) || !canvas.Finite(at.Y) || len(mean) > 0 && at.X <= mean[len(mean)-1].X {
			continue
		}
		lo := math.NaN()
		hi := math.NaN()
		if k < len(band.SD) && band.SD[k] > 0 {
			lo, hi = at.Y-bandSDs*band.SD[k], at.Y+bandSDs*band.SD[k]
		}
		if !canvas.Finite(lo) || !canvas.Finite(hi) {
			lo = math.NaN()
			hi = math.NaN()
		}
		mean = append(mean, at)
		area.X = append(area.X, at.X)
		r.Lo = append(r.Lo, lo)
		r.Hi = append(r.Hi, hi)
	}
	return area, mean
}

// legend names the functions and explains their bands.
func (b Bands) legend(style canvas.Style, leftOut int) (parts []canvas.Part) {
	for _, band := range b.Bands {
		parts = append(parts, canvas.Label(style, band.Run, band.Label, "").Part())
	}
	first := style.Tint(style.RunColor(b.Bands[0].Run), 0.6)
	parts = append(parts, canvas.Band(style, 2, first, '░', "mean "+style.PlusMinus()+" 2 sd", "2 sd", ""))
	for _, e := range []struct {
		glyph rune
		name  string
	}{{dotGlyph, b.DotsName}, {chart.RugGlyph, b.MarksName}} {
		short, _, _ := strings.Cut(e.name, " ")
		if e.name != "" {
			parts = append(parts, canvas.Note(1, canvas.Ink{FG: style.Dim()}, string(e.glyph)+" "+e.name,
				string(e.glyph)+" "+short, ""))
		}
	}
	return append(parts, chart.LeftOut(style, 0, leftOut)...)
}
