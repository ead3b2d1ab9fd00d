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
//
// If inStrips is set, A consists of strips of nr adjacent columns that are aCol apart.
func gemm(s tileShape, mr int, inStrips bool, table Mem) {
	name, text := fmt.Sprintf("gemm%d%s", mr, s.Name), ""
	if inStrips {
		name, text = fmt.Sprintf("gemm%dStrips%s", mr, s.Name), ", where A is in strips"
	}
	TEXT(name, NOSPLIT|NOFRAME,
		"func(panels, kc int, a *float64, aRow, aCol, aPanel int, b *float64, alpha, beta float64, c "+
			"*float64, ldc, rows, cols int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s computes C = alpha*A*B + beta*C for panels of %d rows and up to %d columns%s.",
		name, mr, s.nr(), text))

	panels := load64("panels")
	a := load64("a")
	c := load64("c")
	mask := newMasks(s.isa, s.nv, load64("cols"), table)

	Label("panel")
	prefetchTile(mr, c)
	acc := s.tile(mr)
	aRow := loadBytes("aRow")
	if inStrips {
		productOfStrips(s, acc, a, aRow)
	} else {
		product(s, acc, a, aRow)
	}

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

// factors are the operands of a product: addresses of the rows of A, of which three share a base register,
// and of a row of B.
type factors struct {
	s     tileShape
	bases []reg.GPVirtual
	aRow  reg.GPVirtual
	b     reg.GPVirtual
}

func newFactors(s tileShape, mr int, a, aRow reg.GPVirtual) factors {
	f := factors{s: s, bases: make([]reg.GPVirtual, (mr+2)/3), aRow: aRow}
	for i := range f.bases {
		f.bases[i] = GP64()
		if i == 0 {
			MOVQ(a, f.bases[i])
			continue
		}
		LEAQ(Mem{Base: f.bases[i-1], Index: aRow, Scale: 2}, f.bases[i])
		ADDQ(aRow, f.bases[i])
	}
	f.b = load64("b")
	return f
}

// add emits acc += A*B over count steps, between which the columns of A are apart as far as aCol.
func (f factors) add(acc [][]reg.VecVirtual, count reg.GPVirtual, aCol Op) {
	s := f.s
	step := func(u int) {
		row := make([]reg.VecVirtual, s.nv)
		for v := range row {
			row[v] = s.Vec()
			VMOVUPD(Mem{Base: f.b, Disp: u*8*s.nr() + v*s.Bytes()}, row[v])
		}
		for r := range acc {
			x := s.Vec()
			at := Mem{Base: f.bases[r/3]}
			if r%3 > 0 {
				at.Index, at.Scale = f.aRow, uint8(r%3)
			}
			VBROADCASTSD(at, x)
			for v := range row {
				VFMADD231PD(x, row[v], acc[r][v])
			}
		}
		f.advance(aCol)
	}
	const unroll = 4
	while("four", count, unroll, func() {
		for u := range unroll {
			step(u)
		}
		ADDQ(I32(int32(unroll*8*s.nr())), f.b)
	})
	while("one", count, 1, func() {
		step(0)
		ADDQ(I32(int32(8*s.nr())), f.b)
	})
}

// advance adds a distance to the addresses in A.
func (f factors) advance(distance Op) {
	for _, base := range f.bases {
		ADDQ(distance, base)
	}
}

// product emits acc += A*B over the kc steps of the arguments.
func product(s tileShape, acc [][]reg.VecVirtual, a, aRow reg.GPVirtual) {
	aCol := loadBytes("aCol")
	newFactors(s, len(acc), a, aRow).add(acc, load64("kc"), aCol)
}

// productOfStrips is product for A in strips of nr adjacent columns.
func productOfStrips(s tileShape, acc [][]reg.VecVirtual, a, aRow reg.GPVirtual) {
	next := loadBytes("aCol") // from the end of a strip to the next
	SUBQ(I32(int32(8*s.nr())), next)
	f := newFactors(s, len(acc), a, aRow)
	left := load64("kc")
	Label("strip")
	count, width := GP64(), GP64()
	MOVQ(left, count)
	MOVQ(I32(int32(s.nr())), width)
	CMPQ(count, width)
	CMOVQGT(width, count)
	SUBQ(count, left)
	f.add(acc, count, Imm(8))
	f.advance(next)
	TESTQ(left, left)
	JNZ(LabelRef("strip"))
}
