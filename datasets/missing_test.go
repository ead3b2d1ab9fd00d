package datasets

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/table"
	"dgplab/datasets/task"
)

// soil returns a data set with three targets, some of them missing, and one made-up official split.
func soil(t *testing.T) *Dataset {
	t.Helper()
	const text = `x,Cd,Ni,Zn
0,1,10,100
1,2,NA,200
2,,30,
3,NaN,nan,
4,5,50,500
5,6,60,600
6,7,70,700
7,8,80,800
`
	ds, err := ReadCSV(context.Background(), strings.NewReader(text), Source{
		Name:    "soil.csv",
		Targets: []string{"Cd", "Ni", "Zn"},
	})
	if err != nil {
		t.Fatal(err)
	}
	ds.TestRows = [][]int{{2, 6, 7}}
	return ds
}

func TestMissingTargets(t *testing.T) {
	ds := soil(t)
	want := []string{"target Cd is missing in 2 of 8 rows", "target Ni is missing in 2 of 8 rows",
		"target Zn is missing in 2 of 8 rows",
		"1 row without any target omitted: line 5"}
	if !slices.Equal(table.Texts(ds.Warnings), want) {
		t.Errorf("warnings %q", ds.Warnings)
	}
	p := mustPrepare(t, ds, Split{Kind: Standard}, 0, 0)
	if !slices.Equal(p.Train.Rows, []int{0, 1, 4, 5}) || !slices.Equal(p.Test.Rows, []int{2, 6, 7}) {
		t.Errorf("rows %v, %v", p.Train.Rows, p.Test.Rows)
	}
	// The mean and the standard deviation come from the observed entries of the training set.
	if s := p.Scaling; s.TargetMean[1] != 40 ||
		math.Abs(s.TargetSD[1]-math.Sqrt(1400./3)) > 1e-12 || s.TargetMean[0] != 3.5 {
		t.Errorf("scaling %+v", s)
	}
	if name, row, count := p.FirstMissing(ds.Targets); name != "Ni" || row != 1 || count != 1 {
		t.Errorf("first missing: %s of row %d, %d in all", name, row, count)
	}
	if y := p.Test.Y; !math.IsNaN(y.At(0, 0)) || !math.IsNaN(y.At(0, 2)) ||
		math.Abs(y.At(0, 1)+10/p.Scaling.TargetSD[1]) > 1e-12 {
		t.Errorf("test targets %v", mat.Formatted(y))
	}
	ds.TestRows[0] = []int{0, 1, 4}
	ds.Y.Set(5, 0, math.NaN())
	ds.Y.Set(6, 0, math.NaN())
	ds.Y.Set(7, 0, math.NaN())
	if _, err := Prepare(ds, Split{Kind: Standard}, 0, 0); err == nil ||
		!strings.Contains(err.Error(), "target Cd is missing in every row of the training set") {
		t.Errorf("a target without values: %v", err)
	}
}

// Held-out outputs are missing in the training set, and the test set contains only these outputs. A
// row without held-out targets is not tested, and a test row without other targets is not used for
// training.
func TestHeldOutOutputs(t *testing.T) {
	ds := soil(t)
	p := mustPrepare(t, ds, Split{Kind: Outputs, Targets: "Cd"}, 0, 0)
	if !slices.Equal(p.Train.Rows, []int{0, 1, 2, 4, 5, 6, 7}) || !slices.Equal(p.Test.Rows, []int{6, 7}) {
		t.Fatalf("rows %v, %v", p.Train.Rows, p.Test.Rows)
	}
	nan := math.NaN()
	closeTo(t, p.Test.Targets, []float64{7, nan, nan, 8, nan, nan})
	closeTo(t, p.Train.Targets, []float64{1, 10, 100, 2, nan, 200, nan, 30, nan, 5, 50, 500, 6, 60, 600,
		nan, 70, 700, nan, 80, 800})
	usual := mustPrepare(t, ds, Split{Kind: Standard}, 0, 0)
	if p.Scaling.TargetMean[0] != usual.Scaling.TargetMean[0] ||
		p.Scaling.TargetMean[1] == usual.Scaling.TargetMean[1] {
		t.Error("the scaling includes held-out targets or excludes others")
	}
	both := mustPrepare(t, ds, Split{Kind: Outputs, Targets: "Zn + 0"}, 0, 0)
	closeTo(t, both.Test.Targets, []float64{7, nan, 700, 8, nan, 800})
	// A split that holds out all outputs equals the standard split.
	ds.TestRows[0] = []int{6, 7}
	all := mustPrepare(t, ds, Split{Kind: Outputs, Targets: "Cd+Ni+Zn"}, 0.5, 3)
	usual = mustPrepare(t, ds, Split{Kind: Standard}, 0.5, 3)
	for i, part := range []Part{all.Train, all.Validation, all.Test} {
		other := []Part{usual.Train, usual.Validation, usual.Test}[i]
		if !slices.Equal(part.Rows, other.Rows) ||
			!slices.EqualFunc(part.Y.RawMatrix().Data, other.Y.RawMatrix().Data, same) {
			t.Errorf("part %d: rows %v, %v", i, part.Rows, other.Rows)
		}
	}
	ds.TestRows = nil
	random := mustPrepare(t, ds, Split{Kind: Outputs, Targets: "Zn", Number: 5}, 0, 0)
	if base := mustPrepare(t, ds, Split{Kind: Interpolation, Number: 5}, 0,
		0); !slices.Equal(random.Test.Rows, base.Test.Rows) {
		t.Errorf("test rows %v, of the interpolation %v", random.Test.Rows, base.Test.Rows)
	}
	if _, err := Prepare(ds, Split{Kind: Outputs, Targets: "Hg"}, 0, 0); err == nil ||
		!strings.Contains(err.Error(), `no target "Hg"; the targets are Cd, Ni, Zn`) {
		t.Errorf("an unknown target: %v", err)
	}
}

func TestLogTargets(t *testing.T) {
	ds := soil(t)
	ds.LogTargets = true
	p := mustPrepare(t, ds, Split{Kind: Standard}, 0, 0)
	if want := (math.Log(1) + math.Log(2) + math.Log(5) + math.Log(6)) / 4; !p.Scaling.Log ||
		math.Abs(p.Scaling.TargetMean[0]-want) > 1e-15 || ds.Y.At(0, 0) != 1 {
		t.Errorf("scaling %+v", p.Scaling)
	}
	ds.Y.Set(4, 1, 0)
	if _, err := Prepare(ds, Split{Kind: Standard}, 0, 0); err == nil ||
		!strings.Contains(err.Error(), "target Ni of row 5 is 0, which has no logarithm") {
		t.Errorf("a zero: %v", err)
	}
	ds.Task = task.Binary
	if _, err := Prepare(ds, Split{Kind: Standard}, 0, 0); err == nil ||
		!strings.Contains(err.Error(), "classes have no logarithms") {
		t.Errorf("classes: %v", err)
	}
}

func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

func closeTo(t *testing.T, got *mat.Dense, want []float64) {
	t.Helper()
	if !slices.EqualFunc(got.RawMatrix().Data, want, func(a, b float64) bool {
		return same(a, b) || math.Abs(a-b) <= 1e-12*math.Abs(b)
	}) {
		t.Errorf("%v\nwant %v", mat.Formatted(got), want)
	}
}
