package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"dgplab/models/linalg/internal/avx"
)

// copyRows emits a copy of rows of at most nr values: loadCols of them are
// read, storeCols written, and those beyond loadCols are zero.
func copyRows(s isa, table Mem) {
	name := "copyRows" + s.Name
	TEXT(name, NOSPLIT|NOFRAME, "func(rows int, dst *float64, dstStride int, src *float64, srcStride, loadCols, storeCols int)")
	Pragma("noescape")
	Doc(name + " copies rows of up to a sliver's width, filling up with zeros.")

	count := avx.Load64("rows")
	dst, src := avx.Load64("dst"), avx.Load64("src")
	dstStride, srcStride := avx.LoadBytes("dstStride"), avx.LoadBytes("srcStride")
	load := avx.NewMasks(s.ISA, s.nv, avx.Load64("loadCols"), table)
	store := avx.NewMasks(s.ISA, s.nv, avx.Load64("storeCols"), table)
	row := func() {
		for v := range s.nv {
			x := s.Vec()
			load.Load(v, Mem{Base: src, Disp: v * s.Bytes()}, x)
			store.Store(v, x, Mem{Base: dst, Disp: v * s.Bytes()})
		}
		ADDQ(srcStride, src)
		ADDQ(dstStride, dst)
	}
	avx.While("four", count, 4, func() {
		for range 4 {
			row()
		}
	})
	avx.While("one", count, 1, row)
	VZEROUPPER()
	RET()
}

// transpose emits dst[j*dstStride+i] = src[i*srcStride+j] for as many values of
// i as a vector has lanes and blocks*lanes values of j.
func transpose(s isa) {
	name := "transpose" + s.Name
	TEXT(name, NOSPLIT|NOFRAME, "func(blocks int, dst *float64, dstStride int, src *float64, srcStride int)")
	Pragma("noescape")
	Doc(name + " transposes a strip of square blocks, one vector high.")

	count := avx.Load64("blocks")
	dst, src := avx.Load64("dst"), avx.Load64("src")
	dstStride, srcStride := avx.LoadBytes("dstStride"), avx.LoadBytes("srcStride")
	avx.While("block", count, 1, func() {
		rows := make([]reg.VecVirtual, s.Lanes)
		at := GP64()
		MOVQ(src, at)
		for i := range rows {
			rows[i] = s.Vec()
			VMOVUPD(Mem{Base: at}, rows[i])
			ADDQ(srcStride, at)
		}
		for _, row := range s.transposed(rows) {
			VMOVUPD(row, Mem{Base: dst})
			ADDQ(dstStride, dst)
		}
		ADDQ(I32(int32(s.Bytes())), src)
	})
	VZEROUPPER()
	RET()
}

// transposed emits the shuffles that transpose a square block of registers.
func (s isa) transposed(rows []reg.VecVirtual) []reg.VecVirtual {
	// Pairs of rows: element 2q (low) or 2q+1 (high) of each, in 128-bit lanes.
	pairs := make([]reg.VecVirtual, len(rows))
	for i := 0; i < len(rows); i += 2 {
		pairs[i], pairs[i+1] = s.Vec(), s.Vec()
		VUNPCKLPD(rows[i+1], rows[i], pairs[i])
		VUNPCKHPD(rows[i+1], rows[i], pairs[i+1])
	}
	out := make([]reg.VecVirtual, len(rows))
	if !s.Wide() {
		for j := range 2 {
			out[j], out[j+2] = s.Vec(), s.Vec()
			VPERM2F128(U8(0x20), pairs[j+2], pairs[j], out[j])
			VPERM2F128(U8(0x31), pairs[j+2], pairs[j], out[j+2])
		}
		return out
	}
	for j := range 2 {
		// 128-bit lanes 0, 2 (even) and 1, 3 (odd) of rows 0-3 and 4-7.
		var even, odd [2]reg.VecVirtual
		for h := range 2 {
			even[h], odd[h] = s.Vec(), s.Vec()
			x, y := pairs[4*h+j], pairs[4*h+2+j]
			VSHUFF64X2(U8(0x88), y, x, even[h])
			VSHUFF64X2(U8(0xdd), y, x, odd[h])
		}
		for q, half := range [2][2]reg.VecVirtual{even, odd} {
			lo, hi := s.Vec(), s.Vec()
			VSHUFF64X2(U8(0x88), half[1], half[0], lo)
			VSHUFF64X2(U8(0xdd), half[1], half[0], hi)
			out[2*q+j], out[2*q+4+j] = lo, hi
		}
	}
	return out
}
