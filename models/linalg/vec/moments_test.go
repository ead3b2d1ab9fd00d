package vec

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestMoments(t *testing.T) {
	forAll(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(4, 4))
		for n := range 40 {
			a := normals(rng, n)
			b := normals(rng, n)
			c := normals(rng, n)
			const m, e = 0.7, -1.3
			mean := append([]float64{}, b...)
			variance := append([]float64{}, c...)
			AddMoments(mean, variance, a, m, e)
			da := make([]float64, n)
			first, second := PullMoments(da, a, b, c, m, e)
			var want [2]float64
			size := 1.0
			for p, v := range a {
				checkClose(t, "mean", mean[p], b[p]+m*v, 10)
				checkClose(t, "variance", variance[p], c[p]+e*v*v, 10+10*v*v)
				checkClose(t, "da", da[p], m*b[p]+e*v*c[p], 10+10*math.Abs(v))
				for k, x := range [2]float64{v * b[p], v * v * c[p]} {
					want[k] += x
					size += math.Abs(x)
				}
			}
			checkClose(t, "first", first, want[0], size)
			checkClose(t, "second", second, want[1], size)
		}
	})
}
