package datasets

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
)

var bimodalInfo = Info{
	Name: "bimodal", Title: "Two branches, 1-D", Kind: Builtin, Task: task.Regression,
	N: 600, D: 1, P: 1, Cached: true,
	Origin: "generated: a wave that splits into two branches, the upper one with probability 2/3, " +
		"Gaussian noise of sd 0.05",
}

// branchNoise is the standard deviation of the noise, and upperShare is the probability of the upper
// branch.
const branchNoise, upperShare = 0.05, 2. / 3

// branchMeans returns the noise-free values of both branches at x, lower branch first. They meet at
// -2 and 2 and are farthest apart at 0.
func branchMeans(x float64) (lower, upper float64) {
	centre := 0.5 * math.Sin(2*x)
	half := 0.5 + 0.5*math.Cos(math.Pi*x/2)
	return centre - half, centre + half
}

// bimodal generates a 1-D data set whose targets have two modes: y is the value of a branch, chosen
// at random for each point, plus noise, and x is uniform on [-2, 2]. A function of x with Gaussian
// noise cannot describe such targets; a latent variable per point can select the branch. Mixtures
// of two functions are a common first example for latent variables.
func bimodal() *Dataset {
	rng := stream(generatorSeed, "bimodal")
	n := bimodalInfo.N
	x := mat.NewDense(n, 1, nil)
	y := mat.NewDense(n, 1, nil)
	for i := range n {
		v := uniform(rng, -2, 2)
		mean, upper := branchMeans(v)
		if rng.Float64() < upperShare {
			mean = upper
		}
		x.Set(i, 0, v)
		y.Set(i, 0, mean+branchNoise*rng.NormFloat64())
	}
	return bimodalInfo.dataset(x, y, []string{"x"}, []string{"y"})
}
