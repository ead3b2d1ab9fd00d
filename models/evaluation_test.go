package models_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/models/familytest"
)

// unevaluated lists the families with a noisy objective that is not a sum over points: bnn-pbp
// processes points sequentially.
var unevaluated = []string{"bnn-pbp"}

// The evaluation over all points depends on the minibatch size only through random draws, agrees
// with the mean over minibatches, and does not affect training.
func TestObjectivesOverAllPoints(t *testing.T) {
	for _, spec := range models.Families() {
		if !spec.Objective.Noisy || spec.Objective.Sampled() || slices.Contains(unevaluated, spec.Name) {
			continue
		}
		t.Run(spec.Name, func(t *testing.T) {
			data := familytest.Wave(30, 1)
			set := familytest.Applicable(spec, map[string]string{
				"layers": "2", "width": "2", "inducing": "5", "orthogonal": "3",
				"samples": "3", "learning_rate": "0.01",
			})
			model := func(batch string) models.Model {
				set["batch"] = batch
				m, err := spec.New(familytest.Values(t, spec, set), data, 7)
				if err != nil {
					t.Fatal(err)
				}
				return m
			}
			small := model("7")
			whole := model("30")
			plain := model("7")
			familytest.Steps(t, small, 5)
			familytest.Steps(t, plain, 5)
			familytest.Restore(t, whole, small)
			m1, se1 := evaluations(t, small, 40)
			m2, se2 := evaluations(t, whole, 40)
			if tolerance := 1e-9*math.Abs(m1) + 5*math.Hypot(se1, se2); math.Abs(m1-m2) > tolerance {
				t.Errorf("with minibatches of 7: %v (%v), of 30: %v (%v)", m1, se1, m2, se2)
			}
			familytest.SameState(t, "evaluated", small, plain)
			a := familytest.Steps(t, small, 2)
			b := familytest.Steps(t, plain, 2)
			if a.Objective != b.Objective || a.Rescues != b.Rescues {
				t.Errorf("the next step reports %+v, without evaluation %+v", a, b)
			}
			// A step on all points reports the objective before the update.
			if next := familytest.Steps(t, whole,
				1).Objective; math.Abs(next-m2) > 1e-9*math.Abs(m2)+6*se2*math.Sqrt(40) {
				t.Errorf("evaluated %v, the step reports %v", m2, next)
			}
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			if _, _, err := whole.(family.Evaluator).EvaluateObjective(ctx, 1); err == nil {
				t.Error("it does not stop when cancelled")
			}
		})
	}
}

// evaluations returns the mean of evaluations with different seeds and its standard error.
func evaluations(t *testing.T, m models.Model, count int) (mean, se float64) {
	t.Helper()
	var list []float64
	for seed := range count {
		value, known, err := m.(family.Evaluator).EvaluateObjective(context.Background(), uint64(seed))
		if err != nil || !known {
			t.Fatalf("known %v, %v", known, err)
		}
		list = append(list, value)
		mean += value / float64(count)
	}
	for _, v := range list {
		se += (v - mean) * (v - mean) / float64(count*(count-1))
	}
	return mean, math.Sqrt(se)
}
