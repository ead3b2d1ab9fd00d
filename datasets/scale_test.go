package datasets

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
)

// TestScalingErrors checks inputs and targets that cannot be standardised.
func TestScalingErrors(t *testing.T) {
	nan := math.NaN()
	column := func(values ...float64) *mat.Dense { return mat.NewDense(len(values), 1, values) }
	good := column(1, 2, 3)
	for _, c := range []struct {
		x, y *mat.Dense
		task task.Task
		want string
	}{
		{good, good, task.Regression, ""},
		{column(nan, nan, nan), good, task.Regression,
			"input a is missing in every row of the training set of this split"},
		{column(1.7e308, -1.7e308, 0), good, task.Regression,
			"input a spans too wide or too narrow a range to be standardised"},
		{good, column(nan, nan, nan), task.Regression,
			"target y is missing in every row of the training set of this split"},
		{good, column(0, 1e-310, 1e-310), task.Regression,
			"target y spans too wide or too narrow a range to be standardised"},
		{good, column(2, 2, 2), task.Regression,
			"target y is constant (2) in the training set of this split"},
		{good, column(1, 1, 1), task.Binary, "target y has only one class in the training set of this split"},
		{good, column(1, -1, 1), task.Binary, ""},
	} {
		ds := &Dataset{Inputs: []string{"a"}, Targets: []string{"y"}, Task: c.task}
		s, warnings, err := newScaling(ds, c.x, c.y, false)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want || len(warnings) > 0 {
			t.Errorf("error %q, want %q; warnings %v", got, c.want, warnings)
		}
		if c.want == "" &&
			(s.InputMean[0] != 2 || c.task.Classes() != (s.TargetMean[0] == 0 && s.TargetSD[0] == 1)) {
			t.Errorf("scaling %+v", s)
		}
	}
	ds := &Dataset{Inputs: []string{"a"}, Targets: []string{"y"}}
	s, warnings, err := newScaling(ds, column(7, 7, 7), good, false)
	if err != nil || s.InputMean[0] != 7 || s.InputSD[0] != 1 || len(warnings) != 1 ||
		warnings[0] != "input a is constant in the training set: kept with scale 1" {
		t.Errorf("%+v, warnings %v, %v", s, warnings, err)
	}
}
