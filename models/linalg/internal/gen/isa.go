package main

import (
	"github.com/mmcloughlin/avo/ir"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// isa is an instruction set. Its methods are a thin layer over avo by which one generator emits a
// routine for all instruction sets.
type isa struct {
	Name  string
	Lanes int // float64 values per vector register
}

// Instruction sets for which routines are generated. avx512 includes the extensions DQ, BW and VL;
// avx2 includes FMA. The routines for neon, of 64-bit Arm, are those for avx2, translated (see neon.go); a
// vector is a pair of its registers.
var (
	avx512 = isa{"AVX512", 8}
	avx2   = isa{"AVX2", 4}
	neon   = isa{"NEON", 4}
)

// Wide reports whether s is AVX-512.
func (s isa) Wide() bool { return s.Lanes == 8 }

// Bytes returns the size of one vector register.
func (s isa) Bytes() int { return 8 * s.Lanes }

// Vec returns a new vector register.
func (s isa) Vec() reg.VecVirtual {
	if s.Wide() {
		return ZMM()
	}
	return YMM()
}

// Zero sets a vector register to zero.
func (s isa) Zero(r reg.VecVirtual) {
	VXORPD(r, r, r)
}

// maskTable declares eight words of ones followed by eight of zeros. A vector loaded c words before
// the zeros selects the first c lanes. NEON does not need it.
func maskTable(sets []isa) Mem {
	if sets[0] == neon {
		return Mem{}
	}
	table := GLOBL("lanemasks", 24) // NOPTR | RODATA
	for i := range 16 {
		var word U64
		if i < 8 {
			word = ^word
		}
		DATA(8*i, word)
	}
	return table
}

// masks selects the first lanes of the vectors of a row. With AVX-512 it holds opmask registers.
// With AVX2 it holds addresses in the mask table, from which a mask is loaded just before its use. With NEON,
// which has no masks, it holds the number of values; LOADFIRST and STOREFIRST stand for several instructions.
type masks struct {
	s    isa
	k    []reg.OpmaskVirtual
	addr reg.GPVirtual
	cols reg.GPVirtual
}

// newMasks returns masks for cols values, from 1 to the capacity of the given number of vectors, at
// most two. It overwrites cols.
func newMasks(s isa, vectors int, cols reg.GPVirtual, table Mem) masks {
	m := masks{s: s, cols: cols}
	if s == neon {
		return m
	}
	if !s.Wide() {
		m.addr = GP64()
		LEAQ(table.Offset(64), m.addr)
		SHLQ(U8(3), cols)
		SUBQ(cols, m.addr)
		return m
	}
	bits := GP64()
	MOVQ(I32(1), bits)
	MOVQ(cols, reg.RCX)
	SHLQ(reg.CL, bits)
	DECQ(bits)
	for range vectors {
		k := K()
		KMOVW(bits.As32(), k)
		SHRQ(U8(8), bits)
		m.k = append(m.k, k)
	}
	return m
}

// Load reads the selected lanes of vector v at mem into dst; the other lanes are zero.
func (m masks) Load(v int, mem Mem, dst reg.VecVirtual) {
	if m.s.Wide() {
		VMOVUPD_Z(mem, m.k[v], dst)
		return
	}
	if m.s == neon {
		from := U64(v * m.s.Lanes)
		Instruction(&ir.Instruction{Opcode: "LOADFIRST", Operands: []Op{dst, mem, m.cols, from},
			Inputs: []Op{mem, m.cols}, Outputs: []Op{dst}})
		return
	}
	VMASKMOVPD(mem, m.vector(v), dst)
}

// Store writes the selected lanes of vector v.
func (m masks) Store(v int, src reg.VecVirtual, mem Mem) {
	if m.s.Wide() {
		VMOVUPD(src, m.k[v], mem)
		return
	}
	if m.s == neon {
		from := U64(v * m.s.Lanes)
		Instruction(&ir.Instruction{Opcode: "STOREFIRST", Operands: []Op{src, mem, m.cols, from},
			Inputs: []Op{src, m.cols}, Outputs: []Op{mem}})
		return
	}
	VMASKMOVPD(src, m.vector(v), mem)
}

func (m masks) vector(v int) reg.VecVirtual {
	mask := YMM()
	VMOVUPD(Mem{Base: m.addr, Disp: 32 * v}, mask)
	return mask
}

// load64 loads an integer argument into a new register.
func load64(name string) reg.GPVirtual {
	return Load(Param(name), GP64()).(reg.GPVirtual)
}

// loadBytes loads a count of float64 values as a count of bytes.
func loadBytes(name string) reg.GPVirtual {
	r := load64(name)
	SHLQ(U8(3), r)
	return r
}

// argument returns the address of a basic argument.
func argument(name string) Mem {
	arg, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return arg.Addr
}

// Broadcast fills a new vector with a float64 argument.
func (s isa) Broadcast(name string) reg.VecVirtual {
	r := s.Vec()
	VBROADCASTSD(argument(name), r)
	return r
}

// while emits a loop that runs body as long as count is at least step, and subtracts step from
// count after each run. Its labels begin with name.
func while(name string, count reg.GPVirtual, step int, body func()) {
	CMPQ(count, I32(int32(step)))
	JL(LabelRef(name + "end"))
	Label(name)
	body()
	SUBQ(I32(int32(step)), count)
	CMPQ(count, I32(int32(step)))
	JGE(LabelRef(name))
	Label(name + "end")
}
