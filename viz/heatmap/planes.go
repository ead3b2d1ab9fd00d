package heatmap

import (
	"math"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
)

// PlaneMaps are maps of the same quantity for several runs, on one colour scale.
type PlaneMaps []PlaneMap

// Ranged returns the maps with a common colour range.
func (m PlaneMaps) Ranged() PlaneMaps {
	lo := math.Inf(1)
	hi := math.Inf(-1)
	for _, one := range m {
		if one.problem() == "" {
			l, h, left := one.colorRange()
			if left < len(one.Values) {
				lo = math.Min(lo, l)
				hi = math.Max(hi, h)
			}
		}
	}
	out := append(PlaneMaps(nil), m...)
	for i := range out {
		if lo < hi {
			out[i].Lo, out[i].Hi = lo, hi
		}
	}
	return out
}

// Render draws the maps side by side as h lines of w cells, each with its title, with one legend. A
// single map is drawn as it is.
func (m PlaneMaps) Render(style canvas.Style, w, h int) []string {
	if len(m) == 1 {
		return m[0].Render(style, w, h)
	}
	ranged := m.Ranged()
	var legend func(canvas.Style) []canvas.Part // of the first map with marks, else of the first map
	marked := false
	draw := func(i, w, h int) *canvas.Canvas {
		one := ranged[i]
		c := one.chart()
		if marks := len(one.Marks.X) > 0; c.Empty == "" && (legend == nil || marks && !marked) {
			legend, marked = c.Legend, marks
		}
		c.Legend = func(style canvas.Style) []canvas.Part {
			return []canvas.Part{canvas.Label(style, one.Run, one.Title, one.Step).Part()}
		}
		return c.Draw(style, w, h)
	}
	return chart.Tiles{N: len(m), Draw: draw, Legend: func() []canvas.Part {
		if legend == nil {
			return nil
		}
		return legend(style)
	}}.Render(style, w, h)
}
