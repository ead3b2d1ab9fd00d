package linear

import (
	"context"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
	"dgplab/models/family"
	"dgplab/models/oracletest"
	"dgplab/models/predictive"
)

// TestLeaveOneOutEqualsRefits compares leave-one-out predictions with the predictions of models
// that have the same parameters and lack one target. With more inputs than points, the model works
// in the row space.
func TestLeaveOneOutEqualsRefits(t *testing.T) {
	v, err := family.Resolve(hyperparameters(), map[string]string{
		"precision": "0.5", "noise_variance": "0.3",
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]family.Data{
		"tall": example(task.Regression, 12, 2), "wide": wide(task.Regression, 6, 12, 2),
	} {
		data.Y.Set(2, 1, math.NaN())
		m, err := build(v, data)
		if err != nil {
			t.Fatal(err)
		}
		rows := []int{4, 0, 2}
		left, err := m.LeaveOneOut(context.Background(), rows, 1)
		if err != nil {
			t.Fatal(err)
		}
		got := left.Parts[0].(*predictive.Gaussians)
		for i, row := range rows {
			for k := range 2 {
				others := data
				others.Y = mat.DenseCopyOf(data.Y)
				others.Y.Set(row, k, math.NaN())
				refit, err := build(v, others)
				if err != nil {
					t.Fatal(err)
				}
				x := mat.NewDense(1, len(data.X.RawRowView(row)), slices.Clone(data.X.RawRowView(row)))
				p, err := refit.Predict(x, 1, 1)
				if err != nil {
					t.Fatal(err)
				}
				want := p.(*predictive.Gaussians)
				oracletest.Close(t, name, []float64{got.Mean[2*i+k], got.Var[2*i+k], got.Noise[k]},
					[]float64{want.Mean[k], want.Var[k], want.Noise[k]}, 1e-9)
			}
		}
	}
	m, err := build(v, example(task.Binary, 12, 1))
	if err != nil {
		t.Fatal(err)
	}
	if left, err := m.LeaveOneOut(context.Background(), []int{0}, 1); left != nil || err != nil {
		t.Errorf("for classes: %v, %v", left, err)
	}
}
