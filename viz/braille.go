package viz

// dots is a plot of 2 x 4 dots in every cell (Unicode, "Braille Patterns", block
// 2800: the eight low bits are the dots).
type dots struct {
	w, h int // in cells
	bits []uint8
}

func newDots(w, h int) *dots { return &dots{w, h, make([]uint8, w*h)} }

// dotBits are the bits of the dots of a cell by column and row.
var dotBits = [2][4]uint8{{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}

// firstBraille is the pattern without dots.
const firstBraille = '\u2800'

// set puts a dot at column x and row y, counted from the bottom.
func (d *dots) set(x, y int) {
	y = 4*d.h - 1 - y
	if x >= 0 && x < 2*d.w && y >= 0 && y < 4*d.h {
		d.bits[y/4*d.w+x/2] |= dotBits[x%2][y%4]
	}
}

// line joins the rows of neighbouring columns; -1 is a gap.
func (d *dots) line(rows []int) {
	for x, r := range rows {
		if r < 0 {
			continue
		}
		d.set(x, r)
		if x == 0 || rows[x-1] < 0 {
			continue
		}
		// Half of the way up or down belongs to each of the two columns.
		prev := rows[x-1]
		middle := (prev + r) / 2
		for y := min(prev, r) + 1; y < max(prev, r); y++ {
			if (y <= middle) == (prev < r) {
				d.set(x-1, y)
			} else {
				d.set(x, y)
			}
		}
	}
}

// drawOn copies the dots. They join dots of the same weight that are there
// already, so that lines cross, and replace everything else.
func (d *dots) drawOn(cv *canvas, look ink) {
	for i, b := range d.bits {
		if b == 0 {
			continue
		}
		x, y := i%d.w, i/d.w
		if old := cv.at(x, y); old >= firstBraille && old < firstBraille+256 && cv.cells[y*cv.w+x].ink.bold == look.bold {
			b |= uint8(old - firstBraille)
		}
		cv.put(x, y, firstBraille+rune(b), look)
	}
}

// rawDots puts the extremes of every column behind a smooth line.
func (ch *chart) rawDots(cv *canvas, t *trace, look ink) {
	d := newDots(cv.w, cv.h)
	for x := range t.raw {
		if c := &t.raw[x]; c.n > 0 {
			d.set(x, ch.scale.rowOf(c.lo, 4*cv.h))
			d.set(x, ch.scale.rowOf(c.hi, 4*cv.h))
		}
	}
	d.drawOn(cv, look)
}

// lineDots draws a line through rows of dots. With extremes it reaches, like a
// raw line, over the whole range of every column.
func (ch *chart) lineDots(cv *canvas, rows []int, extremes []column, look ink) {
	d := newDots(cv.w, cv.h)
	d.line(rows)
	for x := range extremes {
		if c := &extremes[x]; c.n > 1 {
			for y, top := ch.scale.rowOf(c.lo, 4*cv.h), ch.scale.rowOf(c.hi, 4*cv.h); y <= top; y++ {
				d.set(x, y)
			}
		}
	}
	d.drawOn(cv, look)
}
