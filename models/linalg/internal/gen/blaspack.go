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
