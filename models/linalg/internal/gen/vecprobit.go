package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	invSqrt2Pi = 0.398942280401432677939946059934381868 // 1/sqrt(2 pi)
	halfLog2Pi = 0.918938533204672741780329736405617640 // log(2 pi)/2
	// Beyond densityEnds the normal density, below 2e-306, is replaced by 0. Beyond this point it
	// would be denormal, and operations on denormal numbers take a hundred processor cycles.
	densityEnds = 37.5
	// pole is K of the variable t of mills.
	pole = 5
)

// millsSeries holds the coefficients of (a+K) M(a) as a polynomial in t, for Mills' ratio M: the
// first 23 terms of its Chebyshev series, computed with 60 digits. The remainder is below 1.3e-16
// of the sum.
var millsSeries = []float64{
	1.9280810471531575, -1.667866595188962, 1.241547061573877, -0.7859110755463842, 0.41364471573217226,
	-0.17325473409133701, 0.05212550242182693, -0.007503282770439648,
	-0.0019999620670556138, 0.0013658588260150296,
	-0.00014883252854029768, -0.00012473429411922815, 4.181269707272043e-05, 9.971212523126543e-06,
	-6.9405498481783575e-06, -8.29951776733244e-07, 1.0865648093633823e-06, 8.984895390080813e-08,
	-1.6898908396071304e-07, -1.2601401701289641e-08, 2.324918339616538e-08, 1.2681778133106914e-09,
	-1.968820796668673e-09,
}

// probit emits the sums over quadrature points of the logarithm of the normal distribution function
// and of its derivative.
func (g *generator) probit() {
	g.routine("probitSums", "func(n, nodes int, value, first, second, mean, scale, x, w *float64)",
		"sets value[i] to the sum of w[k]*log Phi(mean[i]±scale[i]*x[k]) over k and both signs, and "+
			"first[i] and second[i] to its derivatives with respect to mean[i] and scale[i].")
	g.crowded = true
	g.walk(arrays("value", "first", "second", "mean", "scale"), func(v view) {
		sums := [3]reg.VecVirtual{g.fill(0), g.fill(0), g.fill(0)}
		nodes := load64("nodes")
		x := load64("x")
		w := load64("w")
		while("node"+v.suffix, nodes, 1, func() {
			// Load these values here, because there are too few registers to keep them.
			mean := v.load(3)
			scale := v.load(4)
			above := g.broadcast(x)
			below := g.copied(mean)
			VFNMADD231PD(scale, above, below)
			VFMADD213PD(mean, scale, above)
			up, upSlope := g.logCDF(above)
			down, downSlope := g.logCDF(below)

			weight := g.broadcast(w)
			VFMADD231PD(weight, g.add(up, down), sums[0])
			VFMADD231PD(weight, g.add(upSlope, downSlope), sums[1])
			VFMADD231PD(g.mul(weight, g.broadcast(x)), g.sub(upSlope, downSlope), sums[2])
			ADDQ(Imm(8), x)
			ADDQ(Imm(8), w)
		})
		for i, sum := range sums {
			v.store(i, sum)
		}
	})
	g.crowded = false
	end()
}

// normal emits the normal distribution function and density.
func (g *generator) normal() {
	g.routine("normal", "func(n int, cdf, pdf, z *float64)",
		"sets cdf[i] to Phi(z[i]) and pdf[i] to its derivative.")
	g.walk(arrays("cdf", "pdf", "z"), func(v view) {
		z := v.load(2)
		a := g.op2(VANDPD, z, g.bits(1<<63-1))
		density := g.density(a)
		above := g.mul(density, g.mills(a))
		cdf := g.sub(g.fill(1), above)
		g.replacing(less, z, g.number(0))(cdf, above)
		v.store(0, cdf)
		v.store(1, density)
	})
	end()
}

// broadcast returns a new register with the number at an address in every lane.
func (g *generator) broadcast(at reg.GPVirtual) reg.VecVirtual {
	r := g.Vec()
	VBROADCASTSD(Mem{Base: at}, r)
	return r
}

// logCDF emits log Phi(z) and its derivative. With Mills' ratio M at a = |z| and the density phi
// they are, for z < 0,
//
//	log M(a) - a²/2 - log(2 pi)/2 and 1/M(a),
//
// and for z >= 0, with p = phi(a) M(a) the probability above z,
//
//	log(1-p) and phi(a)/(1-p).
//
// For z >= 0, the logarithm is corrected to first order for the digits of p that are lost in 1-p.
func (g *generator) logCDF(z reg.VecVirtual) (value, slope reg.VecVirtual) {
	a := g.op2(VANDPD, z, g.bits(1<<63-1))
	mills := g.mills(a)
	density := g.density(a)
	above := g.mul(density, mills)
	one := g.fill(1)
	below := g.sub(one, above)
	lost := g.sub(g.sub(one, below), above)

	ifNegative := g.replacing(less, z, g.number(0))
	ifNegative(below, mills)
	ifNegative(density, one)
	log, inverse := g.logInverse(below)
	low := g.sub(log, g.number(halfLog2Pi))
	VFNMADD231PD(g.mul(a, g.number(0.5)), a, low)
	VFMADD231PD(lost, inverse, log)
	ifNegative(log, low)
	return log, g.mul(inverse, density)
}

// mills emits Mills' ratio (1-Phi(a))/phi(a) for a >= 0, as M(a) = P(t)/(a+K) with the
// polynomial P in t = (a-K)/(a+K), which is from -1 to 1 (after Shepherd and
// Laframboise, "Chebyshev Approximation of (1+2x) exp(x²) erfc x in 0 <= x < inf",
// Mathematics of Computation 36 (1981), 249-253). The relative error is near 1e-15.
func (g *generator) mills(a reg.VecVirtual) reg.VecVirtual {
	u := g.div(g.fill(1), g.add(a, g.number(pole)))
	t := g.fill(1)
	g.subtractFrom(t, g.number(2*pole), u)
	// Even and odd powers are independent, so they are computed concurrently.
	var parts [2][]float64
	for i, c := range millsSeries {
		parts[i%2] = append(parts[i%2], c)
	}
	square := g.mul(t, t)
	even := g.polynomial(square, parts[0]...)
	odd := g.polynomial(square, parts[1]...)
	VFMADD231PD(t, odd, even)
	return g.mul(even, u)
}

// density emits phi(a) for a >= 0. A separate factor corrects the rounding error of a², which is
// amplified a thousandfold in the tail.
func (g *generator) density(a reg.VecVirtual) reg.VecVirtual {
	end := g.fill(densityEnds)
	near := g.op2(VMINPD, end, a) // the operand returned for NaN
	square := g.mul(near, near)
	lost := g.copied(square)
	VFMSUB231PD(near, near, lost) // near*near - square
	factor := g.fill(invSqrt2Pi)
	g.subtractFrom(factor, g.number(invSqrt2Pi/2), lost)
	density := g.mul(g.exp(g.mul(square, g.number(-0.5))), factor)
	g.replacing(less, end, a)(density, g.number(0))
	return density
}

// logInverse emits log(x) and 1/x for positive x that are not denormal, with a single division for
// both 1/x and the quotient in the logarithm. For x = 0 they are a finite number and +Inf; for NaN,
// at least 1/x is NaN.
func (g *generator) logInverse(x reg.VecVirtual) (log, inverse reg.VecVirtual) {
	k, f := g.split(x, g.number(0x1p52+1023))
	two := g.add(f, g.number(2))
	both := g.div(g.fill(1), g.mul(x, two))
	quotient := g.op2(VMINPD, g.mul(both, x), g.number(1)) // the second operand for 0*Inf
	if g.isa == neon {                                     // which has one pair of registers less
		inverse = g.mul(both, two)
		return g.logSum(k, f, g.mul(f, quotient)), inverse
	}
	return g.logSum(k, f, g.mul(f, quotient)), g.mul(both, two)
}
