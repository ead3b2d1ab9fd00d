package models

import (
	"fmt"
	"testing"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/viz/golden"
)

// With equal inputs and little jitter, some factorisations need more jitter. The test compares the jitters
// and the numbers of rescues of all matrices after two steps with recorded ones.
func TestEqualInputs(t *testing.T) {
	var sums golden.Sums
	for _, spec := range Families() {
		for _, jitter := range []string{leastJitter(spec), "1e-6"} {
			data := familytest.Wave(12, 1)
			for i := range data.X.RawMatrix().Data {
				data.X.RawMatrix().Data[i] = 0.5
			}
			set := familytest.Applicable(spec, map[string]string{"jitter": jitter, "inducing": "4",
				"layers": "2", "width": "2", "points": "6", "samples": "2", "burn_in": "1", "window": "2"})
			m, err := spec.New(familytest.Values(t, spec, set), data, 1)
			sums.Add(spec.Name, fmt.Sprint(jitter, " new: ", err))
			if err != nil {
				continue
			}
			for range 2 {
				report, err := m.Step(t.Context())
				sums.Add(spec.Name, fmt.Sprint("step: ", report.Rescues, err))
			}
			if s, ok := m.(family.Viewer); ok {
				views, err := s.Views(1)
				sums.Add(spec.Name, fmt.Sprint("views: ", err))
				if err == nil && views.Matrices != nil {
					for _, e := range views.Matrices.Matrices {
						sums.Add(spec.Name, fmt.Sprint(e.Name, " ", e.Layer, e.GP, e.Rescues, e.Jitter))
					}
				}
			}
		}
	}
	sums.Check(t, "equal_inputs")
}

// leastJitter returns the minimum of the jitter of a family.
func leastJitter(spec Spec) string {
	for _, h := range spec.Hyperparameters {
		if h.Name == "jitter" {
			return fmt.Sprint(h.Min)
		}
	}
	return "0"
}
