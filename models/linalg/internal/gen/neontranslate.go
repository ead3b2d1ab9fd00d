package main

import (
	"fmt"
	"math/bits"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// translation translates one function to NEON.
type translation struct {
	fn      *ir.Function
	offsets map[string]int // of the constants in their table
	uniform map[reg.ID]uniformity
	nodes   []ir.Node
	labels  int
}

// uniformity is the place of a number that is the same in all lanes. It occupies only the first register of
// the pair.
type uniformity int

const (
	notUniform uniformity = iota
	inElement             // in the first lane, as the second factor of instructions by element
	inBoth                // in both lanes
)

func newTranslation(fn *ir.Function, offsets map[string]int) *translation {
	t := &translation{fn: fn, offsets: offsets, uniform: map[reg.ID]uniformity{}}
	t.findUniform()
	return t
}

// findUniform finds the registers that only hold broadcast numbers.
func (t *translation) findUniform() {
	for _, i := range t.fn.Instructions() {
		for _, d := range i.OutputRegisters() {
			if d.Kind() != reg.KindVector {
				continue
			}
			now := notUniform
			switch {
			case i.Opcode == "VBROADCASTSD":
				now = inElement
			case i.Opcode == "VMOVUPD" && isConstant(i.Operands[0]):
				now = inBoth
			}
			before, seen := t.uniform[d.ID()]
			if !seen || now == notUniform || before != notUniform && now == inBoth {
				t.uniform[d.ID()] = now
			}
		}
	}
	for _, i := range t.fn.Instructions() {
		element := t.element(i)
		for at, op := range i.Operands {
			r, isRegister := op.(reg.Register)
			if isRegister && at != element && i.Opcode != "VBROADCASTSD" && t.uniform[r.ID()] == inElement {
				t.uniform[r.ID()] = inBoth
			}
		}
	}
}

// element returns the number of the operand that an instruction by element reads as its second factor, or -1.
func (t *translation) element(i *ir.Instruction) int {
	if i.Opcode != "VMULPD" && products[i.Opcode].name == "" {
		return -1
	}
	for at, op := range i.Operands[:2] {
		r, isRegister := op.(reg.Register)
		if isRegister && t.uniform[r.ID()] == inElement {
			return at
		}
	}
	return -1
}

// isConstant reports whether an operand is a constant in memory.
func isConstant(op operand.Op) bool {
	m, isMem := op.(operand.Mem)
	return isMem && m.Base == reg.StaticBase
}

// products holds the instructions that add products to their third operand.
var products = map[string]vectorOp{"VFMADD231PD": fmla, "VFNMADD231PD": fmls, "VFMSUB231PD": fmla}

// arithmetic holds the instructions for a result of two operands that NEON has too.
var arithmetic = map[string]vectorOp{"VADDPD": fadd, "VSUBPD": fsub, "VDIVPD": fdiv, "VMULPD": fmul}

// bitwise holds the instructions for a result of two operands that the assembler knows, and the width of
// their lanes.
var bitwise = map[string][2]string{
	"VANDPD": {"VAND", "B16"}, "VORPD": {"VORR", "B16"}, "VXORPD": {"VEOR", "B16"}, "VPADDQ": {"VADD", "D2"},
}

var shifts = map[string]string{"VPSLLQ": "VSHL", "VPSRLQ": "VUSHR"}

var jumps = map[string]string{
	"JMP": "B", "JL": "BLT", "JLE": "BLE", "JG": "BGT", "JGE": "BGE",
	"JE": "BEQ", "JZ": "BEQ", "JNE": "BNE", "JNZ": "BNE",
}

var additions = map[string]string{"ADDQ": "ADD", "SUBQ": "SUBS"}

// run replaces the instructions of the function.
func (t *translation) run() error {
	for _, i := range t.fn.Instructions() {
		for _, op := range i.Operands {
			if isConstant(op) {
				t.emit("MOVD", "$constants<>(SB)", constants)
				return t.body()
			}
		}
	}
	return t.body()
}

func (t *translation) body() error {
	for _, node := range t.fn.Nodes {
		i, isInstruction := node.(*ir.Instruction)
		if !isInstruction {
			t.nodes = append(t.nodes, node)
			continue
		}
		if !t.vector(i) && !t.integer(i) {
			return fmt.Errorf("%s: no translation of %s", t.fn.Name, i.Opcode)
		}
	}
	t.fn.Nodes = t.nodes
	return nil
}

// integer translates an instruction for integers, addresses and jumps. It returns false if there is no
// translation.
func (t *translation) integer(i *ir.Instruction) bool {
	ops := i.Operands
	switch i.Opcode {
	case "MOVQ":
		t.emit("MOVD", t.scalar(ops[0]), t.scalar(ops[1]))
	case "ADDQ", "SUBQ":
		t.update(ops[1], additions[i.Opcode], ops[0])
	case "DECQ":
		t.update(ops[0], "SUBS", operand.Imm(1))
	case "SHLQ":
		t.update(ops[1], "LSL", ops[0])
	case "LEAQ":
		m := ops[0].(operand.Mem)
		dst := t.scalar(ops[1])
		t.emit("ADD", t.index(m), t.scalar(m.Base), dst)
		if m.Disp != 0 {
			t.emit("ADD", fmt.Sprintf("$%d", m.Disp), dst)
		}
	case "CMPQ":
		t.emit("CMP", t.scalar(ops[1]), t.scalar(ops[0]))
	case "TESTQ":
		t.emit("TST", t.scalar(ops[0]), t.scalar(ops[1]))
	case "CMOVQGT":
		t.emit("CSEL", "GT", t.scalar(ops[0]), t.scalar(ops[1]), t.scalar(ops[1]))
	case "RET":
		t.emit("RET")
	case "PAUSE":
		t.emit("ISB", "$15") // waits until the pipeline is empty; YIELD would not wait
	case "PREFETCHT0":
		t.emit("PRFM", t.at(ops[0]), "PLDL1KEEP")
	case "PREFETCHW":
		t.emit("PRFM", t.at(ops[0]), "PSTL1KEEP")
	default:
		jump, isJump := jumps[i.Opcode]
		if isJump {
			t.emit(jump, ops[0].Asm())
		}
		return isJump
	}
	return true
}

// update emits dst = dst op x. One of them may be an argument of the function.
func (t *translation) update(dst operand.Op, op string, x operand.Op) {
	_, fromMemory := x.(operand.Mem)
	_, toMemory := dst.(operand.Mem)
	switch {
	case fromMemory:
		t.emit("MOVD", t.at(x), address)
		t.emit(op, address, t.scalar(dst))
	case toMemory:
		t.emit("MOVD", t.at(dst), address)
		t.emit(op, t.scalar(x), address)
		t.emit("MOVD", address, t.at(dst))
	default:
		t.emit(op, t.scalar(x), t.scalar(dst))
	}
}

// scalar returns a general-purpose register, a constant or an argument.
func (t *translation) scalar(op operand.Op) string {
	switch o := op.(type) {
	case reg.Register:
		return fmt.Sprintf("R%d", t.allocated(o))
	case operand.Mem:
		return t.at(o)
	}
	return op.Asm()
}

// allocated returns the number of the amd64 register that was allocated.
func (t *translation) allocated(r reg.Register) int {
	return int(t.fn.Allocation.LookupDefault(r.ID()).Index())
}

// at returns the address of an operand in memory. It may set the register for addresses.
func (t *translation) at(op operand.Op) string {
	m := op.(operand.Mem)
	switch {
	case m.Base == reg.StaticBase:
		return place(t.offsets[m.Symbol.Name], constants)
	case m.Base == reg.FramePointer:
		return m.Asm()
	case m.Index != nil:
		t.emit("ADD", t.index(m), t.scalar(m.Base), address)
		return place(m.Disp, address)
	}
	return place(m.Disp, t.scalar(m.Base))
}

// place returns the address of a number of bytes after a register.
func place(disp int, base string) string {
	if disp == 0 {
		return "(" + base + ")"
	}
	return fmt.Sprintf("%d(%s)", disp, base)
}

// index returns the scaled index of an address.
func (t *translation) index(m operand.Mem) string {
	if m.Scale == 1 {
		return t.scalar(m.Index)
	}
	return fmt.Sprintf("%s<<%d", t.scalar(m.Index), bits.TrailingZeros8(m.Scale))
}

// emit appends an instruction.
func (t *translation) emit(opcode string, operands ...string) {
	i := &ir.Instruction{Opcode: opcode, IsBranch: opcode == "B", IsTerminal: opcode == "RET"}
	for _, o := range operands {
		i.Operands = append(i.Operands, text(o))
	}
	t.nodes = append(t.nodes, i)
}

// word appends an encoded instruction.
func (t *translation) word(x text) { t.emit("WORD", string(x)) }

// label appends a label.
func (t *translation) label(name string) { t.nodes = append(t.nodes, ir.Label(name)) }
