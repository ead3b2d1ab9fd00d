package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// copyRows emits a copy of rows of at most nr values. It reads loadCols values of each row and
// writes storeCols values; the values beyond loadCols are zero.
func copyRows(s tileShape, table Mem) {
	name := "copyRows" + s.Name
	TEXT(name, NOSPLIT|NOFRAME,
		"func(rows int, dst *float64, dstStride int, src *float64, srcStride, loadCols, storeCols int)")
	Pragma("noescape")
	Doc(name + " copies rows of up to a sliver's width and pads them with zeros.")

	count := load64("rows")
	dst := load64("dst")
	src := load64("src")
	dstStride := loadBytes("dstStride")
	srcStride := loadBytes("srcStride")
	load := newMasks(s.isa, s.nv, load64("loadCols"), table)
	store := newMasks(s.isa, s.nv, load64("storeCols"), table)
	row := func() {
		for v := range s.nv {
			x := s.Vec()
			load.Load(v, Mem{Base: src, Disp: v * s.Bytes()}, x)
			store.Store(v, x, Mem{Base: dst, Disp: v * s.Bytes()})
		}
		ADDQ(srcStride, src)
		ADDQ(dstStride, dst)
	}
	while("four", count, 4, func() {
		for range 4 {
			row()
		}
	})
	while("one", count, 1, row)
	VZEROUPPER()
	RET()
}

// scaleRows emits the product of the rows of a sliver with the entries of a vector.
func scaleRows(s tileShape) {
	name := "scaleRows" + s.Name
	TEXT(name, NOSPLIT|NOFRAME, "func(rows int, dst, src, w *float64)")
	Pragma("noescape")
	Doc(name + " multiplies the rows of a sliver by the entries of w.")

	count := load64("rows")
	dst := load64("dst")
	src := load64("src")
	w := load64("w")
	while("row", count, 1, func() {
		c := s.Vec()
		VBROADCASTSD(Mem{Base: w}, c)
		for v := range s.nv {
			x := s.Vec()
			VMULPD(Mem{Base: src, Disp: v * s.Bytes()}, c, x)
			VMOVUPD(x, Mem{Base: dst, Disp: v * s.Bytes()})
		}
		ADDQ(I32(8), w)
		ADDQ(I32(int32(8*s.nr())), src)
		ADDQ(I32(int32(8*s.nr())), dst)
	})
	VZEROUPPER()
	RET()
}

// transpose emits dst[j*dstStride+i] = src[i*srcStride+j] for lanes values of i and blocks*lanes
// values of j.
func transpose(s tileShape) {
	name := "transpose" + s.Name
	TEXT(name, NOSPLIT|NOFRAME, "func(blocks int, dst *float64, dstStride int, src *float64, srcStride int)")
	Pragma("noescape")
	Doc(name + " transposes a strip of square blocks, one vector high.")

	count := load64("blocks")
	dst := load64("dst")
	src := load64("src")
	dstStride := loadBytes("dstStride")
	srcStride := loadBytes("srcStride")
	while("block", count, 1, func() {
		rows := make([]reg.VecVirtual, s.Lanes)
		at := GP64()
		MOVQ(src, at)
		for i := range rows {
			rows[i] = s.Vec()
			VMOVUPD(Mem{Base: at}, rows[i])
			ADDQ(srcStride, at)
		}
		for _, row := range s.Transposed(rows) {
			VMOVUPD(row, Mem{Base: dst})
			ADDQ(dstStride, dst)
		}
		ADDQ(I32(int32(s.Bytes())), src)
	})
	VZEROUPPER()
	RET()
}

// dotStrips emits the sums over rows of the products of two matrices in strips, each [rows][nr].
func dotStrips(s tileShape) {
	name := "dotStrips" + s.Name
	TEXT(name, NOSPLIT|NOFRAME,
		"func(strips, rows int, dst *float64, dstNext int, a *float64, aNext int, b *float64, bNext int)")
	Pragma("noescape")
	Doc(name + " sets dst to the sums over rows of the products of strips. Sums and strips are dstNext, " +
		"aNext and bNext apart.")

	strips := load64("strips")
	dst := load64("dst")
	a := load64("a")
	b := load64("b")
	dstNext := loadBytes("dstNext")
	aNext := loadBytes("aNext")
	bNext := loadBytes("bNext")
	Label("strip")
	const unroll = 4
	sums := s.tile(unroll)
	count, rowA, rowB := load64("rows"), GP64(), GP64()
	MOVQ(a, rowA)
	MOVQ(b, rowB)
	rows := func(n int) {
		for r := range n {
			for v, x := range s.loadRow(rowA, r) {
				VFMADD231PD(Mem{Base: rowB, Disp: 8*s.nr()*r + v*s.Bytes()}, x, sums[r][v])
			}
		}
		ADDQ(I32(int32(8*s.nr()*n)), rowA)
		ADDQ(I32(int32(8*s.nr()*n)), rowB)
	}
	while("four", count, unroll, func() { rows(unroll) })
	while("one", count, 1, func() { rows(1) })
	for v := range s.nv {
		VADDPD(sums[1][v], sums[0][v], sums[0][v])
		VADDPD(sums[3][v], sums[2][v], sums[2][v])
		VADDPD(sums[2][v], sums[0][v], sums[0][v])
		VMOVUPD(sums[0][v], Mem{Base: dst, Disp: v * s.Bytes()})
	}
	ADDQ(dstNext, dst)
	ADDQ(aNext, a)
	ADDQ(bNext, b)
	DECQ(strips)
	JNZ(LabelRef("strip"))
	VZEROUPPER()
	RET()
}

// addScaledStrips emits sums of matrices in strips, each [rows][nr], with factors for each column.
func addScaledStrips(s tileShape) {
	name := "addScaledStrips" + s.Name
	TEXT(name, NOSPLIT|NOFRAME,
		"func(strips, rows, terms int, dst *float64, dstNext int, a *float64, aNext, aStep int, "+
			"w *float64, wNext, wStep int)")
	Pragma("noescape")
	Doc(name + " adds to the strips dst the terms a, which are aStep apart, with their columns times the " +
		"rows of w, which are wStep apart. Strips are dstNext, aNext and wNext apart.")

	strips := load64("strips")
	dst := load64("dst")
	a := load64("a")
	w := load64("w")
	dstNext := loadBytes("dstNext")
	aNext := loadBytes("aNext")
	aStep := loadBytes("aStep")
	wStep := loadBytes("wStep")
	count, rowDst, rowA, at, weights, terms := GP64(), GP64(), GP64(), GP64(), GP64(), GP64()
	rows := func(label string, n int) {
		sums := make([][]reg.VecVirtual, n)
		for r := range sums {
			sums[r] = s.loadRow(rowDst, r)
		}
		MOVQ(rowA, at)
		MOVQ(w, weights)
		MOVQ(argument("terms"), terms)
		while(label+"term", terms, 1, func() {
			for v, c := range s.loadRow(weights, 0) {
				for r := range sums {
					VFMADD231PD(Mem{Base: at, Disp: 8*s.nr()*r + v*s.Bytes()}, c, sums[r][v])
				}
			}
			ADDQ(aStep, at)
			ADDQ(wStep, weights)
		})
		for r := range sums {
			for v := range sums[r] {
				VMOVUPD(sums[r][v], Mem{Base: rowDst, Disp: 8*s.nr()*r + v*s.Bytes()})
			}
		}
		ADDQ(I32(int32(8*s.nr()*n)), rowA)
		ADDQ(I32(int32(8*s.nr()*n)), rowDst)
	}
	Label("strip")
	MOVQ(argument("rows"), count)
	MOVQ(dst, rowDst)
	MOVQ(a, rowA)
	while("four", count, 4, func() { rows("four", 4) })
	while("one", count, 1, func() { rows("one", 1) })
	wNext := loadBytes("wNext")
	ADDQ(wNext, w)
	ADDQ(dstNext, dst)
	ADDQ(aNext, a)
	DECQ(strips)
	JNZ(LabelRef("strip"))
	VZEROUPPER()
	RET()
}
