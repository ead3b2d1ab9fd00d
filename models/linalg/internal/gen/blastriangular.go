package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Both triangular kernels work on a packed sliver W of nr columns, at the mr rows of one
// diagonal block. The packed panel of A holds k columns of mr values, which multiply the rows at
// dense, followed by the mr columns of the diagonal block. Values on the other side of the diagonal
// are never used, so a NaN among them does not propagate.
const triangularSignature = "func(k int, a, dense, diag, from *float64)"

// trmm emits diag = A*[dense; from] for a triangular diagonal block.
func trmm(s tileShape, lower bool) {
	name := "trmm" + lowerName(lower) + s.Name
	TEXT(name, NOSPLIT|NOFRAME, triangularSignature)
	Pragma("noescape")
	Doc(name + " multiplies one diagonal block row of a packed triangle with a packed sliver.")

	acc := s.tile(s.mr)
	a := panelProduct(s, acc, false)
	from := load64("from")
	for p := range s.mr {
		row := s.loadRow(from, p)
		for r := range s.mr {
			if (lower && r < p) || (!lower && r > p) {
				continue
			}
			s.multiplyAdd(a, p*s.mr+r, row, acc[r], false)
		}
	}
	s.storeTile(acc, load64("diag"))
}

// trsm emits the solution of A_diag * X = from - A_dense*dense, stored in diag. The diagonal of the
// packed block holds reciprocals.
func trsm(s tileShape, lower bool) {
	name := "trsm" + lowerName(lower) + s.Name
	TEXT(name, NOSPLIT|NOFRAME, triangularSignature)
	Pragma("noescape")
	Doc(name + " solves one diagonal block row of a packed triangle for a packed sliver.")

	from := load64("from")
	acc := make([][]reg.VecVirtual, s.mr)
	for r := range acc {
		acc[r] = s.loadRow(from, r)
	}
	a := panelProduct(s, acc, true)
	for i := range s.mr {
		p := i
		if !lower {
			p = s.mr - 1 - i
		}
		x := s.Vec()
		VBROADCASTSD(Mem{Base: a, Disp: 8 * (p*s.mr + p)}, x)
		for _, row := range acc[p] {
			VMULPD(x, row, row)
		}
		for r := range s.mr {
			if (lower && r > p) || (!lower && r < p) {
				s.multiplyAdd(a, p*s.mr+r, acc[p], acc[r], true)
			}
		}
	}
	s.storeTile(acc, load64("diag"))
}

// panelProduct emits acc += A*dense, or acc -= A*dense, over k steps. It returns the register that
// then points to the packed diagonal block.
func panelProduct(s tileShape, acc [][]reg.VecVirtual, subtract bool) reg.GPVirtual {
	count := load64("k")
	a := load64("a")
	dense := load64("dense")
	while("dense", count, 1, func() {
		row := s.loadRow(dense, 0)
		for r := range acc {
			s.multiplyAdd(a, r, row, acc[r], subtract)
		}
		ADDQ(I32(int32(8*s.mr)), a)
		ADDQ(I32(int32(8*s.nr())), dense)
	})
	return a
}

// loadRow loads row r of a packed sliver.
func (s tileShape) loadRow(base reg.GPVirtual, r int) []reg.VecVirtual {
	row := make([]reg.VecVirtual, s.nv)
	for v := range row {
		row[v] = s.Vec()
		VMOVUPD(Mem{Base: base, Disp: 8*s.nr()*r + v*s.Bytes()}, row[v])
	}
	return row
}

// multiplyAdd emits acc += a[at]*row, or acc -= a[at]*row if subtract is set.
func (s tileShape) multiplyAdd(a reg.GPVirtual, at int, row, acc []reg.VecVirtual, subtract bool) {
	x := s.Vec()
	VBROADCASTSD(Mem{Base: a, Disp: 8 * at}, x)
	for v := range row {
		if subtract {
			VFNMADD231PD(x, row[v], acc[v])
		} else {
			VFMADD231PD(x, row[v], acc[v])
		}
	}
}

// storeTile emits the stores of the rows of a tile in a packed sliver and the return.
func (s tileShape) storeTile(acc [][]reg.VecVirtual, base reg.GPVirtual) {
	for r := range acc {
		for v := range acc[r] {
			VMOVUPD(acc[r][v], Mem{Base: base, Disp: 8*s.nr()*r + v*s.Bytes()})
		}
	}
	VZEROUPPER()
	RET()
}
