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
}
