package figure

import (
	"bytes"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"dgplab/viz/axes"
	"dgplab/viz/canvas"
)

// ErrNothing is returned, wrapped, when there is nothing to draw.
var ErrNothing = errors.New("nothing to draw")

// Format is the kind of a file.
type Format string

const (
	PNG Format = "png"
	SVG Format = "svg"
)

// Options are what the data does not say.
type Options struct {
	// Title stands above the figure; "" for none.
	Title string
	// Y names the vertical axis of a curve.
	Y string
}

// paper is the terminal that figures take their colours from.
var paper = canvas.Style{Mode: canvas.TrueColor}

// dpi is the resolution of PNG files.
const dpi = 200

// The sizes of type in a figure.
const (
	titleSize = 11 * vg.Inch / 72
	labelSize = 9.5 * vg.Inch / 72
	tickSize  = 8.5 * vg.Inch / 72
)

var (
	inkColor  = color.RGBA{0x28, 0x28, 0x28, 0xff}
	softColor = color.RGBA{0x60, 0x60, 0x60, 0xff}
	gridColor = color.RGBA{0xe8, 0xe8, 0xe8, 0xff}
)

// render writes a figure of w x h that drawOn draws.
func render(out io.Writer, format Format, w, h vg.Length, drawOn func(draw.Canvas)) error {
	var canvas vg.CanvasWriterTo
	switch format {
	case PNG:
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dpi))}
	case SVG:
		canvas = vgsvg.New(w, h)
	default:
		return fmt.Errorf("figure format %q: want png or svg", format)
	}
	dc := draw.NewCanvas(canvas, w, h)
	dc.FillPolygon(color.White, corners(dc))
	drawOn(draw.Crop(dc, margin, -margin, margin, -margin))
	var file bytes.Buffer
	_, err := canvas.WriteTo(&file)
	if err == nil {
		_, err = out.Write(mended(file.Bytes(), format))
	}
	if err != nil {
		return fmt.Errorf("writing the %s figure: %w", format, err)
	}
	return nil
}

// mended returns a file with what gonum says wrongly of pictures within SVG files put right:
// they are PNG, no JPEG, which programs that believe it leave out; and they fill their
// rectangle, whatever its proportions.
func mended(file []byte, format Format) []byte {
	if format != SVG {
		return file
	}
	file = bytes.ReplaceAll(file, []byte("data:image/jpg;base64,"), []byte("data:image/png;base64,"))
	return bytes.ReplaceAll(file, []byte("<image "), []byte(`<image preserveAspectRatio="none" `))
}

// slack is how much wider texts may be in the font of who looks at an SVG file.
const slack = 1.15

// margin is around a figure, legendGap between a chart and its legend, and widestLegend the
// most that this is wide.
const (
	margin       = 4 * vg.Millimeter
	legendGap    = 4 * vg.Millimeter
	widestLegend = 13 * vg.Centimeter
)

// withLegend writes a figure of w x h that drawOn draws, and beside it, where nothing lies
// under it, a legend, if that has entries.
func withLegend(
	out io.Writer, format Format, w, h vg.Length, legend plot.Legend, drawOn func(draw.Canvas),
) error {
	legend.Top, legend.Left = true, true
	room := min(slack*legend.Rectangle(draw.Canvas{}).Size().X, widestLegend)
	if room > 0 {
		room += legendGap
	}
	return render(out, format, w+room, h, func(dc draw.Canvas) {
		legend.Draw(draw.Crop(dc, dc.Size().X-room+legendGap, 0, 0, -headRoom))
		drawOn(draw.Crop(dc, 0, -room, 0, 0))
	})
}

// single writes a plot of w x h with its legend beside it.
func single(out io.Writer, format Format, w, h vg.Length, p *plot.Plot) error {
	legend := p.Legend
	p.Legend = plot.NewLegend()
	p.Title.Text = wrapped(p.Title.Text, titleSize, w-2*margin)
	return withLegend(out, format, w, h, legend, p.Draw)
}

// headRoom is the height of a title of one line, with what is free below it.
const headRoom = 7 * vg.Millimeter

// head writes a title over what follows, and returns the canvas below it.
func head(dc draw.Canvas, title string) draw.Canvas {
	if title == "" {
		return dc
	}
	s := style(titleSize, inkColor)
	s.XAlign, s.YAlign = draw.XCenter, draw.YTop
	title = wrapped(title, titleSize, dc.Size().X)
	dc.FillText(s, vg.Point{X: dc.Center().X, Y: dc.Max.Y}, title)
	return draw.Crop(dc, 0, 0, 0, -headRoom-vg.Length(strings.Count(title, "\n"))*titleSize)
}

// wrapped returns a title in a size of type with line breaks where it is wider than w, beside
// those that it has: after commas, and between words where that does not do.
func wrapped(title string, size font.Length, w vg.Length) string {
	s := style(size, inkColor)
	fits := func(line string) bool { return slack*s.Width(line) <= w }
	var lines []string
	for _, whole := range strings.Split(title, "\n") {
		for _, line := range packed(strings.SplitAfter(whole, ", "), fits) {
			lines = append(lines, packed(strings.SplitAfter(line, " "), fits)...)
		}
	}
	return strings.Join(lines, "\n")
}

// packed joins as many parts to a line as fit.
func packed(parts []string, fits func(line string) bool) (lines []string) {
	line := ""
	for _, part := range parts {
		if line != "" && !fits(strings.TrimSpace(line+part)) {
			lines, line = append(lines, strings.TrimSpace(line)), ""
		}
		line += part
	}
	return append(lines, strings.TrimSpace(line))
}

func corners(c draw.Canvas) []vg.Point {
	return []vg.Point{c.Min, {X: c.Max.X, Y: c.Min.Y}, c.Max, {X: c.Min.X, Y: c.Max.Y}}
}

// checkRange returns an error for what has values so far apart that no axis can have them.
func checkRange(what string, values ...float64) error {
	for _, v := range values {
		if math.Abs(v) > math.MaxFloat64/8 {
			return fmt.Errorf("%s: values up to %.3g are too far apart to draw", what, v)
		}
	}
	return nil
}

// addShade adds an area in the light colour of a run.
func addShade(p *plot.Plot, label string, run int, outline plotter.XYs) error {
	shade, err := plotter.NewPolygon(outline)
	if err != nil {
		return fmt.Errorf("band %q: %w", label, err)
	}
	shade.Color = runColor(run, 50)
	shade.LineStyle.Color = color.Transparent
	shade.LineStyle.Width = 0
	p.Add(shade)
	return nil
}

// runLine is the look of the line of a run.
func runLine(run int) draw.LineStyle {
	return draw.LineStyle{Color: runColor(run, 255), Width: vg.Millimeter / 2.4, Dashes: dashesOf(run)}
}

// newPlot returns an empty plot in the house style: sans serif, thin grey axes.
func newPlot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, s := range []*text.Style{&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle,
		&p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle} {
		s.Font.Variant, s.Font.Size, s.Color = "Sans", labelSize, inkColor
	}
	p.Title.TextStyle.Font.Size = titleSize
	p.Title.Padding = 2 * vg.Millimeter
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Tick.Label.Font.Size, a.Tick.Label.Color = tickSize, softColor
		a.LineStyle.Color, a.Tick.LineStyle.Color = softColor, softColor
		a.LineStyle.Width, a.Tick.LineStyle.Width = 0.5*vg.Millimeter/2, 0.5*vg.Millimeter/2
		a.Tick.Length = 1.2 * vg.Millimeter
		a.Padding = 1.5 * vg.Millimeter
		a.Label.Padding = 1 * vg.Millimeter
	}
	p.Legend.ThumbnailWidth = 6 * vg.Millimeter
	p.Legend.Padding = 0.8 * vg.Millimeter
	return p
}

// addGrid draws faint lines at the ticks, behind whatever is added later.
func addGrid(p *plot.Plot) {
	g := plotter.NewGrid()
	g.Horizontal.Color, g.Vertical.Color = gridColor, gridColor
	g.Horizontal.Width, g.Vertical.Width = vg.Millimeter/5, vg.Millimeter/5
	p.Add(g)
}

// ticks turns the ticks of viz into those of gonum.
func ticks(list []axes.Tick) plot.Ticker {
	var out plot.ConstantTicks
	for _, t := range list {
		out = append(out, plot.Tick{Value: t.At, Label: t.Label})
	}
	return out
}

// runColor returns the colour of a run with an opacity from 0 to 255.
func runColor(run int, alpha uint8) color.Color {
	r, g, b, _ := paper.RunColor(run).RGB()
	return color.NRGBA{r, g, b, alpha}
}

// style returns the text style of labels within a figure.
func style(size font.Length, c color.Color) text.Style {
	p := plot.New()
	s := p.X.Label.TextStyle
	s.Font.Variant, s.Font.Size, s.Color = "Sans", size, c
	return s
}
