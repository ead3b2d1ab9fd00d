package models_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
	"dgplab/models"
	"dgplab/models/familytest"
	"dgplab/models/predictive"
)

// threeClasses returns points around the three corners of a triangle. Every 20th point is
// mislabelled.
func threeClasses(n int) models.Data {
	rng := rand.New(rand.NewPCG(4, 1))
	data := models.Data{
		X:       mat.NewDense(n, 2, nil),
		Y:       mat.NewDense(n, 1, nil),
		Task:    task.Multiclass,
		Classes: 3,
	}
	for i := range n {
		angle := 2 * math.Pi * float64(i%3) / 3
		data.X.SetRow(i, []float64{math.Cos(angle) + 0.3*rng.NormFloat64(),
			math.Sin(angle) + 0.3*rng.NormFloat64()})
		data.Y.Set(i, 0, float64(i%3))
		if i%20 == 19 {
			data.Y.Set(i, 0, float64((i+1)%3))
		}
	}
	return data
}

// classifiers runs a test with every family that supports more than two classes.
func classifiers(t *testing.T, run func(t *testing.T, spec models.Spec, set map[string]string)) {
	for _, spec := range models.Families() {
		short := []string{"svgp", "star", "dspp", "avdgp"}
		if !spec.Accepts.Multiclass || testing.Short() && !slices.Contains(short, spec.Name) {
			continue
		}
		small := familytest.Applicable(spec, map[string]string{
			"layers": "2", "width": "2", "inducing": "6", "orthogonal": "4", "samples": "3",
			"batch": "40", "learning_rate": "0.05",
		})
		t.Run(spec.Name, func(t *testing.T) { run(t, spec, small) })
	}
}

func newClassifier(t *testing.T, spec models.Spec, set map[string]string) models.Model {
	t.Helper()
	m, err := spec.New(familytest.Values(t, spec, set), threeClasses(60), 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range m.Hyper() {
		if q.Name == "likelihood.variance" {
			t.Errorf("classes have %v of noise", q.Value)
		}
	}
	return m
}

// probabilities returns the class probabilities of the training points, [60][3].
func probabilities(t *testing.T, m models.Model) []float64 {
	t.Helper()
	predicted, err := m.Predict(threeClasses(60).X, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	p := make([]float64, 60*3)
	predicted.(predictive.Classification).Probabilities(p)
	return p
}

// Every family learns three easy classes under every likelihood.
func TestClassifiersLearn(t *testing.T) {
	classifiers(t, func(t *testing.T, spec models.Spec, set map[string]string) {
		chosen := slices.ContainsFunc(spec.Hyperparameters, func(h models.Hyperparameter) bool {
			return h.Name == "likelihood"
		})
		for i, name := range []string{"argmax", "robustmax", "softmax"} {
			if i > 0 && (testing.Short() || !chosen) {
				break
			}
			if chosen {
				set["likelihood"] = name
			}
			m := newClassifier(t, spec, set)
			familytest.Steps(t, m, 100)
			predicted, err := m.Predict(threeClasses(60).X, 4, 1)
			if err != nil {
				t.Fatal(err)
			}
			var tally predictive.Tally
			tally.Add(predicted, threeClasses(60).Y.RawMatrix().Data, nil, predictive.Units{})
			if s := tally.Scores(); s.ErrorRate > 0.25 || !(s.LogLik > -1) {
				t.Errorf("%s: error rate %v, log-likelihood %v", name, s.ErrorRate, s.LogLik)
			}
			for row := range slices.Chunk(probabilities(t, m), 3) {
				if sum := row[0] + row[1] + row[2]; math.Abs(sum-1) > 1e-10 {
					t.Fatalf("%s: probabilities %v sum to %v", name, row, sum)
				}
			}
		}
	})
}

// A restored model continues exactly like an uninterrupted one, regardless of the number of
// processors.
func TestClassifiersResume(t *testing.T) {
	classifiers(t, func(t *testing.T, spec models.Spec, set map[string]string) {
		run := func(processors int, resume bool) []float64 {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
			m := newClassifier(t, spec, set)
			familytest.Steps(t, m, 3)
			if resume {
				saved := m
				m = newClassifier(t, spec, set)
				familytest.Restore(t, m, saved)
			}
			familytest.Steps(t, m, 3)
			return probabilities(t, m)
		}
		want := run(1, false)
		for name, got := range map[string][]float64{
			"two processors": run(2, false), "resumed": run(1, true),
		} {
			if !slices.Equal(got, want) {
				t.Errorf("%s: different predictions", name)
			}
		}
	})
}

// Only families that declare it accept more than two classes.
func TestAcceptsMulticlass(t *testing.T) {
	data := threeClasses(9)
	for _, spec := range models.Families() {
		err := spec.Accepts.Check(data.Task, data.Y)
		if (err == nil) != spec.Accepts.Multiclass {
			t.Errorf("%s: %v", spec.Name, fmt.Sprint(err))
		}
	}
}
