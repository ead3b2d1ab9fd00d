package datasets

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Missing values do not change the checksum, wherever they are. The checksum of no values is "".
func TestChecksumOfMissingValues(t *testing.T) {
	nan := math.NaN()
	sum := func(x, y, seen []float64, rows ...int) string {
		ds := &Dataset{X: mat.NewDense(len(x), 1, x), Y: mat.NewDense(len(y), 1, y)}
		return ds.checksum(Part{Y: mat.NewDense(len(seen), 1, seen), Rows: rows})
	}
	one := sum([]float64{1}, []float64{2}, []float64{0.7}, 0)
	if len(one) != 64 {
		t.Fatalf("checksum %q", one)
	}
	for i, same := range []string{
		sum([]float64{3, 1}, []float64{4, 2}, []float64{0.7}, 1),
		sum([]float64{1, nan}, []float64{2, nan}, []float64{0.7, nan}, 0, 1),
		sum([]float64{nan, 1}, []float64{2, 5}, []float64{0.7, nan}, 0, 1),
	} {
		if same != one {
			t.Errorf("case %d: checksum %s, want %s", i, same, one)
		}
	}
	if got := sum([]float64{nan}, []float64{5}, []float64{nan}, 0); got != "" {
		t.Errorf("the checksum of missing values is %q", got)
	}
	if one == sum([]float64{2}, []float64{1}, []float64{0.7}, 0) {
		t.Error("different values have the same checksum")
	}
}

// A split in place has the same parts as a copy, in the memory of the data set.
func TestPrepareInPlace(t *testing.T) {
	for _, text := range []string{"interpolation:1", "random811:2", "extrapolation:0", "outputs:0:1"} {
		split, err := ParseSplit(text)
		if err != nil {
			t.Fatal(err)
		}
		g, _ := findGenerator("arm8")
		ds := g.make()
		ds.Y.Set(7, 0, math.NaN())
		if split.Kind == Outputs {
			ds.Y = mat.DenseCopyOf(ds.Y.Grow(0, 1))
			ds.Targets = append(ds.Targets, "second")
			for i := range ds.Y.RawMatrix().Rows {
				ds.Y.Set(i, 1, float64(i))
			}
		}
		want, err := Prepare(ds, split, 0.1, 3)
		if err != nil {
			t.Fatal(text, err)
		}
		x := ds.X.RawMatrix().Data
		got, err := PrepareInPlace(ds, split, 0.1, 3)
		if err != nil {
			t.Fatal(text, err)
		}
		if got.TestSHA256 != want.TestSHA256 || ds.X != nil {
			t.Errorf("%s: another checksum, or the inputs are still there", text)
		}
		if shared := &got.Train.X.RawMatrix().Data[0] == &x[0]; shared == (split.Kind == Outputs) {
			t.Errorf("%s: the training inputs share the memory of the data set: %v", text, shared)
		}
		for name, parts := range map[string][2]Part{
			"train": {got.Train, want.Train}, "validation": {got.Validation, want.Validation},
			"test": {got.Test, want.Test},
		} {
			a, b := parts[0], parts[1]
			if !slices.Equal(a.Rows, b.Rows) || !mat.Equal(a.X, b.X) {
				t.Errorf("%s: the parts for %s differ", text, name)
			}
		}
	}
}
