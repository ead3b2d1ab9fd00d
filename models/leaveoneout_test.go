package models

import (
	"context"
	"math"
	"testing"

	"dgplab/datasets/task"
	"dgplab/models/family"
	"dgplab/models/familytest"
)

// Leave-one-out predictions are finite at the requested points, depend only on the seed and do not
// affect training. Samplers return none before they keep a sample.
func TestLeaveOneOut(t *testing.T) {
	count := 0
	counted := familytest.Wave(20, 1)
	counted.Task = task.Count
	counted.Y.Apply(func(_, _ int, y float64) float64 { return math.Floor(math.Exp(y)) }, counted.Y)
	for _, spec := range Families() {
		for _, data := range []Data{familytest.Wave(20, 1), familytest.Signs(familytest.Wave(20, 1)),
			familytest.Thirds(familytest.Wave(20, 1)), counted} {
			closedForm := data.Task == task.Regression
			if spec.Accepts.Check(data.Task, data.Y) == nil && (closedForm || spec.Objective.Sampled()) {
				count += leaveOneOut(t, spec, data)
			}
		}
	}
	if count < 13 {
		t.Errorf("only %d models have leave-one-out predictions", count)
	}
}

// leaveOneOut tests a model and returns 1, or 0 if the family has no leave-one-out predictions.
func leaveOneOut(t *testing.T, spec Spec, data Data) int {
	set := familytest.Applicable(spec, map[string]string{
		"layers": "2", "width": "2", "inducing": "5", "samples": "3", "batch": "10",
		"burn_in": "3", "thinning": "1", "kept": "30", "hidden_width": "5", "leapfrog_steps": "4",
	})
	m, err := spec.New(familytest.Values(t, spec, set), data, 7)
	if err != nil {
		t.Fatal(err)
	}
	model, ok := m.(family.LeaveOneOuter)
	if !ok {
		return 0
	}
	rows := []int{17, 0, 4, 5}
	_, y := data.Rows(rows)
	left, err := model.LeaveOneOut(context.Background(), rows, 3)
	if err != nil || spec.Objective.Sampled() != (left == nil) {
		t.Errorf("%s before training: %+v, %v", spec.Name, left, err)
	}
	familytest.Steps(t, m, 12)
	var densities [2][]float64
	for repeat := range densities {
		familytest.Unchanged(t, spec.Name, m, func() {
			left, err := model.LeaveOneOut(context.Background(), rows, 3)
			if err != nil || spec.Objective.Sampled() != (len(left.K) == len(rows)) ||
				spec.Objective.Sampled() != (left.Draws > 0) {
				t.Fatalf("%s: %+v, %v", spec.Name, left, err)
			}
			at := 0
			for _, part := range left.Parts {
				n, _ := part.Dims()
				dst := make([]float64, n)
				part.LogDensity(dst, y[at:at+n])
				at += n
				densities[repeat] = append(densities[repeat], dst...)
			}
		})
	}
	for i, v := range densities[0] {
		if len(densities[0]) != len(rows) || math.IsNaN(v) || math.IsInf(v, 0) || v != densities[1][i] {
			t.Errorf("%s: log densities %v, again %v", spec.Name, densities[0], densities[1])
		}
	}
	return 1
}

// Leave-one-out predictions and covariances of samplers use a limited number of the kept samples.
func TestLimitsOfSamples(t *testing.T) {
	for name, want := range map[string]int{"sghmc": 200, "dgp-ess": 400, "bnn-sgld": 1000} {
		s := familytest.NewSetting(name, "layers", "1", "inducing", "2", "kept", "1010", "burn_in", "0",
			"thinning", "1", "hidden_width", "1", "batch", "3")
		spec := s.Spec(Families())
		m, err := spec.New(familytest.Values(t, spec, familytest.Applicable(spec, s.Set)),
			familytest.Wave(4, 1), 7)
		if err != nil {
			t.Fatal(err)
		}
		familytest.Steps(t, m, 1010)
		left, err := m.(family.LeaveOneOuter).LeaveOneOut(context.Background(), []int{0}, 1)
		if err != nil || left.Draws != want {
			t.Errorf("%s: leave-one-out predictions from %d samples (%v), want %d",
				name, left.Draws, err, want)
		}
		views, err := m.(family.Viewer).Views(1)
		if err != nil || name == "sghmc" && views.Blocks.Draws != 1000 {
			t.Errorf("%s: covariances %+v (%v), want them from 1000 samples", name, views.Blocks, err)
		}
	}
}
