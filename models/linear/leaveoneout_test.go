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

// With weights, the leave-one-out prediction of a point equals that of a model of the other points, and a
// point of weight 3 counts like three equal points in the evidence.
func TestWeights(t *testing.T) {
	v, err := family.Resolve(hyperparameters(), map[string]string{
		"precision": "0.5", "noise_variance": "0.3",
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]family.Data{
		"tall": example(task.Regression, 12, 2), "wide": wide(task.Regression, 6, 12, 2),
	} {
		n, d := data.X.Dims()
		var x, y []float64
		for i := range n {
			data.Weights = append(data.Weights, float64(1+i%3))
			for range 1 + i%3 {
				x = append(x, data.X.RawRowView(i)...)
				y = append(y, data.Y.RawRowView(i)...)
			}
		}
		m, err := build(v, data)
		if err != nil {
			t.Fatal(err)
		}
		repeated := data
		repeated.Weights = nil
		repeated.X, repeated.Y = mat.NewDense(len(x)/d, d, x), mat.NewDense(len(y)/2, 2, y)
		all, err := build(v, repeated)
		if err != nil {
			t.Fatal(err)
		}
		gradient, wantGradient := make([]float64, 4), make([]float64, 4)
		value, err := m.problem.Evaluate(gradient)
		if err != nil {
			t.Fatal(err)
		}
		want, err := all.problem.Evaluate(wantGradient)
		if err != nil {
			t.Fatal(err)
		}
		oracletest.Close(t, name+" evidence", []float64{value}, []float64{want}, 1e-11)
		oracletest.Close(t, name+" gradient", gradient, wantGradient, 1e-10)
		const row = 4
		left, err := m.LeaveOneOut(context.Background(), []int{row}, 1)
		if err != nil {
			t.Fatal(err)
		}
		got := left.Parts[0].(*predictive.Gaussians)
		others := data
		others.Y = mat.DenseCopyOf(data.Y)
		others.Y.Set(row, 0, math.NaN())
		refit, err := build(v, others)
		if err != nil {
			t.Fatal(err)
		}
		p, err := refit.Predict(mat.NewDense(1, d, slices.Clone(data.X.RawRowView(row))), 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		refitted := p.(*predictive.Gaussians)
		oracletest.Close(t, name+" left out", []float64{got.Mean[0], got.Var[0]},
			[]float64{refitted.Mean[0], refitted.Var[0]}, 1e-9)
	}
}
