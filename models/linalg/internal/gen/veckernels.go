package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// kernels emits distances between points and the kernels as functions of them.
func (g *generator) kernels() {
	g.distances(1)
	g.distances(4)
	forms := []struct {
		name, text string
		of         func(r2 reg.VecVirtual) reg.VecVirtual
	}{
		{"rbf", "exp(-r2/2)", func(r2 reg.VecVirtual) reg.VecVirtual {
			return g.exp(g.mul(r2, g.number(-0.5)))
		}},
		{"matern32", "(1+s)*exp(-s), s = sqrt(3 r2)", func(r2 reg.VecVirtual) reg.VecVirtual {
			s := g.root(r2, 3)
			return g.mul(g.exp(g.negated(s)), g.add(s, g.number(1)))
		}},
		{"matern52", "(1+s+s²/3)*exp(-s), s = sqrt(5 r2)", func(r2 reg.VecVirtual) reg.VecVirtual {
			s := g.root(r2, 5)
			factor := g.fill(1)
			g.addTo(factor, g.number(1.0/3), s)
			factor = g.next(factor, s, 1)
			return g.mul(g.exp(g.negated(s)), factor)
		}},
		{"matern32Slope", "3*exp(-s), s = sqrt(3 r2)", func(r2 reg.VecVirtual) reg.VecVirtual {
			return g.mul(g.exp(g.negated(g.root(r2, 3))), g.number(3))
		}},
		{"matern52Slope", "5/3*(1+s)*exp(-s), s = sqrt(5 r2)", func(r2 reg.VecVirtual) reg.VecVirtual {
			s := g.root(r2, 5)
			factor := g.fill(5.0 / 3)
			VFMADD213PD(factor, s, factor)
			return g.mul(g.exp(g.negated(s)), factor)
		}},
	}
	for _, form := range forms {
		g.routine(form.name, "func(n int, dst, distance *float64, scale, variance float64)",
			"sets dst[p] to variance*"+form.text+", r2 = scale*distance[p].")
		g.walk(arrays("dst", "distance"), func(v view) {
			r2 := g.mul(v.load(1), g.Broadcast("scale"))
			v.store(0, g.mul(form.of(r2), g.Broadcast("variance")))
		})
		end()
	}
	for _, form := range append(forms[:1:1], forms[3:]...) {
		g.routine(form.name+"Pull",
			"func(n int, dst, distance, dk *float64, scale, variance, c float64) (first float64)",
			"with w = dk[p]*variance*"+form.text+", r2 = scale*distance[p], adds c*w to dst[p] and "+
				"returns the sum of w*distance[p].")
		sum := g.Vec()
		g.Zero(sum)
		g.walk(arrays("dst", "distance", "dk"), func(v view) {
			distance := v.load(1)
			w := form.of(g.mul(distance, g.Broadcast("scale")))
			w = g.mul(g.mul(w, g.Broadcast("variance")), v.load(2))
			dst := v.load(0)
			VFMADD231PD(w, g.Broadcast("c"), dst)
			VFMADD231PD(w, distance, sum)
			v.store(0, dst)
		})
		g.reduce(sum, "first")
		end()
	}
}

// distances emits the sums over the dimensions of ((z-x)*scale)², for groups of the given number of rows z
// and n points x, feature-major with a stride. The rows of a group share the loads of the points.
func (g *generator) distances(rows int) {
	g.routine(fmt.Sprintf("distances%d", rows),
		"func(groups, n, dims int, dst *float64, dstStride int, x *float64, xStride int, z, scale *float64)",
		fmt.Sprintf("sets dst[m*dstStride+p] to the squared scaled distance between z[m] and x[p], for "+
			"groups of %d m.", rows))
	Label("group")
	xStride := loadBytes("xStride")
	zRow := loadBytes("dims")
	g.walk(arrays("dst", "x"), func(v view) {
		sums := make([]reg.VecVirtual, rows)
		for m := range sums {
			sums[m] = g.Vec()
			g.Zero(sums[m])
		}
		x := GP64()
		z := load64("z")
		scale := load64("scale")
		dims := load64("dims")
		MOVQ(v.list[1].at, x)
		// The third row is at z+2*zRow, the fourth at upper+2*zRow.
		upper := GP64()
		LEAQ(Mem{Base: z, Index: zRow, Scale: 1}, upper)
		while("dim"+v.suffix, dims, 1, func() {
			c := g.Vec()
			VBROADCASTSD(Mem{Base: scale}, c)
			point := v.loadAt(x)
			for m, at := range []Mem{{Base: z}, {Base: upper}, {Base: z, Index: zRow, Scale: 2},
				{Base: upper, Index: zRow, Scale: 2}}[:rows] {
				t := g.Vec()
				VBROADCASTSD(at, t)
				VSUBPD(point, t, t)
				VMULPD(c, t, t)
				VFMADD231PD(t, t, sums[m])
			}
			ADDQ(xStride, x)
			for _, r := range []reg.GPVirtual{z, upper, scale} {
				ADDQ(Imm(8), r)
			}
		})
		out := GP64()
		stride := loadBytes("dstStride")
		MOVQ(v.list[0].at, out)
		for _, sum := range sums {
			v.storeAt(out, sum)
			ADDQ(stride, out)
		}
	})
	// The arguments are the state of the loop over groups.
	next := loadBytes("dstStride")
	for range rows {
		ADDQ(next, argument("dst"))
		ADDQ(zRow, argument("z"))
	}
	DECQ(argument("groups"))
	JNZ(LabelRef("group"))
	end()
}

// root emits sqrt(factor*x).
func (g *generator) root(x reg.VecVirtual, factor float64) reg.VecVirtual {
	r := g.mul(x, g.number(factor))
	VSQRTPD(r, r)
	return r
}

func (g *generator) negated(x reg.VecVirtual) reg.VecVirtual {
	return g.op2(VXORPD, x, g.bits(1<<63))
}

// differences emits the inner loops of the kernels' gradients: with t = z-x[p], the sums of w[p]*t
// and w[p]*t², and in one of two versions dx[p] += c*w[p]*t.
func (g *generator) differences() {
	for _, into := range []bool{false, true} {
		name := "weighted"
		signature := "func(n int, w, x *float64, z float64) (first, second float64)"
		names := []string{"w", "x"}
		text := "returns the sums of w[p]*(z-x[p]) and w[p]*(z-x[p])²."
		if into {
			name = "weightedInto"
			signature = "func(n int, w, x, dx *float64, z, c float64) (first, second float64)"
			names = append(names, "dx")
			text = "returns the sums of w[p]*(z-x[p]) and w[p]*(z-x[p])², and adds c*w[p]*(z-x[p]) to dx[p]."
		}
		g.routine(name, signature, text)
		first := g.Vec()
		second := g.Vec()
		g.Zero(first)
		g.Zero(second)
		z := g.Broadcast("z")
		g.walk(arrays(names...), func(v view) {
			t := g.sub(z, v.load(1))
			u := g.mul(t, v.load(0))
			VADDPD(u, first, first)
			VFMADD231PD(u, t, second)
			if into {
				dx := v.load(2)
				VFMADD231PD(g.Broadcast("c"), u, dx)
				v.store(2, dx)
			}
		})
		g.reduce(first, "first")
		g.reduce(second, "second")
		end()
	}
}

// differences4 emits weightedInto for four rows of w and four numbers z at a time.
func (g *generator) differences4() {
	const rows = 4
	g.routine("weightedInto4",
		"func(n int, w *float64, wStride int, x, dx, z *float64, zStride int, c float64, sums *float64)",
		"is weightedInto for four rows of w and four numbers z, and stores the sums.")
	var first, second [rows]reg.VecVirtual
	for m := range rows {
		first[m] = g.Vec()
		second[m] = g.Vec()
		g.Zero(first[m])
		g.Zero(second[m])
	}
	wStride := loadBytes("wStride")
	zStride := loadBytes("zStride")
	g.walk(arrays("w", "x", "dx"), func(v view) {
		x := v.load(1)
		dx := v.load(2)
		w := GP64()
		MOVQ(v.list[0].at, w)
		z := load64("z")
		for m := range rows {
			t := g.Vec()
			VBROADCASTSD(Mem{Base: z}, t)
			VSUBPD(x, t, t)
			u := g.mul(t, v.loadAt(w))
			VADDPD(u, first[m], first[m])
			VFMADD231PD(u, t, second[m])
			VFMADD231PD(g.Broadcast("c"), u, dx)
			ADDQ(wStride, w)
			ADDQ(zStride, z)
		}
		v.store(2, dx)
	})
	at := load64("sums")
	for m := range rows {
		VMOVSD(g.total(first[m]), Mem{Base: at, Disp: 8 * m})
		VMOVSD(g.total(second[m]), Mem{Base: at, Disp: 8 * (rows + m)})
	}
	end()
}

// reduce stores the sum of all lanes in a result.
func (g *generator) reduce(r reg.VecVirtual, result string) {
	Store(g.total(r), ReturnIndex(map[string]int{"first": 0, "second": 1}[result]))
}

// total returns the sum of all lanes.
func (g *generator) total(r reg.VecVirtual) reg.VecVirtual {
	var y reg.VecVirtual = r
	if g.Wide() {
		high := YMM()
		VEXTRACTF64X4(U8(1), r, high)
		VADDPD(r.AsY(), high, high)
		y = high
	}
	low := XMM()
	VEXTRACTF128(U8(1), y.AsY(), low)
	VADDPD(y.AsX(), low, low)
	VHADDPD(low, low, low)
	return low
}
