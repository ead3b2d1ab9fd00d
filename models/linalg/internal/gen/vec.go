package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// vecRoutines emits the routines of package vec.
//
// Most routines process arrays one vector register at a time. The remainder is processed by the
// same instructions under a mask, so a value never depends on its position in the array. The
// routines of veclanes.go process matrices whose elements are whole vectors.
func vecRoutines(sets []isa) {
	if sets[0] == neon {
		at := Mem{Base: reg.RAX}
		prefetch("prefetch", "fetches n values at x.", func() { instruction("PREFETCHT0", at) })
		prefetch("prefetchWrite", "fetches n values at x for writing.",
			func() { instruction("PREFETCHW", at) })
	} else {
		// PREFETCHT0 (RAX), and PREFETCHW (RAX), which the assembler does not know.
		prefetch("prefetch", "fetches n values at x.", func() { bytes(0x0f, 0x18, 0x08) })
		prefetch("prefetchWrite", "fetches n values at x for writing.", func() { bytes(0x0f, 0x0d, 0x08) })
	}
	g := &generator{masks: maskTable(sets)}
	for _, set := range sets {
		g.isa = set
		g.elementwise()
		g.products()
		g.kernels()
		g.differences()
		g.differences4()
		g.between()
		g.moments()
		g.filter()
		g.normal()
		g.probit()
		g.adam()
		g.lanes()
	}
}

// bytes emits an instruction as bytes.
func bytes(codes ...uint8) {
	for _, code := range codes {
		instruction("BYTE", U8(code))
	}
}

// instruction emits an instruction that avo does not know.
func instruction(opcode string, operand Op) {
	Instruction(&ir.Instruction{Opcode: opcode, Operands: []Op{operand}, Inputs: []Op{operand}})
}

// prefetch emits a loop over cache lines. fetch emits an instruction that prefetches the line at RAX.
func prefetch(name, does string, fetch func()) {
	TEXT(name, NOSPLIT|NOFRAME, "func(n int, x *float64)")
	Pragma("noescape")
	Doc(name + " " + does)
	Load(Param("n"), reg.RCX)
	Load(Param("x"), reg.RAX)
	Label("line")
	fetch()
	ADDQ(Imm(64), reg.RAX)
	SUBQ(Imm(8), reg.RCX)
	JG(LabelRef("line"))
	RET()
}

// generator writes routines for one instruction set at a time.
type generator struct {
	isa
	masks Mem
	// constants maps the bits of a number to its address in the data, where it fills one whole
	// vector.
	constants map[uint64]Mem
	// crowded is set while a routine needs almost all registers.
	crowded bool
}

// array is an argument that points to consecutive values.
type array struct {
	name string
	at   reg.GPVirtual
}

func arrays(names ...string) []array {
	list := make([]array, len(names))
	for i, name := range names {
		list[i] = array{name, load64(name)}
	}
	return list
}

// walk emits body for all n elements of the arrays: first for whole vectors, then for the remainder
// under a mask. body accesses the arrays by number.
func (g *generator) walk(list []array, body func(v view)) {
	count := load64("n")
	g.walkRest(list, count, body)
}

// walkWide is like walk, but processes several vectors at a time while so many are left, so that
// their chains of operations overlap.
func (g *generator) walkWide(list []array, vectors int, body func(views []view)) {
	count := load64("n")
	while("wide", count, vectors*g.Lanes, func() {
		var views []view
		for i := range vectors {
			views = append(views, view{g: g, list: list, offset: i * g.Bytes(), suffix: "wide"})
		}
		body(views)
		for _, a := range list {
			ADDQ(I32(int32(vectors*g.Bytes())), a.at)
		}
	})
	g.walkRest(list, count, func(v view) { body([]view{v}) })
}

// walkRest emits body for count elements.
func (g *generator) walkRest(list []array, count reg.GPVirtual, body func(v view)) {
	while("vector", count, g.Lanes, func() {
		body(view{g: g, list: list, suffix: "vector"})
		for _, a := range list {
			ADDQ(I32(int32(g.Bytes())), a.at)
		}
	})
	TESTQ(count, count)
	JZ(LabelRef("done"))
	mask := newMasks(g.isa, 1, count, g.masks)
	body(view{g: g, list: list, mask: &mask, suffix: "tail"})
	Label("done")
}

// view reads and writes one vector of each array.
type view struct {
	g      *generator
	list   []array
	offset int // of the vector, in bytes
	mask   *masks
	suffix string // makes labels unique
}

// load reads a vector of array i; masked lanes are zero.
func (v view) load(i int) reg.VecVirtual { return v.loadAt(v.list[i].at) }

// loadAt reads the vector of the row that begins at the given address.
func (v view) loadAt(row reg.GPVirtual) reg.VecVirtual {
	at := Mem{Base: row, Disp: v.offset}
	r := v.g.Vec()
	if v.mask == nil {
		VMOVUPD(at, r)
	} else {
		v.mask.Load(0, at, r)
	}
	return r
}

// store writes a vector of array i.
func (v view) store(i int, r reg.VecVirtual) { v.storeAt(v.list[i].at, r) }

// storeAt writes the vector of the row that begins at the given address.
func (v view) storeAt(row reg.GPVirtual, r reg.VecVirtual) {
	at := Mem{Base: row, Disp: v.offset}
	if v.mask == nil {
		VMOVUPD(r, at)
	} else {
		v.mask.Store(0, r, at)
	}
}

// routine begins a function with documentation.
func (g *generator) routine(name, signature, text string) {
	TEXT(name+g.Name, NOSPLIT|NOFRAME, signature)
	Pragma("noescape")
	Doc(name + g.Name + " " + text)
}

// end ends a function.
func end() {
	VZEROUPPER()
	RET()
}
