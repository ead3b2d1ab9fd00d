package amortized

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
	"dgplab/models/family"
	"dgplab/models/predictive"
)

// wave is n points of two noisy functions of two inputs.
func wave(n, outputs int) family.Data {
	r := rand.New(rand.NewPCG(5, 6))
	data := family.Data{X: mat.NewDense(n, 2, nil), Y: mat.NewDense(n, outputs, nil)}
	for i := range n {
		a, b := r.NormFloat64(), r.NormFloat64()
		data.X.SetRow(i, []float64{a, b})
		for p := range outputs {
			data.Y.Set(i, p, math.Sin(2*a+float64(p))+0.3*b+0.1*r.NormFloat64())
		}
	}
	return data
}

// build returns a model of a family.
func build(t *testing.T, spec family.Spec, data family.Data, set map[string]string) family.Model {
	t.Helper()
	values, err := family.Resolve(spec.Hyperparameters, set)
	if err != nil {
		t.Fatal(err)
	}
	m, err := spec.New(values, data, 7)
	if err != nil {
		t.Fatal(err)
	}
	n, d := data.X.Dims()
	_, p := data.Y.Dims()
	size, err := spec.Size(values, n, d, p)
	if err != nil {
		t.Fatal(err)
	}
	if data.Task == task.Binary {
		size.Parameters-- // the noise
	}
	if size.Parameters != m.NumParameters() || size.StepFLOPs <= 0 || size.Memory <= 0 {
		t.Errorf("%s %v: %d parameters, said to be %+v", spec.Name, set, m.NumParameters(), size)
	}
	return m
}

func train(t *testing.T, m family.Model, steps int) (report family.Report) {
	t.Helper()
	for range steps {
		var err error
		if report, err = m.Step(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	return report
}

// With one layer, the deep GP is the sparse GP whose inference functions are alike.
func TestOneLayerIsTheSparseGP(t *testing.T) {
	data := wave(60, 2)
	one := build(t, deepSpec(), data, map[string]string{"layers": "1", "width": "2", "inducing": "6"})
	sparse := build(t, shallowSpec(), data, map[string]string{"inference": "affine", "covariance": "diagonal", "inducing": "6"})
	if a, b := train(t, one, 5), train(t, sparse, 5); a.Objective != b.Objective {
		t.Errorf("the deep GP has %v, the sparse GP %v", a.Objective, b.Objective)
	}
}

// settings are forms of both families.
var settings = []struct {
	name string
	spec family.Spec
	set  map[string]string
}{
	{"ar1", deepSpec(), map[string]string{"rule": "ar1", "ar1_samples": "2"}},
	{"ar2", deepSpec(), map[string]string{"rule": "ar2", "mean_function": "linear"}},
	{"unwhitened", deepSpec(), map[string]string{"rule": "ar2p", "mean_function": "linear", "whiten": "off"}},
	{"ar2p", deepSpec(), map[string]string{"rule": "ar2p", "ard": "on"}},
	{"ar2pp", deepSpec(), map[string]string{"rule": "ar2pp"}},
	{"network", shallowSpec(), map[string]string{}},
	{"affine", shallowSpec(), map[string]string{"inference": "affine", "covariance": "diagonal"}},
}

func with(set map[string]string) map[string]string {
	all := map[string]string{"inducing": "4", "batch": "50", "learning_rate": "0.02"}
	for k, v := range set {
		all[k] = v
	}
	return all
}

func deepOnly(spec family.Spec, set map[string]string) map[string]string {
	if spec.Name == "avdgp" {
		set["layers"], set["width"] = "2", "3"
		if set["rule"] != "ar1" {
			set["samples"] = "4"
		}
	}
	return set
}

// Every form learns functions, two at a time, and classes.
func TestModelsLearn(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of steps")
	}
	for _, c := range settings {
		t.Run(c.name, func(t *testing.T) {
			data := wave(100, 2)
			m := build(t, c.spec, data, deepOnly(c.spec, with(c.set)))
			train(t, m, 400)
			p, err := m.Predict(data.X, 8, 1)
			if err != nil {
				t.Fatal(err)
			}
			mean, vr := make([]float64, 200), make([]float64, 200)
			p.(predictive.Regression).Moments(mean, vr)
			var squares float64
			for i, v := range mean {
				squares += math.Pow(v-data.Y.RawMatrix().Data[i], 2) / 200
			}
			if rmse := math.Sqrt(squares); !(rmse < 0.3) {
				t.Errorf("RMSE %v", rmse)
			}

			labels := wave(100, 1)
			labels.Task = task.Binary
			for i := range 100 {
				labels.Y.Set(i, 0, math.Copysign(1, labels.Y.At(i, 0)))
			}
			m = build(t, c.spec, labels, deepOnly(c.spec, with(c.set)))
			train(t, m, 300)
			if p, err = m.Predict(labels.X, 8, 1); err != nil {
				t.Fatal(err)
			}
			probabilities, wrong := make([]float64, 200), 0
			p.(predictive.Classification).Probabilities(probabilities)
			for i := range 100 {
				if (probabilities[2*i+1] > 0.5) != (labels.Y.At(i, 0) > 0) {
					wrong++
				}
			}
			if wrong > 12 {
				t.Errorf("%d of 100 classes are wrong", wrong)
			}
		})
	}
}

func TestListsOfTheWrongLengthAreRefused(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"width": {"layers": "2"}, "inducing": {"inducing": "4,4"}, "spread": {"spread": "1,1"}, "lengthscale": {"lengthscale": "1,2,3,4"},
	} {
		values, err := family.Resolve(deepSpec().Hyperparameters, set)
		if err != nil {
			t.Fatal(err)
		}
		var refused *family.ValueError
		if _, err := deepSpec().New(values, wave(20, 1), 1); err == nil {
			t.Errorf("%v was accepted", set)
		} else if ok := asValue(err, &refused); !ok || refused.Name != name {
			t.Errorf("%v: %v", set, err)
		}
	}
}

func asValue(err error, to **family.ValueError) bool {
	v, ok := err.(*family.ValueError)
	*to = v
	return ok
}
