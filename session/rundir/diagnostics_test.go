package rundir

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dgplab/models"
)

func TestBlockMapsSurvive(t *testing.T) {
	inf := math.Inf(-1)
	m := &models.BlockMap{GPs: []int{1, 1}, M: 9, Cells: 1, Log10: []float64{-3.14159, inf, inf, 0.001}}
	back, err := mapToJSON(m).read()
	if err != nil {
		t.Fatal(err)
	}
	if want := []float64{-3.14, inf, inf, 0}; !slices.Equal(back.Log10, want) || back.M != 9 || back.Cells != 1 {
		t.Errorf("%+v, want %v", back, want)
	}
}

func TestDiagnosticsThatCannotBeRead(t *testing.T) {
	run := Info{Dir: t.TempDir()}
	path := filepath.Join(run.Dir, diagnosticsName)
	for text, want := range map[string]string{
		`{"format":2}`: "format 2",
		`{"format":1,`: "unexpected end",
		`{"format":1,"covariance":{"gps":[1,1],"m":4,"cells":1,"log10":[[1]]}}`:     "1 rows, want 2",
		`{"format":1,"covariance":{"gps":[1,1],"m":4,"cells":1,"log10":[[1],[1]]}}`: "row 1 of the covariance has 1 cells, want 2",
		`{"format":1,"layers":[{"gps":[{"moments":[1,2]}]}]}`:                       "2 moments",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if d, err := run.Diagnostics(); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, %v", text, d, err)
		}
	}
	os.Remove(path)
	if d, err := run.Diagnostics(); d != nil || err != nil {
		t.Errorf("without the file: %v, %v", d, err)
	}
}
