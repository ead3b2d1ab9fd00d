package models

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/predictive"
)

// TestDrawnFunctions draws functions from families and compares their moments with those of
// predictions, without noise; where a point comes twice, a function has one value.
func TestDrawnFunctions(t *testing.T) {
	x, y := mat.NewDense(16, 2, nil), mat.NewDense(16, 2, nil)
	for i := range 16 {
		x.SetRow(i, []float64{math.Sin(float64(3 * i)), math.Cos(float64(i))})
		y.SetRow(i, []float64{x.At(i, 0) + 0.1*math.Cos(float64(5*i)), x.At(i, 1)})
	}
	at := mat.NewDense(4, 2, []float64{0, 0, 0.5, 0.3, 3, 2, 0, 0})
	for name, set := range map[string]map[string]string{
		"gp": {}, "sgpr": {"inducing": "6"}, "svgp": {"inducing": "6"}, "star": {"inducing": "6", "layers": "2", "width": "2"},
		"dsdgp": {"inducing": "6", "layers": "1"}, "bnn-vi": {},
	} {
		t.Run(name, func(t *testing.T) {
			spec, err := Lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			v, err := Resolve(spec.Hyperparameters, set)
			if err != nil {
				t.Fatal(err)
			}
			m, err := spec.New(v, Data{X: mat.DenseCopyOf(x), Y: mat.DenseCopyOf(y)}, 1)
			if err != nil {
				t.Fatal(err)
			}
			const count = 2000
			draws, err := m.(family.Drawer).DrawFunctions(at, count, 7)
			if err != nil {
				t.Fatal(err)
			}
			p, err := m.Predict(at, 2000, 3)
			if err != nil {
				t.Fatal(err)
			}
			latent := *p.(*predictive.Gaussians)
			latent.Noise = predictive.SharedNoise(0, latent.S, latent.P)
			mean, vr := make([]float64, 8), make([]float64, 8)
			latent.Moments(mean, vr)
			for i := range 4 {
				for k := range 2 {
					var sum, squares float64
					for _, d := range draws {
						sum += d[k][i] / count
					}
					for _, d := range draws {
						squares += (d[k][i] - sum) * (d[k][i] - sum) / count
						if math.Abs(d[k][0]-d[k][3]) > 0.02 {
							t.Fatalf("a function has two values at one point, %g and %g", d[k][0], d[k][3])
						}
					}
					want, sd := mean[i*2+k], math.Sqrt(vr[i*2+k])
					if math.Abs(sum-want) > 6*sd/math.Sqrt(count)+1e-3 || math.Abs(math.Sqrt(squares)-sd) > 0.12*sd+2e-3 {
						t.Errorf("target %d at point %d: %g with sd %g, predicted %g with sd %g", k, i, sum, math.Sqrt(squares), want, sd)
					}
				}
			}
			again, err := m.(family.Drawer).DrawFunctions(at, count, 7)
			if err != nil || !slices.Equal(again[0][1], draws[0][1]) {
				t.Errorf("the same seed draws other functions: %v, %v, %v", err, again[0][1], draws[0][1])
			}
		})
	}
}
