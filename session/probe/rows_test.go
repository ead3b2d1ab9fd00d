package probe

import (
	"encoding/csv"
	"strings"
	"testing"
)

// Target names in tables of predictions are escaped.
func TestPredictionColumnsAreEscaped(t *testing.T) {
	var b strings.Builder
	w := &rowWriter{csv: csv.NewWriter(&b), targets: []string{"=y"}, has: []bool{true}}
	if err := w.head(); err != nil {
		t.Fatal(err)
	}
	if err := w.flush(); err != nil || b.String() != "row,'=y,'=y_mean,'=y_sd\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}
