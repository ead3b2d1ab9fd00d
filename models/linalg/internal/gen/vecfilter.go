package main

import (
	. "github.com/mmcloughlin/avo/build"
)

// filter emits the inner loops of probabilistic backpropagation.
func (g *generator) filter() {
	g.routine("productMoments",
		"func(n int, mean, variance, a, aVariance, aSquare *float64) (first, second float64)",
		"returns the sums of mean[i]*a[i] and of mean[i]²*aVariance[i] + variance[i]*aSquare[i].")
	first := g.Vec()
	second := g.Vec()
	g.Zero(first)
	g.Zero(second)
	g.walk(arrays("mean", "variance", "a", "aVariance", "aSquare"), func(v view) {
		mean := v.load(0)
		VFMADD231PD(v.load(2), mean, first)
		VFMADD231PD(g.mul(mean, mean), v.load(3), second)
		VFMADD231PD(v.load(1), v.load(4), second)
	})
	g.reduce(first, "first")
	g.reduce(second, "second")
	end()

	g.routine("updateMoments",
		"func(n int, mean, variance, a, aVariance, aSquare, da, daVariance *float64, "+
			"slope, half float64) (first float64)",
		"updates Gaussians and returns the number of those that changed; see UpdateMoments.")
	moved := g.Vec()
	g.Zero(moved)
	slope := g.Broadcast("slope")
	half := g.Broadcast("half")
	twice := g.add(half, half)
	g.walk(arrays("mean", "variance", "a", "aVariance", "aSquare", "da", "daVariance"), func(v view) {
		mean := v.load(0)
		variance := v.load(1)
		a := v.load(2)
		// Derivatives with respect to the factor a.
		da := v.load(5)
		VFMADD231PD(slope, mean, da)
		VFMADD231PD(twice, g.mul(variance, a), da)
		v.store(5, da)
		square := g.copied(variance)
		VFMADD231PD(mean, mean, square)
		daVariance := v.load(6)
		VFMADD231PD(half, square, daVariance)
		v.store(6, daVariance)
		// Derivatives with respect to the weights.
		first := g.mul(slope, a)
		VFMADD231PD(g.mul(mean, v.load(3)), twice, first)
		second := g.mul(half, v.load(4))
		change := g.add(second, second)
		VFMSUB231PD(first, first, change) // first² - 2 second
		next := g.copied(variance)
		VFNMADD231PD(g.mul(variance, variance), change, next)
		VFMADD231PD(variance, first, mean)
		zero := g.Vec()
		g.Zero(zero)
		isPositive := g.replacing(less, zero, next)
		one := g.Vec()
		g.Zero(one)
		isPositive(one, g.number(1))
		VADDPD(one, moved, moved)
		old := v.load(0)
		isPositive(old, mean)
		v.store(0, old)
		isPositive(variance, next)
		v.store(1, variance)
	})
	g.reduce(moved, "first")
	end()
}
