package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// halves returns the order in which the registers of a pair are written. An instruction may write over a
// uniform operand, of which only the first register is read, so the first register is written last.
var halves = [2]int{1, 0}

// vector translates a vector instruction. The operands of AVX2 instructions are in the assembler's order,
// with the result at the end. It returns false if there is no translation.
func (t *translation) vector(i *ir.Instruction) bool {
	ops := i.Operands
	last := len(ops) - 1
	switch i.Opcode {
	case "VMOVUPD", "VMOVAPD":
		t.move(ops[0], ops[1])
	case "VMOVSD", "MOVSD":
		t.emit("FMOVD", f(t.pair(ops[0])[0]), t.at(ops[1]))
	case "VBROADCASTSD":
		t.broadcast(ops[0], ops[1].(reg.Register))
	case "LOADFIRST":
		t.first(true, t.pair(ops[0]), ops[1].(operand.Mem), ops[2], int(ops[3].(operand.U64)))
	case "STOREFIRST":
		t.first(false, t.pair(ops[0]), ops[1].(operand.Mem), ops[2], int(ops[3].(operand.U64)))
	case "VADDPD", "VSUBPD", "VMULPD", "VDIVPD":
		t.arithmetic(i)
	case "VFMADD231PD", "VFNMADD231PD", "VFMSUB231PD":
		t.multiplyAdd(i)
	case "VFMADD213PD":
		c, x, p := t.three(ops)
		for _, h := range halves {
			t.copy(c[h], spare+1)
			t.word(fmla.three(spare+1, x[h], p[h]))
			t.copy(spare+1, p[h])
		}
	case "VXORPD", "VANDPD", "VORPD", "VPADDQ":
		t.bits(i)
	case "VPSLLQ", "VPSRLQ":
		x := t.pair(ops[1])
		r := t.pair(ops[2])
		for _, h := range halves {
			t.emit(shifts[i.Opcode], ops[0].Asm(), v(x[h], "D2"), v(r[h], "D2"))
		}
	case "VSQRTPD", "VROUNDPD":
		op := fsqrt
		if i.Opcode == "VROUNDPD" {
			op = frintn
		}
		x := t.pair(ops[last-1])
		r := t.pair(ops[last])
		for _, h := range halves {
			t.word(op.two(r[h], x[h]))
		}
	case "VMINPD", "VMAXPD":
		// The minimum of a and b is a if a < b, and otherwise b, also for NaN.
		b, a, r := t.three(ops)
		for _, h := range halves {
			if i.Opcode == "VMINPD" {
				t.word(fcmgt.three(spare+1, b[h], a[h]))
			} else {
				t.word(fcmgt.three(spare+1, a[h], b[h]))
			}
			t.choose(spare+1, a[h], b[h], r[h])
		}
	case "VCMPPD":
		y, x, r := t.three(ops[1:])
		for _, h := range halves {
			t.compare(int(ops[0].(operand.U8)), x[h], y[h], r[h])
		}
	case "VBLENDVPD":
		mask := t.pair(ops[0])
		yes, no, r := t.three(ops[1:])
		for _, h := range halves {
			t.choose(mask[h], yes[h], no[h], r[h])
		}
	case "VUNPCKLPD", "VUNPCKHPD":
		op := "VZIP1"
		if i.Opcode == "VUNPCKHPD" {
			op = "VZIP2"
		}
		y, x, r := t.three(ops)
		for _, h := range halves {
			t.emit(op, v(y[h], "D2"), v(x[h], "D2"), v(r[h], "D2"))
		}
	case "VPERM2F128":
		// 0x20 combines the first halves of x and y, 0x31 the second halves.
		half := int(ops[0].(operand.U8)) & 1
		y, x, r := t.three(ops[1:])
		from := x[half]
		if from == r[1] {
			t.copy(from, spare)
			from = spare
		}
		t.copy(y[half], r[1])
		t.copy(from, r[0])
	case "VEXTRACTF128":
		x := t.pair(ops[1])
		r := t.pair(ops[2])
		t.copy(x[1], r[0])
	case "VHADDPD":
		y, x, r := t.three(ops)
		t.word(faddp.three(r[0], x[0], y[0]))
	case "VZEROUPPER":
	default:
		return false
	}
	return true
}

// f returns the name of a register as a scalar.
func f(n int) string { return fmt.Sprintf("F%d", n) }

// v returns the name of a register as a vector, such as D2 for two float64.
func v(n int, lanes string) string { return fmt.Sprintf("V%d.%s", n, lanes) }

// both returns the names of a pair of registers.
func both(r [2]int) string { return fmt.Sprintf("(F%d, F%d)", r[0], r[1]) }

// pair returns the registers of the halves of an operand. They are the same if it is uniform.
func (t *translation) pair(op operand.Op) [2]int {
	r := op.(reg.Register)
	first := 2 * t.allocated(r)
	if t.uniform[r.ID()] != notUniform {
		return [2]int{first, first}
	}
	return [2]int{first, first + 1}
}

// number is pair for an operand that may be a constant in memory, which is loaded to the first spare
// register.
func (t *translation) number(op operand.Op) [2]int {
	if !isConstant(op) {
		return t.pair(op)
	}
	t.emit("FMOVQ", t.at(op), f(spare))
	return [2]int{spare, spare}
}

// three returns the registers of three operands, of which the first may be a constant in memory.
func (t *translation) three(ops []operand.Op) (y, x, r [2]int) {
	y = t.number(ops[0])
	x = t.pair(ops[1])
	r = t.pair(ops[2])
	return y, x, r
}

// source is number for an operand that may be anywhere in memory, from which it is loaded to both spare
// registers.
func (t *translation) source(op operand.Op) [2]int {
	_, inMemory := op.(operand.Mem)
	if !inMemory || isConstant(op) {
		return t.number(op)
	}
	r := [2]int{spare, spare + 1}
	t.emit("FLDPQ", t.at(op), both(r))
	return r
}

// copy emits a copy of a register to another, if they differ.
func (t *translation) copy(from, to int) {
	if from != to {
		t.emit("VMOV", v(from, "B16"), v(to, "B16"))
	}
}

// move emits a load, a store or a copy.
func (t *translation) move(from, to operand.Op) {
	_, store := to.(operand.Mem)
	_, load := from.(operand.Mem)
	switch {
	case store:
		x := t.pair(from)
		t.emit("FSTPQ", both(x), t.at(to))
	case load && t.uniform[to.(reg.Register).ID()] != notUniform:
		t.emit("FMOVQ", t.at(from), f(t.pair(to)[0]))
	case load:
		r := t.pair(to)
		t.emit("FLDPQ", t.at(from), both(r))
	default:
		x := t.pair(from)
		r := t.pair(to)
		for _, h := range halves {
			t.copy(x[h], r[h])
		}
	}
}

// broadcast emits the load of a number to the lanes in which it is needed.
func (t *translation) broadcast(from operand.Op, to reg.Register) {
	m := from.(operand.Mem)
	r := t.pair(to)
	if m.Index != nil && m.Scale == 1 && m.Disp == 0 {
		at := fmt.Sprintf("(%s)(%s)", t.scalar(m.Base), t.scalar(m.Index))
		t.emit("FMOVD", at, f(r[0]))
	} else {
		t.emit("FMOVD", t.at(m), f(r[0]))
	}
	if t.uniform[to.ID()] == inElement {
		return
	}
	t.emit("VDUP", fmt.Sprintf("V%d.D[0]", r[0]), v(r[0], "D2"))
	t.copy(r[0], r[1])
}

// ends returns the halves of the registers that an instruction for XMM or YMM registers writes.
func ends(op operand.Op) []int {
	if op.(reg.Register).Size() == 16 {
		return []int{0}
	}
	return halves[:]
}

// arithmetic emits r = x op y.
func (t *translation) arithmetic(i *ir.Instruction) {
	y := t.source(i.Operands[0])
	x := t.pair(i.Operands[1])
	r := t.pair(i.Operands[2])
	op := arithmetic[i.Opcode]
	for _, h := range ends(i.Operands[2]) {
		switch t.element(i) {
		case 0:
			t.word(byElement[op].element(r[h], x[h], y[h]))
		case 1:
			t.word(byElement[op].element(r[h], y[h], x[h]))
		default:
			t.word(op.three(r[h], x[h], y[h]))
		}
	}
}

// multiplyAdd emits r = r + x*y, r = r - x*y or r = x*y - r.
func (t *translation) multiplyAdd(i *ir.Instruction) {
	y := t.source(i.Operands[0])
	x := t.pair(i.Operands[1])
	r := t.pair(i.Operands[2])
	op := products[i.Opcode]
	for _, h := range halves {
		if i.Opcode == "VFMSUB231PD" {
			t.word(fneg.two(r[h], r[h]))
		}
		switch t.element(i) {
		case 0:
			t.word(byElement[op].element(r[h], x[h], y[h]))
		case 1:
			t.word(byElement[op].element(r[h], y[h], x[h]))
		default:
			t.word(op.three(r[h], x[h], y[h]))
		}
	}
}

// bits emits r = x op y for the bits or integers x and y. Zero is the exclusive or of a register and itself.
func (t *translation) bits(i *ir.Instruction) {
	ops := i.Operands
	if i.Opcode == "VXORPD" && ops[0] == ops[1] {
		t.zero(t.pair(ops[2]))
		return
	}
	y, x, r := t.three(ops)
	op := bitwise[i.Opcode]
	for _, h := range halves {
		t.emit(op[0], v(y[h], op[1]), v(x[h], op[1]), v(r[h], op[1]))
	}
}

// compare emits a mask of the lanes in which x has the relation to y.
func (t *translation) compare(relation, x, y, r int) {
	switch relation {
	case equal:
		t.word(fcmeq.three(r, x, y))
	case less:
		t.word(fcmgt.three(r, y, x))
	case lessEqual:
		t.word(fcmge.three(r, y, x))
	case notGreatEqual:
		t.word(fcmge.three(r, x, y))
		t.word(inverted(r, r))
	default:
		panic("no such comparison")
	}
}

// choose emits r = yes where the mask has ones, and r = no elsewhere.
func (t *translation) choose(mask, yes, no, r int) {
	switch r {
	case yes:
		t.emit("VBIF", v(mask, "B16"), v(no, "B16"), v(r, "B16"))
	case mask:
		t.emit("VBSL", v(no, "B16"), v(yes, "B16"), v(r, "B16"))
	default:
		t.copy(no, r)
		t.emit("VBIT", v(mask, "B16"), v(yes, "B16"), v(r, "B16"))
	}
}

// first emits a load or store of the first count-from values of a pair at m, from none to four. A load sets
// the other lanes to zero.
func (t *translation) first(load bool, r [2]int, m operand.Mem, count operand.Op, from int) {
	base := t.scalar(m.Base)
	low := place(m.Disp, base)
	high := place(m.Disp+16, base)
	move := func(opcode, register, at string) {
		if load {
			t.emit(opcode, at, register)
		} else {
			t.emit(opcode, register, at)
		}
	}
	compare := func(values int) { t.emit("CMP", fmt.Sprintf("$%d", from+values), t.scalar(count)) }
	t.labels++
	label := func(name string) string { return fmt.Sprintf("%s%d", name, t.labels) }

	compare(4)
	t.emit("BGE", label("all"))
	if load {
		t.zero(r)
	}
	compare(2)
	t.emit("BLT", label("less"))
	move("FMOVQ", f(r[0]), low)
	t.emit("BEQ", label("done"))
	move("FMOVD", f(r[1]), high)
	t.emit("B", label("done"))
	t.label(label("less"))
	compare(1)
	t.emit("BLT", label("done"))
	move("FMOVD", f(r[0]), low)
	t.emit("B", label("done"))
	t.label(label("all"))
	if load {
		t.emit("FLDPQ", low, both(r))
	} else {
		t.emit("FSTPQ", both(r), low)
	}
	t.label(label("done"))
}

// zero sets a pair to zero.
func (t *translation) zero(r [2]int) {
	for _, n := range r {
		t.emit("VMOVI", "$0", v(n, "B16"))
	}
}
