package canvas

import "slices"

// markerEvery is the distance between markers along a line, in columns.
const markerEvery = 24

// DrawMarkers puts the marker of a run on a line at regular distances and at its end, so that lines
// differ without colour. rows are the rows of DrawLine. The line is line i of lines; their markers
// alternate.
func DrawMarkers(cv *Canvas, rows []int, run, i, lines int) {
	offset := (2*i + 1) * markerEvery / (2 * lines)
	rows = cellRows(cv, rows)
	end := len(rows) - 1
	for end >= 0 && rows[end] < 0 {
		end--
	}
	look := Ink{FG: cv.Style.RunColor(run), Bold: true}
	for x, r := range rows {
		if r >= 0 && (x == end || (x-offset)%markerEvery == 0) {
			cv.Put(x, cv.H-1-r, Marker(run), look)
		}
	}
}

// cellRows returns the row of a line in each column of cells. A line of several dots is at the
// highest.
func cellRows(cv *Canvas, rows []int) []int {
	if !cv.Style.Dots() {
		return rows
	}
	out := make([]int, cv.W)
	for x := range out {
		out[x] = slices.Max(rows[dotsWide*x : dotsWide*(x+1)])
		if out[x] >= 0 {
			out[x] /= dotsHigh
		}
	}
	return out
}

// leftEighths are the left eighths of a cell, the smallest first.
var leftEighths = [...]rune{'▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'}

// DrawBar draws a horizontal bar from the left edge of a cell, in eighths of a cell.
func DrawBar(cv *Canvas, x, y, eighths int, look Ink) {
	for k := range (eighths + 7) / 8 {
		cv.Put(x+k, y, leftEighths[min(eighths-8*k, 8)-1], look)
	}
}

// Eighths are the lower eighths of a cell, the smallest first.
var Eighths = [...]rune{'▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'}
