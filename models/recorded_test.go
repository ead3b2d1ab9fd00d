package models

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/viz/golden"
)

// addResults adds everything that a model shows, predicts and exports.
func addResults(t *testing.T, d *golden.Digest, m Model, data Data) {
	t.Helper()
	x := familytest.Wave(5, 1).X
	d.Add(t, "hyper", m.Hyper(), nil)
	p, err := m.Predict(x, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	_, outputs := data.Y.Dims()
	density := make([]float64, 5)
	p.LogDensity(density, slices.Repeat([]float64{1}, 5*outputs))
	d.Add(t, "density", density, nil)
	if s, ok := m.(family.FunctionSampler); ok {
		draws, err := s.DrawFunctions(x, 2, 1)
		d.Add(t, "draws", draws, err)
	}
	if s, ok := m.(family.FunctionPredictor); ok {
		functions, err := s.Functions(x)
		d.Add(t, "functions", functions, err)
	}
	if s, ok := m.(family.Posterior); ok {
		arrays, err := s.Posterior(x)
		for _, a := range arrays.Tensors {
			d.Add(t, fmt.Sprintf("export.%s%v", a.Name, a.Shape), a.Data, err)
		}
	}
	if s, ok := m.(family.LeaveOneOuter); ok {
		left, err := s.LeaveOneOut(context.Background(), []int{0, 3}, 1)
		d.Add(t, "left out", left, err)
	}
	if s, ok := m.(family.JointPredictor); ok {
		mean, covariance, err := s.JointMoments(x)
		d.Add(t, "joint", [][][]float64{mean, covariance}, err)
	}
	if s, ok := m.(family.Viewer); ok {
		views, err := s.Views(1)
		d.Add(t, "views", views, err)
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
				addResults(t, &d, trainedModel(t, spec, data), data)
			}
		}
	}
	d.Check(t, "results")
}
