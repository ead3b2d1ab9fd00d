package figure

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz"
)

// scatterPoints bounds the points of a cloud in a figure, so that an SVG file
// stays small; the figure says when there are more.
const scatterPoints = 3000

// Scatter writes clouds of points as a figure of 13 x 10 cm, with their trends
// and the line y = x.
func Scatter(out io.Writer, format Format, s viz.Scatter, o Options) error {
	plan, ok := s.Plan(scatterPoints, 6, 6)
	if !ok {
		return fmt.Errorf("scatter: %w: no point that the axes can show", ErrNothing)
	}
	alpha := uint8(70)
	if len(plan.Series) > 1 {
		alpha = 50
	}
	return points(out, format, plan, o, 13*vg.Centimeter, func(p *plot.Plot, s *viz.PlanPoints) error {
		dots, err := plotter.NewScatter(xys(s.Points))
		if err != nil {
			return fmt.Errorf("scatter: %w", err)
		}
		dots.GlyphStyle = draw.GlyphStyle{Color: runColor(s.Run, alpha), Radius: vg.Millimeter / 2.5, Shape: draw.CircleGlyph{}}
		p.Add(dots)
		if len(s.Line) > 1 {
			return addMarked(p, s, s.Line, vg.Millimeter/2.4)
		}
		if s.Label != "" {
			p.Legend.Add(s.Label, dots)
		}
		return nil
	})
}

// ErrorBars writes means with bars of one standard error as a figure of
// 13 x 10 cm.
func ErrorBars(out io.Writer, format Format, b viz.ErrorBars, o Options) error {
	plan, ok := b.Plan(8, 6)
	if !ok {
		return fmt.Errorf("error bars: %w: no finite mean", ErrNothing)
	}
	spread(plan.Series, (plan.X1-plan.X0)*0.012)
	return points(out, format, plan, o, 13*vg.Centimeter, func(p *plot.Plot, s *viz.PlanPoints) error {
		bars := &barPlotter{s, draw.LineStyle{Color: runColor(s.Run, 255), Width: vg.Millimeter / 4}}
		p.Add(bars)
		return addMarked(p, s, s.Points, vg.Millimeter/3)
	})
}

// spread moves series sideways by a step each, around their places.
func spread(series []viz.PlanPoints, step float64) {
	for i := range series {
		move := step * (float64(i) - float64(len(series)-1)/2)
		s := &series[i]
		moved := make([]viz.XY, len(s.Points))
		for k, at := range s.Points {
			moved[k] = viz.XY{X: at.X + move, Y: at.Y}
		}
		s.Points = moved
		if s.Line != nil {
			s.Line = moved
		}
	}
}

// points draws a plan on axes; add draws one series.
func points(out io.Writer, format Format, plan viz.PointPlan, o Options, width vg.Length, add func(*plot.Plot, *viz.PlanPoints) error) error {
	for _, v := range []float64{plan.X0, plan.X1, plan.Y0, plan.Y1} {
		if math.Abs(v) > math.MaxFloat64/8 {
			return fmt.Errorf("values up to %.3g are too far apart to draw", v)
		}
	}
	p := newPlot()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = o.Title, plan.XName, plan.YName
	if o.Y != "" {
		p.Y.Label.Text = o.Y
	}
	if len(plan.Notes) > 0 {
		p.X.Label.Text = strings.TrimSpace(p.X.Label.Text + "\n(" + strings.Join(plan.Notes, ", ") + ")")
	}
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks(plan.XTicks), ticks(plan.YTicks)
	addGrid(p)
	if len(plan.Reference) > 1 {
		line, err := plotter.NewLine(xys(plan.Reference))
		if err != nil {
			return fmt.Errorf("reference line: %w", err)
		}
		line.LineStyle = draw.LineStyle{Color: softColor, Width: vg.Millimeter / 4, Dashes: dashes[2]}
		p.Add(line)
		p.Legend.Add("y = x", line)
	}
	for i := range plan.Series {
		if err := add(p, &plan.Series[i]); err != nil {
			return err
		}
	}
	p.Legend.Top, p.Legend.Left = emptyCorner(plan)
	setRange(&p.X, plan.X0, plan.X1, 0.02)
	setRange(&p.Y, plan.Y0, plan.Y1, 0.03)
	return render(out, format, width, 10*vg.Centimeter, func(dc draw.Canvas) error {
		p.Draw(dc)
		return nil
	})
}

// emptyCorner returns the corner of a plot with the fewest points and ends of bars
// in it, for the legend; with a tie the lower right one.
func emptyCorner(plan viz.PointPlan) (top, left bool) {
	var counts [2][2]int
	count := func(x, y float64) {
		right, up := (x-plan.X0)/(plan.X1-plan.X0), (y-plan.Y0)/(plan.Y1-plan.Y0)
		if (right < 0.45 || right > 0.55) && (up < 0.3 || up > 0.7) {
			counts[index(up > 0.5)][index(right < 0.5)]++
		}
	}
	for _, s := range plan.Series {
		for i, at := range s.Points {
			count(at.X, at.Y)
			if s.Lower != nil {
				count(at.X, s.Lower[i])
				count(at.X, s.Upper[i])
			}
		}
		for _, at := range s.Line {
			count(at.X, at.Y)
		}
	}
	least := counts[0][0]
	for i, row := range counts {
		for k, n := range row {
			if n < least {
				least, top, left = n, i == 1, k == 1
			}
		}
	}
	return top, left
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

// addMarked adds markers at places, and through them the line of the series if it
// has one, with an entry in the legend.
func addMarked(p *plot.Plot, s *viz.PlanPoints, at []viz.XY, lineWidth vg.Length) error {
	marks, err := plotter.NewScatter(xys(at))
	if err != nil {
		return fmt.Errorf("series %q: %w", s.Label, err)
	}
	marks.GlyphStyle = draw.GlyphStyle{Color: runColor(s.Run, 255), Radius: 1.1 * vg.Millimeter, Shape: glyphs[((s.Run%len(glyphs))+len(glyphs))%len(glyphs)]}
	entry := []plot.Thumbnailer{marks}
	if len(s.Line) > 1 {
		line, err := plotter.NewLine(xys(s.Line))
		if err != nil {
			return fmt.Errorf("series %q: %w", s.Label, err)
		}
		line.LineStyle = draw.LineStyle{Color: runColor(s.Run, 200), Width: lineWidth}
		p.Add(line)
		entry = []plot.Thumbnailer{line, marks}
	}
	p.Add(marks)
	if s.Label != "" {
		p.Legend.Add(s.Label, entry...)
	}
	return nil
}

// glyphs are the markers of runs in a figure, as close to those on the screen as
// gonum has them.
var glyphs = [...]draw.GlyphDrawer{
	draw.CircleGlyph{}, draw.PyramidGlyph{}, draw.BoxGlyph{}, draw.CrossGlyph{},
	draw.TriangleGlyph{}, draw.PlusGlyph{}, draw.RingGlyph{}, draw.SquareGlyph{},
}

func xys(points []viz.XY) plotter.XYs {
	out := make(plotter.XYs, len(points))
	for i, at := range points {
		out[i] = plotter.XY{X: at.X, Y: at.Y}
	}
	return out
}

// barPlotter draws upright bars with caps, where they have ends.
type barPlotter struct {
	*viz.PlanPoints
	look draw.LineStyle
}

// Plot implements plot.Plotter.
func (b *barPlotter) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for i, at := range b.Points {
		if !finite(b.Lower[i]) || !finite(b.Upper[i]) {
			continue
		}
		half := 1 * vg.Millimeter
		mid, lo, hi := x(at.X), y(b.Lower[i]), y(b.Upper[i])
		c.StrokeLine2(b.look, mid, lo, mid, hi)
		c.StrokeLine2(b.look, mid-half, lo, mid+half, lo)
		c.StrokeLine2(b.look, mid-half, hi, mid+half, hi)
	}
}

// addBands adds the groups of a curve: shaded bands with their means.
func addBands(p *plot.Plot, bands []viz.PlanBand) error {
	for _, b := range bands {
		for i, lower := range b.Lower {
			outline := xys(lower)
			for k := len(b.Upper[i]) - 1; k >= 0; k-- {
				outline = append(outline, plotter.XY{X: b.Upper[i][k].X, Y: b.Upper[i][k].Y})
			}
			shade, err := plotter.NewPolygon(outline)
			if err != nil {
				return fmt.Errorf("band %q: %w", b.Label, err)
			}
			shade.Color, shade.LineStyle.Color = runColor(b.Run, 50), color.Transparent
			shade.LineStyle.Width = 0
			p.Add(shade)
		}
	}
	for _, b := range bands {
		look := draw.LineStyle{Color: runColor(b.Run, 255), Width: vg.Millimeter / 2, Dashes: dashesOf(b.Run)}
		thumbnail, err := addPieces(p, b.Mean, look)
		if err != nil {
			return err
		}
		if thumbnail != nil {
			p.Legend.Add(fmt.Sprintf("%s, mean ± s.e., n = %s", b.Label, b.N), thumbnail)
		}
	}
	return nil
}
