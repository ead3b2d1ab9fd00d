package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"

	"dgplab/models/linalg/internal/avx"
)

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

	g.colDots()
}

// colDots emits, for n columns, the sum over `rows` rows of the products of two
// matrices with the same stride.
func (g *generator) colDots() {
	g.routine("colDots", "func(n, rows, stride int, dst, a, b *float64)", "sets dst[j] to the sum over i of a[i*stride+j]*b[i*stride+j].")
	stride := avx.LoadBytes("stride")
	g.walk(arrays("dst", "a", "b"), func(v view) {
		sum := g.Vec()
		g.Zero(sum)
		x, y, rows := GP64(), GP64(), avx.Load64("rows")
		MOVQ(v.list[1].at, x)
		MOVQ(v.list[2].at, y)
		avx.While("row"+v.suffix, rows, 1, func() {
			VFMADD231PD(v.loadAt(Mem{Base: x}), v.loadAt(Mem{Base: y}), sum)
			ADDQ(stride, x)
			ADDQ(stride, y)
		})
		v.store(0, sum)
	})
	end()
}
