package bnn

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/oracletest"
	"dgplab/models/predictive"
)

var forms = []familytest.Setting{
	familytest.NewSetting("bnn-vi"),
	familytest.NewSetting("bnn-vi", "hidden_layers", "2", "samples", "1"),
	familytest.NewSetting("bnn-dropout"),
	familytest.NewSetting("bnn-dropout", "hidden_layers", "2", "samples", "3", "prior_lengthscale", "0.5"),
}

// newTestModel builds a small model.
func newTestModel(t *testing.T, s familytest.Setting, data family.Data) *Model {
	t.Helper()
	all := map[string]string{"hidden_width": "20", "batch": "30", "learning_rate": "0.02"}
	return familytest.New(t, s.Spec(Families()), data, familytest.Merged(all, s.Set), 1).(*Model)
}

func TestGradientsByCentralDifferences(t *testing.T) {
	for _, s := range forms {
		for _, data := range []family.Data{familytest.Wave(20, 2), familytest.Signs(familytest.Wave(20, 1))} {
			t.Run(fmt.Sprint(s, data.Task), func(t *testing.T) {
				p := newTestModel(t, s.With("hidden_width", "4"), data).networks
				p.Draw(0)
				// The step is so small that no unit crosses zero.
				gradient, want := familytest.Gradients(t, p, familytest.Second, 1e-6)
				oracletest.Close(t, "gradient", gradient, want, 1e-8)
			})
		}
	}
}

func TestModelsLearn(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of steps")
	}
	for _, s := range forms {
		t.Run(s.String(), func(t *testing.T) {
			data := familytest.Wave(100, 2)
			familytest.Learns(t, newTestModel(t, s, data), data, 800, 20, 0.35)
			// Labels are weak evidence: with 100 labels, independent Gaussians stay near the prior.
			labels := familytest.Signs(familytest.Wave(400, 1))
			familytest.Learns(t, newTestModel(t, s, labels), labels, 800, 20, 40)
		})
	}
}

func TestStepsAreReproducible(t *testing.T) {
	data := familytest.Wave(300, 2)
	for _, s := range forms {
		build := func() family.Model { return newTestModel(t, s, data) }
		familytest.Allocates(t, s.String(), familytest.Resumes(t, s.String(), build, data.X, 14, 2), 0)
	}
}

// Missing targets are ignored.
func TestMissingTargets(t *testing.T) {
	for _, name := range []string{"bnn-vi", "bnn-dropout"} {
		data := familytest.Wave(40, 2)
		data.Y.Set(3, 0, math.NaN())
		data.Y.Set(5, 0, math.NaN())
		data.Y.Set(5, 1, math.NaN())
		m := newTestModel(t, familytest.NewSetting(name, "batch", "40"), data)
		if r := familytest.Steps(t, m, 3); math.IsNaN(r.Objective) {
			t.Errorf("%s: the objective is %v", name, r.Objective)
		}
	}
}

// Predictions depend only on the seed, and the first samples do not depend on the number of
// samples.
func TestPredictionsDependOnTheirSeed(t *testing.T) {
	for _, s := range forms {
		data := familytest.Wave(600, 1) // several windows of points
		m := newTestModel(t, s, data)
		means := func(samples int, seed uint64) []float64 {
			p, err := m.Predict(data.X, samples, seed)
			if err != nil {
				t.Fatal(err)
			}
			return p.(*predictive.Gaussians).Mean
		}
		few := means(2, 3)
		if more := means(3, 3); !slices.Equal(few, more[:len(few)]) {
			t.Errorf("%v: different samples", s)
		}
		if slices.Equal(few, means(2, 4)) {
			t.Errorf("%v: the seed has no effect", s)
		}
	}
}
