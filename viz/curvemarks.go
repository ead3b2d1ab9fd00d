package viz

// markerEvery is the distance of the markers along a line, in columns.
const markerEvery = 24

// drawMarkers puts the marker of each run on its line now and then and at its
// end, so that lines differ without colour.
func (ch *chart) drawMarkers(cv *canvas) {
	lines := len(ch.traces) + len(ch.bands)
	for i := range ch.traces {
		t := &ch.traces[i]
		drawMarker(cv, ch.cells(ch.rows(t, cv.h)), t.run, (2*i+1)*markerEvery/(2*lines))
	}
	for i := range ch.bands {
		b := &ch.bands[i]
		mean, _, _ := b.rows(&ch.scale, cv.w, cv.h)
		drawMarker(cv, mean, b.run, (2*(len(ch.traces)+i)+1)*markerEvery/(2*lines))
	}
}

// cells returns the row of every cell from the rows of all columns.
func (ch *chart) cells(rows []int) []int {
	if !ch.dots {
		return rows
	}
	out := make([]int, len(rows)/2)
	for x := range out {
		out[x] = max(rows[2*x], rows[2*x+1])
	}
	return out
}

// drawMarker marks the line through rows, first after offset columns.
func drawMarker(cv *canvas, rows []int, run, offset int) {
	end := len(rows) - 1
	for end >= 0 && rows[end] < 0 {
		end--
	}
	look := ink{fg: cv.style.RunColor(run), bold: true}
	for x, r := range rows {
		if r >= 0 && (x == end || (x-offset)%markerEvery == 0) {
			cv.put(x, cv.h-1-r, runMarker(run), look)
		}
	}
}

// drawNotFinite marks columns with values that are not finite: ↑ on the upper
// edge for Inf, ↓ and × on the lower edge for -Inf and NaN.
func (ch *chart) drawNotFinite(cv *canvas, t *trace) {
	look := ink{fg: cv.style.Bad(), bold: true}
	for i := range t.raw {
		c, x := &t.raw[i], i*cv.w/len(t.raw)
		if c.above {
			cv.put(x, 0, '↑', look)
		}
		if c.below {
			cv.put(x, cv.h-1, '↓', look)
		}
		if c.nan {
			cv.put(x, cv.h-1, '×', look)
		}
	}
}

// drawBest marks the best value, with its number beside it where there is room.
func (ch *chart) drawBest(cv *canvas, t *trace) {
	if t.best < 0 {
		return
	}
	x, y := ch.column(t.xAt(t.best), cv.w), cv.h-1-ch.scale.rowOf(t.y[t.best], cv.h)
	look := ink{fg: cv.style.Good(), bold: true}
	cv.put(x, y, '★', look)
	label := Short(t.y[t.best])
	n := width(label)
	for _, at := range [...][2]int{{x + 2, y}, {x - n - 1, y}, {x - n/2, y - 1}, {x - n + 1, y - 1}, {x, y - 1}, {x - n/2, y + 1}, {x - n + 1, y + 1}, {x, y + 1}} {
		if cv.free(at[0]-1, at[1], n+2) || (at[0]+n == cv.w && cv.free(at[0]-1, at[1], n+1)) {
			cv.text(at[0], at[1], label, ink{fg: cv.style.Good()})
			return
		}
	}
}
