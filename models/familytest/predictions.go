package familytest

import (
	"math"
	"testing"

	"dgplab/models/family"
	"dgplab/models/predictive"
)

// RMSE returns the root mean square error of the predictive mean at the inputs of data.
func RMSE(t testing.TB, m family.Model, data family.Data, samples int) float64 {
	t.Helper()
	p, err := m.Predict(data.X, samples, 1)
	if err != nil {
		t.Fatal(err)
	}
	y := data.Y.RawMatrix().Data
	mean := make([]float64, len(y))
	vr := make([]float64, len(y))
	p.(predictive.Regression).Moments(mean, vr)
	var squares float64
	for i, v := range mean {
		squares += math.Pow(v-y[i], 2) / float64(len(y))
	}
	return math.Sqrt(squares)
}

// CountErrors returns the number of misclassified points of a binary task.
func CountErrors(t testing.TB, m family.Model, data family.Data, samples int) (count int) {
	t.Helper()
	p, err := m.Predict(data.X, samples, 1)
	if err != nil {
		t.Fatal(err)
	}
	n, _ := data.X.Dims()
	probabilities := make([]float64, 2*n)
	p.(predictive.Classification).Probabilities(probabilities)
	for i := range n {
		if (probabilities[2*i+1] > 0.5) != (data.Y.At(i, 0) > 0) {
			count++
		}
	}
	return count
}
