package bnn

import (
	"context"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"
	"testing"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/oracletest"
	"dgplab/models/predictive"
)

// setting is a configuration of a family under test.
type setting struct {
	family string
	set    map[string]string
}

func (s setting) String() string { return fmt.Sprint(s.family, s.set) }

// with returns the setting with one more value.
func (s setting) with(name, value string) setting {
	set := maps.Clone(s.set)
	set[name] = value
	return setting{s.family, set}
}

var forms = []setting{
	{"bnn-vi", map[string]string{}},
	{"bnn-vi", map[string]string{"hidden_layers": "2", "samples": "1"}},
	{"bnn-dropout", map[string]string{}},
	{"bnn-dropout", map[string]string{"hidden_layers": "2", "samples": "3", "prior_lengthscale": "0.5"}},
}

// lookup returns the family with the given name.
func lookup(name string) family.Spec {
	return Families()[slices.IndexFunc(Families(), func(spec family.Spec) bool { return spec.Name == name })]
}

// newTestModel builds a small model.
func newTestModel(t *testing.T, s setting, data family.Data) *Model {
	t.Helper()
	all := map[string]string{"hidden_width": "20", "batch": "30", "learning_rate": "0.02"}
	maps.Copy(all, s.set)
	return familytest.New(t, lookup(s.family), data, all, 1).(*Model)
}

func TestGradientsByCentralDifferences(t *testing.T) {
	for _, s := range forms {
		for _, data := range []family.Data{familytest.Wave(20, 2), familytest.Signs(familytest.Wave(20, 1))} {
			t.Run(fmt.Sprint(s, data.Task), func(t *testing.T) {
				p := newTestModel(t, s.with("hidden_width", "4"), data).networks
				p.Draw(0)
				// No unit crosses zero within a step of this size.
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
			m := newTestModel(t, s, data)
			familytest.Steps(t, m, 800)
			if got := familytest.RMSE(t, m, data, 20); !(got < 0.35) {
				t.Errorf("RMSE %v", got)
			}
			// Labels are weak evidence: with 100 of them, independent Gaussians stay near the
			// prior.
			labels := familytest.Signs(familytest.Wave(400, 1))
			m = newTestModel(t, s, labels)
			familytest.Steps(t, m, 800)
			if got := familytest.CountErrors(t, m, labels, 20); got > 40 {
				t.Errorf("%d of 400 points are misclassified", got)
			}
		})
	}
}

// A resumed run equals an uninterrupted one, regardless of the number of processors, and steps do
// not allocate.
func TestStepsAreReproducible(t *testing.T) {
	for _, s := range forms {
		t.Run(s.String(), func(t *testing.T) {
			data := familytest.Wave(300, 2)
			whole := newTestModel(t, s, data)
			familytest.Steps(t, whole, 14)
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			first := newTestModel(t, s, data)
			second := newTestModel(t, s, data)
			familytest.Steps(t, first, 2)
			familytest.Restore(t, second, first)
			if _, err := second.Predict(data.X, 3, 1); err != nil {
				t.Fatal(err)
			}
			familytest.Steps(t, second, 12)
			familytest.SameState(t, "resumed", whole, second)
			ctx := context.Background()
			if n := testing.AllocsPerRun(5, func() { _, _ = second.Step(ctx) }); n != 0 {
				t.Errorf("%v allocations a step", n)
			}
		})
	}
}

// Missing targets are ignored.
func TestMissingTargets(t *testing.T) {
	for _, name := range []string{"bnn-vi", "bnn-dropout"} {
		data := familytest.Wave(40, 2)
		data.Y.Set(3, 0, math.NaN())
		data.Y.Set(5, 0, math.NaN())
		data.Y.Set(5, 1, math.NaN())
		m := newTestModel(t, setting{name, map[string]string{"batch": "40"}}, data)
		if r := familytest.Steps(t, m, 3); math.IsNaN(r.Objective) {
			t.Errorf("%s: the objective is %v", name, r.Objective)
		}
	}
}

// Predictions depend only on the seed, and additional samples leave the first ones unchanged.
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
