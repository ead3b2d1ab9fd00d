package gp

import (
	"slices"
	"testing"

	"dgplab/models/familytest"
	"dgplab/models/oracletest"
)

// goldenKernel is a kernel in an oracle file.
type goldenKernel struct {
	Type         string
	Variance     float64
	Lengthscales []float64
}

// problem converts an oracle case to a problem.
func (k goldenKernel) problem(t *testing.T, x, z [][]float64, y []float64, noise, jitter float64) problem {
	t.Helper()
	return problem{
		kernel: k.Type, jitter: jitter, x: slices.Concat(x...), y: y, n: len(x), d: len(x[0]),
		start: start{
			z:            slices.Concat(z...),
			lengthscales: k.Lengthscales,
			variance:     k.Variance,
			noise:        noise,
		},
	}
}

// evidenceAndGradient holds the expected evidence and gradient of one family.
type evidenceAndGradient struct {
	Value float64
	Grad  struct {
		Variance     float64   `json:"kernel_variance"`
		Lengthscales []float64 `json:"kernel_lengthscales"`
		Noise        float64   `json:"noise_variance"`
		Z            [][]float64
	}
}

func TestMarginalLikelihoodOracles(t *testing.T) {
	for _, file := range oracletest.Cases(t, "marginal_likelihood") {
		t.Run(file.Name, func(t *testing.T) {
			var c struct {
				Kernel           goldenKernel
				NoiseVariance    float64 `json:"noise_variance"`
				Jitter           float64
				X, Z             [][]float64
				Y                []float64
				Exact, FITC, VFE evidenceAndGradient
			}
			oracletest.Decode(t, file.Text, &c)
			p := c.Kernel.problem(t, c.X, c.Z, c.Y, c.NoiseVariance, c.Jitter)
			for family, want := range map[string]evidenceAndGradient{
				"gp": c.Exact, "fitc": c.FITC, "sgpr": c.VFE,
			} {
				g := p.graph(t, family)
				value, _ := evaluate(t, g)
				oracletest.Close(t, family, []float64{value}, []float64{want.Value},
					oracletest.ValueTolerance)
				lengthscales, variance := familytest.KernelNodes(t, g.kernel)
				oracletest.Close(t, family+" lengthscales", lengthscales.Grad(), want.Grad.Lengthscales,
					oracletest.GradientTolerance)
				oracletest.Close(t, family+" variance", variance.Grad(), []float64{want.Grad.Variance},
					oracletest.GradientTolerance)
				oracletest.Close(t, family+" noise", g.noise.Grad(), []float64{want.Grad.Noise},
					oracletest.GradientTolerance)
				if want.Grad.Z != nil {
					oracletest.Close(t, family+" Z", g.z.Grad(), slices.Concat(want.Grad.Z...),
						oracletest.GradientTolerance)
				}
			}
		})
	}
}

// The collapsed bound is the bound of the sparse variational GP at the optimal q(f_M), which one
// natural-gradient step reaches.
func TestCollapsedBoundOracles(t *testing.T) {
	checked := 0
	for _, file := range oracletest.Cases(t, "natgrad_per_gp") {
		var c struct {
			Layers []struct {
				Kernel goldenKernel
				Z      [][]float64
			}
			Jitter         float64
			Likelihood     struct{ Variance float64 }
			X, Y           [][]float64
			CollapsedBound *float64 `json:"collapsed_bound"`
		}
		oracletest.Decode(t, file.Text, &c)
		if c.CollapsedBound == nil {
			continue
		}
		checked++
		t.Run(file.Name, func(t *testing.T) {
			layer := c.Layers[0]
			p := layer.Kernel.problem(t, c.X, layer.Z, slices.Concat(c.Y...), c.Likelihood.Variance, c.Jitter)
			value, _ := evaluate(t, p.graph(t, "sgpr"))
			oracletest.Close(t, "collapsed bound", []float64{value}, []float64{*c.CollapsedBound},
				oracletest.ValueTolerance)
		})
	}
	if checked == 0 {
		t.Error("no case has a collapsed bound")
	}
}

// TestKernelOracles checks the evidence, its gradient and the predictions of the exact GP for
// kernel expressions.
func TestKernelOracles(t *testing.T) {
	for _, file := range oracletest.Cases(t, "kernel_gp") {
		t.Run(file.Name, func(t *testing.T) {
			type parameters struct {
				Kernel familytest.KernelTree
				Noise  float64 `json:"noise_var"`
			}
			var c struct {
				Data struct {
					X, Xtest [][]float64
					Y        []float64
				}
				Params parameters
				Expect struct {
					Objective float64
					Predict   struct {
						Mean     []float64 `json:"f_mean"`
						Variance []float64 `json:"f_var"`
					}
				}
				Grad parameters
			}
			oracletest.Decode(t, file.Text, &c)
			x := slices.Concat(c.Data.X...)
			n, d := len(c.Data.X), len(c.Data.X[0])
			p := problem{kernel: c.Params.Kernel.Text(), x: x, y: c.Data.Y, n: n, d: d,
				start: start{lengthscales: make([]float64, d), variance: 1, noise: c.Params.Noise}}
			for i := range p.start.lengthscales {
				p.start.lengthscales[i] = 1
			}
			g := p.graph(t, "gp")
			c.Params.Kernel.Set(g.kernel)
			if err := g.set.Inverse(); err != nil {
				t.Fatal(err)
			}
			value, _ := evaluate(t, g)
			oracletest.Close(t, "evidence", []float64{value}, []float64{c.Expect.Objective},
				oracletest.ValueTolerance)
			c.Grad.Kernel.CloseGradient(t, "evidence", g.kernel)
			oracletest.Close(t, "noise", g.noise.Grad(), []float64{c.Grad.Noise},
				oracletest.GradientTolerance)
			mean, variance := predictions(t, g, slices.Concat(c.Data.Xtest...))
			want := c.Expect.Predict
			oracletest.Close(t, "mean", mean, want.Mean, oracletest.ValueTolerance)
			oracletest.Close(t, "variance", variance, want.Variance, oracletest.ValueTolerance)
		})
	}
}
