// Command gen writes the amd64 assembly of package fastblas with avo:
//
//	go run ./gen -out kernels_amd64.s -stubs kernels_amd64.go -pkg fastblas
//
// `go generate` runs it in the parent folder. Every routine exists in two versions, one per [isa]:
// AVX-512 with tiles of 12 rows by 16 columns, and AVX2 with FMA with tiles of 6 rows by 8 columns.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/reg"

	"dgplab/models/linalg/internal/avx"
)

// isa is an instruction set together with the shape of its register tile.
type isa struct {
	avx.ISA
	mr   int   // rows of the tile
	nv   int   // vectors per row of the tile
	rows []int // heights of the product kernels, descending, the first is mr
}

var isas = []isa{
	{ISA: avx.AVX512, mr: 12, nv: 2, rows: []int{12, 8, 4}},
	{ISA: avx.AVX2, mr: 6, nv: 2, rows: []int{6, 4, 2}},
}

func main() {
	ConstraintExpr("amd64")
	ConstraintExpr("!noasm")
	table := avx.MaskTable()
	for _, s := range isas {
		for _, mr := range s.rows {
			gemm(s, mr, table)
		}
		for _, lower := range []bool{true, false} {
			trmm(s, lower)
			trsm(s, lower)
		}
		copyRows(s, table)
		transpose(s)
	}
	Generate()
}

// nr returns the number of columns of the register tile.
func (s isa) nr() int { return s.Lanes * s.nv }

// tile returns new zeroed accumulators for mr rows.
func (s isa) tile(mr int) [][]reg.VecVirtual {
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
