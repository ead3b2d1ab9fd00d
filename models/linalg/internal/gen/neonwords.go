package main

import "fmt"

// Go's assembler does not know most of the floating-point instructions of NEON. This file encodes those that
// the routines need, for vectors of two float64 (2D). The bits are from the Arm Architecture Reference Manual
// for A-profile architecture (DDI 0487), section C7.2.

// vectorOp is an instruction with a name and the bits of its encoding without registers.
type vectorOp struct {
	name string
	bits uint32
}

// Instructions with two operands: d = n op m, lane by lane. fmla and fmls add to d and subtract from d; the
// comparisons set all bits of d or none; faddp sets the lanes of d to the sums of the lanes of n and of m.
var (
	fadd  = vectorOp{"fadd", 0x4e60d400}
	fsub  = vectorOp{"fsub", 0x4ee0d400}
	fmul  = vectorOp{"fmul", 0x6e60dc00}
	fdiv  = vectorOp{"fdiv", 0x6e60fc00}
	fmla  = vectorOp{"fmla", 0x4e60cc00}
	fmls  = vectorOp{"fmls", 0x4ee0cc00}
	fcmeq = vectorOp{"fcmeq", 0x4e60e400}
	fcmge = vectorOp{"fcmge", 0x6e60e400}
	fcmgt = vectorOp{"fcmgt", 0x6ee0e400}
	faddp = vectorOp{"faddp", 0x6e60d400}
)

// Instructions with one operand: d = op n. frintn rounds to the nearest integer, ties to even.
var (
	fneg   = vectorOp{"fneg", 0x6ee0f800}
	fsqrt  = vectorOp{"fsqrt", 0x6ee1f800}
	frintn = vectorOp{"frintn", 0x4e618800}
)

// Instructions whose second operand is the first lane of m for both lanes.
var (
	fmulElement = vectorOp{"fmul", 0x4fc09000}
	fmlaElement = vectorOp{"fmla", 0x4fc01000}
	fmlsElement = vectorOp{"fmls", 0x4fc05000}
)

// byElement holds the element forms of instructions.
var byElement = map[vectorOp]vectorOp{fmul: fmulElement, fmla: fmlaElement, fmls: fmlsElement}

// three encodes an instruction with two operands.
func (o vectorOp) three(d, n, m int) text {
	return word(o.bits|uint32(m<<16|n<<5|d), "%s v%d.2d, v%d.2d, v%d.2d", o.name, d, n, m)
}

// element encodes an instruction whose second operand is the first lane of m.
func (o vectorOp) element(d, n, m int) text {
	return word(o.bits|uint32(m<<16|n<<5|d), "%s v%d.2d, v%d.2d, v%d.d[0]", o.name, d, n, m)
}

// two encodes an instruction with one operand.
func (o vectorOp) two(d, n int) text {
	return word(o.bits|uint32(n<<5|d), "%s v%d.2d, v%d.2d", o.name, d, n)
}

// inverted encodes the inversion of all bits of n.
func inverted(d, n int) text {
	return word(0x6e205800|uint32(n<<5|d), "mvn v%d.16b, v%d.16b", d, n)
}

// word returns the operand of WORD, followed by the instruction as a comment.
func word(bits uint32, format string, args ...any) text {
	return text(fmt.Sprintf("$0x%08x // ", bits) + fmt.Sprintf(format, args...))
}
