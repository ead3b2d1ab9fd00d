package datasets

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets/table"
	"dgplab/datasets/task"
)

// classed returns a data set whose classes have the given numbers of rows, in turn as far as they go.
func classed(sizes ...int) *Dataset {
	ds := &Dataset{Name: "classed", Inputs: []string{"a"}, Targets: []string{"y"}, Task: task.Multiclass}
	var codes []float64
	left := slices.Clone(sizes)
	for slices.Max(left) > 0 {
		for k := range left {
			if left[k] > 0 {
				codes = append(codes, codeOf(k, len(sizes)))
				left[k]--
			}
		}
	}
	for k := range sizes {
		ds.Classes = append(ds.Classes, string(rune('A'+k)))
	}
	if len(sizes) == 2 {
		ds.Task = task.Binary
	}
	n := len(codes)
	ds.X = mat.NewDense(n, 1, nil)
	for i := range n {
		ds.X.Set(i, 0, float64(i))
	}
	ds.Y = mat.NewDense(n, 1, codes)
	return ds
}

// TestStratified checks three properties: the share of a class in the test and validation sets is exact to
// less than one row, the test set is as large as that of interpolation, and every row is in one part.
func TestStratified(t *testing.T) {
	for _, sizes := range [][]int{{95, 5}, {50, 30, 20}, {14, 13, 12, 11}, {2, 200}, {7, 7, 7}} {
		ds := classed(sizes...)
		n, _ := ds.X.Dims()
		p := mustPrepare(t, ds, Split{Kind: Stratified, Number: 3}, 0.2, 4)
		all := slices.Sorted(slices.Values(slices.Concat(p.Train.Rows, p.Validation.Rows, p.Test.Rows)))
		if !slices.Equal(all, consecutive(n)) {
			t.Errorf("%v: the parts are no partition", sizes)
		}
		if want := (n + 5) / 10; len(p.Test.Rows) != want {
			t.Errorf("%v: %d test rows, want %d", sizes, len(p.Test.Rows), want)
		}
		test := ds.classRows(p.Test.Rows)
		validation := ds.classRows(p.Validation.Rows)
		for k, size := range sizes {
			share := float64(len(p.Test.Rows)) * float64(size) / float64(n)
			if got := float64(len(test[k])); math.Abs(got-share) >= 1 {
				t.Errorf("%v, class %d: %v test rows, its share is %.2f", sizes, k, got, share)
			}
			rest := size - len(test[k])
			share = float64(len(p.Validation.Rows)) * float64(rest) / float64(n-len(p.Test.Rows))
			if got := float64(len(validation[k])); math.Abs(got-share) >= 1 {
				t.Errorf("%v, class %d: %v validation rows, its share is %.2f", sizes, k, got, share)
			}
		}
		again := mustPrepare(t, ds, Split{Kind: Stratified, Number: 3}, 0, 9)
		if !slices.Equal(again.Test.Rows, p.Test.Rows) {
			t.Errorf("%v: the test set depends on the validation set", sizes)
		}
	}
	ds := classed(300, 200)
	a := mustPrepare(t, ds, Split{Kind: Stratified}, 0, 0)
	b := mustPrepare(t, ds, Split{Kind: Stratified, Number: 1}, 0, 0)
	if slices.Equal(a.Test.Rows, b.Test.Rows) {
		t.Error("another seed draws the same test set")
	}
}

// A row without a target has no class: it is in no part.
func TestStratifiedMissingTarget(t *testing.T) {
	ds := classed(30, 20)
	ds.Y.Set(7, 0, math.NaN())
	p := mustPrepare(t, ds, Split{Kind: Stratified}, 0.1, 0)
	rows := slices.Concat(p.Train.Rows, p.Validation.Rows, p.Test.Rows)
	if len(rows) != 49 || slices.Contains(rows, 7) {
		t.Errorf("the parts have the rows %v", rows)
	}
}

func TestStratifiedErrors(t *testing.T) {
	_, err := Prepare(classed(30, 1, 9), Split{Kind: Stratified}, 0, 0)
	if err == nil || !strings.Contains(err.Error(), "class B has one row") {
		t.Errorf("a class with one row: %v", err)
	}
	_, err = Prepare(toy(20), Split{Kind: Stratified}, 0, 0)
	if err == nil || !strings.Contains(err.Error(), "needs one target with classes") {
		t.Errorf("a real target: %v", err)
	}
}

// Only files with classes of two rows or more are stratified by default.
func TestStratifiedDefault(t *testing.T) {
	ds := classed(30, 20)
	if got := DefaultSplit(ds); got.Kind != Interpolation {
		t.Errorf("a named data set: %v", got)
	}
	ds.Columns = &table.Description{}
	if got := DefaultSplit(ds); got.Kind != Stratified {
		t.Errorf("a file with classes: %v", got)
	}
	ds = classed(30, 1)
	ds.Columns = &table.Description{}
	if got := DefaultSplit(ds); got.Kind != Interpolation {
		t.Errorf("a class with one row: %v", got)
	}
}
