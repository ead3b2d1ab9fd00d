package datasets

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"dgplab/datasets/task"
)

var sightingsInfo = Info{
	Name: "sightings", Title: "Sightings on a map, 2-D counts", Kind: Builtin, Task: task.Count,
	N: 600, D: 2, P: 1, Cached: true,
	Origin: "generated: overdispersed counts (negative binomial, dispersion 0.5) around a ridge and a lake",
}

// sightingSpread is the dispersion a of the counts: their variance is mu + a mu^2 for the mean mu.
const sightingSpread = 0.5

// sightingMean returns the expected count at a point in the unit square. It is high along a bent
// ridge and nearly zero in a lake.
func sightingMean(east, north float64) float64 {
	ridge := (north - 0.5 - 0.25*math.Sin(4*east)) / 0.12
	lake := math.Hypot(east-0.7, north-0.25) / 0.15
	log := 0.3 + 2.7*math.Exp(-0.5*ridge*ridge) - 3*math.Exp(-0.5*lake*lake)
	return math.Exp(log)
}

// sightings generates a 2-D data set of counts, negative binomial numbers at points drawn uniformly
// from the unit square. Their variance exceeds the variance of Poisson counts.
func sightings() *Dataset {
	rng := stream(generatorSeed, "sightings")
	n := sightingsInfo.N
	x := mat.NewDense(n, 2, nil)
	y := mat.NewDense(n, 1, nil)
	for i := range n {
		east := uniform(rng, 0, 1)
		north := uniform(rng, 0, 1)
		x.SetRow(i, []float64{east, north})
		// A Poisson number whose mean has a gamma distribution is a negative binomial number.
		size := 1 / sightingSpread
		mean := distuv.Gamma{Alpha: size, Beta: size / sightingMean(east, north), Src: rng}.Rand()
		y.Set(i, 0, distuv.Poisson{Lambda: mean, Src: rng}.Rand())
	}
	return sightingsInfo.dataset(x, y, []string{"east", "north"}, []string{"sightings"})
}
