package models

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/viz/golden"
)

// visitResults calls visit for everything that a model shows, predicts at x, and exports.
func visitResults(
	t *testing.T, m Model, data Data, x *mat.Dense, visit func(name string, result any, err error),
) {
	t.Helper()
	points, _ := x.Dims()
	visit("hyper", m.Hyper(), nil)
	p, err := m.Predict(x, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	_, outputs := data.Y.Dims()
	density := make([]float64, points)
	p.LogDensity(density, slices.Repeat([]float64{1}, points*outputs))
	visit("density", density, nil)
	if s, ok := m.(family.FunctionSampler); ok {
		draws, err := s.DrawFunctions(x, 2, 1)
		visit("draws", draws, err)
	}
	if s, ok := m.(family.FunctionPredictor); ok {
		functions, err := s.Functions(x)
		visit("functions", functions, err)
	}
	if s, ok := m.(family.Posterior); ok {
		arrays, err := s.Posterior(x)
		for _, a := range arrays.Tensors {
			visit(fmt.Sprintf("export.%s%v", a.Name, a.Shape), a.Data, err)
		}
	}
	if s, ok := m.(family.LeaveOneOuter); ok {
		left, err := s.LeaveOneOut(context.Background(), []int{0, 3}, 1)
		visit("left out", left, err)
	}
	if s, ok := m.(family.JointPredictor); ok {
		mean, covariance, err := s.JointMoments(x)
		visit("joint", [][][]float64{mean, covariance}, err)
	}
	if s, ok := m.(family.Viewer); ok {
		views, err := s.Views(1)
		visit("views", views, err)
	}
}

// TestRecordedResults compares everything that trained models of all families show, predict and export
// with recorded results.
func TestRecordedResults(t *testing.T) {
	var d golden.Digest
	for _, spec := range Families() {
		data := familytest.Wave(24, 2)
		if spec.Accepts.Check(data.Task, data.Y) != nil {
			data = familytest.Wave(24, 1)
		}
		for _, data := range []Data{
			data, familytest.Signs(familytest.Wave(24, 1)), familytest.Thirds(familytest.Wave(24, 1)),
		} {
			if spec.Accepts.Check(data.Task, data.Y) == nil {
				d.Begin(fmt.Sprintf("%s, %s", spec.Name, data.Task))
				visitResults(t, trainedModel(t, spec, data), data, familytest.Wave(5, 1).X,
					func(name string, result any, err error) { d.Add(t, name, result, err) })
			}
		}
	}
	d.Check(t, "results")
}

// sumOf returns a sum over the numbers of a result. Logarithms of large numbers do not hide the others. NaN
// and infinite numbers count as some number.
func sumOf(result any) (sum float64) {
	for i, v := range numbersOf(nil, reflect.ValueOf(result)) {
		if math.IsNaN(v) {
			v = 0.7
		}
		sum += math.Asinh(min(max(v, -1e20), 1e20)) * math.Cos(float64(i))
	}
	return sum
}

// addSums takes some steps and adds a sum over each result of a model.
func addSums(t *testing.T, d *golden.Digest, spec Spec, m Model, data Data, steps, points int) {
	t.Helper()
	report := familytest.Steps(t, m, steps)
	sums := []float64{sumOf([]any{report.Objective, report.Terms, report.Rescues})}
	if e, ok := m.(family.Evaluator); ok {
		value, _, err := e.EvaluateObjective(context.Background(), 1)
		if err != nil {
			t.Fatal(spec.Name, err)
		}
		sums = append(sums, sumOf(value))
	}
	visitResults(t, m, data, familytest.Wave(points, 1).X, func(name string, result any, err error) {
		if err != nil {
			t.Fatal(spec.Name, name, err)
		}
		if name != "left out" { // After few steps these predictions can be infinite.
			sums = append(sums, sumOf(result))
		}
	})
	d.Add(t, spec.Name, sums, nil)
}

// dataFor returns n points with several targets if the family accepts them, and with one otherwise.
func dataFor(spec Spec, n int) Data {
	data := familytest.Wave(n, 3)
	if spec.Accepts.Check(data.Task, data.Y) != nil {
		return familytest.Wave(n, 1)
	}
	return data
}

// TestRecordedUnevenLayers compares sums over everything that models show, predict and export with recorded
// ones. All sizes of a model differ, its kernels are sums and products, and a target is missing, if the
// family accepts them.
func TestRecordedUnevenLayers(t *testing.T) {
	var d golden.Digest
	d.Begin("results with layers of different sizes")
	for _, spec := range Families() {
		set := familytest.Applicable(spec, map[string]string{"layers": "3", "width": "4", "inducing": "6",
			"orthogonal": "3", "samples": "2", "batch": "9", "burn_in": "1", "kept": "2", "thinning": "1",
			"hidden_width": "7", "hidden_layers": "3", "learning_rate": "0.02", "chains": "2"})
		for _, h := range spec.Hyperparameters {
			if h.Kind == family.IntList {
				set[h.Name] = map[string]string{"width": "2,4", "inducing": "6,5,7"}[h.Name]
			}
			if h.Kind == family.Expression {
				set[h.Name] = "matern32 + linear*periodic(1)"
				if spec.Name == "avdgp" || spec.Name == "idsgp" {
					set[h.Name] = "matern32"
				}
			}
		}
		data := dataFor(spec, 23)
		if spec.Accepts.Missing {
			data.Y.Set(4, 2, math.NaN())
		}
		m, err := spec.New(familytest.Values(t, spec, set), data, 7)
		if err != nil {
			t.Fatal(spec.Name, err)
		}
		addSums(t, &d, spec, m, data, 3, 5)
	}
	d.Check(t, "uneven")
}

// TestRecordedManyPoints compares sums over results with recorded ones if views, predictions and batches
// hold only a part of the points.
func TestRecordedManyPoints(t *testing.T) {
	var d golden.Digest
	d.Begin("results with many points")
	for _, spec := range Families() {
		set := familytest.Applicable(spec, map[string]string{"layers": "2", "width": "2", "inducing": "5",
			"orthogonal": "3", "samples": "3", "batch": "50", "burn_in": "1", "kept": "1", "thinning": "1",
			"hidden_width": "3"})
		for _, data := range []Data{
			dataFor(spec, 300), familytest.Signs(familytest.Wave(300, 1)),
			familytest.Thirds(familytest.Wave(300, 1)),
		} {
			if spec.Accepts.Check(data.Task, data.Y) != nil {
				continue
			}
			m, err := spec.New(familytest.Values(t, spec, set), data, 7)
			if err != nil {
				t.Fatal(spec.Name, err)
			}
			addSums(t, &d, spec, m, data, 2, 270)
		}
	}
	d.Check(t, "many")
}
