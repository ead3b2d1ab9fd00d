package bnn

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/oracletest"
	"dgplab/models/predictive"
	"dgplab/models/sampling"
)

var sampled = []familytest.Setting{
	familytest.NewSetting("bnn-sgld"),
	familytest.NewSetting("bnn-sgld", "hidden_layers", "2", "chains", "2", "batch", "300"),
	familytest.NewSetting("bnn-hmc"),
	familytest.NewSetting("bnn-hmc", "hidden_layers", "2", "chains", "2", "weights", "fixed"),
	familytest.NewSetting("bnn-hmc", "noise", "fixed"),
}

// newSampled builds small chains and checks that fixed noise is not a parameter.
func newSampled(t testing.TB, s familytest.Setting, data family.Data) *Chains {
	t.Helper()
	all := map[string]string{"hidden_width": "10", "burn_in": "100", "kept": "20", "thinning": "5"}
	noise := 1
	switch s.Family {
	case "bnn-hmc":
		all["leapfrog_steps"] = "10"
		all["step_size"] = "0.005"
		if s.Set["noise"] == "fixed" {
			noise = 0
		}
	case "bnn-sgld":
		maps.Copy(all, map[string]string{
			"batch": "30", "burn_in": "500", "step_size": "4e-4", "noise_step_size": "4e-4",
		})
	}
	return familytest.New(t, s.Spec(Families()), data, familytest.Merged(all, s.Set), noise).(*Chains)
}

func TestGradientsOfJointsByCentralDifferences(t *testing.T) {
	for _, s := range sampled {
		for _, data := range []family.Data{familytest.Wave(20, 2), familytest.Signs(familytest.Wave(20, 1))} {
			t.Run(fmt.Sprint(s, data.Task), func(t *testing.T) {
				j := newSampled(t, s.With("hidden_width", "4"), data).joint
				j.Draw(0)
				// The step is so small that no unit crosses zero.
				gradient, want := familytest.Gradients(t, j, familytest.Second, 1e-6)
				oracletest.Close(t, "gradient", gradient, want, 1e-8)
			})
		}
	}
}

func TestSamplersLearn(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of gradients")
	}
	for _, s := range sampled {
		t.Run(s.String(), func(t *testing.T) {
			steps := 200 // trajectories
			if s.Family == "bnn-sgld" {
				steps = 2000
			}
			data := familytest.Wave(100, 2)
			familytest.Learns(t, newSampled(t, s, data), data, steps, 100, 0.35)
			labels := familytest.Signs(familytest.Wave(400, 1))
			familytest.Learns(t, newSampled(t, s, labels), labels, steps, 100, 40)
		})
	}
}

func TestChainsAreReproducible(t *testing.T) {
	data := familytest.Wave(300, 2)
	for _, s := range sampled {
		s := s.With("burn_in", "5", "thinning", "2")
		build := func() family.Model { return newSampled(t, s, data) }
		familytest.Resumes(t, s.String(), build, data.X, 14, 2, 12)
	}
}

// Steps do not allocate. The test uses few points because gonum, which computes the products on
// machines without assembly kernels, allocates for parallel products of larger matrices.
func TestChainsAllocateNothing(t *testing.T) {
	for _, s := range sampled {
		m := newSampled(t, s.With("burn_in", "5", "thinning", "2"), familytest.Wave(60, 2))
		familytest.Steps(t, m, 8)
		familytest.Allocates(t, s.String(), m, 0)
	}
}

// Predictions are mixtures of the kept networks, each with its own noise, and hyperparameters are
// means over these networks. During burn-in, both use the current networks.
func TestChainsPredictWithKeptNetworks(t *testing.T) {
	data := familytest.Wave(600, 2) // several windows of points
	for _, s := range []familytest.Setting{sampled[0], sampled[3]} {
		m := newSampled(t, s.With("burn_in", "3", "thinning", "1"), data)
		for _, steps := range []int{2, 5} {
			familytest.Steps(t, m, steps)
			of, err := m.Predict(data.X, 100, 1)
			if err != nil {
				t.Fatal(err)
			}
			g := of.(*predictive.Gaussians)
			kept := max(1, m.StepsDone()-3)
			if g.S != m.Chains()*kept {
				t.Fatalf("%v: %d networks of %d chains that kept %d", s, g.S, m.Chains(), kept)
			}
			var noise float64
			for k, free := range m.PredictionSamples(100) {
				j := m.joint
				before := slices.Clone(j.Set.Free)
				copy(j.Set.Free, free)
				j.Set.Forward()
				mean := forward(j, data.X.RawRowView(599))
				oracletest.Close(t, "functions", g.Mean[(k*600+599)*2:(k*600+600)*2], mean, 1e-12)
				oracletest.Close(t, "noise", g.Noise[2*k:2*k+2],
					[]float64{j.noise.Value[0], j.noise.Value[0]}, 1e-12)
				noise += j.noise.Value[0] / float64(g.S)
				copy(j.Set.Free, before)
				j.Set.Forward()
			}
			if hyper := m.Hyper()[0]; math.Abs(hyper.Value[0]-noise) > 1e-12*noise {
				t.Errorf("%v: %s is %v, want %v", s, hyper.Name, hyper.Value[0], noise)
			}
		}
	}
}

// forward returns the function values of the current weights at x.
func forward(j *joint, x []float64) []float64 {
	for l, w := range j.net.W {
		next := slices.Clone(j.net.B[l].Value)
		for r := range next {
			for c, v := range x {
				next[r] += w.Row(r)[c] * v
			}
			if l < len(j.net.W)-1 {
				next[r] = max(next[r], 0)
			}
		}
		x = next
	}
	return x
}

// Chains start from different networks.
func TestChainsStartApart(t *testing.T) {
	m := newSampled(t, sampled[1], familytest.Wave(300, 1))
	if a := m.PredictionSamples(2); slices.Equal(a[0], a[1]) {
		t.Error("two chains start at the same place")
	}
}

func TestViewsOfChains(t *testing.T) {
	data := familytest.Wave(60, 2)
	for _, s := range sampled[:3] {
		m := newSampled(t, s, data)
		familytest.Steps(t, m, 150)
		checkViews(t, m, data, 1e-9)
	}
}

// Missing targets are ignored.
func TestMissingTargetsOfChains(t *testing.T) {
	data := familytest.Wave(40, 2)
	data.Y.Set(3, 0, math.NaN())
	data.Y.Set(5, 1, math.NaN())
	for _, s := range sampled[:3] {
		if r := familytest.Steps(t, newSampled(t, s, data), 3); math.IsNaN(r.Objective) ||
			r.Phase != sampling.BurnIn {
			t.Errorf("%v: %+v", s, r)
		}
	}
}

// BenchmarkLeapfrog measures 100 leapfrog steps with 50 units on data of the size of the energy
// data set.
func BenchmarkLeapfrog(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	data := family.Data{X: mat.NewDense(690, 8, nil), Y: mat.NewDense(690, 1, nil)}
	data.X.Apply(func(int, int, float64) float64 { return r.NormFloat64() }, data.X)
	for i := range 690 {
		data.Y.Set(i, 0, data.X.At(i, 0)*data.X.At(i, 1)+0.1*r.NormFloat64())
	}
	m := newSampled(b, familytest.NewSetting("bnn-hmc", "hidden_width", "50", "leapfrog_steps", "100",
		"burn_in", "0", "step_size", "1e-4"), data)
	familytest.Steps(b, m, 1)
	b.ReportAllocs()
	for b.Loop() {
		familytest.Steps(b, m, 1)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/100, "us/leapfrog")
}

// The noise has a step size of its own.
func TestNoiseStepSize(t *testing.T) {
	s := familytest.NewSetting("bnn-sgld", "noise_step_size", "1e-12")
	m := newSampled(t, s, familytest.Wave(40, 1))
	before := slices.Clone(m.joint.Set.Free)
	familytest.Steps(t, m, 3)
	noise := len(before) - 1
	for i, v := range before {
		if moved := math.Abs(m.joint.Set.Free[i] - v); moved < 1e-4 != (i == noise) {
			t.Errorf("%s moved by %g", m.joint.Set.NameAt(i), moved)
		}
	}
}
