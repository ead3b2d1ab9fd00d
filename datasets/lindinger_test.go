package datasets

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/task"
)

// The expected numbers were computed with numpy.random.RandomState(seed).randn(5).
func TestNumpyNormal(t *testing.T) {
	for seed, want := range map[uint64][]float64{
		0: {1.764052345967664, 0.4001572083672233, 0.9787379841057392, 2.240893199201458,
			1.8675579901499675},
		42: {0.4967141530112327, -0.13826430117118466, 0.6476885381006925, 1.5230298564080254,
			-0.23415337472333597},
	} {
		g := newNumpyNormal(seed)
		for i, w := range want {
			if got := g.next(); math.Abs(got-w) > 1e-15*math.Abs(w) {
				t.Errorf("seed %d, number %d: %v, want %v", seed, i, got, w)
			}
		}
	}
}

// The test set is the half with the lower projections on the direction of the seed, and inputs that are
// constant in the training set are zero. With seed 0 the weights of a, b and tail are 1.76, 0.40 and 0.98, so
// that row 3, where b is 1, is above row 4.
func TestLindingerSplit(t *testing.T) {
	ds := &Dataset{Name: "halves", Inputs: []string{"a", "fixed", "b", "tail"}, Targets: []string{"y"},
		Task: task.Regression}
	const n = 9
	ds.X = mat.NewDense(n, 4, nil)
	ds.Y = mat.NewDense(n, 1, nil)
	for i := range n {
		ds.X.SetRow(i, []float64{float64(i), 5, float64(i % 2), 0})
		ds.Y.Set(i, 0, float64(i*i))
	}
	ds.X.Set(0, 3, -1) // not constant in all rows, but in the training set
	split := Split{Kind: Lindinger}
	p, err := Prepare(ds, split, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(p.Test.Rows, []int{0, 1, 2, 4}) || !slices.Equal(p.Train.Rows, []int{3, 5, 6, 7, 8}) {
		t.Errorf("training rows %v, test rows %v", p.Train.Rows, p.Test.Rows)
	}
	for _, part := range []Part{p.Train, p.Test} {
		for i := range part.Rows {
			if part.X.At(i, 1) != 0 || part.X.At(i, 3) != 0 || part.X.At(i, 0) == 0 {
				t.Errorf("row %d has the standardised inputs %v", part.Rows[i], part.X.RawRowView(i))
			}
		}
	}
	// New rows are standardised like the test set.
	for j := range 4 {
		got := p.Scaling.StandardInput(j, ds.X.At(0, j))
		if want := p.Test.X.At(0, j); got != want {
			t.Errorf("input %d of row 0 is %v as a new row, and %v in the test set", j, got, want)
		}
	}
	if n := len(p.Warnings); n != 2 {
		t.Errorf("%d warnings, want one for each of the two inputs left out: %q", n, p.Warnings)
	}
}
