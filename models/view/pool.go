package view

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
)

// Pool is a covariance map in the making.
type Pool struct {
	blocks Blocks
	tops   []int // the first cell of each part
}

// NewPool returns an empty map of parts with about as many cells together as given,
// no part more than it has variables.
func NewPool(parts []Part, cells int) *Pool {
	p := &Pool{}
	for _, part := range parts {
		p.tops = append(p.tops, p.blocks.Side())
		part.Cells = min(part.Size, max(1, cells/len(parts)))
		p.blocks.Parts = append(p.blocks.Parts, part)
	}
	side := p.blocks.Side()
	p.blocks.Log10 = make(Symmetric, side*side)
	return p
}

// Enter enters the largest entries of block (i, j), |s|, and of its mirror image into
// the cells of the map. A block of zeros is entered where it is none by construction.
func (p *Pool) Enter(i, j int, s blas64.General) {
	zero := true
	side, down, across := p.blocks.Side(), p.blocks.Parts[i].Cells, p.blocks.Parts[j].Cells
	for r := 0; r < s.Rows; r++ {
		row := p.tops[i] + r*down/s.Rows
		for c, v := range s.Data[r*s.Stride : r*s.Stride+s.Cols] {
			col := p.tops[j] + c*across/s.Cols
			at, mirrored := &p.blocks.Log10[row*side+col], &p.blocks.Log10[col*side+row]
			*at = max(*at, math.Abs(v))
			*mirrored = max(*mirrored, *at)
			zero = zero && v == 0
		}
	}
	if zero {
		p.blocks.Free = append(p.blocks.Free, [2]int{max(i, j), min(i, j)})
	}
}

// Blocks returns the map, which is -Inf where nothing but zeros was entered. The pool is
// used up.
func (p *Pool) Blocks() *Blocks {
	for k, v := range p.blocks.Log10 {
		p.blocks.Log10[k] = math.Log10(v)
	}
	return &p.blocks
}
