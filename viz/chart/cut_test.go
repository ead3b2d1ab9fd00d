package chart

import (
	"slices"
	"testing"
)

func TestLinesAreCutWhereTheyLeaveTheAxis(t *testing.T) {
	for name, c := range map[string]struct {
		line []XY
		want [][]XY
	}{
		"within": {[]XY{{X: 0, Y: 0}, {X: 1, Y: 1}},
			[][]XY{{{X: 0, Y: 0}, {X: 1, Y: 1}}}},
		"from below": {[]XY{{X: 0, Y: -1}, {X: 1, Y: 1}},
			[][]XY{{{X: 0.5, Y: 0}, {X: 1, Y: 1}}}},
		"below and back": {[]XY{{X: 0, Y: 1}, {X: 1, Y: -1}, {X: 2, Y: 1}},
			[][]XY{{{X: 0, Y: 1}, {X: 0.5, Y: 0}}, {{X: 1.5, Y: 0}, {X: 2, Y: 1}}}},
		"right through": {[]XY{{X: 0, Y: -1}, {X: 4, Y: 3}},
			[][]XY{{{X: 1, Y: 0}, {X: 3, Y: 2}}}},
		"all outside":       {[]XY{{X: 0, Y: -1}, {X: 1, Y: -1}}, nil},
		"one point":         {[]XY{{X: 0, Y: 1}}, [][]XY{{{X: 0, Y: 1}}}},
		"one point outside": {[]XY{{X: 0, Y: 3}}, nil},
		"along the edge": {[]XY{{X: 0, Y: 0}, {X: 1, Y: 0}},
			[][]XY{{{X: 0, Y: 0}, {X: 1, Y: 0}}}},
		"upright, through": {[]XY{{X: 1, Y: -1}, {X: 1, Y: 3}},
			[][]XY{{{X: 1, Y: 0}, {X: 1, Y: 2}}}},
		"beyond all numbers": {[]XY{{X: 0, Y: -1.7e308}, {X: 1, Y: 1.7e308}},
			[][]XY{{{X: 0.5, Y: 0}, {X: 0.5, Y: 2}}}},
	} {
		if got := cut(c.line, ofY, 0, 2); !slices.EqualFunc(got, c.want, slices.Equal) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

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
