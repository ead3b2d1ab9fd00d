// Command gen writes the amd64 assembly of package vec with avo. `go generate` runs it in the
// parent folder.
//
// Most routines process arrays one vector register at a time. The remainder is processed by the
// same instructions under a mask, so a value never depends on its position in the array. The
// routines of lanes.go process matrices whose elements are whole vectors.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"dgplab/models/linalg/internal/avx"
)

func main() {
	ConstraintExpr("amd64")
	ConstraintExpr("!noasm")
	g := &generator{masks: avx.MaskTable()}
	for _, isa := range []avx.ISA{avx.AVX512, avx.AVX2} {
		g.ISA = isa
		g.elementwise()
		g.products()
		g.kernels()
		g.differences()
		g.between()
		g.moments()
		g.probit()
		g.lanes()
	}
	Generate()
}

// generator writes routines for one instruction set at a time.
type generator struct {
	avx.ISA
	masks Mem
	// constants maps the bits of a number to its place in the data, where it fills one whole
	// vector.
	constants map[uint64]Mem
}

// array is an argument that points to consecutive values.
type array struct {
	name string
	at   reg.GPVirtual
}

func arrays(names ...string) []array {
	list := make([]array, len(names))
	for i, name := range names {
		list[i] = array{name, avx.Load64(name)}
	}
	return list
}

// walk emits body for all n elements of the arrays: first for whole vectors, then for the remainder
// under a mask. body accesses the arrays by number.
func (g *generator) walk(list []array, body func(v view)) {
	count := avx.Load64("n")
	avx.While("vector", count, g.Lanes, func() {
		body(view{g: g, list: list, suffix: "vector"})
		for _, a := range list {
			ADDQ(I32(int32(g.Bytes())), a.at)
		}
	})
	TESTQ(count, count)
	JZ(LabelRef("done"))
	mask := avx.NewMasks(g.ISA, 1, count, g.masks)
	body(view{g: g, list: list, mask: &mask, suffix: "tail"})
	Label("done")
}

// view reads and writes one vector of each array.
type view struct {
	g      *generator
	list   []array
	mask   *avx.Masks
	suffix string // makes labels unique
}

// load reads a vector of array i; masked lanes are zero.
func (v view) load(i int) reg.VecVirtual { return v.loadAt(Mem{Base: v.list[i].at}) }

func (v view) loadAt(at Mem) reg.VecVirtual {
	r := v.g.Vec()
	if v.mask == nil {
		VMOVUPD(at, r)
	} else {
		v.mask.Load(0, at, r)
	}
	return r
}

// store writes a vector of array i.
func (v view) store(i int, r reg.VecVirtual) { v.storeAt(Mem{Base: v.list[i].at}, r) }

func (v view) storeAt(at Mem, r reg.VecVirtual) {
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
