package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"

	"dgplab/models/linalg/internal/avx"
)

// between emits the distances of as many pairs of points as there are, and their
// gradients.
func (g *generator) between() {
	g.routine("between", "func(n, dims int, dst, a *float64, aStride int, b *float64, bStride int, scale *float64)",
		"sets dst[p] to the squared scaled distance of a[p] and b[p].")
	aStride, bStride := avx.LoadBytes("aStride"), avx.LoadBytes("bStride")
	g.walk(arrays("dst", "a", "b"), func(v view) {
		sum := g.Vec()
		g.Zero(sum)
		a, b, scale, dims := GP64(), GP64(), avx.Load64("scale"), avx.Load64("dims")
		MOVQ(v.list[1].at, a)
		MOVQ(v.list[2].at, b)
		avx.While("dim"+v.suffix, dims, 1, func() {
			t := g.sub(v.loadAt(Mem{Base: a}), v.loadAt(Mem{Base: b}))
			c := g.Vec()
			VBROADCASTSD(Mem{Base: scale}, c)
			VMULPD(c, t, t)
			VFMADD231PD(t, t, sum)
			ADDQ(aStride, a)
			ADDQ(bStride, b)
			ADDQ(Imm(8), scale)
		})
		v.store(0, sum)
	})
	end()

	g.routine("pull", "func(n int, w, a, b, da, db *float64, c float64) (first float64)",
		"with t = a[p]-b[p], subtracts c*w[p]*t from da[p], adds it to db[p] and returns the sum of w[p]*t².")
	sum := g.Vec()
	g.Zero(sum)
	g.walk(arrays("w", "a", "b", "da", "db"), func(v view) {
		t := g.sub(v.load(1), v.load(2))
		u := g.mul(t, v.load(0))
		VFMADD231PD(u, t, sum)
		u = g.mul(u, g.Broadcast("c"))
		v.store(3, g.sub(v.load(3), u))
		v.store(4, g.add(u, v.load(4)))
	})
	g.reduce(sum, "first")
	end()
}
