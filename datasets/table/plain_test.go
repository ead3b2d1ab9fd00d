package table

import (
	"slices"
	"testing"
)

func TestPlainCells(t *testing.T) {
	row := []string{"=1+1", "+cmd", "-x", "@SUM(A1)", "\tx", "\r=x", "-1|x", "-0.5", "+1e3", "-Inf",
		"NaN", "", "a=b", "'=x", "-", "-0x1p3"}
	want := []string{"'=1+1", "'+cmd", "'-x", "'@SUM(A1)", "'\tx", "'\r=x", "'-1|x", "-0.5", "+1e3", "-Inf",
		"NaN", "", "a=b", "'=x", "'-", "'-0x1p3"}
	if got := PlainCells(row); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A name is found in a table that PlainCells wrote. An apostrophe that belongs to the name stays.
func TestIndexOf(t *testing.T) {
	names := []string{"=z", "a", "'-b", "-b", "-1"}
	for cell, want := range map[string]int{"=z": 0, "'=z": 0, "a": 1, "'a": -1, "'-b": 2, "-b": 3, "-1": 4,
		"'-1": -1, "z": -1} {
		if got := IndexOf(names, cell); got != want {
			t.Errorf("%s in %q: want index %d, found %d", cell, names, want, got)
		}
	}
}
