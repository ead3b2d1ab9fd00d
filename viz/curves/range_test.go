package curves

import (
	"slices"
	"testing"
)

// Columns of a line outside the axis are hidden if their neighbours are on the same side or gaps. A
// line that crosses the edge is drawn up to it.
func TestHide(t *testing.T) {
	for _, c := range []struct{ rows, sides, want []int }{
		{[]int{3, 3, 3}, []int{0, 0, 0}, []int{3, 3, 3}},
		{[]int{0, 0, 0}, []int{1, 1, 1}, []int{-1, -1, -1}},
		{[]int{2, 0, 0, 0, 2}, []int{0, 1, 1, 1, 0}, []int{2, 0, -1, 0, 2}},
		{[]int{0, 9, 9}, []int{1, -1, -1}, []int{0, 9, -1}},
		{[]int{-1, 0, -1}, []int{0, 1, 0}, []int{-1, -1, -1}},
		{[]int{0, 5}, []int{1, 0}, []int{0, 5}},
	} {
		got := slices.Clone(c.rows)
		hide(got, c.sides)
		if !slices.Equal(got, c.want) {
			t.Errorf("rows %v on the sides %v: %v, want %v", c.rows, c.sides, got, c.want)
		}
	}
}
