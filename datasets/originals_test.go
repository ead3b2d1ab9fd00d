package datasets

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// farApart returns a number of a random sign and of a random magnitude between 1e-100 and 1e100.
func farApart(r *rand.Rand) float64 {
	return math.Copysign(math.Pow(10, 200*r.Float64()-100), r.Float64()-0.5)
}

// Standardised beside 1e100, nothing is left of 0.65. The parts of a data set, and new rows, still hold the
// numbers that were given, to the last bit.
func TestOriginalValuesComeBack(t *testing.T) {
	r := rand.New(rand.NewPCG(44, 6))
	for _, logarithms := range []bool{false, true} {
		var text strings.Builder
		text.WriteString("a,b,y\n")
		for range 300 {
			y := farApart(r)
			if logarithms {
				y = math.Abs(y)
			}
			fmt.Fprintf(&text, "%v,%v,%v\n", farApart(r), farApart(r), y)
		}
		ds, err := readWith(t, text.String())
		if err != nil {
			t.Fatal(err)
		}
		ds.LogTargets = logarithms
		x, y := ds.X, ds.Y
		copied, err := Prepare(ds, Split{Kind: Interpolation}, 0.2, 1)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := NewRows(ds, copied.Scaling, "new.csv", strings.NewReader(text.String()))
		if err != nil {
			t.Fatal(err)
		}
		batch, err := rows.Next(t.Context(), 300)
		if err != nil {
			t.Fatal(err)
		}
		want := make([][3]float64, 300)
		for i := range want {
			want[i] = [3]float64{x.At(i, 0), x.At(i, 1), y.At(i, 0)}
		}
		moved, err := PrepareInPlace(ds, Split{Kind: Interpolation}, 0.2, 1) // It changes x.
		if err != nil {
			t.Fatal(err)
		}
		for name, part := range map[string]Part{
			"training set": copied.Train, "validation set": copied.Validation, "test set": copied.Test,
			"training set in place": moved.Train, "validation set in place": moved.Validation,
			"test set in place": moved.Test, "new rows": batch.Part,
		} {
			for i, row := range part.Rows {
				if got := part.Targets.At(i, 0); got != want[row][2] {
					t.Fatalf("%s, row %d: the target is %v; the data set gave %v", name, row, got,
						want[row][2])
				}
				for j := 0; j < 2 && part.Inputs != nil; j++ {
					if got := part.Inputs.At(i, j); got != want[row][j] {
						t.Fatalf("%s, row %d: input %d is %v; the data set gave %v", name, row, j, got,
							want[row][j])
					}
				}
			}
		}
	}
}
