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
// Blocks are of one size, a whole multiple of the given number of pixels,
// unless that would leave more than a quarter of the side empty. With fewer
// pixels than GPs, neighbouring blocks share pixels and there are no lines.
func (l *blockLayout) strips(n, multiple, minBlock int) []strip {
	total, layers := l.total(), 0
	for _, t := range l.GPs {
		if t > 0 {
			layers++
		}
	}
	even := func(lines int) int {
		size := (n - lines) / total / multiple * multiple * total
		if (size+lines)*4 < n*3 {
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
	out, side := make([]strip, n), total*l.Cells
	for i := range out {
		lo, hi := number.Share(i, n, side)
		out[i] = strip{inBlock, lo, hi, lo / l.Cells}
	}
	return out
}

// blockStrips shares n pixels between all blocks, with lines in addition for
// borders of at least the given strength.
func (l *blockLayout) blockStrips(n int, least border) []strip {
	var out []strip
	gp, total := 0, l.total()
	for _, t := range l.GPs {
		for i := range t {
			kind := gpBorder
			if i == 0 {
				kind = layerBorder
			}
			if gp > 0 && kind >= least {
				out = append(out, strip{border: kind, gp: gp - 1})
			}
			size := (gp+1)*n/total - gp*n/total
			for p := range size {
				lo, hi := number.Share(p, size, l.Cells)
				out = append(out, strip{inBlock, gp*l.Cells + lo, gp*l.Cells + hi, gp})
			}
			gp++
		}
	}
	return out
}

// pool returns the greatest value where two strips cross; NaN if there is one.
func (l *blockLayout) pool(row, col strip) float64 {
	side := l.total() * l.Cells
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
	widest := 1
	for _, s := range l.cols {
		widest = max(widest, s.hi-s.lo)
	}
	for _, s := range l.rows {
		widest = max(widest, s.hi-s.lo)
	}
	perCell := 1
	if l.M > l.Cells {
		perCell = (l.M + l.Cells - 1) / l.Cells
	}
	return widest * perCell
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
