package datasets

import (
	"fmt"
	"math"
	"testing"
)

func TestInputColumns(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"a,b,y\n1,2,3\n4,5,6\n", "[]"},
		{"c,a,s,k,y\nred,1,no,u,1\nblue,2,yes,v,2\ngreen,3,no,u,3\nred,3,no,v,4\n",
			"[{c 0 3 [blue green red]} {a 3 1 []} {s 4 1 [no yes]} {k 5 1 [u v]}]"},
	} {
		ds, err := readWith(t, tt.text)
		if err != nil {
			t.Fatal(err)
		}
		columns := ds.InputColumns()
		if got := fmt.Sprint(columns); got != tt.want {
			t.Errorf("columns %s, want %s", got, tt.want)
		}
		for _, c := range columns {
			for level := range c.Levels {
				inputs := make([]float64, c.Width)
				c.Encode(inputs, level)
				if got := c.Level(inputs); got != level {
					t.Errorf("level %d of %s is read as %d", level, c.Name, got)
				}
			}
		}
	}
}

// Only exact indicators encode a level; a missing cell and a mean of indicators do not.
func TestLevelOfIndicators(t *testing.T) {
	three := InputColumn{Width: 3, Levels: []string{"a", "b", "c"}}
	two := InputColumn{Width: 1, Levels: []string{"a", "b"}}
	one := InputColumn{Width: 1, Levels: []string{"a"}}
	nan := math.NaN()
	for _, tt := range []struct {
		column InputColumn
		inputs []float64
		want   int
	}{
		{three, []float64{0, 1 - 1e-12, 1e-12}, 1}, {three, []float64{0, 0.5, 0.5}, -1},
		{three, []float64{0, 0, 0}, -1}, {three, []float64{1, 0, 1}, -1},
		{three, []float64{nan, nan, nan}, -1},
		{two, []float64{0}, 0}, {two, []float64{1}, 1}, {two, []float64{0.5}, -1}, {two, []float64{nan}, -1},
		{one, []float64{1}, 0}, {one, []float64{0}, -1},
	} {
		if got := tt.column.Level(tt.inputs); got != tt.want {
			t.Errorf("%v of %d levels are level %d, want %d", tt.inputs, len(tt.column.Levels), got, tt.want)
		}
	}
}
