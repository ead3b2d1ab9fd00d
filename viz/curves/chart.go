package curves

import (
	"fmt"
	"strings"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
)

// figureColumns is the horizontal resolution of a curve in a figure.
const figureColumns = 1200

// figureMeans is the number of columns that condense assumes for a figure when it decides whether a
// series has many points. It is about the width of a panel on the screen.
const figureMeans = 160

// Chart describes the curve. The figure is thinned to a number of columns and has about the given numbers of
// ticks. The y coordinates are transformed by the scale.
func (c Curve) Chart(columns, xTicks, yTicks int) *chart.Chart {
	ch := c.measure()
	out := ch.chart(columns)
	out.Page.NX, out.Page.NY = xTicks, yTicks
	out.Page.XName = ch.xLabel()
	if !ch.hasPoints {
		out.Empty = "no finite value"
	}
	return out
}

// chart describes the curve. The figure is thinned to a number of columns.
func (ch *layout) chart(columns int) *chart.Chart {
	out := &chart.Chart{
		Name:  "curve",
		Marks: []chart.Mark{content{ch, columns}},
		Page:  chart.Page{W: 16, H: 9, Pad: [2]float64{0, 0.03}},
	}
	out.XCorner = ch.X.Name()
	out.XTicks = func(n int) []chart.Tick { return ch.X.Ticks(ch.x0, ch.x1, n) }
	if !ch.Bare {
		out.Legend = ch.legend
	}
	if ch.x0 <= ch.x1 {
		out.X = chart.Scale{Lo: ch.x0, Hi: ch.x1}
	} else {
		out.XTicks = func(int) []chart.Tick { return nil }
	}
	out.Y = chart.Scale{Lo: ch.scale.Lo, Hi: ch.scale.Hi}
	out.YTicks = ch.scale.Ticks
	return out
}

// content is everything between the axes of a curve, thinned to the columns of the medium.
type content struct {
	*layout
	figureColumns int
}

// Text draws the content.
func (c content) Text(plot *canvas.Canvas, p *chart.Plane) {
	columns, _ := plot.Places()
	c.dots = plot.Style.Dots()
	c.bin(columns, c.dots, 0)
	for _, m := range c.marks() {
		m.Text(plot, p)
	}
}

// Figure adds the content.
func (c content) Figure(to *figure.Plot, p *chart.Plane) {
	c.bin(c.figureColumns, true, figureMeans)
	for _, m := range c.marks() {
		m.Figure(to, p)
	}
	if n := c.meansOf(); n != "" {
		to.AddEntry("means of about " + n + " points")
	}
}

// marks describes the content: bands and raw values, the cursor, lines and their markers, values
// that are not finite, readings and best values.
func (ch *layout) marks() []chart.Mark {
	if !ch.hasPoints {
		return []chart.Mark{chart.OnText(ch.drawMessage), chart.OnText(ch.drawNotFinite)}
	}
	var behind []chart.Mark
	lines := make(chart.Markers, len(ch.traces), len(ch.traces)+len(ch.bands))
	for i := range ch.bands {
		area, mean := ch.bandMarks(&ch.bands[i])
		area.Glyph = bandGlyphs[i%len(bandGlyphs)]
		behind = append(behind, area)
		lines = append(lines, mean)
	}
	for i := range ch.traces {
		t := &ch.traces[i]
		if t.average != nil || t.mean != nil {
			behind = append(behind, chart.Spread{
				XY: ch.points(t.raw, true), Color: chart.Run(t.run).Fade(0.55, 70), Width: 1. / 6,
			})
		}
		lines[i] = ch.line(t)
	}
	list := append(behind, chart.OnText(ch.drawCursor))
	for i := range lines {
		lines[i].Index, lines[i].Count = i, len(lines)
	}
	for i := range ch.bands {
		list = append(list, lines[len(ch.traces)+i])
	}
	for i := range ch.traces {
		list = append(list, lines[i])
	}
	if !ch.Bare {
		list = append(list, lines)
	}
	list = append(list, chart.OnText(ch.drawNotFinite), chart.OnText(ch.drawReadings))
	for i := range ch.traces {
		if t := &ch.traces[i]; t.best >= 0 {
			list = append(list, bestMark{ch.at(t.xAt(t.best), t.y[t.best]), t.y[t.best]})
		}
	}
	return list
}

// line returns the line of a trace.
func (ch *layout) line(t *trace) chart.Line {
	smooth := t.average != nil || t.mean != nil
	points := ch.reach(t, ch.points(t.line(), !smooth))
	if ch.Bare {
		return chart.Line{XY: points, Color: chart.Run(t.run).Fade(0, 220), Width: 1. / 3}
	}
	out := chart.RunLine(t.label, t.run, points)
	out.Bold, out.Extremes = smooth, !smooth
	return out
}

// xLabel returns the name of the x axis with notes on the transformations of the data.
func (ch *layout) xLabel() string {
	var notes []string
	add := func(n int, what string) {
		if n > 0 {
			notes = append(notes, fmt.Sprintf("%d %s", n, what))
		}
	}
	if note := ch.scale.Note(); note != "" {
		notes = append(notes, note)
	}
	if ch.Smoothing > 0 {
		notes = append(notes, fmt.Sprintf("smoothed %.4g", ch.Smoothing))
	}
	below, above := ch.outside()
	of := ""
	if ch.Smoothing > 0 {
		of = "raw "
	}
	add(below, of+"below")
	add(above, of+"above")
	add(ch.notFinite(), "not finite")
	if ch.X != ch.X.Base() {
		notes = append(notes, "log")
	}
	label := ch.X.Name()
	switch ch.X.Base() {
	case chart.Seconds:
		label = "training time"
	case chart.Plain:
		label = "input"
	}
	if len(notes) > 0 {
		label += "   (" + strings.Join(notes, ", ") + ")"
	}
	return label
}
