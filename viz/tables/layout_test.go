package tables

import (
	"slices"
	"strings"
	"testing"
)

// TestFit narrows a table cell by cell.
func TestFit(t *testing.T) {
	columns := []Column{
		{Title: "run", Least: 4, Keep: true}, {Title: "family", Drop: 2},
		{Title: "step", Drop: 2, Right: true},
		{Title: "score", Order: "v", Keep: true}, {Title: "tags", Least: 2, Drop: 1},
	}
	rows := [][]string{{"a long name", "star", "20", "-2.4", "best"}, {"short", "svgp", "2000"}}
	natural := Natural(columns, rows)
	if !slices.Equal(natural, []int{11, 6, 4, 6, 4}) {
		t.Fatalf("natural widths %v", natural)
	}
	for _, c := range []struct {
		w    int
		want []int
	}{
		{40, []int{11, 6, 4, 6, 4}}, {39, []int{11, 6, 4, 6, 4}},
		{38, []int{10, 6, 4, 6, 4}}, {32, []int{4, 6, 4, 6, 4}}, // the widest is cut first
		{30, []int{4, 6, 4, 6, 2}},
		{29, []int{7, 6, 0, 6, 4}}, // of equal columns the right one is omitted
		{22, []int{8, 0, 0, 6, 4}},
		{17, []int{4, 0, 0, 6, 3}}, {15, []int{7, 0, 0, 6, 0}},
		{12, []int{4, 0, 0, 6, 0}},
		{10, []int{2, 0, 0, 6, 0}}, // at the cost of the first column, because the order stays
		{3, []int{1, 0, 0, 6, 0}}, {-5, []int{1, 0, 0, 6, 0}},
	} {
		if got := Fit(columns, natural, c.w); !slices.Equal(got.Widths, c.want) {
			t.Errorf("in %d cells: %v, want %v", c.w, got.Widths, c.want)
		}
	}
	natural[1] = 0
	if got := Fit(columns, natural, 100); got.Widths[1] != 0 || got.Width() != 11+4+6+4+3*columnGap {
		t.Errorf("an empty column is shown: %v", got.Widths)
	}
}

// One column stays even if all columns may be omitted.
func TestOneColumnStays(t *testing.T) {
	columns := []Column{{Title: "one"}, {Title: "two"}, {Title: "three"}}
	if got := Fit(columns, Natural(columns, nil), 2); !slices.Equal(got.Widths, []int{2, 0, 0}) {
		t.Errorf("widths %v", got.Widths)
	}
}

// At returns the column of each cell of a row.
func TestRowAndPlaces(t *testing.T) {
	l := Layout{Widths: []int{2, 0, 3}}
	row := l.Row(func(i, w int) string { return strings.Repeat(string(rune('a'+i)), w) })
	if row != "aa  ccc" || l.Width() != len(row) {
		t.Errorf("row %q of width %d", row, l.Width())
	}
	for x, want := range []int{0, 0, -1, -1, 2, 2, 2, -1} {
		if got := l.At(x); got != want {
			t.Errorf("at %d is column %d, want %d", x, got, want)
		}
	}
}

func TestWindow(t *testing.T) {
	for _, c := range []struct{ n, selected, h, first, shown int }{
		{3, 0, 5, 0, 3}, {10, 0, 4, 0, 4}, {10, 5, 4, 3, 4}, {10, 9, 4, 6, 4}, {10, -1, 4, 0, 4},
		{10, 3, 0, 3, 0}, {10, 3, -2, 3, 0}, {0, 0, 3, 0, 0},
	} {
		if first, shown := Window(c.n, c.selected, c.h); first != c.first || shown != c.shown {
			t.Errorf("%d of %d lines around %d: from %d on %d", c.h, c.n, c.selected, first, shown)
		}
	}
}
