package heatmap

import (
	"fmt"
	"math"

	"dgplab/viz/canvas"
)

// border is the kind of a strip: cells or a line.
type border int

const (
	inBlock border = iota
	gpBorder
	layerBorder
)

// strip is a column or a row of pixels: a line between blocks, or the cells [lo, hi) of the map.
type strip struct {
	border border
	lo, hi int
	gp     int // counted over all layers; for a line, the GP before it
}

// strips divides a side of at most n pixels. Lines between blocks have their own pixels, so that
// nothing is shifted or covered: lines between GPs if blocks have at least minBlock pixels, lines
// between layers if they fit. Blocks with the same number of cells have the same size, a multiple
// of the given number of pixels, unless more than a quarter of the side would stay empty. With
// fewer pixels than GPs, neighbouring blocks share pixels and there are no lines.
func (l *blockLayout) strips(n, multiple, minBlock int) []strip {
	total := l.total()
	layers := len(l.layers())
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
		lo, hi := canvas.Share(i, n, side)
		for lo >= end {
			gp++
			end += l.Parts[gp].Cells
		}
		out[i] = strip{inBlock, lo, hi, gp}
	}
	return out
}

// blockStrips divides n pixels among all blocks, with at least one for each and the rest in
// proportion to their cells, and adds lines for borders of at least the given strength.
func (l *blockLayout) blockStrips(n int, least border) []strip {
	var out []strip
	total := l.total()
	side := l.Side()
	first := 0 // the first cell of the part
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
			lo, hi := canvas.Share(p, size, part.Cells)
			out = append(out, strip{inBlock, first + lo, first + hi, gp})
		}
		first += part.Cells
	}
	return out
}

// inCells returns rows of pixels, two per cell, for the given columns. A line between layers has
// its own cell, so that it is as thin as a line between columns. Half of the cell before it is
// empty if a layer ends in the middle.
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

// pool returns the largest value where two strips cross, or NaN if one is NaN.
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

// poolRatio returns the number of entries along a side per pixel, or 1 if every entry is shown.
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

// extents returns the first and the last pixel of every GP. A GP that shares all of its pixels with
// an earlier GP has none.
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
