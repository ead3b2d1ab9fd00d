package heatmap

import (
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/chart"
	"dgplab/viz/figure"
)

// widestMap is the maximum width of the figure of a map, which is square.
const widestMap = 14 * vg.Centimeter

// Figure returns the covariance map as a figure: one square for every cell, thin lines between GPs and strong
// ones between layers, a colour bar with the range. Entries that are zero by construction stay white, and
// other zeros are grey.
func (b BlockMap) Figure(o figure.Options) (*figure.Figure, error) {
	side := b.Side()
	if side < 1 || side > 1<<14 || side*side != len(b.Log10) {
		return nil, fmt.Errorf("covariance map: %w: %d values for %d GPs",
			figure.ErrNothing, len(b.Log10), len(b.Parts))
	}
	lo, hi, clipped, _ := b.colorRange()
	heat := mapPlot(b, side, lo, hi)
	w := min(vg.Length(o.Share())*figure.PageWidth, widestMap)
	heat.Title.Text = figure.Wrap(o.Title, figure.TitleSize, w-2*figure.Margin-colorBarWidth)
	bar := colorBar("log10 |"+b.Symbol()+"|", lo, hi, clipped)
	return figure.New(w, w-vg.Centimeter, besideBar(heat, bar, 0.8*vg.Centimeter)), nil
}

// mapPlot draws the cells of the map on axes that count cells. The first row is on top.
func mapPlot(b BlockMap, side int, lo, hi float64) *figure.Plot {
	p := figure.NewPlot()
	s := float64(side)
	p.Add(plotter.NewImage(mapImage(b, side, lo, hi), 0, 0, s, s))
	var x, y []chart.Tick
	name := func(from, to float64, text string) {
		middle := (from + to) / 2
		x = append(x, chart.Tick{At: middle, Label: text})
		y = append(y, chart.Tick{At: s - middle, Label: text})
	}
	var layerBorders []float64
	at := 0.0
	for _, layer := range b.layers() {
		first := at
		for i, part := range b.Parts[layer[0]:layer[1]] {
			if i > 0 {
				addBorder(p, at, s, vg.Millimeter/8, color.Gray{0xc0})
			}
			at += float64(part.Cells)
			if b.Named() {
				name(at-float64(part.Cells), at, part.Name)
			}
		}
		layerBorders = append(layerBorders, first)
		if !b.Named() {
			name(first, at, fmt.Sprintf("layer %d", b.Parts[layer[0]].Group+1))
		}
	}
	for _, at := range append(layerBorders, s) {
		addBorder(p, at, s, vg.Millimeter/2.5, color.Gray{0x60})
	}
	p.X.Tick.Marker = chart.Ticks(x)
	p.Y.Tick.Marker = chart.Ticks(y)
	p.X.Tick.Length, p.Y.Tick.Length = 0, 0
	p.X.LineStyle.Width, p.Y.LineStyle.Width = 0, 0
	p.Y.Tick.Label.Rotation = math.Pi / 2
	p.Y.Tick.Label.XAlign, p.Y.Tick.Label.YAlign = draw.XCenter, draw.YBottom
	p.X.Min = 0
	p.X.Max = s
	p.Y.Min = 0
	p.Y.Max = s
	p.X.Label.Text = sizesLabel(b)
	return p
}

// sizesLabel describes the number of inducing outputs of the blocks.
func sizesLabel(b BlockMap) string {
	least, most := b.partSizes()
	text := fmt.Sprintf("inducing outputs, M = %d for each GP", most)
	switch {
	case b.Named():
		text = fmt.Sprintf("functions at N = %d points", most)
	case least != most:
		text = fmt.Sprintf("inducing outputs, M = %d to %d", least, most)
	}
	pooled := slices.ContainsFunc(b.Parts, func(p Part) bool { return p.Size > p.Cells })
	switch {
	case pooled && least == most:
		text += fmt.Sprintf(" (max-pooled to %d)", b.Parts[0].Cells)
	case pooled:
		text += " (max-pooled)"
	}
	return text
}

// addBorder adds the horizontal and the vertical line after a cell.
func addBorder(p *figure.Plot, at, side float64, width vg.Length, c color.Color) {
	for _, xys := range []plotter.XYs{{{X: at, Y: 0}, {X: at, Y: side}},
		{{X: 0, Y: side - at}, {X: side, Y: side - at}}} {
		p.Add(&plotter.Line{XYs: xys, LineStyle: draw.LineStyle{Color: c, Width: width}})
	}
}

// leastPixels is the minimum side of a map image, so that cells keep sharp edges when it is scaled.
const leastPixels = 1000

// mapImage returns the map with a whole number of pixels for every cell.
func mapImage(b BlockMap, side int, lo, hi float64) image.Image {
	zoom := max(1, (leastPixels+side-1)/side)
	img := image.NewRGBA(image.Rect(0, 0, side*zoom, side*zoom))
	var part []int // the part of each cell
	for i, p := range b.Parts {
		part = append(part, slices.Repeat([]int{i}, p.Cells)...)
	}
	for row := range side {
		for col := range side {
			v := b.Log10[row*side+col]
			c := HeatColor(v, lo, hi)
			if math.IsInf(v, -1) && b.mayCouple(part[row], part[col]) {
				c = color.RGBA{0xe8, 0xe8, 0xe8, 0xff}
			}
			for y := row * zoom; y < (row+1)*zoom; y++ {
				for x := col * zoom; x < (col+1)*zoom; x++ {
					img.SetRGBA(x, y, c)
				}
			}
		}
	}
	return img
}

// CSV writes every cell of the map: layer, GP and cell of its row and of its column, counted from
// 1, and log10|S|, which is -Inf for a structural zero. If parts have names, these replace layer
// and GP.
func (b BlockMap) CSV(out io.Writer) error {
	header := []string{"row_layer", "row_gp", "row_cell", "column_layer", "column_gp",
		"column_cell", "log10_abs"}
	if b.Named() {
		header = []string{"row_part", "row_cell", "column_part", "column_cell", "log10_abs"}
	}
	var names [][]string
	for _, layer := range b.layers() {
		for gp, part := range b.Parts[layer[0]:layer[1]] {
			for cell := range part.Cells {
				name := []string{strconv.Itoa(part.Group + 1), strconv.Itoa(gp + 1), strconv.Itoa(cell + 1)}
				if b.Named() {
					name = []string{part.Name, name[2]}
				}
				names = append(names, name)
			}
		}
	}
	if len(names)*len(names) != len(b.Log10) {
		return fmt.Errorf("covariance map: %w: %d values for %d rows", figure.ErrNothing, len(b.Log10),
			len(names))
	}
	t := figure.NewTable(out, header...)
	for i, r := range names {
		for j, c := range names {
			t.Row(append(slices.Concat(r, c), figure.Exact(b.Log10[i*len(names)+j]))...)
		}
	}
	return t.Close()
}
