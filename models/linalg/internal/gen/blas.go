package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/reg"
)

// tileShape is an instruction set and the shape of its register tile: 12 rows by 16 columns with
// AVX-512, 6 rows by 8 columns with AVX2.
type tileShape struct {
	isa
	mr   int   // rows of the tile
	nv   int   // vectors per row of the tile
	rows []int // heights of the product kernels, descending; the first is mr
}

var tileShapes = []tileShape{
	{isa: avx512, mr: 12, nv: 2, rows: []int{12, 8, 4}},
	{isa: avx2, mr: 6, nv: 2, rows: []int{6, 4, 2}},
}

// blasRoutines emits the routines of package fastblas.
func blasRoutines() {
	relax()
	table := maskTable()
	for _, s := range tileShapes {
		for _, mr := range s.rows {
			gemm(s, mr, false, table)
			gemm(s, mr, true, table)
		}
		for _, lower := range []bool{true, false} {
			trmm(s, lower)
			trsm(s, lower)
		}
		copyRows(s, table)
		transpose(s)
		scaleRows(s)
		dotStrips(s)
		addScaledStrips(s)
	}
}

// relax emits the instruction for loops that wait.
func relax() {
	TEXT("relax", NOSPLIT|NOFRAME, "func()")
	Doc("relax pauses for some tens of nanoseconds, during which a hyperthread of the same core runs faster.")
	PAUSE()
	RET()
}

// nr returns the number of columns of the register tile.
func (s tileShape) nr() int { return s.Lanes * s.nv }

// tile returns new zeroed accumulators for mr rows.
func (s tileShape) tile(mr int) [][]reg.VecVirtual {
	acc := make([][]reg.VecVirtual, mr)
	for r := range acc {
		acc[r] = make([]reg.VecVirtual, s.nv)
		for v := range acc[r] {
			acc[r][v] = s.Vec()
			s.Zero(acc[r][v])
		}
	}
	return acc
}

func lowerName(lower bool) string {
	if lower {
		return "Lower"
	}
	return "Upper"
}
