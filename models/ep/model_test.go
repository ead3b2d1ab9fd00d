package ep

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/oracletest"
)

var forms = []familytest.Setting{
	familytest.NewSetting("aep"),
	familytest.NewSetting("aep", "factor", "natural", "start", "random"),
	familytest.NewSetting("aep", "factor", "natural", "layers", "3"),
	familytest.NewSetting("aep", "layers", "1"),
	familytest.NewSetting("aep", "output_cov", "full", "start", "random"),
	familytest.NewSetting("sep", "points", "10", "batch", "10", "hyper_steps", "3"),
	familytest.NewSetting("sep", "points", "10", "batch", "10", "output_cov", "full", "layers", "3"),
}

// newTestModel returns a small model.
func newTestModel(t *testing.T, s familytest.Setting, data family.Data) *Model {
	t.Helper()
	all := map[string]string{"inducing": "8", "batch": "30"}
	return familytest.New(t, s.Spec(Families()), data, familytest.Merged(all, s.Set), 1).(*Model)
}

func TestGradientsByCentralDifferences(t *testing.T) {
	for _, s := range forms {
		t.Run(s.String(), func(t *testing.T) {
			p := newTestModel(t, s.With("inducing", "4", "start_spread", "1"),
				familytest.Wave(20, 2)).problem
			p.Draw(0)
			rng := rand.New(rand.NewPCG(1, 2))
			for i := range p.Set.Free {
				p.Set.Free[i] += 0.02 * rng.NormFloat64()
			}
			p.Set.Forward()
			gradient, want := familytest.Gradients(t, p, familytest.Sixth, 1e-3)
			oracletest.Close(t, "gradient", gradient, want, 1e-8)
		})
	}
}

func TestModelsLearn(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of steps")
	}
	for _, s := range forms {
		t.Run(s.String(), func(t *testing.T) {
			data := familytest.Wave(100, 2)
			familytest.Learns(t, newTestModel(t, s, data), data, 600, 1, 0.3)
			if s.Set["output_cov"] == "full" { // a single output has no covariance
				return
			}
			labels := familytest.Signs(familytest.Wave(100, 1))
			familytest.Learns(t, newTestModel(t, s, labels), labels, 400, 1, 12)
		})
	}
}

// A resumed run equals an uninterrupted one on any number of processors, and a step does not
// allocate.
func TestStepsAreReproducible(t *testing.T) {
	data := familytest.Wave(70, 2)
	for _, s := range forms {
		s := s.With("batch", "10") // so a new epoch is rare
		build := func() family.Model { return newTestModel(t, s, data) }
		m := familytest.Resumes(t, s.String(), build, data.X, 4, 2)
		familytest.Steps(t, m, 8) // includes steps of every kind
		familytest.Allocates(t, s.String(), m, 0)
	}
}

// Both families learn with every multi-class likelihood.
func TestSeveralClasses(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of steps")
	}
	for _, s := range []familytest.Setting{
		familytest.NewSetting("aep", "likelihood", "argmax"), familytest.NewSetting("aep"),
		familytest.NewSetting("aep", "likelihood", "softmax"),
		familytest.NewSetting("sep", "likelihood", "argmax", "points", "100", "output_cov", "full"),
	} {
		data := familytest.Thirds(familytest.Wave(100, 1))
		m := newTestModel(t, s.With("learning_rate", "0.02"), data)
		familytest.Steps(t, m, 200)
		p, err := m.Predict(data.X, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		logs, wrong := make([]float64, 100), 0
		p.LogDensity(logs, data.Y.RawMatrix().Data)
		for _, l := range logs {
			if l < math.Log(0.4) {
				wrong++
			}
		}
		if wrong > 20 {
			t.Errorf("%v: %d of 100 classes are improbable", s, wrong)
		}
	}
}

// Missing targets do not contribute.
func TestMissingTargets(t *testing.T) {
	for _, cov := range []string{"diag", "full"} {
		data := familytest.Wave(40, 2)
		data.Y.Set(3, 0, math.NaN())
		data.Y.Set(5, 0, math.NaN())
		data.Y.Set(5, 1, math.NaN())
		m := newTestModel(t, familytest.NewSetting("aep", "output_cov", cov, "batch", "40"), data)
		if r := familytest.Steps(t, m, 3); math.IsNaN(r.Objective) {
			t.Errorf("%s: the energy is %v", cov, r.Objective)
		}
	}
}

// With one layer, the full covariance of the outputs is diagonal.
func TestOneLayerHasIndependentOutputs(t *testing.T) {
	data := familytest.Wave(40, 2)
	var energies []float64
	for _, cov := range []string{"diag", "full"} {
		m := newTestModel(t, familytest.NewSetting("aep", "output_cov", cov, "layers", "1"), data)
		energies = append(energies, familytest.Steps(t, m, 3).Objective)
	}
	if energies[0] != energies[1] {
		t.Errorf("energies %v", energies)
	}
}

// A matched variance far below zero counts as a rescue, and nothing is NaN. The gradient of a negative
// variance is zero.
func TestNegativeVarianceIsRescued(t *testing.T) {
	m := newTestModel(t, familytest.NewSetting("aep", "start", "random"), familytest.Wave(40, 1))
	p := m.problem
	p.Draw(0)
	// The variances 1 + second - mean^2 are clearly negative, negative within rounding error, and positive.
	g := p.layers[1].gps[0]
	g.Variance.Value[0] = 1
	mean := p.tape.Variable(1, 1, 3)
	second := p.tape.Variable(1, 1, 3)
	copy(second.Value, []float64{-1.75, -0.75 - 1e-9, 0.75})
	copy(mean.Value, []float64{0.5, 0.5, 0.5})
	out := matchedVariance(p.tape, g, second, mean)
	if err := p.tape.Forward(); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(out.Value, []float64{0, 0, 1.5}) {
		t.Errorf("variances %v", out.Value)
	}
	if n := p.tape.RescuesByMatrix()[g.nameOf("moment-matched variance")]; n != 1 {
		t.Errorf("%d rescues", n)
	}
	p.tape.BackwardFrom(out, []float64{2, 3, 4})
	for name, grad := range map[string][2][]float64{"second": {second.Grad(), {0, 0, 4}},
		"mean": {mean.Grad(), {0, 0, -4}}, "variance": {g.Variance.Grad(), {4}}} {
		if !slices.Equal(grad[0], grad[1]) {
			t.Errorf("gradient of %s %v, want %v", name, grad[0], grad[1])
		}
	}
}

// The two parametrisations of a factor train along different paths.
func TestFactorFormsDiffer(t *testing.T) {
	data := familytest.Wave(40, 1)
	energies := map[string][]float64{}
	for _, form := range formNames {
		set := map[string]string{"factor": form, "inducing": "6", "layers": "1", "batch": "40"}
		m := familytest.New(t, familytest.Find(Families(), "aep"), data, set, 1)
		for range 3 {
			report, err := m.Step(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			energies[form] = append(energies[form], report.Objective)
		}
	}
	a := energies[formNames[natural]]
	b := energies[formNames[whitened]]
	if math.Abs(a[2]-b[2]) < 1e-6*math.Abs(a[2]) {
		t.Errorf("energies %v in both forms", a)
	}
}
