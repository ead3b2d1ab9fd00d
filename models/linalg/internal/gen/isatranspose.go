package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Transposed emits the shuffles that transpose a square block of registers, and returns the
// registers that hold the result.
func (s isa) Transposed(rows []reg.VecVirtual) []reg.VecVirtual {
	// Combine pairs of rows: element 2q (low) or 2q+1 (high) of each, in 128-bit lanes.
	pairs := make([]reg.VecVirtual, len(rows))
	for i := 0; i < len(rows); i += 2 {
		pairs[i] = s.Vec()
		pairs[i+1] = s.Vec()
		VUNPCKLPD(rows[i+1], rows[i], pairs[i])
		VUNPCKHPD(rows[i+1], rows[i], pairs[i+1])
	}
	out := make([]reg.VecVirtual, len(rows))
	if !s.Wide() {
		for j := range 2 {
			out[j] = s.Vec()
			out[j+2] = s.Vec()
			VPERM2F128(U8(0x20), pairs[j+2], pairs[j], out[j])
			VPERM2F128(U8(0x31), pairs[j+2], pairs[j], out[j+2])
		}
		return out
	}
	for j := range 2 {
		// Combine the 128-bit lanes 0, 2 (even) and 1, 3 (odd) of rows 0-3 and 4-7.
		var even, odd [2]reg.VecVirtual
		for h := range 2 {
			even[h] = s.Vec()
			odd[h] = s.Vec()
			x, y := pairs[4*h+j], pairs[4*h+2+j]
			VSHUFF64X2(U8(0x88), y, x, even[h])
			VSHUFF64X2(U8(0xdd), y, x, odd[h])
		}
		for q, half := range [2][2]reg.VecVirtual{even, odd} {
			lo := s.Vec()
			hi := s.Vec()
			VSHUFF64X2(U8(0x88), half[1], half[0], lo)
			VSHUFF64X2(U8(0xdd), half[1], half[0], hi)
			out[2*q+j], out[2*q+4+j] = lo, hi
		}
	}
	return out
}
