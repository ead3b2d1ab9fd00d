package gp

import (
	"slices"
	"testing"

	"dgplab/models/kernel"
	"dgplab/models/oracletest"
)

// TestMarginalLikelihoodOracles compares values and gradients with the golden ones,
// within the tolerances of models/testdata/oracles.
func TestMarginalLikelihoodOracles(t *testing.T) {
	for _, file := range oracletest.Cases(t, "marginal_likelihood") {
		t.Run(file.Name, func(t *testing.T) {
			var c struct {
				Kernel struct {
					Type         string
					Variance     float64
					Lengthscales []float64
				}
				NoiseVariance    float64 `json:"noise_variance"`
				Jitter           float64
				X, Z             [][]float64
				Y                []float64
				Exact, FITC, VFE struct {
					Value float64
					Grad  struct {
						Variance     float64   `json:"kernel_variance"`
						Lengthscales []float64 `json:"kernel_lengthscales"`
						Noise        float64   `json:"noise_variance"`
						Z            [][]float64
					}
				}
			}
			oracletest.Decode(t, file.Text, &c)
			kind, err := kernel.Parse(c.Kernel.Type)
			if err != nil {
				t.Fatal(err)
			}
			p := problem{
				kernel: kernel.Kernel{Kind: kind}, jitter: c.Jitter,
				x: slices.Concat(c.X...), y: c.Y, n: len(c.X),
				start: start{z: slices.Concat(c.Z...), lengthscales: c.Kernel.Lengthscales, variance: c.Kernel.Variance, noise: c.NoiseVariance},
			}
			for i, family := range []string{"gp", "fitc", "sgpr"} {
				want := []any{c.Exact, c.FITC, c.VFE}[i].(struct {
					Value float64
					Grad  struct {
						Variance     float64   `json:"kernel_variance"`
						Lengthscales []float64 `json:"kernel_lengthscales"`
						Noise        float64   `json:"noise_variance"`
						Z            [][]float64
					}
				})
				g := p.graph(t, family)
				value, _ := evaluate(t, g)
				closeTo(t, family, []float64{value}, []float64{want.Value}, 1e-9)
				closeTo(t, family+" lengthscales", g.lengthscales.Grad(), want.Grad.Lengthscales, 1e-8)
				closeTo(t, family+" variance", g.variance.Grad(), []float64{want.Grad.Variance}, 1e-8)
				closeTo(t, family+" noise", g.noise.Grad(), []float64{want.Grad.Noise}, 1e-8)
				if want.Grad.Z != nil {
					closeTo(t, family+" Z", g.z.Grad(), slices.Concat(want.Grad.Z...), 1e-8)
				}
			}
		})
	}
}
