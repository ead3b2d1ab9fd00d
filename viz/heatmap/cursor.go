package heatmap

import (
	"slices"

	"dgplab/viz/canvas"
)

// Cursor is a position on a map: a variable in the rows and one in the columns.
type Cursor struct{ Row, Column Place }

// Place is a variable of a part, counted from 0. The part is given by its group and its position
// there, so that places are valid on maps of other parts.
type Place struct{ Group, Index, Variable int }

// Start returns the position of the first variable of a part, counted from 0, on the diagonal. It
// is the first part if there is no such part.
func (b BlockMap) Start(part int) *Cursor {
	if part < 0 || part >= b.total() {
		part = 0
	}
	at := b.placeOf(b.first(part))
	return &Cursor{at, at}
}

// Moved returns the cursor moved by numbers of pixels across and down, for a map drawn in w x h
// cells. Lines between blocks do not count. A cursor that is not on the map moves to its first
// cell.
func (b BlockMap) Moved(style canvas.Style, w, h, across, down int) *Cursor {
	return b.movedIn(style, w, h-b.readoutLines(h), across, down)
}

// movedIn is like Moved, but without the lines below the map.
func (b BlockMap) movedIn(style canvas.Style, w, h, across, down int) *Cursor {
	if b.Title != "" && h >= 4 {
		h--
	}
	if b.Cursor == nil || b.problem() != "" || w < 1 || h < 1 {
		return b.Cursor
	}
	l := b.layout(style, w, h)
	if _, _, ok := l.under(); !ok {
		return b.Start(0)
	}
	return &Cursor{l.moved(l.rows, b.Cursor.Row, down), l.moved(l.cols, b.Cursor.Column, across)}
}

// Moved returns the cursor of all maps, as drawn in w x h cells, moved by pixels of one of them.
func (m BlockMaps) Moved(style canvas.Style, w, h, which, across, down int) *Cursor {
	for _, t := range m.tiles(w, m.plotHeight(h)) {
		if t.number == which {
			return t.movedIn(style, t.w, t.h, across, down)
		}
	}
	return m[which].Cursor
}

// first returns the first cell of a part.
func (b BlockMap) first(part int) (cell int) {
	for _, p := range b.Parts[:part] {
		cell += p.Cells
	}
	return cell
}

// variables returns the number of variables of a part, or its cells if the number is unknown.
func (p Part) variables() int { return max(p.Size, p.Cells) }

// firstOf returns the first variable of a part in one of its cells, or in a later cell.
func (p Part) firstOf(cell int) int { return (cell*p.variables() + p.Cells - 1) / p.Cells }

// partOf returns the part of a cell.
func (b BlockMap) partOf(cell int) (part int) {
	for cell >= b.Parts[part].Cells {
		cell -= b.Parts[part].Cells
		part++
	}
	return part
}

// placeOf returns the first variable of a cell.
func (b BlockMap) placeOf(cell int) Place {
	part := b.partOf(cell)
	p := b.Parts[part]
	return Place{p.Group, part - b.firstOfGroup(part), p.firstOf(cell - b.first(part))}
}

// firstOfGroup returns the first part in the group of a part.
func (b BlockMap) firstOfGroup(part int) int {
	for part > 0 && b.Parts[part-1].Group == b.Parts[part].Group {
		part--
	}
	return part
}

// cellOf returns the cell of a place, or -1.
func (b BlockMap) cellOf(at Place) int {
	part := slices.IndexFunc(b.Parts, func(p Part) bool { return p.Group == at.Group })
	if part < 0 {
		return -1
	}
	part += at.Index
	if part >= b.total() || b.Parts[part].Group != at.Group || at.Index < 0 || at.Variable < 0 ||
		at.Variable >= b.Parts[part].variables() {
		return -1
	}
	p := b.Parts[part]
	return b.first(part) + at.Variable*p.Cells/p.variables()
}

// pixel returns the index of the strip of a cell, or -1. If neighbours share cells, it is the first
// strip that begins with the cell, or the last one before it.
func pixel(strips []strip, cell int) int {
	best := -1
	for i, s := range strips {
		if s.border == inBlock && s.lo <= cell && cell < s.hi && (best < 0 || s.lo > strips[best].lo) {
			best = i
		}
	}
	return best
}

// moved returns the first variable of the strip that is the given number of strips after a place,
// or of the last strip if there are fewer. It returns the place itself if it does not move.
func (l *blockLayout) moved(strips []strip, at Place, by int) Place {
	step := 1
	if by < 0 {
		step = -1
	}
	i := pixel(strips, l.cellOf(at))
	for ; by != 0; by -= step {
		k := i + step
		for k >= 0 && k < len(strips) && (strips[k].border != inBlock || strips[k].lo == strips[i].lo) {
			k += step
		}
		if k < 0 || k >= len(strips) {
			break
		}
		i = pixel(strips, strips[k].lo)
		at = l.placeOf(strips[i].lo)
	}
	return at
}

// under returns the strips of the cursor. ok is false if it is not on this map.
func (l *blockLayout) under() (row, col strip, ok bool) {
	if l.Cursor == nil {
		return row, col, false
	}
	r := l.cellOf(l.Cursor.Row)
	c := l.cellOf(l.Cursor.Column)
	if r < 0 || c < 0 {
		return row, col, false
	}
	i := pixel(l.rows, r)
	k := pixel(l.cols, c)
	if i < 0 || k < 0 {
		return row, col, false
	}
	return l.rows[i], l.cols[k], true
}

// drawCursor marks the cell under the cursor, and its row and column in the margins.
func (l *blockLayout) drawCursor(cv *canvas.Canvas) {
	row, col, ok := l.under()
	if !ok {
		return
	}
	scale, look := 1, canvas.Ink{FG: cv.Style.Good(), Bold: true}
	if l.pixels {
		scale = 2
	}
	for i, r := range l.rows {
		for k, c := range l.cols {
			if r != row || c != col {
				continue
			}
			x, y := l.x+l.left+k, l.top+i/scale
			if l.top > 0 {
				cv.Put(x, l.top-1, '▾', look)
				cv.Put(l.x+l.left-1, y, '▸', look)
			}
			if !l.pixels {
				cv.Put(x, y, 'X', look)
				continue
			}
			l.drawPixel(cv, x, y, i)
		}
	}
}

// drawPixel draws the cursor in row i of pixels, with the other pixel of its cell. It has the
// colour of text, which no covariance has.
func (l *blockLayout) drawPixel(cv *canvas.Canvas, x, y, i int) {
	look, col := canvas.Ink{}, l.cols[x-l.x-l.left]
	r, other := '▀', i+1
	if i%2 == 1 {
		r, other = '▄', i-1
	}
	if other < len(l.rows) {
		look.BG = l.color(cv.Style, l.rows[other], col)
		if l.rows[other] == l.rows[i] {
			r = '█' // both are of the same cell
		}
	}
	cv.Put(x, y, r, look)
}
