package figure

import (
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/axes"
	"dgplab/viz/blocks"
	"dgplab/viz/number"
)

// barWidth is the room of a colour bar beside a map.
const barWidth = 2.4 * vg.Centimeter

// BlockMap writes the covariance map as a figure of 14 x 12.5 cm: one square for
// every cell, thin lines between GPs and strong ones between layers, a colour
// bar with the range. Entries that are zero by construction stay white, other zeros are grey.
func BlockMap(out io.Writer, format Format, b blocks.Map, o Options) error {
	side := b.Side()
	if side < 1 || side > 1<<14 || side*side != len(b.Log10) {
		return fmt.Errorf("covariance map: %w: %d values for %d GPs", ErrNothing, len(b.Log10), len(b.Parts))
	}
	lo, hi, clipped, _ := b.Range()
	heat := mapPlot(b, side, lo, hi)
	heat.Title.Text = wrapped(o.Title, titleSize, 14*vg.Centimeter-2*margin-barWidth)
	bar := barPlot("log10 |"+b.Symbol()+"|", lo, hi, clipped)
	return render(out, format, 14*vg.Centimeter, 12.5*vg.Centimeter, func(dc draw.Canvas) {
		heat.Draw(draw.Crop(dc, 0, -barWidth, 0, 0))
		bar.Draw(draw.Crop(dc, dc.Size().X-barWidth+4*vg.Millimeter, 0,
			1.2*vg.Centimeter, -1.2*vg.Centimeter))
	})
}

// mapPlot draws the cells of the map on axes that count cells, the first row on top.
func mapPlot(b blocks.Map, side int, lo, hi float64) *plot.Plot {
	p := newPlot()
	s := float64(side)
	p.Add(plotter.NewImage(mapImage(b, side, lo, hi), 0, 0, s, s))
	var x, y []axes.Tick
	name := func(from, to float64, text string) {
		middle := (from + to) / 2
		x = append(x, axes.Tick{At: middle, Label: text})
		y = append(y, axes.Tick{At: s - middle, Label: text})
	}
	var layerBorders []float64
	at := 0.0
	for _, layer := range b.Layers() {
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
	p.X.Tick.Marker = ticks(x)
	p.Y.Tick.Marker = ticks(y)
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

// sizesLabel says how many inducing outputs the blocks stand for.
func sizesLabel(b blocks.Map) string {
	least, most := b.Sizes()
	text := fmt.Sprintf("inducing outputs, M = %d for each GP", most)
	switch {
	case b.Named():
		text = fmt.Sprintf("functions at N = %d points", most)
	case least != most:
		text = fmt.Sprintf("inducing outputs, M = %d to %d", least, most)
	}
	switch pooled := slices.ContainsFunc(b.Parts, func(p blocks.Part) bool { return p.Size > p.Cells }); {
	case pooled && least == most:
		text += fmt.Sprintf(" (max-pooled to %d)", b.Parts[0].Cells)
	case pooled:
		text += " (max-pooled)"
	}
	return text
}

// addBorder adds the line after cell at, across and upright.
func addBorder(p *plot.Plot, at, side float64, width vg.Length, c color.Color) {
	for _, xys := range []plotter.XYs{{{X: at, Y: 0}, {X: at, Y: side}},
		{{X: 0, Y: side - at}, {X: side, Y: side - at}}} {
		line, err := plotter.NewLine(xys)
		if err != nil {
			panic(err) // two finite points: cannot happen
		}
		line.LineStyle = draw.LineStyle{Color: c, Width: width}
		p.Add(line)
	}
}

// leastPixels is the side that a map image is enlarged to, so that scaling it
// afterwards leaves the edges of cells sharp.
const leastPixels = 1000

// mapImage returns the map with a whole number of pixels for every cell.
func mapImage(b blocks.Map, side int, lo, hi float64) image.Image {
	zoom := max(1, (leastPixels+side-1)/side)
	img := image.NewRGBA(image.Rect(0, 0, side*zoom, side*zoom))
	var part []int // of each cell
	for i, p := range b.Parts {
		part = append(part, slices.Repeat([]int{i}, p.Cells)...)
	}
	for row := range side {
		for col := range side {
			v := b.Log10[row*side+col]
			c := heatColor(v, lo, hi)
			if math.IsInf(v, -1) && b.MayCouple(part[row], part[col]) {
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

// heatColor returns the colour of log10|S|; white for a structural zero.
func heatColor(v, lo, hi float64) color.RGBA {
	c := paper.Bad()
	switch {
	case math.IsInf(v, -1):
		return color.RGBA{0xff, 0xff, 0xff, 0xff}
	case number.Finite(v) && hi > lo:
		c = paper.Heat((v - lo) / (hi - lo))
	case number.Finite(v):
		c = paper.Heat(0.5)
	}
	r, g, b, _ := c.RGB()
	return color.RGBA{r, g, b, 0xff}
}

// barPlot is the colour bar of what has a name.
func barPlot(name string, lo, hi float64, clipped bool) *plot.Plot {
	if lo == hi {
		lo, hi = lo-0.5, hi+0.5
	}
	p := newPlot()
	img := image.NewRGBA(image.Rect(0, 0, 8, 512))
	for y := range 512 {
		c := heatColor(lo+(hi-lo)*(1-(float64(y)+0.5)/512), lo, hi)
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
	p.Y.Tick.Marker = ticks(list)
	p.Y.Padding = 0
	p.Y.Min, p.Y.Max = lo, hi
	p.Title.Text = name
	p.Title.TextStyle.Font.Size = tickSize
	return p
}
