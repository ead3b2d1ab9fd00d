package main

import . "github.com/mmcloughlin/avo/build"

// moments emits the inner loops of the marginals of a sparse GP and of their gradients.
func (g *generator) moments() {
	g.routine("addMoments", "func(n int, mean, variance, a *float64, m, e float64)",
		"adds m*a[p] to mean[p] and e*a[p]² to variance[p].")
	m := g.Broadcast("m")
	e := g.Broadcast("e")
	g.walk(arrays("mean", "variance", "a"), func(v view) {
		a := v.load(2)
		mean := v.load(0)
		variance := v.load(1)
		VFMADD231PD(a, m, mean)
		VFMADD231PD(g.mul(a, a), e, variance)
		v.store(0, mean)
		v.store(1, variance)
	})
	end()

	g.routine("pullMoments",
		"func(n int, da, a, dMean, dVariance *float64, m, e float64) (first, second float64)",
		"sets da[p] to m*dMean[p] + e*a[p]*dVariance[p] and returns the sums of a[p]*dMean[p] and "+
			"a[p]²*dVariance[p].")
	first := g.Vec()
	second := g.Vec()
	g.Zero(first)
	g.Zero(second)
	m = g.Broadcast("m")
	e = g.Broadcast("e")
	g.walk(arrays("da", "a", "dMean", "dVariance"), func(v view) {
		a := v.load(1)
		x := v.load(2)
		y := g.mul(a, v.load(3))
		VFMADD231PD(a, x, first)
		VFMADD231PD(a, y, second)
		out := g.mul(x, m)
		VFMADD231PD(y, e, out)
		v.store(0, out)
	})
	g.reduce(first, "first")
	g.reduce(second, "second")
	end()
}
