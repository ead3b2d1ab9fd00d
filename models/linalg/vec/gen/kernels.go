package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"dgplab/models/linalg/internal/avx"
)

// kernelRows emits one row of each stationary kernel and of the squared
// distances: the distances of n points x, feature-major with a stride, from z,
// divided by the lengthscales (times scale), and a function of them.
func (g *generator) kernelRows() {
	const signature = "func(n, dims, stride int, dst, x, z, scale *float64, variance float64)"
	one := func() reg.VecVirtual { return g.fill(1) }
	rows := []struct {
		name, text string
		covariance func(r2 reg.VecVirtual) reg.VecVirtual
	}{
		{"distanceRow", "sets dst[p] to variance*r2.", func(r2 reg.VecVirtual) reg.VecVirtual { return r2 }},
		{"rbfRow", "sets dst[p] to variance*exp(-r2/2).", func(r2 reg.VecVirtual) reg.VecVirtual {
			return g.exp(g.mul(r2, g.number(-0.5)))
		}},
		{"matern32Row", "sets dst[p] to variance*(1+s)*exp(-s), s = sqrt(3 r2).", func(r2 reg.VecVirtual) reg.VecVirtual {
			s := g.root(r2, 3)
			return g.mul(g.exp(g.negated(s)), g.add(s, g.number(1)))
		}},
		{"matern52Row", "sets dst[p] to variance*(1+s+s²/3)*exp(-s), s = sqrt(5 r2).", func(r2 reg.VecVirtual) reg.VecVirtual {
			s := g.root(r2, 5)
			factor := one()
			VFMADD231PD(g.number(1.0/3), s, factor)
			VFMADD213PD(g.number(1), s, factor)
			return g.mul(g.exp(g.negated(s)), factor)
		}},
	}
	for _, row := range rows {
		g.routine(row.name, signature, row.text)
		stride := avx.LoadBytes("stride")
		z, scale := avx.Load64("z"), avx.Load64("scale")
		g.walk(arrays("dst", "x"), func(v view) {
			r2 := g.distances(v, stride, z, scale)
			v.store(0, g.mul(row.covariance(r2), g.Broadcast("variance")))
		})
		end()
	}
}

// distances emits the sum over dimensions of ((z-x)*scale)².
func (g *generator) distances(v view, stride, z, scale reg.GPVirtual) reg.VecVirtual {
	sum := g.Vec()
	g.Zero(sum)
	x, d, dims := GP64(), GP64(), avx.Load64("dims")
	MOVQ(v.list[1].at, x)
	XORQ(d, d)
	avx.While("dim"+v.suffix, dims, 1, func() {
		t, c := g.Vec(), g.Vec()
		VBROADCASTSD(Mem{Base: z, Index: d, Scale: 8}, t)
		VBROADCASTSD(Mem{Base: scale, Index: d, Scale: 8}, c)
		VSUBPD(v.loadAt(Mem{Base: x}), t, t)
		VMULPD(c, t, t)
		VFMADD231PD(t, t, sum)
		ADDQ(stride, x)
		INCQ(d)
	})
	return sum
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

// differences emits the inner loops of the kernels' gradients: with t = z-x[p],
// the sums of w[p]*t and w[p]*t², and in one of two versions dx[p] += c*w[p]*t.
func (g *generator) differences() {
	for _, into := range []bool{false, true} {
		name, signature := "weighted", "func(n int, w, x *float64, z float64) (first, second float64)"
		names := []string{"w", "x"}
		text := "returns the sums of w[p]*(z-x[p]) and w[p]*(z-x[p])²."
		if into {
			name, signature = "weightedInto", "func(n int, w, x, dx *float64, z, c float64) (first, second float64)"
			names = append(names, "dx")
			text = "does the same and adds c*w[p]*(z-x[p]) to dx[p]."
		}
		g.routine(name, signature, text)
		first, second := g.Vec(), g.Vec()
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

// reduce stores the sum of all lanes in a result.
func (g *generator) reduce(r reg.VecVirtual, result string) {
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
	Store(low, ReturnIndex(map[string]int{"first": 0, "second": 1}[result]))
}
