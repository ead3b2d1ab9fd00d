package blocks

import (
	"fmt"
	"math"

	"dgplab/viz/number"
)

// border is what a strip of a block map is.
type border int

const (
	inBlock border = iota
	gpBorder
	layerBorder
)

// strip is one column or row of pixels: a line between blocks, or the cells from
// lo up to hi of the map.
type strip struct {
	border border
	lo, hi int
	gp     int // of all layers; for a border, the GP before it
}

// strips divides a side of at most n pixels. Lines between blocks get pixels of
// their own, so that nothing is shifted or covered: lines between GPs where
// blocks have at least minBlock pixels, those between layers wherever they fit.
// Blocks of as many cells are of one size, a whole multiple of the given number of
// pixels, unless that would leave more than a quarter of the side empty; others are
// larger where they have more cells. With fewer pixels than GPs, neighbouring blocks
// share pixels and there are no lines.
func (l *blockLayout) strips(n, multiple, minBlock int) []strip {
	total := l.total()
	layers := len(l.Layers())
	even := func(lines int) int {
		size := (n - lines) / total / multiple * multiple * total
		if (size+lines)*4 < n*3 || !l.even() {
			return n - lines
		}
		return size
	}
	fits := func(lines, block int) bool { return (n-lines)/total >= block*multiple }
	switch {
	case fits(total-1, minBlock):
		return l.blockStrips(even(total-1), gpBorder)
	case fits(layers-1, 1):
		return l.blockStrips(even(layers-1), layerBorder)
	case n >= total:
		return l.blockStrips(even(0), layerBorder+1)
	}
	out := make([]strip, n)
	side := l.Side()
	gp, end := 0, l.Parts[0].Cells
	for i := range out {
		lo, hi := number.Share(i, n, side)
		for lo >= end {
			gp++
			end += l.Parts[gp].Cells
		}
		out[i] = strip{inBlock, lo, hi, gp}
	}
	return out
}

// blockStrips shares n pixels between all blocks, at least one each and the rest by
// their cells, with lines in addition for borders of at least the given strength.
func (l *blockLayout) blockStrips(n int, least border) []strip {
	var out []strip
	total := l.total()
	side := l.Side()
	first := 0 // cell of the part
	pixel := func(gp, cell int) int { return gp + cell*(n-total)/side }
	for gp, part := range l.Parts {
		kind := gpBorder
		if gp > 0 && part.Group != l.Parts[gp-1].Group {
			kind = layerBorder
		}
		if gp > 0 && kind >= least {
			out = append(out, strip{border: kind, gp: gp - 1})
		}
		size := pixel(gp+1, first+part.Cells) - pixel(gp, first)
		for p := range size {
			lo, hi := number.Share(p, size, part.Cells)
			out = append(out, strip{inBlock, first + lo, first + hi, gp})
		}
		first += part.Cells
	}
	return out
}

// inCells returns rows of pixels, two to a cell, like the given columns: a line between layers
// has a cell of its own, so that it is as thin as one between columns, and half of the cell before
// it is empty where a layer ends in the middle.
func inCells(cols []strip) (rows []strip) {
	for _, s := range cols {
		if s.border == layerBorder {
			rows = append(rows, s)
			if len(rows)%2 == 0 {
				rows = append(rows, s)
			}
		}
		rows = append(rows, s)
	}
	return rows
}

// pool returns the greatest value where two strips cross; NaN if there is one.
func (l *blockLayout) pool(row, col strip) float64 {
	side := l.Side()
	most := math.Inf(-1)
	for i := row.lo; i < row.hi; i++ {
		for _, v := range l.Log10[i*side+col.lo : i*side+col.hi] {
			if v > most {
				most = v
			} else if v != v {
				return v
			}
		}
	}
	return most
}

// poolRatio returns the entries of S_M, along one side, behind one pixel: 1 where
// every entry is seen.
func (l *blockLayout) poolRatio() int {
	ratio := 1
	for _, strips := range [][]strip{l.cols, l.rows} {
		for _, s := range strips {
			part := l.Parts[s.gp]
			perCell := max((part.Size+part.Cells-1)/part.Cells, 1)
			ratio = max(ratio, (s.hi-s.lo)*perCell)
		}
	}
	return ratio
}

// extents returns the first and last pixel of every GP, in GP order; a GP whose
// pixels all belong to another has none.
func extents(strips []strip, total int) [][2]int {
	out := make([][2]int, total)
	for i := range out {
		out[i] = [2]int{-1, -1}
	}
	for i, s := range strips {
		if s.border != inBlock {
			continue
		}
		if out[s.gp][0] < 0 {
			out[s.gp][0] = i
		}
		out[s.gp][1] = i
	}
	return out
}

func layerName(i int) string { return fmt.Sprintf("L%d", i+1) }
