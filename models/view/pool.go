package view

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
)

// Pool builds a covariance map.
type Pool struct {
	blocks Blocks
	tops   []int // first cell of each part
}

// NewPool returns an empty map with about the given total number of cells per side, divided among
// the parts. No part has more cells than variables.
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

// Enter max-pools the absolute entries of block (i, j) and of its mirror image into the map. If all
// entries are zero, the pair is listed in Free.
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

// Blocks returns the map, with -Inf for zero entries. The pool must not be used afterwards.
func (p *Pool) Blocks() *Blocks {
	for k, v := range p.blocks.Log10 {
		p.blocks.Log10[k] = math.Log10(v)
	}
	return &p.blocks
}
