package family

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
)

func TestAccepts(t *testing.T) {
	one := mat.NewDense(2, 1, []float64{-1, 1})
	two := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	holes := mat.NewDense(2, 2, []float64{1, math.NaN(), math.NaN(), 4})
	all := Accepts{Regression: true, Binary: true, Outputs: true, Missing: true}
	for _, c := range []struct {
		name string
		a    Accepts
		task task.Task
		y    *mat.Dense
		want string
	}{
		{"everything", all, task.Regression, holes, ""},
		{"classes", Accepts{Regression: true}, task.Binary, one, "it cannot be trained on classes"},
		{"numbers", Accepts{Binary: true}, task.Regression, one, "it cannot be trained on real targets"},
		{"counts", Accepts{Regression: true}, task.Count, one,
			"it cannot be trained on counts: it has no closed form for their likelihoods; " +
				"choose another family, or treat the target as a number"},
		{"two counts", Accepts{Count: true, Outputs: true}, task.Count, two,
			"it supports only one target of counts, not 2"},
		{"two targets", Accepts{Regression: true}, task.Regression, two,
			"it supports only one target, not 2"},
		{"more classes", Accepts{Binary: true}, task.Multiclass, one,
			"it cannot be trained on more than two classes"},
		{"no classes", Accepts{Regression: true}, task.Multiclass, one, "it cannot be trained on classes"},
		{"two targets of classes", Accepts{Binary: true, Multiclass: true, Outputs: true},
			task.Multiclass, two,
			"it supports only one target with more than two classes, not 2"},
		{"three classes", Accepts{Multiclass: true}, task.Multiclass, one, ""},
		{"no holes", Accepts{Regression: true, Outputs: true}, task.Regression, two, ""},
		{"holes", Accepts{Regression: true, Outputs: true}, task.Regression, holes,
			"it cannot be trained with missing targets, and 2 are missing"},
	} {
		got := ""
		if err := c.a.Check(c.task, c.y); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
