package deep_test

import (
	"context"
	"maps"
	"math"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/linear"
	"dgplab/models/predictive"
)

// TestTrendEqualsModelOfResiduals trains a model with a linear trend on the data, and a model
// without one on the residuals of the trend. Their variances start at the same numbers, so the
// training reports are equal, and predictions and draws differ by the trend.
func TestTrendEqualsModelOfResiduals(t *testing.T) {
	each(t, func(t *testing.T, spec family.Spec, set map[string]string) {
		if set["whiten"] == "off" {
			return // Means of the inducing outputs start at numbers without units.
		}
		data := familytest.Wave(60, 2)
		fit, err := linear.Fit(context.Background(), data)
		if err != nil {
			t.Fatal(err)
		}
		n, d := data.X.Dims()
		values := mat.NewDense(n, 2, nil)
		values.Mul(data.X, fit.Weights.Slice(0, 2, 0, d).T())
		for i := range n {
			for k := range 2 {
				values.Set(i, k, values.At(i, k)+fit.Weights.At(k, d))
			}
		}
		residuals := familytest.Wave(60, 2)
		residuals.Y.Sub(residuals.Y, values)

		with := maps.Clone(set)
		without := maps.Clone(set)
		with["trend"], without["trend"] = "linear", "none"
		with["variance"] = "0.5"
		without["variance"] = strconv.FormatFloat(0.5*fit.Residual, 'g', -1, 64)
		with["noise_variance"] = "0.2"
		without["noise_variance"] = strconv.FormatFloat(0.2*fit.Residual, 'g', -1, 64)
		if set["layers"] == "2" {
			with["variance"], without["variance"] = "1,0.5", "1,"+without["variance"]
		}
		a := familytest.New(t, spec, data, with, 1)
		b := familytest.New(t, spec, residuals, without, 1)
		x := familytest.Steps(t, a, 5).Objective
		y := familytest.Steps(t, b, 5).Objective
		if !(math.Abs(x-y) < 1e-7*math.Abs(y)) {
			t.Errorf("objective %v, of residuals %v", x, y)
		}
		first := means(t, a, data.X)
		second := means(t, b, data.X)
		drawn, err := a.(family.FunctionSampler).DrawFunctions(data.X, 1, 3)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := b.(family.FunctionSampler).DrawFunctions(data.X, 1, 3)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			for k := range 2 {
				want := values.At(i, k)
				if got := first[2*i+k] - second[2*i+k]; !(math.Abs(got-want) < 1e-6) {
					t.Fatalf("predictions of output %d differ by %v at point %d, the trend is %v",
						k, got, i, want)
				}
				if got := drawn[0][k][i] - plain[0][k][i]; !(math.Abs(got-want) < 1e-6) {
					t.Fatalf("draws of output %d differ by %v at point %d, the trend is %v", k, got, i, want)
				}
			}
		}
	})
}

// means returns the predictive means at x, [n][P].
func means(t *testing.T, m family.Model, x *mat.Dense) []float64 {
	t.Helper()
	p, err := m.Predict(x, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	n, outputs := p.Dims()
	mean := make([]float64, n*outputs)
	vr := make([]float64, n*outputs)
	p.(predictive.Regression).Moments(mean, vr)
	return mean
}
