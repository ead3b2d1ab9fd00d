package curves

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
)

// figureColumns is the horizontal resolution of a curve in a figure.
const figureColumns = 1200

// Figure returns the curve as a figure of 16 x 9 cm: raw values thin and light, smoothed ones over
// them, groups as a mean with a band, the best value of each series marked. The zoom applies, the
// cursor is not drawn. The name of the x axis has notes on the scale, clipping and values that are
// not finite.
func (c Curve) Figure(o figure.Options) (*figure.Figure, error) {
	out := c.Chart(figureColumns, 7, 6)
	out.Page.YName = o.Y
	return out.Figure(o)
}

// Chart returns the figure of the curve as a chart, thinned to a number of columns, with about the
// given numbers of ticks. Coordinates are transformed by the scale.
func (c Curve) Chart(columns, xTicks, yTicks int) *chart.Chart {
	out := &chart.Chart{Name: "curve", Page: chart.Page{W: 16, H: 9, Pad: [2]float64{0, 0.03}}}
	ch := c.measure()
	if !ch.hasPoints || columns < 1 {
		out.Empty = "no finite value"
		return out
	}
	ch.bin(columns)
	out.X = chart.Scale{Lo: ch.x0, Hi: ch.x1}
	if d := math.Max(math.Abs(ch.x0)*0.05, 1e-6); ch.x0 == ch.x1 {
		out.X = chart.Scale{Lo: ch.x0 - d, Hi: ch.x0 + d}
	}
	out.Y = chart.Scale{Lo: ch.scale.Lo, Hi: ch.scale.Hi}
	out.Page.XTicks = c.X.Ticks(ch.x0, ch.x1, xTicks)
	out.Page.YTicks = ch.scale.Ticks(yTicks)
	out.XName = ch.xLabel()
	var means []chart.Mark
	for i := range ch.bands {
		area, mean := ch.bandMarks(&ch.bands[i])
		out.Marks = append(out.Marks, area)
		means = append(means, mean)
	}
	out.Marks = append(out.Marks, means...)
	for i := range ch.traces {
		out.Marks = append(out.Marks, ch.lineMarks(&ch.traces[i], columns)...)
	}
	for i := range ch.traces {
		if t := &ch.traces[i]; t.best >= 0 {
			value := t.y[t.best]
			at := chart.XY{X: t.xAt(t.best), Y: ch.height(value)}
			out.Marks = append(out.Marks, chart.OnPage{Mark: bestMark{at: at, value: value}})
		}
	}
	return out
}

// lineMarks returns the line of a trace, with its raw values behind it if it is smoothed or a line
// through means. Lines are cut at the edges of the axis.
func (ch *layout) lineMarks(t *trace, columns int) []chart.Mark {
	if ch.Means {
		t.condense(figureMeans)
	}
	raw := ch.pieces(t.raw, true)
	ch.lengthen(raw, t, columns, false)
	points := joined(ch.within(raw))
	switch {
	case ch.Bare:
		return []chart.Mark{chart.Line{XY: points, Color: chart.Run(t.run).Fade(0, 220), Width: 1. / 3}}
	case t.average == nil && t.mean == nil:
		return []chart.Mark{chart.RunLine(t.label, t.run, points)}
	}
	behind := chart.Line{XY: points, Color: chart.Run(t.run).Fade(0, 70), Width: 1. / 6}
	smooth, name := ch.pieces(t.line(), false), t.label
	if t.average != nil {
		ch.lengthen(smooth, t, columns, true)
	}
	switch {
	case name == "":
	case t.average != nil:
		name += fmt.Sprintf(", smoothed %.4g", ch.Smoothing)
	default:
		name += fmt.Sprintf(", means of about %d points", t.meanOf)
	}
	return []chart.Mark{behind, chart.RunLine(name, t.run, joined(ch.within(smooth)))}
}

// bandMarks returns the band and the mean of a group.
func (ch *layout) bandMarks(b *band) (area chart.Band, mean chart.Line) {
	var pieces [][]chart.XY
	var ends chart.Range
	gap := true
	for k, v := range b.mean {
		t := float64(k) / (bandColumns - 1)
		x := ch.x0*(1-t) + ch.x1*t
		lo := math.NaN()
		hi := math.NaN()
		if se := b.se[k]; canvas.Finite(v) && canvas.Finite(se) {
			lo = ch.height(v - se)
			hi = ch.height(v + se)
		}
		area.X = append(area.X, x)
		ends.Lo = append(ends.Lo, lo)
		ends.Hi = append(ends.Hi, hi)
		if !canvas.Finite(v) {
			gap = true
			continue
		}
		if gap {
			pieces, gap = append(pieces, nil), false
		}
		last := len(pieces) - 1
		pieces[last] = append(pieces[last], chart.XY{X: x, Y: ch.scale.Forward(v)})
	}
	area.Color, area.Ranges = chart.Run(b.run).Fade(0.6, 50), []chart.Range{ends}
	name := fmt.Sprintf("%s, mean ± s.e., n = %s", b.label, canvas.CountRange(b.least, b.most))
	mean = chart.RunLine(name, b.run, joined(ch.within(pieces)))
	mean.Width = 1. / 2
	return area, mean
}

// joined returns pieces of a line as one line with gaps.
func joined(pieces [][]chart.XY) (list []chart.XY) {
	for i, piece := range pieces {
		if i > 0 {
			list = append(list, chart.XY{X: math.NaN(), Y: math.NaN()})
		}
		list = append(list, piece...)
	}
	return list
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
	below, above := 0, 0
	for i := range ch.traces {
		below, above = below+ch.traces[i].below, above+ch.traces[i].above
	}
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

// bestMark is a star with the number of the best value.
type bestMark struct {
	at    chart.XY
	value float64
}

// Text draws nothing.
func (bestMark) Text(*canvas.Canvas, *chart.Plane) {}

// Figure adds the star and the number.
func (m bestMark) Figure(to *plot.Plot, p *chart.Plane) error {
	star := draw.GlyphStyle{Color: figure.Ink, Radius: 1.5 * vg.Millimeter, Shape: starGlyph{}}
	chart.AddPoints(to, []chart.XY{m.at}, star)
	text := "best " + canvas.Number(m.value)
	labels, err := plotter.NewLabels(plotter.XYLabels{
		XYs: chart.XYs([]chart.XY{m.at}), Labels: []string{text},
	})
	if err != nil {
		return err
	}
	labels.TextStyle[0] = figure.TextStyle(figure.TickSize, figure.Ink)
	labels.TextStyle[0].XAlign, labels.TextStyle[0].YAlign = draw.XCenter, draw.YTop
	if m.at.X > p.X.Lo+0.85*(p.X.Hi-p.X.Lo) {
		labels.TextStyle[0].XAlign = draw.XRight
	}
	labels.Offset = vg.Point{Y: -2 * vg.Millimeter}
	to.Add(labels)
	return nil
}

// starGlyph is a star of five points.
type starGlyph struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (starGlyph) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, at vg.Point) {
	var path vg.Path
	for i := range 10 {
		r := float64(s.Radius)
		if i%2 == 1 {
			r *= 0.4
		}
		sin, cos := math.Sincos(math.Pi/2 + float64(i)*math.Pi/5)
		pt := vg.Point{X: at.X + vg.Length(r*cos), Y: at.Y + vg.Length(r*sin)}
		if i == 0 {
			path.Move(pt)
		} else {
			path.Line(pt)
		}
	}
	path.Close()
	c.SetColor(s.Color)
	c.Fill(path)
}

// CSV writes every point of every series.
func (c Curve) CSV(out io.Writer) error {
	t := figure.NewTable(out, "name", "x", "y")
	for _, s := range c.Series {
		x, y := s.Points()
		for k, v := range y {
			at := strconv.Itoa(k)
			if x != nil {
				at = figure.Exact(x[k])
			}
			t.Row(s.Label, at, figure.Exact(v))
		}
	}
	return t.Close()
}
