package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/reg"
)

// Routines are written once for all instruction sets, and those for 64-bit Arm with the instructions of AVX2.
// Avo can print these only for amd64. compileForArm replaces avo's passes: it allocates registers and
// translates every instruction to NEON. A YMM register, of four float64, is a pair of NEON registers of two,
// so most AVX2 instructions become two NEON instructions, which round each lane alike.
//
// The registers of NEON are used as follows:
//
//	V0 to V29    pairs 0 to 14, one for each allocated YMM register
//	V30, V31     operands from memory and masks, within the translation of one instruction
//	R0 to R15    one for each general-purpose register of amd64
//	R19          addresses and values, within the translation of one instruction
//	R20          address of the constants
var compileForArm = pass.Concat(
	pass.Verify,
	pass.FunctionPass(pass.PruneJumpToFollowingLabel),
	pass.FunctionPass(pass.PruneDanglingLabels),
	pass.FunctionPass(pass.LabelTarget),
	pass.FunctionPass(pass.CFG),
	pass.FunctionPass(pass.Liveness),
	pass.FunctionPass(allocatePairs),
	pass.Func(translate),
	pass.Func(pass.IncludeTextFlagHeader),
)

const (
	pairs     = 15
	spare     = 2 * pairs // the first of the two registers that are not allocated
	address   = "R19"
	constants = "R20"
)

// allocatePairs is avo's pass AllocateRegisters for a smaller number of vector registers.
func allocatePairs(fn *ir.Function) error {
	vectors, err := pass.NewAllocator(reg.Vector.Registers()[:pairs])
	if err != nil {
		return err
	}
	integers, err := pass.NewAllocatorForKind(reg.KindGP)
	if err != nil {
		return err
	}
	allocators := map[reg.Kind]*pass.Allocator{reg.KindVector: vectors, reg.KindGP: integers}
	for _, i := range fn.Instructions() {
		for _, r := range i.Registers() {
			if r.Kind() != reg.KindPseudo {
				allocators[r.Kind()].Add(r.ID())
			}
		}
		for _, d := range i.OutputRegisters() {
			others := i.LiveOut.OfKind(d.Kind())
			others.DiscardRegister(d)
			allocators[d.Kind()].AddInterferenceSet(d, others)
		}
	}
	fn.Allocation = reg.NewEmptyAllocation()
	for _, a := range allocators {
		allocation, err := a.Allocate()
		if err != nil {
			return fmt.Errorf("%s: %w", fn.Name, err)
		}
		err = fn.Allocation.Merge(allocation)
		if err != nil {
			return err
		}
	}
	return nil
}

// constantBytes is the size of a constant, which fills a pair of registers.
const constantBytes = 32

// translate replaces the instructions of all functions, and collects the constants in one table.
func translate(f *ir.File) error {
	table := ir.NewStaticGlobal("constants")
	table.Attributes = attr.RODATA | attr.NOPTR
	offsets := map[string]int{}
	var functions []ir.Section
	for _, section := range f.Sections {
		switch s := section.(type) {
		case *ir.Function:
			functions = append(functions, s)
		case *ir.Global:
			offsets[s.Symbol.Name] = table.Size
			for range constantBytes / 8 {
				table.Append(s.Data[0].Value)
			}
		}
	}
	f.Sections = functions
	for _, s := range functions {
		t := newTranslation(s.(*ir.Function), offsets)
		err := t.run()
		if err != nil {
			return err
		}
	}
	if table.Size > 0 {
		f.AddSection(table)
	}
	return nil
}

// text is an operand in the syntax of the assembler.
type text string

// Asm returns the operand.
func (t text) Asm() string { return string(t) }

var _ operand.Op = text("")
