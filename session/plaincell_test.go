package session

import (
	"encoding/csv"
	"slices"
	"strings"
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

// Target names in tables of predictions are escaped.
func TestPredictionColumnsAreEscaped(t *testing.T) {
	var b strings.Builder
	w := &predictionWriter{csv: csv.NewWriter(&b), targets: []string{"=y"}, has: []bool{true}}
	if err := w.head(); err != nil {
		t.Fatal(err)
	}
	if err := w.flush(); err != nil || b.String() != "row,'=y,'=y_mean,'=y_sd\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}
