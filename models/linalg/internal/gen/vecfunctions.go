package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The two parts of log 2 are from FreeBSD's e_exp.c. The first has enough trailing zeros for exact
// products with exponents.
const (
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
	log2E   = 1.44269504088896338700e+00
)

// elementwise emits exp, log, softplus and reciprocal square roots.
func (g *generator) elementwise() {
	g.routine("exp", "func(n int, dst, src *float64)", "sets dst[i] to exp(src[i]).")
	g.walk(arrays("dst", "src"), func(v view) { v.store(0, g.exp(v.load(1))) })
	end()
	g.routine("log", "func(n int, dst, src *float64)", "sets dst[i] to log(src[i]).")
	g.walk(arrays("dst", "src"), func(v view) { v.store(0, g.log(v.load(1))) })
	end()
	g.routine("softplus", "func(n int, dst, src *float64)", "sets dst[i] to log(1 + exp(src[i])).")
	g.walk(arrays("dst", "src"), func(v view) { v.store(0, g.softplus(v.load(1))) })
	end()
	g.routine("root", "func(n int, dst, src *float64)", "sets dst[i] to sqrt(src[i]).")
	g.walk(arrays("dst", "src"), func(v view) {
		r := v.load(1)
		VSQRTPD(r, r)
		v.store(0, r)
	})
	end()
	g.routine("inverseRoot", "func(n int, dst, src *float64)", "sets dst[i] to 1/sqrt(src[i]).")
	g.walk(arrays("dst", "src"), func(v view) {
		r := v.load(1)
		VSQRTPD(r, r)
		v.store(0, g.div(g.fill(1), r))
	})
	end()
}

// softplus emits max(x, 0) + log(1+e) with e = exp(-|x|). The sum 1+e loses digits of e, which the
// factor e/((1+e) - 1) restores (Higham, "Accuracy and Stability of Numerical Algorithms", 2002,
// section 1.14.1). If the sum rounds to 1, log(1+e) is e.
func (g *generator) softplus(x reg.VecVirtual) reg.VecVirtual {
	zero := g.Vec()
	g.Zero(zero)
	positive := g.op2(VMAXPD, zero, x) // the operand returned for NaN
	e := g.exp(g.op2(VORPD, x, g.bits(1<<63)))
	sum := g.add(e, g.number(1))
	excess := g.sub(sum, g.number(1))
	log := g.div(g.mul(g.log(sum), e), excess)
	return g.add(positive, g.choose(equal, excess, zero, e, log))
}

// exp emits exp(x) = 2^k exp(r), with r = x - k log 2 at most half of log 2. exp(r) is evaluated by
// its Taylor series, with a remainder below 6e-18.
func (g *generator) exp(x reg.VecVirtual) reg.VecVirtual {
	// Beyond these bounds the result is 0 or +Inf. For NaN, VMINPD and VMAXPD return the second
	// operand (the first in this syntax).
	x = g.op2(VMINPD, g.fill(710), x)
	x = g.op2(VMAXPD, g.fill(-746), x)
	k := g.round(g.mul(x, g.number(log2E)))
	r := g.copied(x)
	g.subtractFrom(r, g.number(ln2High), k)
	g.subtractFrom(r, g.number(ln2Low), k)

	coefficients := []float64{1}
	factorial := 1.0
	for i := 1; i <= 13; i++ {
		factorial *= float64(i)
		coefficients = append(coefficients, 1/factorial)
	}
	p := g.polynomial(r, coefficients...)
	return g.scale(p, k)
}

// scale emits p*2^k with a single rounding. k may be outside the range of exponents.
func (g *generator) scale(p, k reg.VecVirtual) reg.VecVirtual {
	if g.Wide() {
		return g.op2(VSCALEFPD, p, k)
	}
	// 2^k is computed as the product of two representable powers. Adding 1.5*2^52 moves an integer
	// to the last bits.
	half := g.round(g.mul(k, g.number(0.5)))
	for _, part := range []reg.VecVirtual{half, g.sub(k, half)} {
		power := g.add(part, g.number(0x1.8p52+1023))
		VPSLLQ(U8(52), power, power)
		p = g.mul(p, power)
	}
	return p
}

// log emits log(x) for all x.
func (g *generator) log(x reg.VecVirtual) reg.VecVirtual {
	// Scale denormal numbers to normal ones.
	smallest := g.number(0x1p-1022)
	y := g.choose(less, x, smallest, g.mul(x, g.number(0x1p54)), x)
	bias := g.choose(less, x, smallest, g.fill(0x1p52+1023+54), g.fill(0x1p52+1023))
	k, f := g.split(y, bias)
	sum := g.logSum(k, f, g.div(f, g.add(f, g.number(2))))

	sum = g.choose(equal, x, g.number(inf), x, sum)
	zero := g.Vec()
	g.Zero(zero)
	sum = g.choose(equal, x, zero, g.fill(-inf), sum)
	return g.choose(notGreatEqual, x, zero, g.fill(nan), sum)
}

// split emits k and f with x = 2^k (1+f) and 1+f between sqrt(1/2) and sqrt(2), for positive x that
// are not denormal. bias is 2^52 plus the number to subtract from the biased exponent.
func (g *generator) split(x reg.VecVirtual, bias Op) (k, f reg.VecVirtual) {
	const (
		sqrtHalf = 0x3fe6a09e667f3bcd
		one      = 0x3ff0000000000000
		fraction = 1<<52 - 1
	)
	u := g.op2(VPADDQ, x, g.bits(one-sqrtHalf))
	k = g.Vec()
	VPSRLQ(U8(52), u, k)
	k = g.sub(g.op2(VORPD, k, g.number(0x1p52)), bias)
	m := g.op2(VPADDQ, g.op2(VANDPD, u, g.bits(fraction)), g.bits(sqrtHalf))
	return k, g.sub(m, g.number(1))
}

// logSum emits k log 2 + log(1+f) by the algorithm of FreeBSD's e_log.c: with
// s = f/(2+f),
//
//	log(1+f) = f - (f²/2 - s*(f²/2 + R(s²)))
func (g *generator) logSum(k, f, s reg.VecVirtual) reg.VecVirtual {
	z := g.mul(s, s)
	r := g.mul(g.polynomial(z, 6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01,
		2.222219843214978396e-01, 1.818357216161805012e-01, 1.531383769920937332e-01,
		1.479819860511658591e-01), z)
	half := g.mul(g.mul(f, g.number(0.5)), f)
	// k*ln2High - ((half - (s*(half+r) + k*ln2Low)) - f)
	low := g.mul(s, g.add(half, r))
	g.addTo(low, g.number(ln2Low), k)
	sum := g.sub(g.sub(half, low), f)
	high := g.number(ln2High)
	g.form(VFMSUB231PD, VFMSUB231PD_BCST, high)(high, k, sum)
	return sum
}
