package figure

import (
	"bytes"
	"errors"
	"fmt"
	"image/color"
	"io"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// ErrNothing is returned, wrapped, when there is nothing to draw.
var ErrNothing = errors.New("nothing to draw")

// Format is a file format.
type Format string

const (
	PNG Format = "png"
	SVG Format = "svg"
	PDF Format = "pdf"
)

// Options holds the labels of a figure that are not part of its data.
type Options struct {
	// Title is written above the figure unless it is empty.
	Title string
	// Y names the vertical axis of a curve.
	Y string
	// Width is the width of the figure with its legend. 0 stands for PageWidth.
	Width vg.Length
}

// Length is a length in a figure, in points.
type Length = vg.Length

// The widths of a figure over one column of a paper, and over two columns or a page.
const (
	ColumnWidth = 3.25 * vg.Inch
	PageWidth   = 6.75 * vg.Inch
)

// leastWidth and mostWidth limit the width of a figure.
const leastWidth, mostWidth = 5 * vg.Centimeter, 50 * vg.Centimeter

// ParseWidth returns the width in a text such as "3.25in", "12cm", "80mm" or "400pt".
func ParseWidth(text string) (vg.Length, error) {
	w, err := vg.ParseLength(text)
	if err != nil || strings.Trim(text, "0123456789.") == "" || !(w >= leastWidth && w <= mostWidth) {
		return 0, errors.New("want a width from 5cm to 50cm, such as 3.25in, 12cm, 120mm or 400pt")
	}
	return w, nil
}

// width returns the width of the figure.
func (o Options) width() vg.Length {
	if o.Width > 0 {
		return o.Width
	}
	return PageWidth
}

// Share returns the width of the figure as a share of PageWidth.
func (o Options) Share() float64 { return float64(o.width() / PageWidth) }

// Margin is the blank border around a figure.
const Margin = 2 * vg.Millimeter

// dpi is the resolution of PNG files.
const dpi = 200

// Figure is a drawing that can be written in several formats.
type Figure struct {
	width, height vg.Length
	draw          func(draw.Canvas)
}

// New returns a figure of w x h. The function draws within the margins and may be called more
// than once.
func New(w, h vg.Length, draw func(draw.Canvas)) *Figure { return &Figure{w, h, draw} }

// Width returns the width of the figure in points.
func (f *Figure) Width() float64 { return f.width.Points() }

// Write writes the figure. Equal figures give equal bytes on the same machine.
func (f *Figure) Write(w io.Writer, format Format) error {
	var canvas vg.CanvasWriterTo
	switch format {
	case PNG:
		canvas = vgimg.PngCanvas{
			Canvas: vgimg.NewWith(vgimg.UseWH(f.width, f.height), vgimg.UseDPI(dpi)),
		}
	case SVG:
		canvas = vgsvg.New(f.width, f.height)
	case PDF:
		canvas = newPDF(f.width, f.height)
	default:
		return fmt.Errorf("figure format %q: want png, svg or pdf", format)
	}
	dc := draw.NewCanvas(canvas, f.width, f.height)
	dc.FillPolygon(color.White, []vg.Point{
		dc.Min, {X: dc.Max.X, Y: dc.Min.Y}, dc.Max, {X: dc.Min.X, Y: dc.Max.Y},
	})
	f.draw(draw.Crop(dc, Margin, -Margin, Margin, -Margin))
	var file bytes.Buffer
	_, err := canvas.WriteTo(&file)
	content := file.Bytes()
	if format == SVG {
		content = mendSVG(content)
	}
	if err == nil {
		_, err = w.Write(content)
	}
	if err != nil {
		return fmt.Errorf("writing the %s figure: %w", format, err)
	}
	return nil
}
