package main

import . "github.com/mmcloughlin/avo/build"

// products emits the sums of elementwise products.
func (g *generator) products() {
	const signature = "func(n int, dst, a, b *float64)"
	g.routine("addMul", signature, "adds a[i]*b[i] to dst[i].")
	g.walk(arrays("dst", "a", "b"), func(v view) {
		sum := v.load(0)
		VFMADD231PD(v.load(1), v.load(2), sum)
		v.store(0, sum)
	})
	end()

	g.routine("subMul", signature, "subtracts a[i]*b[i] from dst[i].")
	g.walk(arrays("dst", "a", "b"), func(v view) {
		sum := v.load(0)
		VFNMADD231PD(v.load(1), v.load(2), sum)
		v.store(0, sum)
	})
	end()

	g.routine("mul", signature, "sets dst[i] to a[i]*b[i].")
	g.walk(arrays("dst", "a", "b"), func(v view) { v.store(0, g.mul(v.load(1), v.load(2))) })
	end()

	g.routine("mulSum", "func(n int, dst, a, b *float64) (first float64)",
		"sets dst[i] to a[i]*b[i] and returns the sum.")
	all := g.Vec()
	g.Zero(all)
	g.walk(arrays("dst", "a", "b"), func(v view) {
		product := g.mul(v.load(1), v.load(2))
		VADDPD(product, all, all)
		v.store(0, product)
	})
	g.reduce(all, "first")
	end()

	g.routine("div", signature, "sets dst[i] to a[i]/b[i].")
	g.walk(arrays("dst", "a", "b"), func(v view) { v.store(0, g.div(v.load(1), v.load(2))) })
	end()

	g.routine("addScaled", "func(n int, dst, a *float64, c float64)", "adds c*a[i] to dst[i].")
	g.walk(arrays("dst", "a"), func(v view) {
		sum := v.load(0)
		VFMADD231PD(g.Broadcast("c"), v.load(1), sum)
		v.store(0, sum)
	})
	end()

	g.routine("scaled", "func(n int, dst, a *float64, c float64)", "sets dst[i] to c*a[i].")
	g.walk(arrays("dst", "a"), func(v view) { v.store(0, g.mul(v.load(1), g.Broadcast("c"))) })
	end()

	g.routine("addDescend", "func(n int, dst *float64, b, c float64)",
		"adds b to dst[i] and then multiplies it by c if it is not positive.")
	c := g.Broadcast("c")
	zero := g.Vec()
	g.Zero(zero)
	g.walk(arrays("dst"), func(v view) {
		dst := g.add(g.Broadcast("b"), v.load(0))
		v.store(0, g.choose(lessEqual, dst, zero, g.mul(dst, c), dst))
	})
	end()

	g.routine("descendSum", "func(n int, dst, x *float64, c float64) (first float64)",
		"multiplies dst[i] by c if x[i] is not positive and returns the sum of dst.")
	c = g.Broadcast("c")
	zero = g.Vec()
	g.Zero(zero)
	total := g.Vec()
	g.Zero(total)
	g.walk(arrays("dst", "x"), func(v view) {
		dst := v.load(0)
		dst = g.choose(lessEqual, v.load(1), zero, g.mul(dst, c), dst)
		VADDPD(dst, total, total)
		v.store(0, dst)
	})
	g.reduce(total, "first")
	end()

	g.routine("dot", "func(n int, a, b *float64) (first float64)", "returns the sum of a[i]*b[i].")
	sum := g.Vec()
	g.Zero(sum)
	g.walk(arrays("a", "b"), func(v view) { VFMADD231PD(v.load(0), v.load(1), sum) })
	g.reduce(sum, "first")
	end()
}
