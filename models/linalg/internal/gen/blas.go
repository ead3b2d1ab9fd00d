package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/reg"
)

// tileShape is an instruction set and the shape of its register tile: 12 rows by 16 columns with
// AVX-512, 6 rows by 8 columns with AVX2 and NEON.
type tileShape struct {
	isa
	mr   int   // rows of the tile
	nv   int   // vectors per row of the tile
	rows []int // heights of the product kernels, descending; the first is mr
}

// newTileShape returns the tile of an instruction set.
//
// With NEON, a step of the product kernel of six rows is 24 multiply-adds of two numbers, by the element of
// one operand. It needs 13 more instructions: six loads of an element of A, two of four numbers of B, four
// additions to addresses and a quarter of the four that are left of the loop. Cores with two pipes for
// multiply-adds need 12 cycles for a step and decode at least four instructions per cycle; cores with four
// need 6 cycles and decode eight. So the pipes are the limit. All 24 sums are independent, more than the 16
// that hide the latency of four cycles on four pipes.
func newTileShape(set isa) tileShape {
	if set.Wide() {
		return tileShape{isa: set, mr: 12, nv: 2, rows: []int{12, 8, 4}}
	}
	return tileShape{isa: set, mr: 6, nv: 2, rows: []int{6, 4, 2}}
}

// blasRoutines emits the routines of package fastblas.
func blasRoutines(sets []isa) {
	relax()
	table := maskTable(sets)
	for _, set := range sets {
		s := newTileShape(set)
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
