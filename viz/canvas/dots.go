package canvas

// dotsWide and dotsHigh are the numbers of dots of a cell.
const dotsWide, dotsHigh = 2, 4

// Dots is a plot of 2 x 4 dots per cell (Unicode, "Braille Patterns", block 2800: the eight low
// bits are the dots).
type Dots struct {
	w, h int // in cells
	bits []uint8
}

func NewDots(w, h int) *Dots { return &Dots{w, h, make([]uint8, w*h)} }

// dotBits holds the bit of each dot of a cell, by column and row.
var dotBits = [dotsWide][dotsHigh]uint8{{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}

// firstBraille is the pattern without dots.
const firstBraille = '\u2800'

// Set puts a dot at column x and row y, counted from the bottom.
func (d *Dots) Set(x, y int) {
	y = dotsHigh*d.h - 1 - y
	if x >= 0 && x < dotsWide*d.w && y >= 0 && y < dotsHigh*d.h {
		d.bits[y/dotsHigh*d.w+x/dotsWide] |= dotBits[x%dotsWide][y%dotsHigh]
	}
}

// Line joins the rows of neighbouring columns; -1 is a gap.
func (d *Dots) Line(rows []int) {
	for x, r := range rows {
		if r < 0 {
			continue
		}
		d.Set(x, r)
		if x == 0 || rows[x-1] < 0 {
			continue
		}
		// Each of the two columns takes half of the way up or down.
		prev := rows[x-1]
		middle := (prev + r) / 2
		for y := min(prev, r) + 1; y < max(prev, r); y++ {
			if (y <= middle) == (prev < r) {
				d.Set(x-1, y)
			} else {
				d.Set(x, y)
			}
		}
	}
}

// DrawOn copies the dots. Dots in the canvas with the same weight are kept, so that lines cross.
// Other cells are replaced.
func (d *Dots) DrawOn(cv *Canvas, look Ink) {
	for i, b := range d.bits {
		if b == 0 {
			continue
		}
		x, y := i%d.w, i/d.w
		if old := cv.At(x, y); old >= firstBraille && old < firstBraille+256 &&
			cv.cells[y*cv.W+x].ink.Bold == look.Bold {
			b |= uint8(old - firstBraille)
		}
		cv.Put(x, y, firstBraille+rune(b), look)
	}
}
