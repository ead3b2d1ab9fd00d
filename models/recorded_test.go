package models

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/viz/golden"
)

// visitResults calls visit for everything that a model shows, predicts and exports.
func visitResults(t *testing.T, m Model, data Data, visit func(name string, result any, err error)) {
	t.Helper()
	x := familytest.Wave(5, 1).X
	visit("hyper", m.Hyper(), nil)
	p, err := m.Predict(x, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	_, outputs := data.Y.Dims()
	density := make([]float64, 5)
	p.LogDensity(density, slices.Repeat([]float64{1}, 5*outputs))
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
				visitResults(t, trainedModel(t, spec, data), data, func(name string, result any, err error) {
					d.Add(t, name, result, err)
				})
			}
		}
	}
	d.Check(t, "results")
}

// addNumbers adds the numbers of a decoded JSON value.
func addNumbers(list []float64, value any) []float64 {
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			list = addNumbers(list, value[key])
		}
	case []any:
		for _, v := range value {
			list = addNumbers(list, v)
		}
	case float64:
		list = append(list, value)
	}
	return list
}

// TestRecordedUnevenLayers compares sums over everything that models show, predict and export with recorded
// ones. All sizes of a model differ, and its kernels are sums and products if the family accepts them.
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
		data := familytest.Wave(23, 3)
		if spec.Accepts.Check(data.Task, data.Y) != nil {
			data = familytest.Wave(23, 1)
		}
		m, err := spec.New(familytest.Values(t, spec, set), data, 7)
		if err != nil {
			t.Fatal(spec.Name, err)
		}
		familytest.Steps(t, m, 3)
		visitResults(t, m, data, func(name string, result any, err error) {
			if err != nil {
				t.Fatal(spec.Name, name, err)
			}
			if name == "left out" {
				return // After few steps these predictions can be infinite.
			}
			text, err := json.Marshal(result)
			if err != nil {
				t.Fatal(spec.Name, name, err)
			}
			var value any
			if err := json.Unmarshal(text, &value); err != nil {
				t.Fatal(err)
			}
			var sum float64 // Logarithms of large numbers do not hide the others.
			for i, v := range addNumbers(nil, value) {
				sum += math.Asinh(v) * math.Cos(float64(i))
			}
			d.Add(t, spec.Name, []float64{sum}, nil)
		})
	}
	d.Check(t, "uneven")
}
