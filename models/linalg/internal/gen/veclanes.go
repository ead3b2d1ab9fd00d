package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// lanes emits the routines that process one small matrix per lane of a vector: one vector holds the
// same element of all matrices. Strides count vectors. Every sum runs over ascending columns in one
// accumulator, whatever the tile.
func (g *generator) lanes() {
	g.interleave()
	g.deinterleave()
	g.reciprocals()
	columns := 4
	if !g.Wide() {
		columns = 2 // a tile of 4x4 does not fit in sixteen registers
	}
	for c := 1; c <= columns; c++ {
		g.lanesMul(c)
		g.lanesSolve(c)
	}
	for r := 1; r <= 4; r++ {
		g.lanesFactor(r)
	}
}

// vectors loads a count of vectors as a count of bytes.
func (g *generator) vectors(name string) reg.GPVirtual {
	r := load64(name)
	shift := uint8(5)
	if g.Wide() {
		shift = 6
	}
	SHLQ(U8(shift), r)
	return r
}

// interleave emits the transposition of sequences, one per lane, to vectors.
func (g *generator) interleave() {
	g.routine("interleave", "func(n int, dst, src *float64, stride int)",
		"sets vector i of dst to the values i of all lanes, src[lane*stride+i]. It writes whole blocks of "+
			"one vector per lane.")
	count := load64("n")
	dst := load64("dst")
	src := load64("src")
	stride := loadBytes("stride")
	block := func(load func(at Mem, r reg.VecVirtual)) {
		rows := make([]reg.VecVirtual, g.Lanes)
		at := GP64()
		MOVQ(src, at)
		for i := range rows {
			rows[i] = g.Vec()
			load(Mem{Base: at}, rows[i])
			ADDQ(stride, at)
		}
		for i, row := range g.Transposed(rows) {
			VMOVUPD(row, Mem{Base: dst, Disp: i * g.Bytes()})
		}
	}
	while("block", count, g.Lanes, func() {
		block(func(at Mem, r reg.VecVirtual) { VMOVUPD(at, r) })
		ADDQ(I32(int32(g.Bytes())), src)
		ADDQ(I32(int32(g.Bytes()*g.Lanes)), dst)
	})
	TESTQ(count, count)
	JZ(LabelRef("done"))
	mask := newMasks(g.isa, 1, count, g.masks)
	block(func(at Mem, r reg.VecVirtual) { mask.Load(0, at, r) })
	Label("done")
	end()
}

// deinterleave emits the inverse of interleave.
func (g *generator) deinterleave() {
	g.routine("deinterleave", "func(n int, dst *float64, stride int, src *float64)",
		"sets dst[lane*stride+i] to the values of vector i of src. It reads whole blocks of one "+
			"vector per lane.")
	count := load64("n")
	dst := load64("dst")
	stride := loadBytes("stride")
	src := load64("src")
	block := func(store func(r reg.VecVirtual, at Mem)) {
		rows := make([]reg.VecVirtual, g.Lanes)
		for i := range rows {
			rows[i] = g.Vec()
			VMOVUPD(Mem{Base: src, Disp: i * g.Bytes()}, rows[i])
		}
		at := GP64()
		MOVQ(dst, at)
		for _, row := range g.Transposed(rows) {
			store(row, Mem{Base: at})
			ADDQ(stride, at)
		}
	}
	while("block", count, g.Lanes, func() {
		block(func(r reg.VecVirtual, at Mem) { VMOVUPD(r, at) })
		ADDQ(I32(int32(g.Bytes())), dst)
		ADDQ(I32(int32(g.Bytes()*g.Lanes)), src)
	})
	TESTQ(count, count)
	JZ(LabelRef("done"))
	mask := newMasks(g.isa, 1, count, g.masks)
	block(func(r reg.VecVirtual, at Mem) { mask.Store(0, r, at) })
	Label("done")
	end()
}

// reciprocals emits the reciprocals of vectors at a stride.
func (g *generator) reciprocals() {
	g.routine("reciprocals",
		"func(n int, dst, src *float64, stride int)", "sets vector i of dst to 1/(vector i*stride of src).")
	count := load64("n")
	dst := load64("dst")
	src := load64("src")
	stride := g.vectors("stride")
	one := g.fill(1)
	while("vector", count, 1, func() {
		VMOVUPD(g.div(one, Mem{Base: src}), Mem{Base: dst})
		ADDQ(I32(int32(g.Bytes())), dst)
		ADDQ(stride, src)
	})
	end()
}

// spaced holds the addresses of up to four vectors, a stride apart.
type spaced struct{ base, stride, triple reg.GPVirtual }

// newSpaced computes the multiples of the stride for n vectors.
func newSpaced(base, stride reg.GPVirtual, n int) spaced {
	p := spaced{base: base, stride: stride}
	if n > 3 {
		p.triple = GP64()
		LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, p.triple)
	}
	return p
}

func (p spaced) at(i int) Mem {
	switch i {
	case 0:
		return Mem{Base: p.base}
	case 3:
		return Mem{Base: p.base, Index: p.triple, Scale: 1}
	}
	return Mem{Base: p.base, Index: p.stride, Scale: uint8(i)}
}

// from returns the same pattern of addresses at another base.
func (p spaced) from(base reg.GPVirtual) spaced {
	p.base = base
	return p
}

// heights are the heights of the tiles into which rows are divided.
var heights = []int{4, 2, 1}

// forRows emits body for blocks of rows until all count rows are processed.
func forRows(count reg.GPVirtual, body func(rows int)) {
	for _, rows := range heights {
		while(fmt.Sprintf("rows%d", rows), count, rows, func() { body(rows) })
	}
}

// advance adds n times the stride to p.
func advance(p, stride reg.GPVirtual, n int) {
	if n == 4 {
		LEAQ(Mem{Base: p, Index: stride, Scale: 4}, p)
		return
	}
	LEAQ(Mem{Base: p, Index: stride, Scale: uint8(n)}, p)
}

// tile returns new registers, [rows][cols].
func (g *generator) tile(rows, cols int) [][]reg.VecVirtual {
	t := make([][]reg.VecVirtual, rows)
	for r := range t {
		for range cols {
			t[r] = append(t[r], g.Vec())
		}
	}
	return t
}

// outer emits acc += x y^T, or acc -= x y^T, for the vectors at x and y.
func (g *generator) outer(acc [][]reg.VecVirtual, x, y func(int) Mem, subtract bool) {
	right := make([]reg.VecVirtual, len(acc[0]))
	for c := range right {
		right[c] = g.Vec()
		VMOVUPD(y(c), right[c])
	}
	for r, row := range acc {
		left := g.Vec()
		VMOVUPD(x(r), left)
		for c := range row {
			if subtract {
				VFNMADD231PD(left, right[c], row[c])
			} else {
				VFMADD231PD(left, right[c], row[c])
			}
		}
	}
}

// lanesMul emits C = A*B for cols columns.
func (g *generator) lanesMul(cols int) {
	g.routine(fmt.Sprintf("lanesMul%d", cols), "func(m, k int, c, a, b *float64, bRow int)",
		fmt.Sprintf("computes %d columns of C = A*B for all lanes: A is [m][k], and the rows of B and C "+
			"are bRow apart.", cols))
	count := load64("m")
	a := load64("a")
	c := load64("c")
	aRow := g.vectors("k")
	bRow := g.vectors("bRow")
	left := newSpaced(a, aRow, heights[0])
	forRows(count, func(rows int) {
		acc := g.tile(rows, cols)
		for _, row := range acc {
			for _, r := range row {
				g.Zero(r)
			}
		}
		x := GP64()
		y := load64("b")
		k := load64("k")
		MOVQ(a, x)
		while(fmt.Sprintf("sum%d", rows), k, 1, func() {
			g.outer(acc, left.from(x).at, func(j int) Mem { return Mem{Base: y, Disp: j * g.Bytes()} }, false)
			ADDQ(I32(int32(g.Bytes())), x)
			ADDQ(bRow, y)
		})
		for _, row := range acc {
			for j, r := range row {
				VMOVUPD(r, Mem{Base: c, Disp: j * g.Bytes()})
			}
			ADDQ(bRow, c)
		}
		advance(a, aRow, rows)
	})
	end()
}

// lanesSolve emits the solution of L*X = B for cols columns of B, in place.
func (g *generator) lanesSolve(cols int) {
	g.routine(fmt.Sprintf("lanesSolve%d", cols),
		"func(n int, l *float64, lRow, lCol int, inv, b *float64, bRow, bCol int)",
		fmt.Sprintf("replaces %d columns of B by the columns of X with L*X = B for all lanes: L is lower "+
			"triangular, [n][n], and inv holds the reciprocals of its diagonal.", cols))
	count := load64("n")
	inv := load64("inv")
	lRow := g.vectors("lRow")
	lCol := g.vectors("lCol")
	bRow := g.vectors("bRow")
	bCol := g.vectors("bCol")
	block := load64("l")
	here := load64("b") // the current rows of L and B
	left := newSpaced(block, lRow, heights[0])
	right := newSpaced(here, bCol, cols)
	forRows(count, func(rows int) {
		acc := g.tile(rows, cols)
		x := GP64()
		y := GP64()
		MOVQ(here, y)
		for r, row := range acc {
			for c := range row {
				VMOVUPD(right.from(y).at(c), row[c])
			}
			if r < rows-1 {
				ADDQ(bRow, y)
			}
		}
		MOVQ(block, x)
		y = load64("b")
		loop := fmt.Sprintf("sum%d", rows)
		CMPQ(y, here)
		JE(LabelRef(loop + "end"))
		Label(loop)
		g.outer(acc, left.from(x).at, right.from(y).at, true)
		ADDQ(lCol, x)
		ADDQ(bRow, y)
		CMPQ(y, here)
		JNE(LabelRef(loop))
		Label(loop + "end")
		for r, row := range acc {
			for c := range row {
				VMULPD(Mem{Base: inv, Disp: r * g.Bytes()}, row[c], row[c])
			}
			for below := r + 1; below < rows; below++ {
				l := g.Vec()
				VMOVUPD(left.from(x).at(below), l)
				for c := range row {
					VFNMADD231PD(l, row[c], acc[below][c])
				}
			}
			if r < rows-1 {
				ADDQ(lCol, x)
			}
			for c := range row {
				VMOVUPD(row[c], right.at(c))
			}
			ADDQ(bRow, here)
		}
		ADDQ(I32(int32(rows*g.Bytes())), inv)
		advance(block, lRow, rows)
	})
	end()
}

// lanesFactor emits the Cholesky factor of one diagonal block.
func (g *generator) lanesFactor(rows int) {
	g.routine(fmt.Sprintf("lanesFactor%d", rows), "func(k int, l *float64, lRow int, inv *float64)",
		fmt.Sprintf("replaces the lower triangle of the diagonal block that follows the first k vectors of "+
			"%d rows by its Cholesky factor, for all lanes, and sets inv to the reciprocals of its diagonal.",
			rows))
	x := load64("l")
	lRow := g.vectors("lRow")
	inv := load64("inv")
	diag := g.vectors("k")
	ADDQ(x, diag)
	block := newSpaced(diag, lRow, rows)
	at := func(r, c int) Mem {
		m := block.at(r)
		m.Disp = c * g.Bytes()
		return m
	}
	s := make([][]reg.VecVirtual, rows)
	for r := range s {
		for c := range r + 1 {
			s[r] = append(s[r], g.Vec())
			VMOVUPD(at(r, c), s[r][c])
		}
	}
	CMPQ(x, diag)
	JE(LabelRef("sumend"))
	Label("sum")
	column := make([]reg.VecVirtual, rows)
	for r := range column {
		column[r] = g.Vec()
		VMOVUPD(block.from(x).at(r), column[r])
		for c := range r + 1 {
			VFNMADD231PD(column[r], column[c], s[r][c])
		}
	}
	ADDQ(I32(int32(g.Bytes())), x)
	CMPQ(x, diag)
	JNE(LabelRef("sum"))
	Label("sumend")
	for c := range rows {
		VSQRTPD(s[c][c], s[c][c])
		VMOVUPD(s[c][c], at(c, c))
		r := g.fill(1)
		VDIVPD(s[c][c], r, r)
		VMOVUPD(r, Mem{Base: inv, Disp: c * g.Bytes()})
		for i := c + 1; i < rows; i++ {
			VMULPD(r, s[i][c], s[i][c])
			VMOVUPD(s[i][c], at(i, c))
		}
		for i := c + 1; i < rows; i++ {
			for j := c + 1; j <= i; j++ {
				VFNMADD231PD(s[i][c], s[j][c], s[i][j])
			}
		}
	}
	end()
}
