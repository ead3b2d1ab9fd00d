package linear

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/predictive"
)

func newModel(t *testing.T, data family.Data, set map[string]string) family.Model {
	t.Helper()
	spec := Families()[0]
	v, err := family.Resolve(spec.Hyperparameters, set)
	if err != nil {
		t.Fatal(err)
	}
	m, err := spec.New(v, data, 1)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// trained returns a converged model and its last report.
func trained(t *testing.T, data family.Data) (family.Model, family.Report) {
	t.Helper()
	m := newModel(t, data, nil)
	for range 100 {
		r, err := m.Step(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if r.Converged {
			return m, r
		}
	}
	t.Fatal("it has not converged")
	return nil, family.Report{}
}

func hyper(t *testing.T, m family.Model, name string) []float64 {
	t.Helper()
	list := m.Hyper()
	i := slices.IndexFunc(list, func(q family.Quantity) bool { return q.Name == name })
	if i < 0 {
		t.Fatalf("no quantity %s in %v", name, list)
	}
	return list[i].Value
}

// Training recovers the weights and the noise of a plane.
func TestModelsFindThePlane(t *testing.T) {
	m, r := trained(t, example(task.Regression, 400, 2))
	for name, want := range map[string][]float64{
		"weights.0": {1, 0, 0.3}, "weights.1": {2, 0, 0.3}, "likelihood.variance": {0.09, 0.09},
	} {
		for i, v := range hyper(t, m, name) {
			if math.Abs(v-want[i]) > 0.06 {
				t.Errorf("%s: %v, want about %v", name, hyper(t, m, name), want)
				break
			}
		}
	}
	if math.Abs(r.Terms[0]+r.Terms[1]-r.Objective) > 1e-9 || len(r.Terms) != len(objective().Terms) {
		t.Errorf("terms %v of %v", r.Terms, r.Objective)
	}
	if size, err := size(nil, 400, 2, 2); err != nil ||
		size.Parameters != m.NumParameters() || size.Memory <= 0 {
		t.Errorf("%d parameters, size returns %+v, %v", m.NumParameters(), size, err)
	}
}

func TestModelsOfClasses(t *testing.T) {
	for _, of := range []task.Task{task.Binary, task.Multiclass} {
		data := example(of, 300, 1)
		test := example(of, 301, 1)
		m, _ := trained(t, data)
		out, err := m.Predict(test.X, 50, 1)
		if err != nil {
			t.Fatal(err)
		}
		var tally predictive.Tally
		tally.Add(out, test.Y.RawMatrix().Data, nil, predictive.Units{})
		if s := tally.Scores(); s.ErrorRate > 0.25 || s.LogLik < -0.6 {
			t.Errorf("%v: error rate %v, log-likelihood %v", of, s.ErrorRate, s.LogLik)
		}
		views, err := m.(family.Viewer).Views(1)
		if err != nil || views.Functions.Input != 0 || views.Functions.Check() != nil {
			t.Errorf("%v: functions %+v, %v", of, views.Functions, err)
		}
	}
}

// Each target is fitted at the points where it is observed.
func TestMissingTargets(t *testing.T) {
	data := example(task.Regression, 60, 2)
	alone := family.Data{
		X: mat.DenseCopyOf(data.X.Slice(0, 40, 0, 2)),
		Y: mat.DenseCopyOf(data.Y.Slice(0, 40, 1, 2)),
	}
	for i := 40; i < 60; i++ {
		data.Y.Set(i, 1, math.NaN())
	}
	m, _ := trained(t, data)
	one, _ := trained(t, alone)
	for i, w := range hyper(t, one, "weights") {
		if got := hyper(t, m, "weights.1")[i]; math.Abs(got-w) > 1e-4 {
			t.Errorf("weights %v, alone %v", hyper(t, m, "weights.1"), hyper(t, one, "weights"))
			break
		}
	}
	v, err := family.Resolve(hyperparameters(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for target := range 2 {
		data := example(task.Regression, 60, 2)
		for i := range 60 {
			data.Y.Set(i, target, math.NaN())
		}
		if _, err := Families()[0].New(v, data, 1); err == nil ||
			!strings.Contains(err.Error(), "without any value") {
			t.Errorf("target %d without values: %v", target, err)
		}
	}
}

// Inputs whose squares overflow are an error.
func TestLargeInputs(t *testing.T) {
	data := example(task.Regression, 9, 1)
	data.X.Set(0, 0, 1e200)
	v, err := family.Resolve(hyperparameters(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Families()[0].New(v, data, 1); err == nil || !strings.Contains(err.Error(), "X^T X") {
		t.Error(err)
	}
}

// If the targets are exactly a plane or all zero, the noise falls to its lower bound.
func TestTargetsWithoutNoise(t *testing.T) {
	for _, slope := range []float64{0, 2} {
		data := example(task.Regression, 20, 1)
		for i := range 20 {
			data.Y.Set(i, 0, slope*data.X.At(i, 0))
		}
		m, r := trained(t, data)
		if noise := hyper(t, m, "likelihood.variance")[0]; math.IsNaN(r.Objective) || noise > 1e-4 {
			t.Errorf("slope %v: noise %v, %+v", slope, noise, r)
		}
	}
}

func TestResumed(t *testing.T) {
	for _, of := range []task.Task{task.Regression, task.Binary, task.Multiclass} {
		data := example(of, 40, 1)
		build := func() family.Model { return newModel(t, data, nil) }
		familytest.Resumes(t, of.String(), build, data.X, 12, familytest.Every(12)...)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := newModel(t, example(task.Regression, 9, 1), nil).Step(ctx); !errors.Is(err,
		context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// The exported covariance of the weights of classes gives the variance of the latent function.
func TestExportedWeightsOfClasses(t *testing.T) {
	data := familytest.Signs(familytest.Wave(40, 1))
	m, _ := trained(t, data)
	out, err := m.(family.Posterior).Posterior(data.X)
	if err != nil || len(out.Tensors) != 2 || out.Tensors[1].Name != "weights_covariance" {
		t.Fatalf("%+v, %v", out, err)
	}
	covariance := mat.NewDense(3, 3, out.Tensors[1].Data)
	p, err := m.Predict(data.X, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		x := mat.NewVecDense(3, []float64{data.X.At(i, 0), data.X.At(i, 1), 1})
		want := mat.Inner(x, covariance, x)
		if got := p.(*predictive.Probit).Var[i]; math.Abs(got-want) > 1e-9*want {
			t.Errorf("point %d: variance %v, want %v", i, got, want)
		}
	}
}
