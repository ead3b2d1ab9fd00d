package heatmap

import (
	"fmt"
	"math"
	"strconv"

	"dgplab/viz/canvas"
)

// readoutLines returns the number of lines below a map that describe the cell under its cursor.
func (b BlockMap) readoutLines(h int) int {
	if b.Cursor == nil || h < 7 || b.problem() != "" {
		return 0
	}
	return 2
}

// HasReadout reports whether h lines have room to describe the cell under the cursor.
func (b BlockMap) HasReadout(h int) bool { return b.readoutLines(h) > 0 }

// drawReadout describes the cursor and the cell under it on each map, starting at line y.
func drawReadout(cv *canvas.Canvas, y int, drawn []*blockLayout) {
	bold := canvas.Ink{FG: cv.Style.Good(), Bold: true}
	dim := canvas.Ink{FG: cv.Style.Dim()}
	where := canvas.Note(0, dim, "not on these maps")
	var values []canvas.Part
	for _, l := range drawn {
		row, col, ok := l.under()
		if ok && len(values) == 0 {
			long := "row " + l.stripName(row, true) + ", column " + l.stripName(col, true)
			short := l.stripName(row, false) + " × " + l.stripName(col, false)
			where = canvas.Note(0, bold, long, short)
		}
		if !ok {
			if l.Mark != "" {
				values = append(values, canvas.Note(1, dim, l.Mark+" not on this map", l.Mark+" –"))
			}
			continue
		}
		values = append(values, l.valueUnder(row, col))
	}
	canvas.DrawLegend(cv, 0, y, cv.W, []canvas.Part{where})
	canvas.DrawLegend(cv, 0, y+1, cv.W, values)
}

// span is a range of variables of a part.
type span struct{ part, from, to int }

// spans returns the variables of a strip, by part.
func (b BlockMap) spans(s strip) (list []span) {
	for cell := s.lo; cell < s.hi; {
		part := b.partOf(cell)
		p, first := b.Parts[part], b.first(part)
		end := min(s.hi, first+p.Cells)
		list = append(list, span{part, p.firstOf(cell - first), p.firstOf(end - first)})
		cell = end
	}
	return list
}

// count returns the number of variables of a strip.
func (b BlockMap) count(s strip) (n int) {
	for _, of := range b.spans(s) {
		n += of.to - of.from
	}
	return n
}

// stripName names the variables of a strip, counted from 1.
func (b BlockMap) stripName(s strip, long bool) string {
	list := b.spans(s)
	first, last := list[0], list[len(list)-1]
	name := b.placeName(first.part, long) + " " + strconv.Itoa(first.from+1)
	switch {
	case len(list) > 1:
		name += " to " + b.placeName(last.part, long) + " " + strconv.Itoa(last.to)
	case first.to-first.from > 1:
		name += "–" + strconv.Itoa(first.to)
	}
	return name
}

// placeName names a part and its variables.
func (b BlockMap) placeName(part int, long bool) string {
	switch {
	case !long:
		return b.partName(part)
	case b.Named():
		return b.Parts[part].Name + " at point"
	}
	return fmt.Sprintf("layer %d GP %d, inducing point", b.Parts[part].Group+1, part-b.firstOfGroup(part)+1)
}

// valueUnder describes the value under the cursor: the largest absolute covariance and the number
// of entries, and the largest correlation if every cell of the map is one entry.
func (l *blockLayout) valueUnder(row, col strip) canvas.Part {
	mark := l.Mark
	if mark != "" {
		mark += " "
	}
	ink := canvas.Ink{Bold: true}
	n := l.count(row) * l.count(col)
	v := l.pool(row, col)
	switch {
	case math.IsInf(v, -1) && l.mayCouple(row.gp, col.gp):
		return canvas.Note(1, ink, mark+"0 so far")
	case math.IsInf(v, -1):
		return canvas.Note(1, ink, mark+"always 0")
	case !canvas.Finite(v):
		return canvas.Note(1, ink, mark+"not finite")
	case n == 1:
		text := fmt.Sprintf("%s|%s| %.3g", mark, l.Symbol(), math.Pow(10, v))
		if row.lo == col.lo {
			return canvas.Note(1, ink, text+", a variance", text)
		}
		return canvas.Note(1, ink, text+l.correlation(row, col, "|correlation| "), text)
	default:
		text := fmt.Sprintf("%s|%s| %.3g", mark, l.Symbol(), math.Pow(10, v))
		of := ", the greatest of " + strconv.Itoa(n)
		return canvas.Note(1, ink, text+of+l.correlation(row, col, "|correlation| up to "), text+of,
			text+" of "+strconv.Itoa(n), text)
	}
}

// correlation describes the largest absolute correlation where two strips cross, without variances.
// It is empty if it is unknown because cells have several entries, or if there is none.
func (l *blockLayout) correlation(row, col strip, name string) string {
	for _, s := range []strip{row, col} {
		if l.count(s) != s.hi-s.lo {
			return ""
		}
	}
	side := l.Side()
	most := math.NaN()
	for i := row.lo; i < row.hi; i++ {
		for k := col.lo; k < col.hi; k++ {
			if i == k {
				continue
			}
			r := l.Log10[i*side+k] - (l.Log10[i*side+i]+l.Log10[k*side+k])/2
			if !math.IsNaN(r) && !(r <= most) {
				most = r
			}
		}
	}
	if r := math.Pow(10, most); canvas.Finite(r) {
		return fmt.Sprintf(", %s%.2g", name, min(r, 1))
	}
	return ""
}
