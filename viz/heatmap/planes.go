package heatmap

import (
	"math"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
)

// PlaneMaps are maps of the same quantity for several runs, on one colour scale.
type PlaneMaps []PlaneMap

// Ranged returns the maps with the range of all of them.
func (m PlaneMaps) Ranged() PlaneMaps {
	lo := math.Inf(1)
	hi := math.Inf(-1)
	for _, one := range m {
		if one.Problem() == "" {
			l, h, left := one.Range()
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
	var first *planeLayout
	draw := func(i, w, h int) *canvas.Canvas {
		one := ranged[i]
		if problem := one.Problem(); problem != "" {
			cv := canvas.New(style, w, h)
			cv.Message(problem)
			return cv
		}
		l := one.measure()
		if first == nil || len(first.Marks.X) == 0 && len(l.Marks.X) > 0 { // has the most entries
			first = l
		}
		return l.Draw(style, w, h, l.draw, func(style canvas.Style) []canvas.Part {
			return []canvas.Part{canvas.Label(style, one.Run, one.Title, 8),
				canvas.Note(1, canvas.Ink{FG: style.Dim()}, one.Note, "")}
		})
	}
	return chart.Tiles{N: len(m), Draw: draw, Legend: func() []canvas.Part {
		if first == nil {
			return nil
		}
		return first.legend(style)
	}}.Render(style, w, h)
}
