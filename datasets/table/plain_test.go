package table

import (
	"slices"
	"testing"
)

func TestPlainCells(t *testing.T) {
	row := []string{"=1+1", "+cmd", "-x", "@SUM(A1)", "\tx", "\r=x", "-1|x", "-0.5", "+1e3", "-Inf",
		"NaN", "", "a=b", "'=x", "-"}
	want := []string{"'=1+1", "'+cmd", "'-x", "'@SUM(A1)", "'\tx", "'\r=x", "'-1|x", "-0.5", "+1e3", "-Inf",
		"NaN", "", "a=b", "'=x", "'-"}
	if got := PlainCells(row); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
