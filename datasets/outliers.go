package datasets

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
)

var outliersInfo = Info{
	Name: "outliers", Title: "Curve with outliers, 1-D", Kind: Builtin, Task: task.Regression,
	N: 400, D: 1, P: 1, Cached: true,
	Origin: "generated: Neal's curve of 1997 with Gaussian noise of sd 0.1, and of sd 1 for 5 % of the rows",
}

// outlierShare is the probability of an outlier.
const outlierShare = 0.05

// nealCurve is the noise-free target.
func nealCurve(x float64) float64 {
	return 0.3 + 0.4*x + 0.5*math.Sin(2.7*x) + 1.1/(1+x*x)
}

// outliers generates the 1-D data set with outliers of Neal ("Monte Carlo implementation of Gaussian
// process models for Bayesian regression and classification", 1997, arXiv:physics/9701026), with four
// times as many rows: x is standard normal, and some targets have much noise.
func outliers() *Dataset {
	rng := stream(generatorSeed, "outliers")
	n := outliersInfo.N
	x := mat.NewDense(n, 1, nil)
	y := mat.NewDense(n, 1, nil)
	for i := range n {
		at := rng.NormFloat64()
		noise := 0.1
		if rng.Float64() < outlierShare {
			noise = 1
		}
		x.Set(i, 0, at)
		y.Set(i, 0, nealCurve(at)+noise*rng.NormFloat64())
	}
	return outliersInfo.dataset(x, y, []string{"x"}, []string{"y"})
}
