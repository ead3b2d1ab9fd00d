package datasets

import (
	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
)

var stepsInfo = Info{
	Name: "steps", Title: "Noisy steps, 1-D", Kind: Builtin, Task: task.Regression,
	N: 500, D: 1, P: 1, Cached: true,
	Origin: "generated: a staircase with five levels, constant in between, Gaussian noise of sd 0.05",
}

// stepEdges and stepLevels define the staircase: stepLevels[i] applies below stepEdges[i], and the
// last level applies beyond the last edge.
var (
	stepEdges  = []float64{-1.1, -0.4, 0.25, 1.2}
	stepLevels = []float64{0, 1, -0.5, 0.5, 2}
)

const stepNoise = 0.05

// stepFunction returns the noise-free value at x.
func stepFunction(x float64) float64 {
	for i, edge := range stepEdges {
		if x < edge {
			return stepLevels[i]
		}
	}
	return stepLevels[len(stepEdges)]
}

// steps generates a 1-D data set: y = f(x) + noise, where f is piecewise constant with jumps up and
// down of different heights and x is uniform on [-2, 2]. A stationary kernel cannot have a long
// lengthscale on the treads and a short one at the edges; a second layer can warp the input
// accordingly. Step functions are a common first example for deep GPs.
func steps() *Dataset {
	rng := stream(generatorSeed, "steps")
	n := stepsInfo.N
	x := mat.NewDense(n, 1, nil)
	y := mat.NewDense(n, 1, nil)
	for i := range n {
		v := uniform(rng, -2, 2)
		x.Set(i, 0, v)
		y.Set(i, 0, stepFunction(v)+stepNoise*rng.NormFloat64())
	}
	return stepsInfo.dataset(x, y, []string{"x"}, []string{"y"})
}
