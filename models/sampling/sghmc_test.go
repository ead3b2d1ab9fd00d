package sampling

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"dgplab/models/familytest"
	"dgplab/models/oracletest"
)

// sghmcPath is a golden trajectory on a Gaussian.
type sghmcPath struct {
	Config struct {
		N         int     `json:"N"`
		Epsilon   float64 `json:"epsilon"`
		Beta      float64 `json:"beta"`
		BurnIn    int     `json:"burn_in_steps"`
		Potential string  `json:"potential"`
	} `json:"config"`
	Data struct {
		A [][]float64 `json:"A"`
		B []float64   `json:"b"`
	} `json:"data"`
	Random struct {
		Z [][]float64 `json:"z"`
	} `json:"random"`
	Params struct {
		U []float64 `json:"u"`
	} `json:"params"`
	Expect struct {
		Steps []struct {
			Energy   float64   `json:"U"`
			Tau      []float64 `json:"tau"`
			G        []float64 `json:"g"`
			G2       []float64 `json:"g2"`
			P        []float64 `json:"p"`
			Position []float64 `json:"u"`
		} `json:"steps"`
		Stationary struct {
			Mean []float64   `json:"mean"`
			Cov  [][]float64 `json:"cov"`
		} `json:"stationary"`
	} `json:"expect"`
}

// sghmcPaths calls visit for each golden trajectory on a Gaussian.
func sghmcPaths(t *testing.T, visit func(t *testing.T, c sghmcPath, g *gaussian)) {
	for _, of := range oracletest.Cases(t, "sghmc_trajectory") {
		var c sghmcPath
		oracletest.Decode(t, of.Text, &c)
		if c.Config.Potential != "gaussian" {
			continue // trajectories of deep GPs are tested in models/dgp
		}
		t.Run(of.Name, func(t *testing.T) {
			g := newGaussian(t, c.Data.B, c.Data.A)
			copy(g.set.Free, c.Params.U)
			g.set.Forward()
			visit(t, c, g)
		})
	}
}

// sampler returns a sampler that uses the draws of the case, followed by draws from a seed.
func (c sghmcPath) sampler(seed uint64) *SGHMC {
	further := NewDraws(seed)
	draws := func(normals, uniforms []float64, step uint64) {
		if step < uint64(len(c.Random.Z)) {
			copy(normals, c.Random.Z[step])
			return
		}
		further(normals, uniforms, step)
	}
	return NewSGHMC(len(c.Params.U),
		SGHMCOptions{
			StepSize: c.Config.Epsilon,
			Friction: c.Config.Beta,
			Points:   c.Config.N,
			BurnIn:   c.Config.BurnIn,
		}, draws)
}

// TestSGHMCOracles follows the trajectories step by step.
func TestSGHMCOracles(t *testing.T) {
	sghmcPaths(t, func(t *testing.T, c sghmcPath, g *gaussian) {
		s := c.sampler(1)
		for k, want := range c.Expect.Steps {
			check := func(name string, got, want []float64) {
				t.Helper()
				oracletest.Close(t, fmt.Sprintf("steps[%d].%s", k, name), got, want,
					oracletest.ValueTolerance)
			}
			move, err := s.Step(context.Background(), g, uint64(k))
			if err != nil {
				t.Fatal(err)
			}
			check("U", []float64{-move.Objective}, []float64{want.Energy})
			check("tau", s.horizon, want.Tau)
			check("g", s.mean, want.G)
			check("g2", s.square, want.G2)
			check("p", s.momentum, want.P)
			check("u", g.set.Free, want.Position)
		}
	})
}

// The samples of a long chain have the stationary mean and the stationary covariance of the step
// size.
func TestSGHMCSamplesFromItsStationaryDistribution(t *testing.T) {
	const batches, each = 60, 6000
	sghmcPaths(t, func(t *testing.T, c sghmcPath, g *gaussian) {
		s := c.sampler(7)
		n := len(c.Params.U)
		want := slices.Clone(c.Expect.Stationary.Mean)
		for i := range n {
			want = append(want, c.Expect.Stationary.Cov[i][:i+1]...)
		}
		means := make([][]float64, len(want)) // by quantity and batch
		var heat float64
		for k := range c.Config.BurnIn + batches*each {
			move, err := s.Step(context.Background(), g, uint64(k))
			if err != nil {
				t.Fatal(err)
			}
			if k < c.Config.BurnIn {
				continue
			}
			heat += move.Gauges[1] / (batches * each)
			batch := (k - c.Config.BurnIn) / each
			at := 0
			add := func(v float64) {
				if len(means[at]) == batch {
					means[at] = append(means[at], 0)
				}
				means[at][batch] += v / each
				at++
			}
			for _, x := range g.set.Free {
				add(x)
			}
			for i, x := range g.set.Free {
				for j, y := range g.set.Free[:i+1] {
					add((x - want[i]) * (y - want[j]))
				}
			}
		}
		for q, list := range means {
			familytest.Agree(t, fmt.Sprintf("quantity %d", q), list, want[q])
		}
		if math.Abs(heat-1) > 0.05 {
			t.Errorf("temperature %v with exact gradients, want about 1", heat)
		}
	})
}

// A non-finite gradient leaves the chain unchanged.
func TestSGHMCNonFiniteGradient(t *testing.T) {
	g := newGaussian(t, []float64{math.NaN()}, [][]float64{{1}})
	g.set.Free[0] = 2
	g.set.Forward()
	s := NewSGHMC(1, SGHMCOptions{StepSize: 0.1, Friction: 0.05, Points: 10, BurnIn: 5}, NewDraws(1))
	before := slices.Concat(s.momentum, s.horizon, s.mean, s.square)
	if _, err := s.Step(context.Background(), g, 0); err == nil {
		t.Fatal("no error")
	}
	if g.set.Free[0] != 2 || !slices.Equal(before, slices.Concat(s.momentum, s.horizon, s.mean, s.square)) {
		t.Error("the chain moved")
	}
}
