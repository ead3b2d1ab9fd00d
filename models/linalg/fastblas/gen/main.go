// Command gen writes the amd64 assembly of package fastblas with avo:
//
//	go run ./gen -out kernels_amd64.s -stubs kernels_amd64.go -pkg fastblas
//
// as `go generate` does in the parent folder. Every routine exists in two
// versions, one per [isa]: AVX-512 with tiles of 12 rows by 16 columns, and
// AVX2 with FMA with tiles of 6 rows by 8 columns.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// isa is an instruction set and the shape of the register tile used with it.
type isa struct {
	name  string
	lanes int   // float64 values of one vector register
	mr    int   // rows of the tile
	nv    int   // vectors of a row of the tile
	rows  []int // heights of the product kernels, descending, the first is mr
}

var isas = []isa{
	{name: "AVX512", lanes: 8, mr: 12, nv: 2, rows: []int{12, 8, 4}},
	{name: "AVX2", lanes: 4, mr: 6, nv: 2, rows: []int{6, 4, 2}},
}

func main() {
	ConstraintExpr("amd64")
	ConstraintExpr("!noasm")
	table := maskTable()
	for _, s := range isas {
		for _, mr := range s.rows {
			gemm(s, mr, table)
		}
		for _, lower := range []bool{true, false} {
			trmm(s, lower)
			trsm(s, lower)
		}
		copyRows(s, table)
		transpose(s)
	}
	Generate()
}

// bytes returns the size of one vector register.
func (s isa) bytes() int { return 8 * s.lanes }

// nr returns the columns of the register tile.
func (s isa) nr() int { return s.lanes * s.nv }

// vec returns a fresh vector register.
func (s isa) vec() reg.VecVirtual {
	if s.lanes == 8 {
		return ZMM()
	}
	return YMM()
}

// zero sets a vector register to zero.
func (s isa) zero(r reg.VecVirtual) {
	if s.lanes == 8 {
		VPXORQ(r, r, r)
	} else {
		VXORPD(r, r, r)
	}
}

// tile returns fresh zeroed accumulators for mr rows.
func (s isa) tile(mr int) [][]reg.VecVirtual {
	acc := make([][]reg.VecVirtual, mr)
	for r := range acc {
		acc[r] = make([]reg.VecVirtual, s.nv)
		for v := range acc[r] {
			acc[r][v] = s.vec()
			s.zero(acc[r][v])
		}
	}
	return acc
}

// maskTable declares eight words of ones and eight of zeros. A vector loaded
// c words before the zeros selects the first c lanes.
func maskTable() Mem {
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

// masks selects the first lanes of the nv vectors of a row: opmask registers
// with AVX-512; with AVX2 addresses in the mask table, from which a vector is
// loaded just before its use.
type masks struct {
	s    isa
	k    []reg.OpmaskVirtual
	addr reg.GPVirtual
}

// newMasks makes masks for the number of columns in cols, from 1 to nr.
func newMasks(s isa, cols reg.GPVirtual, table Mem) masks {
	m := masks{s: s}
	if s.lanes == 4 {
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
	for range s.nv {
		k := K()
		KMOVW(bits.As32(), k)
		SHRQ(U8(8), bits)
		m.k = append(m.k, k)
	}
	return m
}

// load reads the selected lanes of vector v at mem into dst, zeros elsewhere.
func (m masks) load(v int, mem Mem, dst reg.VecVirtual) {
	if m.s.lanes == 8 {
		VMOVUPD_Z(mem, m.k[v], dst)
		return
	}
	VMASKMOVPD(mem, m.vector(v), dst)
}

// store writes the selected lanes of vector v.
func (m masks) store(v int, src reg.VecVirtual, mem Mem) {
	if m.s.lanes == 8 {
		VMOVUPD(src, m.k[v], mem)
		return
	}
	VMASKMOVPD(src, m.vector(v), mem)
}

func (m masks) vector(v int) reg.VecVirtual {
	mask := YMM()
	VMOVUPD(Mem{Base: m.addr, Disp: 32 * v}, mask)
	return mask
}

// load64 loads an integer argument into a fresh register.
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

// broadcast fills a fresh vector with a float64 argument.
func (s isa) broadcast(name string) reg.VecVirtual {
	r := s.vec()
	VBROADCASTSD(argument(name), r)
	return r
}

// while emits a loop that runs body with count going down to zero by step,
// skipped when count is below step. Labels carry name.
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

func lowerName(lower bool) string {
	if lower {
		return "Lower"
	}
	return "Upper"
}
