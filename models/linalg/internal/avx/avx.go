// Package avx holds the code shared by the assembly generators of the neighbouring folders: a thin
// layer over avo that writes one routine for both AVX-512 and AVX2.
package avx

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// ISA is an instruction set.
type ISA struct {
	Name  string
	Lanes int // float64 values per vector register
}

// Instruction sets for which routines are generated. AVX512 includes the extensions DQ, BW and VL;
// AVX2 includes FMA.
var (
	AVX512 = ISA{"AVX512", 8}
	AVX2   = ISA{"AVX2", 4}
)

// Wide reports whether s is AVX-512.
func (s ISA) Wide() bool { return s.Lanes == 8 }

// Bytes returns the size of one vector register.
func (s ISA) Bytes() int { return 8 * s.Lanes }

// Vec returns a new vector register.
func (s ISA) Vec() reg.VecVirtual {
	if s.Wide() {
		return ZMM()
	}
	return YMM()
}

// Zero sets a vector register to zero.
func (s ISA) Zero(r reg.VecVirtual) {
	VXORPD(r, r, r)
}

// MaskTable declares eight words of ones followed by eight of zeros. A vector loaded c words before
// the zeros selects the first c lanes.
func MaskTable() Mem {
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

// Masks selects the first lanes of the vectors of a row. With AVX-512 it holds opmask registers;
// with AVX2 it holds addresses in the mask table, from which a vector is loaded just before its
// use.
type Masks struct {
	s    ISA
	k    []reg.OpmaskVirtual
	addr reg.GPVirtual
}

// NewMasks returns masks for cols values, from 1 to the capacity of the given number of vectors, at
// most two. It overwrites cols.
func NewMasks(s ISA, vectors int, cols reg.GPVirtual, table Mem) Masks {
	m := Masks{s: s}
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
func (m Masks) Load(v int, mem Mem, dst reg.VecVirtual) {
	if m.s.Wide() {
		VMOVUPD_Z(mem, m.k[v], dst)
		return
	}
	VMASKMOVPD(mem, m.vector(v), dst)
}

// Store writes the selected lanes of vector v.
func (m Masks) Store(v int, src reg.VecVirtual, mem Mem) {
	if m.s.Wide() {
		VMOVUPD(src, m.k[v], mem)
		return
	}
	VMASKMOVPD(src, m.vector(v), mem)
}

func (m Masks) vector(v int) reg.VecVirtual {
	mask := YMM()
	VMOVUPD(Mem{Base: m.addr, Disp: 32 * v}, mask)
	return mask
}

// Load64 loads an integer argument into a new register.
func Load64(name string) reg.GPVirtual {
	return Load(Param(name), GP64()).(reg.GPVirtual)
}

// LoadBytes loads a count of float64 values as a count of bytes.
func LoadBytes(name string) reg.GPVirtual {
	r := Load64(name)
	SHLQ(U8(3), r)
	return r
}

// Argument returns the address of a basic argument.
func Argument(name string) Mem {
	arg, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return arg.Addr
}

// Broadcast fills a new vector with a float64 argument.
func (s ISA) Broadcast(name string) reg.VecVirtual {
	r := s.Vec()
	VBROADCASTSD(Argument(name), r)
	return r
}

// While emits a loop that runs body while count is at least step, and subtracts step from count
// after each run. Its labels begin with name.
func While(name string, count reg.GPVirtual, step int, body func()) {
	CMPQ(count, I32(int32(step)))
	JL(LabelRef(name + "end"))
	Label(name)
	body()
	SUBQ(I32(int32(step)), count)
	CMPQ(count, I32(int32(step)))
	JGE(LabelRef(name))
	Label(name + "end")
}
