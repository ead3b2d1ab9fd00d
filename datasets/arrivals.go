package datasets

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"dgplab/datasets/task"
)

var arrivalsInfo = Info{
	Name: "arrivals", Title: "Arrivals per hour, 1-D counts", Kind: Builtin, Task: task.Count,
	N: 400, D: 1, P: 1, Cached: true,
	Origin: "generated: counts of a Poisson process whose rate over a day falls to 0.2 and rises to 20",
}

// arrivalRate returns the expected number of arrivals at an hour from 0 to 24. It is low at night
// and high in the morning and the evening.
func arrivalRate(hour float64) float64 {
	peak := func(height, centre, width float64) float64 {
		return height * math.Exp(-0.5*(hour-centre)*(hour-centre)/(width*width))
	}
	return 0.2 + peak(18, 8.5, 1.5) + peak(5, 13, 2) + peak(12, 18, 1.8)
}

// arrivals generates a 1-D data set of counts: y is a Poisson number with the mean arrivalRate(x), and
// x is uniform on [0, 24]. Small counts are far from Gaussian.
func arrivals() *Dataset {
	rng := stream(generatorSeed, "arrivals")
	n := arrivalsInfo.N
	x := mat.NewDense(n, 1, nil)
	y := mat.NewDense(n, 1, nil)
	for i := range n {
		hour := uniform(rng, 0, 24)
		x.Set(i, 0, hour)
		y.Set(i, 0, distuv.Poisson{Lambda: arrivalRate(hour), Src: rng}.Rand())
	}
	return arrivalsInfo.dataset(x, y, []string{"hour"}, []string{"arrivals"})
}
