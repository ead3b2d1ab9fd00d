package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// adam emits the update of the optimiser Adam. Products and sums are rounded separately, as in Go.
func (g *generator) adam() {
	g.routine("adam", "func(n int, x, first, second, gradient, c *float64)",
		"updates x[i] and the moving averages first[i] and second[i] by gradient[i]; see Adam for c.")
	c := load64("c")
	constant := func(i int) reg.VecVirtual {
		r := g.Vec()
		VBROADCASTSD(Mem{Base: c, Disp: 8 * i}, r)
		return r
	}
	g.walk(arrays("x", "first", "second", "gradient"), func(v view) {
		gradient := v.load(3)
		first := g.add(g.mul(v.load(1), constant(0)), g.mul(gradient, constant(1)))
		v.store(1, first)
		square := g.mul(g.mul(gradient, constant(3)), gradient)
		second := g.add(g.mul(v.load(2), constant(2)), square)
		v.store(2, second)
		size := g.mul(second, constant(4))
		VSQRTPD(size, size)
		step := g.mul(g.mul(first, constant(6)), constant(7))
		v.store(0, g.add(v.load(0), g.div(step, g.add(size, constant(5)))))
	})
	end()
}
