package canvas

// markerEvery is the distance of the markers along a line, in columns.
const markerEvery = 24

// DrawMarkers puts the marker of a run on a line at regular distances and at its end, so that lines
// differ without colour. rows are counted from the bottom; -1 is a gap. The line is line i of
// lines; their markers alternate.
func DrawMarkers(cv *Canvas, rows []int, run, i, lines int) {
	offset := (2*i + 1) * markerEvery / (2 * lines)
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

// Eighths are the lower eighths of a cell, the smallest first.
var Eighths = [...]rune{'▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'}
