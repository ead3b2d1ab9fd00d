package bnn

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/likelihood"
	"dgplab/models/oracletest"
	"dgplab/models/param"
	"dgplab/models/sampling"
)

// goldenSampler is an oracle case of a sampler of networks.
type goldenSampler struct {
	Config struct {
		Sizes              []int
		N, B               int
		Step               float64
		LeapfrogSteps      int `json:"leapfrog_steps"`
		Hyper              bool
		PriorVar           float64   `json:"prior_var"`
		NoiseVar           float64   `json:"noise_var"`
		PriorVarIG         []float64 `json:"prior_var_ig"`
		NoiseVarIG         []float64 `json:"noise_var_ig"`
		StepW              float64   `json:"step_w"`
		StepKappa          float64   `json:"step_kappa"`
		KappaPriorVariance float64   `json:"kappa_prior_var"`
	}
	Data struct {
		X [][]float64
		Y []float64 `json:"y"`
	}
	Random struct {
		Momentum []float64
		Uniform  float64
	}
	Params struct {
		Theta, W []float64
		Kappa    float64
	}
	Expect struct {
		UStart     float64     `json:"U_start"`
		GradStart  []float64   `json:"grad_start"`
		UPath      []float64   `json:"U_path"`
		ThetaPath  [][]float64 `json:"theta_path"`
		Momentum   []float64
		GradEnd    []float64 `json:"grad_end"`
		HStart     float64   `json:"H_start"`
		HEnd       float64   `json:"H_end"`
		AcceptProb float64   `json:"accept_prob"`
		Accepted   bool
		Theta      []float64
		Steps      []struct {
			Batch       []int
			NoiseW      []float64 `json:"noise_w"`
			NoiseKappa  float64   `json:"noise_kappa"`
			LogEstimate float64   `json:"log_posterior_estimate"`
			GradW       []float64 `json:"grad_w"`
			GradKappa   float64   `json:"grad_kappa"`
			W           []float64
			Kappa       float64
			NoiseVar    float64 `json:"noise_var"`
		}
	}
}

func readSampler(t *testing.T, text []byte) (g goldenSampler, c config, data family.Data) {
	t.Helper()
	oracletest.Decode(t, text, &g)
	n := len(g.Data.Y)
	data = family.Data{
		X: mat.NewDense(n, g.Config.Sizes[0], slices.Concat(g.Data.X...)),
		Y: mat.NewDense(n, 1, g.Data.Y),
	}
	c = config{
		sizes:         g.Config.Sizes,
		batch:         n,
		samples:       1,
		likelihood:    likelihood.Gaussian{},
		noise:         1,
		priorVariance: 1,
	}
	return g, c, data
}

// recorder records the positions at which a problem was evaluated, with the negative log joint and
// its gradient.
type recorder struct {
	*joint
	values              []float64
	positions, gradient [][]float64
}

func (w *recorder) Evaluate(dFree []float64) (float64, error) {
	value, err := w.joint.Evaluate(dFree)
	if dFree != nil {
		negative := make([]float64, len(dFree))
		for i, d := range dFree {
			negative[i] = -d
		}
		w.values = append(w.values, -value)
		w.positions = append(w.positions, slices.Clone(w.Set.Free))
		w.gradient = append(w.gradient, negative)
	}
	return value, err
}

// TestTrajectoryOracles checks every position, potential and gradient of a trajectory, its
// energies, and the decision to accept it.
func TestTrajectoryOracles(t *testing.T) {
	for _, file := range oracletest.Cases(t, "bnn_hmc") {
		t.Run(file.Name, func(t *testing.T) {
			g, c, data := readSampler(t, file.Text)
			var priors variances
			if g.Config.Hyper {
				c.noiseTransform = param.Exponential{}
				priors = variances{&inverseGamma{g.Config.PriorVarIG[0], g.Config.PriorVarIG[1]},
					inverseGamma{g.Config.NoiseVarIG[0], g.Config.NoiseVarIG[1]}}
			} else {
				c.noise, c.priorVariance = g.Config.NoiseVar, g.Config.PriorVar
			}
			j, err := newJoint(c, priors, data, 1)
			if err != nil {
				t.Fatal(err)
			}
			copy(j.Set.Free, g.Params.Theta)
			j.Set.Forward()
			p := &recorder{joint: j}
			var momentum []float64
			options := sampling.HMCOptions{StepSize: g.Config.Step, Leapfrogs: g.Config.LeapfrogSteps}
			h := sampling.NewHMC(len(g.Params.Theta), options, func(normals, uniforms []float64, _ uint64) {
				momentum = normals
				copy(normals, g.Random.Momentum)
				uniforms[0] = g.Random.Uniform
			})
			move, err := h.Step(context.Background(), p, 0)
			if err != nil {
				t.Fatal(err)
			}
			e := g.Expect
			oracletest.Close(t, "potentials", p.values, e.UPath, oracletest.ValueTolerance)
			for k, at := range e.ThetaPath {
				oracletest.Close(t, "position", p.positions[k], at, oracletest.ValueTolerance)
			}
			last := len(p.gradient) - 1
			oracletest.Close(t, "gradients", slices.Concat(p.gradient[0], p.gradient[last]),
				slices.Concat(e.GradStart, e.GradEnd), oracletest.GradientTolerance)
			oracletest.Close(t, "momentum", momentum, e.Momentum, oracletest.ValueTolerance)
			oracletest.Close(t, "acceptance and energy", []float64{move.Gauges[0], move.Gauges[3]},
				[]float64{e.AcceptProb, e.HEnd - e.HStart}, oracletest.ValueTolerance)
			end := e.ThetaPath[0]
			if e.Accepted {
				end = e.Theta
			}
			oracletest.Close(t, "end", j.Set.Free, end, oracletest.ValueTolerance)
		})
	}
}

func TestLangevinOracles(t *testing.T) {
	for _, file := range oracletest.Cases(t, "bnn_sgld") {
		t.Run(file.Name, func(t *testing.T) {
			g, c, data := readSampler(t, file.Text)
			c.batch = g.Config.B
			c.priorVariance = g.Config.PriorVar
			c.noiseTransform = param.Positive{}
			j, err := newJoint(c, variances{noise: softplusNormal{g.Config.KappaPriorVariance}}, data, 1)
			if err != nil {
				t.Fatal(err)
			}
			copy(j.Set.Free, append(slices.Clone(g.Params.W), g.Params.Kappa))
			j.Set.Forward()
			n := len(j.Set.Free)
			sizes := slices.Repeat([]float64{g.Config.StepW}, n)
			sizes[n-1] = g.Config.StepKappa
			s := sampling.NewSGLD(sizes, sampling.Decay{Start: 1}, func(normals, _ []float64, step uint64) {
				of := g.Expect.Steps[step]
				normals[copy(normals, of.NoiseW)] = of.NoiseKappa
			})
			for k, of := range g.Expect.Steps {
				p := &fixedBatch{recorder{joint: j}, of.Batch}
				move, err := s.Step(context.Background(), p, uint64(k))
				if err != nil {
					t.Fatal(err)
				}
				squares := of.GradKappa * of.GradKappa
				for i, d := range of.GradW {
					of.GradW[i] = -d
					squares += d * d
				}
				oracletest.Close(t, "log joint and norm of the gradient",
					[]float64{move.Objective, move.Gauges[1]},
					[]float64{of.LogEstimate, math.Sqrt(squares)}, oracletest.ValueTolerance)
				oracletest.Close(t, "gradient", p.gradient[0], append(of.GradW, -of.GradKappa),
					oracletest.GradientTolerance)
				oracletest.Close(t, "position", j.Set.Free, append(of.W, of.Kappa), oracletest.ValueTolerance)
				oracletest.Close(t, "noise", j.noise.Value, []float64{of.NoiseVar}, oracletest.ValueTolerance)
			}
		})
	}
}

// fixedBatch is a problem with a fixed minibatch.
type fixedBatch struct {
	recorder
	rows []int
}

func (d *fixedBatch) Draw(uint64) { d.take(d.rows) }
