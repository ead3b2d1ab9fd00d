package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// gemm emits the product kernel of mr rows. For each of `panels` panels of mr rows it computes
//
//	C = alpha * A * B + beta * C
//
// where A has arbitrary strides, B is packed ([kc][nr]) and C is written in its first cols columns.
// If panels is 1, only the first `rows` rows of C are accessed. If beta is zero, C is not read.
func gemm(s tileShape, mr int, table Mem) {
	TEXT(fmt.Sprintf("gemm%d%s", mr, s.Name), NOSPLIT|NOFRAME,
		"func(panels, kc int, a *float64, aRow, aCol, aPanel int, b *float64, alpha, beta float64, c "+
			"*float64, ldc, rows, cols int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("gemm%d%s computes C = alpha*A*B + beta*C for panels of %d rows and up to %d columns.",
		mr, s.Name, mr, s.nr()))

	panels := load64("panels")
	a := load64("a")
	c := load64("c")
	mask := newMasks(s.isa, s.nv, load64("cols"), table)

	Label("panel")
	prefetchTile(mr, c)
	acc := s.tile(mr)
	aRow := loadBytes("aRow")
	aCol := loadBytes("aCol")
	product(s, acc, a, aRow, aCol)

	alpha := s.Broadcast("alpha")
	beta := s.Broadcast("beta")
	bits := GP64()
	MOVQ(argument("beta"), bits)
	SHLQ(U8(1), bits) // drop the sign, so -0 also counts as zero
	ldc := loadBytes("ldc")
	rows := load64("rows")
	TESTQ(bits, bits)
	JZ(LabelRef("overwrite"))
	for _, overwrite := range []bool{false, true} {
		if overwrite {
			Label("overwrite")
		}
		for r := range mr {
			CMPQ(rows, I32(int32(r)))
			JLE(LabelRef("next"))
			for v := range s.nv {
				at := Mem{Base: c, Disp: v * s.Bytes()}
				if overwrite {
					VMULPD(alpha, acc[r][v], acc[r][v])
					mask.Store(v, acc[r][v], at)
					continue
				}
				old := s.Vec()
				mask.Load(v, at, old)
				VMULPD(beta, old, old)
				VFMADD231PD(alpha, acc[r][v], old)
				mask.Store(v, old, at)
			}
			ADDQ(ldc, c)
		}
		if !overwrite {
			JMP(LabelRef("next"))
		}
	}
	Label("next")
	ADDQ(loadBytes("aPanel"), a)
	DECQ(panels)
	JNZ(LabelRef("panel"))
	VZEROUPPER()
	RET()
}

// prefetchTile prefetches the cache lines of C that contain the tile.
func prefetchTile(mr int, c reg.GPVirtual) {
	ldc := loadBytes("ldc")
	row := GP64()
	MOVQ(c, row)
	for range mr {
		PREFETCHT0(Mem{Base: row})
		PREFETCHT0(Mem{Base: row, Disp: 64})
		ADDQ(ldc, row)
	}
}

// product emits acc += A*B over the kc steps of the arguments. Three rows of A share a base
// register.
func product(s tileShape, acc [][]reg.VecVirtual, a, aRow, aCol reg.GPVirtual) {
	mr := len(acc)
	bases := make([]reg.GPVirtual, (mr+2)/3)
	for i := range bases {
		bases[i] = GP64()
		if i == 0 {
			MOVQ(a, bases[i])
			continue
		}
		LEAQ(Mem{Base: bases[i-1], Index: aRow, Scale: 2}, bases[i])
		ADDQ(aRow, bases[i])
	}
	b := load64("b")
	count := load64("kc")
	step := func(u int) {
		row := make([]reg.VecVirtual, s.nv)
		for v := range row {
			row[v] = s.Vec()
			VMOVUPD(Mem{Base: b, Disp: u*8*s.nr() + v*s.Bytes()}, row[v])
		}
		for r := range mr {
			x := s.Vec()
			at := Mem{Base: bases[r/3]}
			if r%3 > 0 {
				at.Index, at.Scale = aRow, uint8(r%3)
			}
			VBROADCASTSD(at, x)
			for v := range row {
				VFMADD231PD(x, row[v], acc[r][v])
			}
		}
		for _, base := range bases {
			ADDQ(aCol, base)
		}
	}
	const unroll = 4
	while("four", count, unroll, func() {
		for u := range unroll {
			step(u)
		}
		ADDQ(I32(int32(unroll*8*s.nr())), b)
	})
	while("one", count, 1, func() {
		step(0)
		ADDQ(I32(int32(8*s.nr())), b)
	})
}
