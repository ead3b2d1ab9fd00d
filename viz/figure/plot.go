package figure

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/axes"
	"dgplab/viz/canvas"
	"dgplab/viz/number"
)

// The type sizes of a figure.
const (
	TitleSize = 11 * vg.Inch / 72
	LabelSize = 9.5 * vg.Inch / 72
	TickSize  = 8.5 * vg.Inch / 72
)

// The neutral colours of a figure: text, secondary marks, grid lines.
var (
	Ink  = color.RGBA{0x28, 0x28, 0x28, 0xff}
	Soft = color.RGBA{0x60, 0x60, 0x60, 0xff}
	Grid = color.RGBA{0xe8, 0xe8, 0xe8, 0xff}
)

// Paper is the terminal style that figures take their colours from.
var Paper = canvas.Style{Mode: canvas.TrueColor}

// NewPlot returns an empty plot in the house style: sans serif, thin grey axes.
func NewPlot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, s := range []*text.Style{&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle,
		&p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle} {
		s.Font.Variant, s.Font.Size, s.Color = "Sans", LabelSize, Ink
	}
	p.Title.TextStyle.Font.Size = TitleSize
	p.Title.Padding = 2 * vg.Millimeter
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Tick.Label.Font.Size, a.Tick.Label.Color = TickSize, Soft
		a.LineStyle.Color, a.Tick.LineStyle.Color = Soft, Soft
		a.LineStyle.Width, a.Tick.LineStyle.Width = 0.5*vg.Millimeter/2, 0.5*vg.Millimeter/2
		a.Tick.Length = 1.2 * vg.Millimeter
		a.Padding = 1.5 * vg.Millimeter
		a.Label.Padding = 1 * vg.Millimeter
	}
	p.Legend.ThumbnailWidth = 6 * vg.Millimeter
	p.Legend.Padding = 0.8 * vg.Millimeter
	return p
}

// AddGrid draws faint lines at the ticks, behind whatever is added later.
func AddGrid(p *plot.Plot) {
	g := plotter.NewGrid()
	g.Horizontal.Color, g.Vertical.Color = Grid, Grid
	g.Horizontal.Width, g.Vertical.Width = vg.Millimeter/5, vg.Millimeter/5
	p.Add(g)
}

// TextStyle returns the style of texts within a figure.
func TextStyle(size font.Length, c color.Color) text.Style {
	p := plot.New()
	s := p.X.Label.TextStyle
	s.Font.Variant, s.Font.Size, s.Color = "Sans", size, c
	return s
}

// Ticks converts ticks of viz to ticks of gonum/plot.
func Ticks(list []axes.Tick) plot.Ticker {
	var out plot.ConstantTicks
	for _, t := range list {
		out = append(out, plot.Tick{Value: t.At, Label: t.Label})
	}
	return out
}

// XTicks returns the ticks of an axis of numbers or dates.
func XTicks(lo, hi float64, dates axes.Dates) plot.Ticker {
	if dates.Known() {
		return Ticks(axes.DateTicks(lo, hi, dates.Unit, 80))
	}
	return Ticks(axes.Plain.Ticks(lo, hi, 6))
}

// CheckRange returns an error if values are too large for an axis.
func CheckRange(what string, values ...float64) error {
	for _, v := range values {
		if math.Abs(v) > math.MaxFloat64/8 {
			return fmt.Errorf("%s: values up to %.3g are too far apart to draw", what, v)
		}
	}
	return nil
}

// RunColor returns the colour of a run with an opacity from 0 to 255.
func RunColor(run int, alpha uint8) color.Color {
	r, g, b, _ := Paper.RunColor(run).RGB()
	return color.NRGBA{r, g, b, alpha}
}

// dashes distinguish runs where there is no colour.
var dashes = [...][]vg.Length{
	nil,
	{2.4 * vg.Millimeter, 0.8 * vg.Millimeter},
	{0.8 * vg.Millimeter, 0.8 * vg.Millimeter},
	{2.4 * vg.Millimeter, 0.8 * vg.Millimeter, 0.8 * vg.Millimeter, 0.8 * vg.Millimeter},
}

// Dashes returns the dash pattern of a run.
func Dashes(run int) []vg.Length { return dashes[((run%len(dashes))+len(dashes))%len(dashes)] }

// XYs converts points of viz to points of gonum/plot.
func XYs(points []axes.XY) plotter.XYs {
	out := make(plotter.XYs, len(points))
	for i, at := range points {
		out[i] = plotter.XY{X: at.X, Y: at.Y}
	}
	return out
}

// Join returns the points with the given coordinates. Surplus coordinates are ignored.
func Join(x, y []float64) []axes.XY {
	list := make([]axes.XY, min(len(x), len(y)))
	for k := range list {
		list[k] = axes.XY{X: x[k], Y: y[k]}
	}
	return list
}

// Finite returns the points that are finite.
func Finite(list []axes.XY) (out plotter.XYs) {
	for _, p := range list {
		if number.Finite(p.X) && number.Finite(p.Y) {
			out = append(out, plotter.XY{X: p.X, Y: p.Y})
		}
	}
	return out
}

// AddPoints adds the finite points of a list and returns their legend entry.
func AddPoints(p *plot.Plot, list []axes.XY, style draw.GlyphStyle) *plotter.Scatter {
	s := &plotter.Scatter{XYs: Finite(list), GlyphStyle: style}
	if len(s.XYs) > 0 {
		p.Add(s)
	}
	return s
}

// AddPieces adds the pieces of one line and returns its legend entry, nil without pieces. A piece
// of one point is drawn as a dot.
func AddPieces(p *plot.Plot, pieces [][]axes.XY, look draw.LineStyle) (plot.Thumbnailer, error) {
	var thumbnail plot.Thumbnailer
	for _, piece := range pieces {
		xys := XYs(piece)
		if len(piece) == 1 {
			dot, err := plotter.NewScatter(xys)
			if err != nil {
				return nil, fmt.Errorf("curve: %w", err)
			}
			dot.GlyphStyle = draw.GlyphStyle{
				Color:  look.Color,
				Radius: look.Width * 1.5,
				Shape:  draw.CircleGlyph{},
			}
			p.Add(dot)
			if thumbnail == nil {
				thumbnail = dot
			}
			continue
		}
		line, err := plotter.NewLine(xys)
		if err != nil {
			return nil, fmt.Errorf("curve: %w", err)
		}
		line.LineStyle = look
		p.Add(line)
		thumbnail = line
	}
	return thumbnail, nil
}

// ColorBarWidth is the room of a colour bar beside a map.
const ColorBarWidth = 2.4 * vg.Centimeter

// HeatColor returns the colour of v between lo and hi. It is white for -Inf, the logarithm of a
// structural zero.
func HeatColor(v, lo, hi float64) color.RGBA {
	c := Paper.Bad()
	switch {
	case math.IsInf(v, -1):
		return color.RGBA{0xff, 0xff, 0xff, 0xff}
	case number.Finite(v) && hi > lo:
		c = Paper.Heat((v - lo) / (hi - lo))
	case number.Finite(v):
		c = Paper.Heat(0.5)
	}
	r, g, b, _ := c.RGB()
	return color.RGBA{r, g, b, 0xff}
}

// ColorBar returns a colour bar with a name. The lowest tick of a clipped range is marked by ≤.
func ColorBar(name string, lo, hi float64, clipped bool) *plot.Plot {
	if lo == hi {
		lo, hi = lo-0.5, hi+0.5
	}
	p := NewPlot()
	img := image.NewRGBA(image.Rect(0, 0, 8, 512))
	for y := range 512 {
		c := HeatColor(lo+(hi-lo)*(1-(float64(y)+0.5)/512), lo, hi)
		for x := range 8 {
			img.SetRGBA(x, y, c)
		}
	}
	p.Add(plotter.NewImage(img, 0, lo, 1, hi))
	p.HideX()
	list := axes.Plain.Ticks(lo, hi, 8)
	if clipped {
		if len(list) > 0 && list[0].At-lo < (hi-lo)/16 {
			list = list[1:]
		}
		list = append(list, axes.Tick{At: lo, Label: "≤" + number.Short(math.Round(lo*10)/10)})
	}
	p.Y.Tick.Marker = Ticks(list)
	p.Y.Padding = 0
	p.Y.Min, p.Y.Max = lo, hi
	p.Title.Text = name
	p.Title.TextStyle.Font.Size = TickSize
	return p
}
