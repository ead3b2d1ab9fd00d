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
	"dgplab/viz/figure"
	"dgplab/viz/number"
)

// outlineColumns is the horizontal resolution of a curve in a figure.
const outlineColumns = 1200

// Figure returns a curve as a figure of 16 x 9 cm: raw values thin and light,
// smoothed ones over them, groups as a mean with a band behind them, the best
// value of each series marked. A zoom holds, a cursor is not drawn. Scale, clipping
// and the number of values that are not finite are said below the axis.
func (c Curve) Figure(o figure.Options) (*figure.Figure, error) {
	outline, ok := c.Outline(outlineColumns, 7, 6)
	if !ok {
		return nil, fmt.Errorf("curve: %w: no finite value", figure.ErrNothing)
	}
	if err := figure.CheckRange("curve", outline.X0, outline.X1, outline.Y0, outline.Y1); err != nil {
		return nil, err
	}
	p := figure.NewPlot()
	p.Title.Text, p.Y.Label.Text, p.X.Label.Text = o.Title, o.Y, xLabel(c, outline)
	p.X.Tick.Marker = figure.Ticks(outline.XTicks)
	p.Y.Tick.Marker = figure.Ticks(outline.YTicks)
	figure.AddGrid(p)
	if err := addBands(p, outline.Bands); err != nil {
		return nil, err
	}
	for i := range outline.Lines {
		if err := addLine(p, c, &outline.Lines[i]); err != nil {
			return nil, err
		}
	}
	for i := range outline.Lines {
		if err := addBest(p, &outline.Lines[i], outline.X1-outline.X0); err != nil {
			return nil, err
		}
	}
	figure.SetRange(&p.X, outline.X0, outline.X1, 0)
	figure.SetRange(&p.Y, outline.Y0, outline.Y1, 0.03)
	return figure.Single(16*vg.Centimeter, 9*vg.Centimeter, p), nil
}

// xLabel names the axis and says what the picture does to the data.
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

// addBands adds the groups of a curve: shaded bands with their means.
func addBands(p *plot.Plot, bands []BandOutline) error {
	for _, b := range bands {
		for i, lower := range b.Lower {
			outline := figure.XYs(lower)
			for k := len(b.Upper[i]) - 1; k >= 0; k-- {
				outline = append(outline, plotter.XY{X: b.Upper[i][k].X, Y: b.Upper[i][k].Y})
			}
			if err := figure.AddShade(p, b.Label, b.Run, outline); err != nil {
				return err
			}
		}
	}
	for _, b := range bands {
		look := draw.LineStyle{
			Color:  figure.RunColor(b.Run, 255),
			Width:  vg.Millimeter / 2,
			Dashes: figure.Dashes(b.Run),
		}
		thumbnail, err := figure.AddPieces(p, b.Mean, look)
		if err != nil {
			return err
		}
		if thumbnail != nil {
			p.Legend.Add(fmt.Sprintf("%s, mean ± s.e., n = %s", b.Label, b.N), thumbnail)
		}
	}
	return nil
}

// addLine adds one series: raw alone, or raw in the background of its average.
func addLine(p *plot.Plot, c Curve, l *LineOutline) error {
	front, back := l.Raw, [][]axes.XY(nil)
	name := l.Label
	if l.Smooth != nil {
		front, back = l.Smooth, l.Raw
		switch {
		case name == "":
		case l.MeanOf > 0:
			name += fmt.Sprintf(", means of about %d points", l.MeanOf)
		default:
			name += fmt.Sprintf(", smoothed %.4g", c.Smoothing)
		}
	}
	if _, err := figure.AddPieces(p, back, draw.LineStyle{
		Color: figure.RunColor(l.Run, 70),
		Width: vg.Millimeter / 6,
	}); err != nil {
		return err
	}
	thumbnail, err := figure.AddPieces(p, front, figure.RunLine(l.Run))
	if err == nil && thumbnail != nil && name != "" {
		p.Legend.Add(name, thumbnail)
	}
	return err
}

// dashes tell runs apart where there is no colour.
var dashes = [...][]vg.Length{
	nil,
	{2.4 * vg.Millimeter, 0.8 * vg.Millimeter},
	{0.8 * vg.Millimeter, 0.8 * vg.Millimeter},
	{2.4 * vg.Millimeter, 0.8 * vg.Millimeter, 0.8 * vg.Millimeter, 0.8 * vg.Millimeter},
}

// addBest marks the best value of a series by a star with its number.
func addBest(p *plot.Plot, l *LineOutline, span float64) error {
	if !l.HasBest {
		return nil
	}
	at := plotter.XYs{{X: l.Best.X, Y: l.Best.Y}}
	mark, err := plotter.NewScatter(at)
	if err != nil {
		return fmt.Errorf("curve: %w", err)
	}
	mark.GlyphStyle = draw.GlyphStyle{Color: figure.Ink, Radius: 1.5 * vg.Millimeter, Shape: starGlyph{}}
	text := "best " + number.Short(l.BestValue)
	labels, err := plotter.NewLabels(plotter.XYLabels{XYs: at, Labels: []string{text}})
	if err != nil {
		return fmt.Errorf("curve: %w", err)
	}
	labels.TextStyle[0] = figure.TextStyle(figure.TickSize, figure.Ink)
	labels.TextStyle[0].XAlign, labels.TextStyle[0].YAlign = draw.XCenter, draw.YTop
	if span > 0 && l.Best.X > p.X.Min+0.85*span {
		labels.TextStyle[0].XAlign = draw.XRight
	}
	labels.Offset = vg.Point{Y: -2 * vg.Millimeter}
	p.Add(mark, labels)
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
