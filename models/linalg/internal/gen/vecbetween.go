package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// between emits the distances between pairs of points, and their gradients.
func (g *generator) between() {
	g.routine("between",
		"func(n, dims int, dst, a *float64, aStride int, b *float64, bStride int, scale *float64)",
		"sets dst[p] to the squared scaled distance between a[p] and b[p].")
	aStride := loadBytes("aStride")
	bStride := loadBytes("bStride")
	g.walk(arrays("dst", "a", "b"), func(v view) {
		sum := g.Vec()
		g.Zero(sum)
		a := GP64()
		b := GP64()
		scale := load64("scale")
		dims := load64("dims")
		MOVQ(v.list[1].at, a)
		MOVQ(v.list[2].at, b)
		while("dim"+v.suffix, dims, 1, func() {
			t := g.sub(v.loadAt(a), v.loadAt(b))
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

	g.sumProducts()
	g.covarianceSlopes()
	g.routine("pull", "func(n int, w, a, b, da, db *float64, c float64) (first float64)",
		"with t = a[p]-b[p], subtracts c*w[p]*t from da[p], adds it to db[p] and returns the sum "+
			"of w[p]*t².")
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

// covarianceSlopes emits kernels together with their slopes.
func (g *generator) covarianceSlopes() {
	times := func(x reg.VecVirtual, y Op) reg.VecVirtual {
		return g.mul(g.mul(x, y), g.Broadcast("variance"))
	}
	forms := []struct {
		name string
		of   func(r2 reg.VecVirtual) (covariance, slope reg.VecVirtual)
	}{
		{"rbfBoth", func(r2 reg.VecVirtual) (covariance, slope reg.VecVirtual) {
			k := g.mul(g.exp(g.mul(r2, g.number(-0.5))), g.Broadcast("variance"))
			return k, k
		}},
		{"matern32Both", func(r2 reg.VecVirtual) (covariance, slope reg.VecVirtual) {
			s := g.root(r2, 3)
			e := g.exp(g.negated(s))
			return times(e, g.add(s, g.number(1))), times(e, g.number(3))
		}},
		{"matern52Both", func(r2 reg.VecVirtual) (covariance, slope reg.VecVirtual) {
			s := g.root(r2, 5)
			e := g.exp(g.negated(s))
			factor := g.fill(1)
			g.addTo(factor, g.number(1.0/3), s)
			factor = g.next(factor, s, 1)
			steep := g.fill(5.0 / 3)
			VFMADD213PD(steep, s, steep)
			return times(e, factor), times(e, steep)
		}},
	}
	for _, form := range forms {
		g.routine(form.name, "func(n int, k, r2 *float64, variance float64)",
			"sets k[p] to the covariance at r2[p], and r2[p] to the slope there.")
		g.walk(arrays("k", "r2"), func(v view) {
			covariance, slope := form.of(v.load(1))
			v.store(0, covariance)
			v.store(1, slope)
		})
		end()
	}
}

// sumProducts emits sums of products of rows, and products of rows with one vector.
func (g *generator) sumProducts() {
	for _, add := range []bool{false, true} {
		name := "sumProducts"
		text := "sets dst[p] to the sum over the rows r < k of a[r][p]*b[r][p]."
		if add {
			name = "addProducts"
			text = "adds the sum over the rows r < k of a[r][p]*b[r][p] to dst[p]."
		}
		g.routine(name, "func(n, k int, dst, a *float64, aStride int, b *float64, bStride int)", text)
		aStride := loadBytes("aStride")
		bStride := loadBytes("bStride")
		const vectors = 4 // hides the latency of the sums
		g.walkWide(arrays("dst", "a", "b"), vectors, func(views []view) {
			sums := make([]reg.VecVirtual, len(views))
			for i, v := range views {
				if add {
					sums[i] = v.load(0)
					continue
				}
				sums[i] = g.Vec()
				g.Zero(sums[i])
			}
			first := views[0]
			a := GP64()
			b := GP64()
			rows := load64("k")
			MOVQ(first.list[1].at, a)
			MOVQ(first.list[2].at, b)
			while("row"+first.suffix, rows, 1, func() {
				for i, v := range views {
					VFMADD231PD(v.loadAt(a), v.loadAt(b), sums[i])
				}
				ADDQ(aStride, a)
				ADDQ(bStride, b)
			})
			for i, v := range views {
				v.store(0, sums[i])
			}
		})
		end()
	}

	g.triangularProducts()
	g.routine("addOuter", "func(n, k int, dst *float64, dstStride int, x, y *float64, yStride int)",
		"adds x[p]*y[r][p] to dst[r][p] for the rows r < k.")
	dstStride := loadBytes("dstStride")
	yStride := loadBytes("yStride")
	g.walk(arrays("dst", "x", "y"), func(v view) {
		x := v.load(1)
		dst := GP64()
		y := GP64()
		rows := load64("k")
		MOVQ(v.list[0].at, dst)
		MOVQ(v.list[2].at, y)
		while("row"+v.suffix, rows, 1, func() {
			sum := v.loadAt(dst)
			VFMADD231PD(x, v.loadAt(y), sum)
			v.storeAt(dst, sum)
			ADDQ(dstStride, dst)
			ADDQ(yStride, y)
		})
	})
	end()
}

// triangularProducts emits the products of triangular matrices and columns, whose entries are rows of
// numbers.
func (g *generator) triangularProducts() {
	g.routine("triangularProducts",
		"func(n, m int, dst *float64, dstNext int, a *float64, aNext, aStep int, x *float64, "+
			"xNext, xStep int, first, more int)",
		"sets m rows of dst to sums of products of rows of a and x. A sum has first terms, and more terms "+
			"than the one before. Its rows are Step bytes apart, and begin Next bytes after those of the "+
			"one before.")
	g.walk(arrays("dst", "a", "x"), func(v view) {
		copied := func(from reg.GPVirtual) reg.GPVirtual {
			to := GP64()
			MOVQ(from, to)
			return to
		}
		dst := copied(v.list[0].at)
		a := copied(v.list[1].at)
		x := copied(v.list[2].at)
		terms := load64("first")
		while("sum"+v.suffix, load64("m"), 1, func() {
			sum := g.Vec()
			g.Zero(sum)
			b := copied(a)
			y := copied(x)
			while("term"+v.suffix, copied(terms), 1, func() {
				VFMADD231PD(v.loadAt(b), v.loadAt(y), sum)
				ADDQ(argument("aStep"), b)
				ADDQ(argument("xStep"), y)
			})
			v.storeAt(dst, sum)
			ADDQ(argument("dstNext"), dst)
			ADDQ(argument("aNext"), a)
			ADDQ(argument("xNext"), x)
			ADDQ(argument("more"), terms)
		})
	})
	end()
}
