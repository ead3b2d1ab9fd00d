package chart

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"dgplab/viz/canvas"
)

// Ticks converts ticks of viz to ticks of gonum/plot.
func Ticks(list []Tick) plot.Ticker {
	var out plot.ConstantTicks
	for _, t := range list {
		out = append(out, plot.Tick{Value: t.At, Label: t.Label})
	}
	return out
}

// XTicks returns the ticks of an axis of numbers or dates.
func XTicks(lo, hi float64, dates Dates) plot.Ticker {
	if dates.Known() {
		return Ticks(DateTicks(lo, hi, dates.Unit, 80))
	}
	return Ticks(Plain.Ticks(lo, hi, 6))
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

// finite returns the points that are finite.
func finite(list []XY) (out plotter.XYs) {
	for _, p := range list {
		if canvas.Finite(p.X) && canvas.Finite(p.Y) {
			out = append(out, plotter.XY{X: p.X, Y: p.Y})
		}
	}
	return out
}

// AddPoints adds the finite points of a list and returns their legend entry.
func AddPoints(p *plot.Plot, list []XY, style draw.GlyphStyle) *plotter.Scatter {
	s := &plotter.Scatter{XYs: finite(list), GlyphStyle: style}
	if len(s.XYs) > 0 {
		p.Add(s)
	}
	return s
}

// addPieces adds the pieces of one line and returns its legend entry, or nil without pieces. A
// piece of one point is drawn as a dot.
func addPieces(p *plot.Plot, pieces [][]XY, look draw.LineStyle) (plot.Thumbnailer, error) {
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
