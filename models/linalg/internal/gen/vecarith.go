package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Flags of the assembler's textflag.h.
const readOnly = 8 | 16 // RODATA | NOPTR

// bits returns an operand with the same 64 bits in every lane.
func (g *generator) bits(x uint64) Mem {
	if g.constants == nil {
		g.constants = map[uint64]Mem{}
	}
	m, ok := g.constants[x]
	if !ok {
		m = GLOBL(fmt.Sprintf("c%016x", x), readOnly)
		for lane := range 8 {
			DATA(8*lane, U64(x))
		}
		g.constants[x] = m
	}
	return m
}

// number returns an operand with the same number in every lane.
func (g *generator) number(x float64) Mem { return g.bits(math.Float64bits(x)) }

// fill returns a new register with the same number in every lane.
func (g *generator) fill(x float64) reg.VecVirtual {
	r := g.Vec()
	if g.Wide() {
		VBROADCASTSD(g.number(x), r)
	} else {
		VMOVUPD(g.number(x), r)
	}
	return r
}

// op2 applies a three-operand instruction to a register and an operand, x op y, with the result in
// a new register. The assembler's order is y, x, result.
func (g *generator) op2(instruction func(...Op), x reg.VecVirtual, y Op) reg.VecVirtual {
	r := g.Vec()
	instruction(y, x, r)
	return r
}

func (g *generator) add(x reg.VecVirtual, y Op) reg.VecVirtual {
	return g.op2(g.form(VADDPD, VADDPD_BCST, y), x, y)
}

func (g *generator) sub(x reg.VecVirtual, y Op) reg.VecVirtual {
	return g.op2(g.form(VSUBPD, VSUBPD_BCST, y), x, y)
}

func (g *generator) mul(x reg.VecVirtual, y Op) reg.VecVirtual {
	return g.op2(g.form(VMULPD, VMULPD_BCST, y), x, y)
}

// form returns the form of an instruction for an operand. With AVX-512, constants are broadcast: the linker
// aligns data to 32 bytes, so a vector of 64 bytes may be in two cache lines, which takes twice the time.
func (g *generator) form(plain, broadcast func(...Op), y Op) func(...Op) {
	if m, is := y.(Mem); is && m.Base == reg.StaticBase && g.Wide() {
		return broadcast
	}
	return plain
}

// addTo emits acc += y*x.
func (g *generator) addTo(acc reg.VecVirtual, y Op, x reg.VecVirtual) {
	g.form(VFMADD231PD, VFMADD231PD_BCST, y)(y, x, acc)
}

// subtractFrom emits acc -= y*x.
func (g *generator) subtractFrom(acc reg.VecVirtual, y Op, x reg.VecVirtual) {
	g.form(VFNMADD231PD, VFNMADD231PD_BCST, y)(y, x, acc)
}

// next returns p*x + c, a step of Horner's rule, and overwrites p. NEON can only add products to c, so that p
// needs another register or two copies.
func (g *generator) next(p, x reg.VecVirtual, c float64) reg.VecVirtual {
	if g.isa == neon && !g.crowded {
		sum := g.fill(c)
		g.addTo(sum, x, p)
		return sum
	}
	y := g.number(c)
	g.form(VFMADD213PD, VFMADD213PD_BCST, y)(y, x, p)
	return p
}

func (g *generator) div(x reg.VecVirtual, y Op) reg.VecVirtual { return g.op2(VDIVPD, x, y) }

// copied returns a new register with the content of x.
func (g *generator) copied(x reg.VecVirtual) reg.VecVirtual {
	r := g.Vec()
	VMOVAPD(x, r)
	return r
}

// round returns x rounded to the nearest integer.
func (g *generator) round(x reg.VecVirtual) reg.VecVirtual {
	r := g.Vec()
	if g.Wide() {
		VRNDSCALEPD(U8(8), x, r)
	} else {
		VROUNDPD(U8(8), x, r)
	}
	return r
}

// Predicates of comparisons, as numbered by VCMPPD.
const (
	equal         = 0x00 // false for NaN
	less          = 0x11 // false for NaN
	lessEqual     = 0x12 // false for NaN
	notGreatEqual = 0x19 // true for NaN
)

// choose returns, lane by lane, yes if x has the relation to y, and no otherwise.
func (g *generator) choose(relation int, x reg.VecVirtual, y Op, yes, no reg.VecVirtual) reg.VecVirtual {
	r := g.Vec()
	if g.Wide() {
		k := K()
		VCMPPD(U8(relation), y, x, k)
		VBLENDMPD(yes, no, k, r)
		return r
	}
	mask := g.Vec()
	VCMPPD(U8(relation), y, x, mask)
	VBLENDVPD(mask, yes, no, r)
	return r
}

// replacing returns a function that replaces no by yes, lane by lane, if x has the relation to y.
// Several choices can share the comparison, and a choice needs no additional register.
func (g *generator) replacing(relation int, x reg.VecVirtual, y Op) func(no reg.VecVirtual, yes Op) {
	if g.Wide() {
		k := K()
		VCMPPD(U8(relation), y, x, k)
		return func(no reg.VecVirtual, yes Op) { VBLENDMPD(yes, no, k, no) }
	}
	mask := g.Vec()
	VCMPPD(U8(relation), y, x, mask)
	return func(no reg.VecVirtual, yes Op) { VBLENDVPD(mask, yes, no, no) }
}

// polynomial evaluates c[0] + c[1]*x + ... by Horner's rule.
func (g *generator) polynomial(x reg.VecVirtual, c ...float64) reg.VecVirtual {
	p := g.fill(c[len(c)-1])
	for i := len(c) - 2; i >= 0; i-- {
		p = g.next(p, x, c[i])
	}
	return p
}

var (
	inf = math.Inf(1)
	nan = math.NaN()
)
