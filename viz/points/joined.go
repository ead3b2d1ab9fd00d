package points

import "dgplab/viz/axes"

// joined returns for every column of a plot of w x h places the row, from the bottom,
// of straight lines through points, given as shares (0 to 1) of width and height with
// rising x; -1 beside them.
func joined(points []axes.XY, w, h int) []int {
	rows := make([]int, w)
	for i := range rows {
		rows[i] = -1
	}
	column := func(p axes.XY) int { return int(p.X*float64(w-1) + 0.5) }
	for i, p := range points {
		from := points[max(i-1, 0)]
		first := column(from)
		last := column(p)
		for x := max(0, first); x <= last && x < w; x++ {
			y := p.Y
			if last > first {
				y = from.Y + (p.Y-from.Y)*float64(x-first)/float64(last-first)
			}
			rows[x] = int(y*float64(h-1) + 0.5)
		}
	}
	return rows
}
