package models_test

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/models"
	"dgplab/models/familytest"
)

// A run shares its training data with the model.
func TestTrainingDataStayUnchanged(t *testing.T) {
	for _, spec := range models.Families() {
		t.Run(spec.Name, func(t *testing.T) {
			data := familytest.Wave(20, 1)
			x := mat.DenseCopyOf(data.X)
			y := mat.DenseCopyOf(data.Y)
			set := familytest.Applicable(spec, map[string]string{
				"layers": "2", "width": "2", "inducing": "5", "orthogonal": "3", "samples": "2",
				"burn_in": "2", "kept": "2", "thinning": "1",
			})
			m, err := spec.New(familytest.Values(t, spec, set), data, 7)
			if err != nil {
				t.Fatal(err)
			}
			familytest.Steps(t, m, 3)
			if !mat.Equal(data.X, x) || !mat.Equal(data.Y, y) {
				t.Error("training changed the data")
			}
		})
	}
}
