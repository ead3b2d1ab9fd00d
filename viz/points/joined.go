package points

import (
	"math"

	"dgplab/viz/axes"
)

// joined returns for every column of a plot the row, from the bottom, of straight
// lines through points given as columns and heights from 0 to 1 with rising
// columns; -1 beside them.
func joined(points []axes.XY, w, h int) []int {
	rows := make([]int, w)
	for i := range rows {
		rows[i] = -1
	}
	for i, p := range points {
		from := p
		if i > 0 {
			from = points[i-1]
		}
		for x := max(0, int(math.Ceil(from.X))); x <= int(p.X) && x < w; x++ {
			y := p.Y
			if p.X > from.X {
				y = from.Y + (p.Y-from.Y)*(float64(x)-from.X)/(p.X-from.X)
			}
			rows[x] = int(y*float64(h-1) + 0.5)
		}
	}
	return rows
}
