package models

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/predictive"
)

// TestDrawnFunctions compares the moments of functions drawn from various families with the moments
// of noiseless predictions. A function must have equal values at equal points.
func TestDrawnFunctions(t *testing.T) {
	x := mat.NewDense(16, 2, nil)
	y := mat.NewDense(16, 2, nil)
	for i := range 16 {
		x.SetRow(i, []float64{math.Sin(float64(3 * i)), math.Cos(float64(i))})
		y.SetRow(i, []float64{x.At(i, 0) + 0.1*math.Cos(float64(5*i)), x.At(i, 1)})
	}
	at := mat.NewDense(4, 2, []float64{0, 0, 0.5, 0.3, 3, 2, 0, 0})
	for name, set := range map[string]map[string]string{
		"gp": {}, "sgpr": {"inducing": "6"}, "svgp": {"inducing": "6"},
		"star":     {"inducing": "6", "layers": "2", "width": "2"},
		"dsdgp":    {"inducing": "6", "layers": "2", "width": "2"},
		"dgp-iw":   {"inducing": "6", "layers": "2", "width": "2"},
		"solve-gp": {"inducing": "6", "orthogonal": "4"}, "bnn-vi": {}, "linear": {},
		"aep": {"inducing": "6", "layers": "1"},
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
			draws, err := m.(family.FunctionSampler).DrawFunctions(at, count, 7)
			if err != nil {
				t.Fatal(err)
			}
			p, err := m.Predict(at, 2000, 3)
			if err != nil {
				t.Fatal(err)
			}
			latent := *p.(*predictive.Gaussians)
			latent.Noise = predictive.SharedNoise(0, latent.S, latent.P)
			mean := make([]float64, 8)
			vr := make([]float64, 8)
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
					if math.Abs(sum-want) > 6*sd/math.Sqrt(count)+1e-3 ||
						math.Abs(math.Sqrt(squares)-sd) > 0.12*sd+2e-3 {
						t.Errorf("target %d at point %d: %g with sd %g, predicted %g with sd %g",
							k, i, sum, math.Sqrt(squares), want, sd)
					}
				}
			}
			again, err := m.(family.FunctionSampler).DrawFunctions(at, count, 7)
			if err != nil || !slices.Equal(again[0][1], draws[0][1]) {
				t.Errorf("the same seed draws different functions: %v, %v, %v", err, again[0][1], draws[0][1])
			}
		})
	}
}

// All families draw functions whose values at equal points agree up to jitter. Draws depend only on
// the seed and do not affect training.
func TestEveryFamilyDrawsFunctions(t *testing.T) {
	at := mat.NewDense(3, 2, []float64{0.2, 0.1, -0.7, 0.5, 0.2, 0.1})
	for _, spec := range Families() {
		t.Run(spec.Name, func(t *testing.T) {
			data := familytest.Wave(24, 1)
			set := familytest.Applicable(spec, map[string]string{
				"layers": "2", "width": "2", "inducing": "5", "orthogonal": "3",
				"samples": "3", "batch": "10",
			})
			var models [2]Model
			for i := range models {
				m, err := spec.New(familytest.Values(t, spec, set), data, 7)
				if err != nil {
					t.Fatal(err)
				}
				models[i] = m
				familytest.Steps(t, m, 3)
			}
			m := models[0].(family.FunctionSampler)
			draws, err := m.DrawFunctions(at, 2, 5)
			if err != nil {
				t.Fatal(err)
			}
			again, err := m.DrawFunctions(at, 2, 5)
			if err != nil || len(draws) == 0 || len(again) != len(draws) {
				t.Fatalf("%d and %d draws (%v)", len(draws), len(again), err)
			}
			for c, d := range draws {
				if len(d) != 1 || len(d[0]) != 3 {
					t.Fatalf("drawn %v", d)
				}
				if math.IsNaN(d[0][0]) || math.Abs(d[0][0]-d[0][2]) > 0.05 ||
					!slices.Equal(d[0], again[c][0]) {
					t.Errorf("drawn %v, again %v", d, again[c])
				}
			}
			a := familytest.Steps(t, models[0], 2)
			b := familytest.Steps(t, models[1], 2)
			if a.Objective != b.Objective || a.Rescues != b.Rescues {
				t.Errorf("the next step reports %+v, without draws %+v", a, b)
			}
			familytest.SameState(t, spec.Name, models[0], models[1])
		})
	}
}
