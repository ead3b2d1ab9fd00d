package heatmap

import (
	"fmt"
	"image"
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
)

// Figure returns the grid: a square for each number, in its colour.
func (g Matrices) Figure(o figure.Options) (*figure.Figure, error) {
	var plots []*figure.Plot
	columns, drawn := 0, false
	for _, b := range g.Bands {
		columns = max(columns, len(b.Matrices))
	}
	for _, b := range g.Bands {
		row := make([]*figure.Plot, columns)
		for i, m := range b.Matrices {
			row[i] = matrixPlot(g.Rows, m)
			row[i].X.Label.Text, row[i].Y.Label.Text = g.ColumnsName, g.RowsName
			row[i].Title.Text = m.Name + ", " + b.named()
			drawn = drawn || len(g.Rows) > 0 && len(m.Columns) > 0
		}
		plots = append(plots, row...)
	}
	if !drawn {
		return nil, fmt.Errorf("matrices: %w: no numbers", figure.ErrNothing)
	}
	return figure.Tile(plots, columns, o), nil
}

// matrixPlot draws a matrix. The first row is on top.
func matrixPlot(rows []string, m Matrix) *figure.Plot {
	p := figure.NewPlot()
	p.Title.TextStyle.Font.Size = figure.TickSize
	h := len(rows)
	w := len(m.Columns)
	p.Add(plotter.NewImage(matrixImage(m, h, w), 0, 0, float64(w), float64(h)))
	var x, y []chart.Tick
	for column, name := range m.Columns {
		x = append(x, chart.Tick{At: float64(column) + 0.5, Label: name})
	}
	for row, name := range rows {
		y = append(y, chart.Tick{At: float64(h-row) - 0.5, Label: name})
		for column := range m.Columns {
			addNumber(p, float64(column)+0.5, float64(h-row)-0.5, m, m.At(row, column))
		}
	}
	p.X.Tick.Marker = chart.Ticks(x)
	p.Y.Tick.Marker = chart.Ticks(y)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Tick.Length, a.LineStyle.Width, a.Padding = 0, 0, 0
	}
	p.X.Min = 0
	p.X.Max = float64(w)
	p.Y.Min = 0
	p.Y.Max = float64(h)
	return p
}

// matrixPixels is the side of a square in pixels.
const matrixPixels = 48

// matrixImage returns the colours of a matrix.
func matrixImage(m Matrix, h, w int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, max(w, 1)*matrixPixels, max(h, 1)*matrixPixels))
	for y := range h * matrixPixels {
		for x := range w * matrixPixels {
			v := m.At(y/matrixPixels, x/matrixPixels)
			if canvas.Finite(v) {
				v = m.Unit(v)
			}
			img.SetRGBA(x, y, HeatColor(v, 0, 1))
		}
	}
	return img
}

// addNumber writes a number in the middle of its square, in a legible colour.
func addNumber(p *figure.Plot, x, y float64, m Matrix, v float64) {
	if !canvas.Finite(v) {
		return
	}
	r, g, b, _ := figure.Paper.Heat(m.Unit(v)).Opposite().RGB()
	s := figure.TextStyle(figure.TickSize, color.RGBA{r, g, b, 0xff})
	s.XAlign, s.YAlign = draw.XCenter, draw.YCenter
	p.Add(&plotter.Labels{
		XYs:       plotter.XYs{{X: x, Y: y}},
		Labels:    []string{m.Text(v)},
		TextStyle: []text.Style{s},
	})
}

// CSV writes every number with the coordinates of its band, which are empty if unknown.
func (g Matrices) CSV(out io.Writer) error {
	t := figure.NewTable(out, append(append([]string{"band"}, g.Axes...), "matrix",
		"row", "column", "value")...)
	for _, b := range g.Bands {
		fields := []string{b.named()}
		for d := range g.Axes {
			at := ""
			if d < len(b.At) {
				at = figure.Exact(b.At[d])
			}
			fields = append(fields, at)
		}
		for _, m := range b.Matrices {
			for i, row := range g.Rows {
				for j, column := range m.Columns {
					t.Row(append(fields[:len(fields):len(fields)], m.Name, row, column,
						figure.Exact(m.At(i, j)))...)
				}
			}
		}
	}
	return t.Close()
}
