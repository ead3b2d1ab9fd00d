package train

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestMinibatchesVisitEveryRowOncePerEpoch(t *testing.T) {
	const n, b = 10, 4
	s := NewMinibatches(7, n, b)
	var rows []int
	for k := range 5 { // two epochs
		rows = append(rows, s.Rows(k)...)
	}
	for epoch := range 2 {
		sorted := slices.Sorted(slices.Values(rows[epoch*n : (epoch+1)*n]))
		if !slices.Equal(sorted, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
			t.Errorf("epoch %d visits %v", epoch, sorted)
		}
	}
	if again := NewMinibatches(7, n, b).Rows(3); !slices.Equal(again, rows[12:16]) {
		t.Errorf("minibatch 3 alone is %v, in order %v", again, rows[12:16])
	}
}

// numbered is a matrix with the entries 10*row + column.
func numbered(n, d int) *mat.Dense {
	m := mat.NewDense(n, d, nil)
	m.Apply(func(i, j int, _ float64) float64 { return float64(10*i + j) }, m)
	return m
}

func TestRowsAsColumns(t *testing.T) {
	x := numbered(5, 2)
	for name, c := range map[string]struct {
		fill func(dst []float64)
		want []float64
	}{
		"chosen rows": {func(dst []float64) { Columns(dst, x, []int{4, 0, 4}) },
			[]float64{40, 0, 40, 41, 1, 41}},
		"window":            {func(dst []float64) { Window(dst, x, 1) }, []float64{10, 20, 30, 11, 21, 31}},
		"window at the end": {func(dst []float64) { Window(dst, x, 3) }, []float64{30, 40, 40, 31, 41, 41}},
	} {
		got := make([]float64, 6)
		c.fill(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestSpread(t *testing.T) {
	x := numbered(5, 2)
	for count, want := range map[int][]float64{1: {0, 1}, 2: {0, 1, 20, 21}, 5: x.RawMatrix().Data,
		9: x.RawMatrix().Data} {
		if got := Spread(x, count).RawMatrix().Data; !slices.Equal(got, want) {
			t.Errorf("%d rows: %v, want %v", count, got, want)
		}
	}
}
