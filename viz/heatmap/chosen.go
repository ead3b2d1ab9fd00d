package heatmap

import (
	"fmt"
	"math"

	"dgplab/viz/canvas"
)

// drawChosen marks the chosen part by lines in the margins.
func (l *blockLayout) drawChosen(cv *canvas.Canvas) {
	if l.Chosen < 1 || l.Chosen > l.total() || l.top == 0 {
		return
	}
	scale := 1
	if l.pixels {
		scale = 2
	}
	look := canvas.Ink{FG: cv.Style.Good(), Bold: true}
	put := func(x, y int, r rune) {
		if cv.Free(x, y, 1) {
			cv.Put(x, y, r, look)
		}
	}
	if c := extents(l.cols, l.total())[l.Chosen-1]; c[0] >= 0 {
		for x := c[0]; x <= c[1]; x++ {
			put(l.x+l.left+x, l.top-1, '━')
		}
	}
	if r := extents(l.rows, l.total())[l.Chosen-1]; r[0] >= 0 {
		for y := r[0] / scale; y <= r[1]/scale; y++ {
			put(l.x+l.left-1, l.top+y, '┃')
		}
	}
}

// partName returns the name of a part in a sentence.
func (b BlockMap) partName(i int) string {
	if b.Named() {
		return b.Parts[i].Name
	}
	for _, layer := range b.layers() {
		if i >= layer[0] && i < layer[1] && layer[1]-layer[0] > 1 {
			return fmt.Sprintf("%s.%d", layerName(b.Parts[i].Group), i-layer[0]+1)
		}
	}
	return layerName(b.Parts[i].Group)
}

// chosenText describes the largest value of the chosen part, alone and with other parts. It is
// empty if no part is chosen.
func (b BlockMap) chosenText() string {
	if b.Chosen < 1 || b.Chosen > b.total() {
		return ""
	}
	at := b.Chosen - 1
	own := math.Inf(-1)
	best := math.Inf(-1)
	with := -1
	for i := range b.Parts {
		v := b.greatest(at, i)
		switch {
		case i == at:
			own = v
		case v > best:
			best, with = v, i
		}
	}
	text := b.partName(at) + ": "
	if canvas.Finite(own) {
		text += canvas.OneDecimal(own)
	}
	if with >= 0 {
		text += ", " + b.partName(with) + " " + canvas.OneDecimal(best)
	}
	return text
}

// greatest returns the largest finite value of the block of two parts, or -Inf without one.
func (b BlockMap) greatest(i, j int) float64 {
	side := b.Side()
	most := math.Inf(-1)
	top := b.first(i)
	left := b.first(j)
	for r := top; r < top+b.Parts[i].Cells; r++ {
		for _, v := range b.Log10[r*side+left : r*side+left+b.Parts[j].Cells] {
			if canvas.Finite(v) {
				most = math.Max(most, v)
			}
		}
	}
	return most
}
