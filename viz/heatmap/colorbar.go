package heatmap

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
)

// colorBarWidth is the room of a colour bar beside a map.
const colorBarWidth = 1.9 * vg.Centimeter

// HeatColor returns the colour of v between lo and hi. It is white for -Inf, the logarithm of a
// structural zero.
func HeatColor(v, lo, hi float64) color.RGBA {
	c := figure.Paper.Bad()
	switch {
	case math.IsInf(v, -1):
		return color.RGBA{0xff, 0xff, 0xff, 0xff}
	case canvas.Finite(v) && hi > lo:
		c = figure.Paper.Heat((v - lo) / (hi - lo))
	case canvas.Finite(v):
		c = figure.Paper.Heat(0.5)
	}
	r, g, b, _ := c.RGB()
	return color.RGBA{r, g, b, 0xff}
}

// colorBar returns a colour bar with a name. The lowest tick of a clipped range is marked by ≤.
func colorBar(name string, lo, hi float64, clipped bool) *figure.Plot {
	if lo == hi {
		lo, hi = lo-0.5, hi+0.5
	}
	p := figure.NewPlot()
	img := image.NewRGBA(image.Rect(0, 0, 8, 512))
	for y := range 512 {
		c := HeatColor(lo+(hi-lo)*(1-(float64(y)+0.5)/512), lo, hi)
		for x := range 8 {
			img.SetRGBA(x, y, c)
		}
	}
	p.Add(plotter.NewImage(img, 0, lo, 1, hi))
	p.HideX()
	list := chart.Plain.Ticks(lo, hi, 8)
	if clipped {
		if len(list) > 0 && list[0].At-lo < (hi-lo)/16 {
			list = list[1:]
		}
		list = append(list, chart.Tick{At: lo, Label: "≤" + canvas.Number(math.Round(lo*10)/10)})
	}
	p.Y.Tick.Marker = chart.Ticks(list)
	p.Y.Padding = 0
	p.Y.Min, p.Y.Max = lo, hi
	p.Title.Text = name
	p.Title.TextStyle.Font.Size = figure.TickSize
	return p
}

// besideBar draws a plot with a colour bar on its right, with a margin above and below the bar.
func besideBar(p, bar *figure.Plot, margin vg.Length) func(draw.Canvas) {
	return func(dc draw.Canvas) {
		p.Draw(draw.Crop(dc, 0, -colorBarWidth, 0, 0))
		bar.Draw(draw.Crop(dc, dc.Size().X-colorBarWidth+4*vg.Millimeter, 0, margin, -margin))
	}
}
