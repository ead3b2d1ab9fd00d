package figure

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/canvas"
)

// The type sizes of a figure in points, for print at its width: those of a caption in a paper.
const (
	TitleSize = vg.Length(9)
	LabelSize = vg.Length(8)
	TickSize  = vg.Length(7)
)

// The neutral colours of a figure: text, secondary marks, grid lines.
var (
	Ink  = color.RGBA{0x28, 0x28, 0x28, 0xff}
	Soft = color.RGBA{0x60, 0x60, 0x60, 0xff}
	Grid = color.RGBA{0xe8, 0xe8, 0xe8, 0xff}
)

// Paper is the terminal style whose colours figures use.
var Paper = canvas.Style{Mode: canvas.TrueColor}

// Plot is a plot whose legend is laid out by the figure.
type Plot struct {
	*plot.Plot
	entries []entry
}

// entry is an entry of a legend.
type entry struct {
	name   string
	thumbs []plot.Thumbnailer
}

// AddEntry adds an entry to the legend. The legend of a figure has one entry for each name, with its first
// symbol.
func (p *Plot) AddEntry(name string, thumbs ...plot.Thumbnailer) {
	p.entries = append(p.entries, entry{name, thumbs})
}

// NewPlot returns an empty plot in the house style: sans serif, thin grey axes.
func NewPlot() *Plot {
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
	return &Plot{Plot: p}
}

// AddGrid draws faint lines at the ticks, behind everything that is added later.
func AddGrid(p *Plot) {
	g := plotter.NewGrid()
	g.Horizontal.Color, g.Vertical.Color = Grid, Grid
	g.Horizontal.Width, g.Vertical.Width = vg.Millimeter/5, vg.Millimeter/5
	p.Add(g)
}

// TextStyle returns the style of text within a figure.
func TextStyle(size font.Length, c color.Color) text.Style {
	p := plot.New()
	s := p.X.Label.TextStyle
	s.Font.Variant, s.Font.Size, s.Color = "Sans", size, c
	return s
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

// shapes holds shapes of points that distinguish runs without colour.
var shapes = [...]draw.GlyphDrawer{
	draw.CircleGlyph{}, draw.PyramidGlyph{}, draw.BoxGlyph{}, draw.CrossGlyph{},
}

// Shape returns the shape of the points of a run.
func Shape(run int) draw.GlyphDrawer { return shapes[((run%len(shapes))+len(shapes))%len(shapes)] }

// dashes holds dash patterns that distinguish runs without colour.
var dashes = [...][]vg.Length{
	nil,
	{2.4 * vg.Millimeter, 0.8 * vg.Millimeter},
	{0.8 * vg.Millimeter, 0.8 * vg.Millimeter},
	{2.4 * vg.Millimeter, 0.8 * vg.Millimeter, 0.8 * vg.Millimeter, 0.8 * vg.Millimeter},
}

// Dashes returns the dash pattern of a run.
func Dashes(run int) []vg.Length { return dashes[((run%len(dashes))+len(dashes))%len(dashes)] }
