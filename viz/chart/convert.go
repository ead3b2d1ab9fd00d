package chart

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/figure"
)

// Ticks converts ticks of viz to ticks of gonum/plot.
func Ticks(list []Tick) plot.Ticker {
	var out plot.ConstantTicks
	for _, t := range list {
		out = append(out, plot.Tick{Value: t.At, Label: t.Label})
	}
	return out
}

// XYs converts points of viz to points of gonum/plot.
func XYs(points []XY) plotter.XYs {
	out := make(plotter.XYs, len(points))
	for i, at := range points {
		out[i] = plotter.XY{X: at.X, Y: at.Y}
	}
	return out
}

// Join returns the points with the given coordinates. Surplus coordinates are ignored.
func Join(x, y []float64) []XY {
	list := make([]XY, min(len(x), len(y)))
	for k := range list {
		list[k] = XY{X: x[k], Y: y[k]}
	}
	return list
}

// AddPoints adds points and returns their legend entry.
func AddPoints(p *figure.Plot, list []XY, style draw.GlyphStyle) *plotter.Scatter {
	s := &plotter.Scatter{XYs: XYs(list), GlyphStyle: style}
	if len(list) > 0 {
		p.Add(s)
	}
	return s
}

// addPieces adds the pieces of one line and returns its legend entry, or nil without pieces. A
// piece of one point is drawn as a dot.
func addPieces(p *figure.Plot, pieces [][]XY, look draw.LineStyle) (entry plot.Thumbnailer) {
	dot := draw.GlyphStyle{Color: look.Color, Radius: look.Width * 1.5, Shape: draw.CircleGlyph{}}
	for _, piece := range pieces {
		if len(piece) > 1 {
			line := &plotter.Line{XYs: XYs(piece), LineStyle: look}
			p.Add(line)
			entry = line
		} else if point := AddPoints(p, piece, dot); entry == nil {
			entry = point
		}
	}
	return entry
}
