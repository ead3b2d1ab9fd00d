package datasets

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
)

var impactInfo = Info{
	Name: "impact", Title: "Impact with varying noise, 1-D", Kind: Builtin, Task: task.Regression,
	N: 300, D: 1, P: 1, Cached: true,
	Origin: "generated: acceleration of a head in an impact, " +
		"Gaussian noise of sd 1 before and up to 25 after it",
}

// impactMean returns the noise-free acceleration at a time in milliseconds: 0 until the impact at
// 14, then a decaying oscillation.
func impactMean(time float64) float64 {
	after := time - 14
	if after < 0 {
		return 0
	}
	return -190 * math.Sin(after*math.Pi/14) * math.Exp(-after/12)
}

// impactNoise returns the standard deviation of the noise at a time in milliseconds.
func impactNoise(time float64) float64 {
	rise := 1 / (1 + math.Exp(-(time - 17)))
	return 1 + 24*rise*math.Exp(-math.Max(time-25, 0)/30)
}

// impact generates a 1-D data set whose noise depends on the input, with x uniform on [0, 60]. It is
// modelled on Silverman's accelerations of a motorcycle helmet ("Some aspects of the spline smoothing
// approach to non-parametric regression curve fitting", JRSS B 47, 1985), the usual example of
// heteroscedastic noise. The curve and the noise differ from these measurements.
func impact() *Dataset {
	rng := stream(generatorSeed, "impact")
	n := impactInfo.N
	x := mat.NewDense(n, 1, nil)
	y := mat.NewDense(n, 1, nil)
	for i := range n {
		time := uniform(rng, 0, 60)
		x.Set(i, 0, time)
		y.Set(i, 0, impactMean(time)+impactNoise(time)*rng.NormFloat64())
	}
	return impactInfo.dataset(x, y, []string{"time"}, []string{"acceleration"})
}
