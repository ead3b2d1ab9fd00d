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

	"dgplab/viz/axes"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
	"dgplab/viz/number"
)

// outlineColumns is the horizontal resolution of a curve in a figure.
const outlineColumns = 1200

// Figure returns the curve as a figure of 16 x 9 cm: raw values thin and light, smoothed ones over
// them, groups as a mean with a band, the best value of each series marked. The zoom applies, the
// cursor is not drawn. The name of the x axis has notes on the scale, clipping and values that are
// not finite.
func (c Curve) Figure(o figure.Options) (*figure.Figure, error) {
	out := c.Chart(outlineColumns, 7, 6)
	out.Page.YName = o.Y
	return out.Figure(o)
}

// Chart returns the figure of the curve as a chart, thinned to a number of columns, with about the
// given numbers of ticks. Coordinates are transformed by the scale.
func (c Curve) Chart(columns, xTicks, yTicks int) *chart.Chart {
	out := &chart.Chart{Name: "curve", Page: chart.Page{W: 16, H: 9, Pad: [2]float64{0, 0.03}}}
	outline, ok := c.Outline(columns, xTicks, yTicks)
	if !ok {
		out.Empty = "no finite value"
		return out
	}
	out.X = axes.Scale{Lo: outline.X0, Hi: outline.X1}
	if out.X.Lo == out.X.Hi {
		out.X.Lo, out.X.Hi = widened(out.X.Lo)
	}
	out.Y = axes.Scale{Lo: outline.Y0, Hi: outline.Y1}
	out.Page.XTicks, out.Page.YTicks = outline.XTicks, outline.YTicks
	out.XName = xLabel(c, outline)
	for _, b := range outline.Bands {
		area := chart.Band{Color: chart.Run(b.Run).Fade(0.6, 50), Ranges: make([]chart.Range, 1)}
		r := &area.Ranges[0]
		upper := joined(b.Upper)
		for k, at := range joined(b.Lower) {
			area.X = append(area.X, at.X)
			r.Lo = append(r.Lo, at.Y)
			r.Hi = append(r.Hi, upper[k].Y)
		}
		out.Marks = append(out.Marks, area)
	}
	for _, b := range outline.Bands {
		mean := chart.RunLine(fmt.Sprintf("%s, mean ± s.e., n = %s", b.Label, b.N), b.Run, joined(b.Mean))
		mean.Width = 1. / 2
		out.Marks = append(out.Marks, mean)
	}
	for _, l := range outline.Lines {
		switch {
		case c.Bare:
			out.Marks = append(out.Marks,
				chart.Line{XY: joined(l.Raw), Color: chart.Run(l.Run).Fade(0, 220), Width: 1. / 3})
		case l.Smooth == nil:
			out.Marks = append(out.Marks, chart.RunLine(l.Label, l.Run, joined(l.Raw)))
		default:
			name := l.Label
			if name != "" && l.MeanOf > 0 {
				name += fmt.Sprintf(", means of about %d points", l.MeanOf)
			} else if name != "" {
				name += fmt.Sprintf(", smoothed %.4g", c.Smoothing)
			}
			raw := chart.Line{XY: joined(l.Raw), Color: chart.Run(l.Run).Fade(0, 70), Width: 1. / 6}
			out.Marks = append(out.Marks, raw, chart.RunLine(name, l.Run, joined(l.Smooth)))
		}
	}
	for i := range outline.Lines {
		if l := &outline.Lines[i]; l.HasBest {
			out.Marks = append(out.Marks, chart.OnPage{Mark: bestMark{Points: chart.Points{}, line: l}})
		}
	}
	return out
}

// widened returns a range around one value.
func widened(v float64) (lo, hi float64) {
	d := math.Max(math.Abs(v)*0.05, 1e-6)
	return v - d, v + d
}

// joined returns pieces of a line as one line with gaps.
func joined(pieces [][]axes.XY) (list []axes.XY) {
	for i, piece := range pieces {
		if i > 0 {
			list = append(list, axes.XY{X: math.NaN(), Y: math.NaN()})
		}
		list = append(list, piece...)
	}
	return list
}

// xLabel returns the name of the x axis with notes on what the picture does to the data.
func xLabel(c Curve, outline Outline) string {
	var notes []string
	if outline.Note != "" {
		notes = append(notes, outline.Note)
	}
	of := ""
	if c.Smoothing > 0 {
		of = "raw "
	}
	if outline.Below > 0 {
		notes = append(notes, fmt.Sprintf("%d %sbelow", outline.Below, of))
	}
	if outline.Above > 0 {
		notes = append(notes, fmt.Sprintf("%d %sabove", outline.Above, of))
	}
	if outline.NotFinite > 0 {
		notes = append(notes, fmt.Sprintf("%d not finite", outline.NotFinite))
	}
	label := c.X.Name()
	if c.X != c.X.Base() {
		notes = append(notes, "log")
	}
	switch c.X.Base() {
	case axes.Seconds:
		label = "training time"
	case axes.Plain:
		label = "input"
	}
	if len(notes) > 0 {
		label += "   (" + strings.Join(notes, ", ") + ")"
	}
	return label
}

// bestMark is a star with the number of the best value.
type bestMark struct {
	chart.Points
	line *LineOutline
}

// Figure adds the star and the number.
func (m bestMark) Figure(to *plot.Plot, p *axes.Plane) error {
	star := draw.GlyphStyle{Color: figure.Ink, Radius: 1.5 * vg.Millimeter, Shape: starGlyph{}}
	figure.AddPoints(to, []axes.XY{m.line.Best}, star)
	text := "best " + number.Short(m.line.BestValue)
	labels, err := plotter.NewLabels(plotter.XYLabels{
		XYs: figure.XYs([]axes.XY{m.line.Best}), Labels: []string{text},
	})
	if err != nil {
		return err
	}
	labels.TextStyle[0] = figure.TextStyle(figure.TickSize, figure.Ink)
	labels.TextStyle[0].XAlign, labels.TextStyle[0].YAlign = draw.XCenter, draw.YTop
	if m.line.Best.X > p.X.Lo+0.85*(p.X.Hi-p.X.Lo) {
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
