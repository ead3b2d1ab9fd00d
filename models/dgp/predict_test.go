package dgp

import (
	"math"
	"testing"

	"dgplab/models/familytest"
)

// Predict returns an error if the inducing inputs are NaN.
func TestPredictReportsInvalidParameters(t *testing.T) {
	data := familytest.Wave(40, 1)
	m := build(t, "mean-field", data, small, nil)
	m.post.layers[0].z.Value[0] = math.NaN()
	if p, err := m.Predict(data.X, 10, 1); err == nil || p != nil {
		t.Errorf("prediction %v, error %v", p, err)
	}
}
