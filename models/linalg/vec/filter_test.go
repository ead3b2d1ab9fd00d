package vec

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestFilter compares both functions with their definitions, term by term. Some variances would become
// negative and stay.
func TestFilter(t *testing.T) {
	forAll(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(4, 5))
		stays := 0
		for n := range 40 {
			mean := normals(rng, n)
			a := normals(rng, n)
			da := normals(rng, n)
			daVariance := normals(rng, n)
			variance := make([]float64, n)
			aVariance := make([]float64, n)
			aSquare := make([]float64, n)
			for i := range n {
				variance[i] = rng.ExpFloat64()
				aVariance[i] = rng.ExpFloat64()
				aSquare[i] = a[i]*a[i] + aVariance[i]
			}
			first, second := ProductMoments(mean, variance, a, aVariance, aSquare)
			const g, h = 0.7, 0.2
			newMean := slices.Clone(mean)
			newVariance := slices.Clone(variance)
			newDa := slices.Clone(da)
			newDaVariance := slices.Clone(daVariance)
			stayed := UpdateMoments(newMean, newVariance, a, aVariance, aSquare, newDa, newDaVariance, g, h)
			stays += stayed
			var want [2]float64
			size := 1.0
			for i, m := range mean {
				v := variance[i]
				want[0] += m * a[i]
				want[1] += m*m*aVariance[i] + v*aSquare[i]
				size += math.Abs(m*a[i]) + m*m*aVariance[i] + v*aSquare[i]
				checkClose(t, "da", newDa[i], da[i]+g*m+2*h*v*a[i], 10+10*v*math.Abs(a[i]))
				checkClose(t, "daVariance", newDaVariance[i], daVariance[i]+h*(m*m+v), 10+10*(m*m+v))
				slope := g*a[i] + 2*h*m*aVariance[i]
				wantMean := m + v*slope
				wantVariance := v - v*v*(slope*slope-2*h*aSquare[i])
				if !(wantVariance > 0) {
					wantMean, wantVariance = m, v
					stayed--
				}
				checkClose(t, "mean", newMean[i], wantMean, 100)
				checkClose(t, "variance", newVariance[i], wantVariance, 100*(1+v*v*(slope*slope+aSquare[i])))
			}
			if stayed != 0 {
				t.Errorf("%d variables: %d too many stayed", n, stayed)
			}
			checkClose(t, "sum of means", first, want[0], size)
			checkClose(t, "sum of variances", second, want[1], size)
		}
		if stays == 0 {
			t.Error("no variable stayed")
		}
	})
}
