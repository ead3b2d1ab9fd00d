package rundir

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dgplab/models/view"
)

func TestReadDiagnostics(t *testing.T) {
	run := Info{Dir: t.TempDir()}
	text := `{"format":1,"step":7,"seconds":0.5,
		"blocks":{"parts":[{"group":0,"index":0,"size":9,"cells":1},{"group":1,"index":0,"size":9,"cells":1}],
			"log10":[[-3.14],[null,0]]},
		"units":[{"lengthscales":[1,2],"variance":3,"grid":[0],"units":[{"mean":1,"sd":2,"min":3,"max":4,
			"share":null,"histogram":[5],"collapsed":true,"curves":[[6]]}],"correlation":[[1]]}],
		"matrices":{"matrices":[{"name":"K","kind":"prior","layer":0,"gp":-1,"condition":10,
			"smallest_pivot":1,"jitter":null,"rescues":2}],
		"kl_by_layer":[1.5],"effective":[2.5],"shares":[{"name":"all","share":1}],"share_by_layer":[0.5],
		"timed_steps":3}}`
	if err := os.WriteFile(filepath.Join(run.Dir, diagnosticsName), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	d, err := run.Diagnostics()
	if err != nil {
		t.Fatal(err)
	}
	inf := math.Inf(-1)
	if want := []float64{-3.14, inf, inf, 0}; d.Step != 7 || !slices.Equal([]float64(d.Blocks.Log10), want) ||
		len(d.Blocks.Parts) != 2 || d.Blocks.Parts[1] != (view.Part{Group: 1, Size: 9, Cells: 1}) {
		t.Errorf("step %d, blocks %+v", d.Step, d.Blocks)
	}
	if u := d.Units[0]; u.Variance != 3 || len(u.Units) != 1 || u.Units[0].SD != 2 ||
		!math.IsNaN(float64(u.Units[0].Share)) || !u.Units[0].Collapsed || u.Units[0].Curves[0][0] != 6 {
		t.Errorf("units %+v", d.Units)
	}
	if h := d.Matrices; h.Matrices[0].Rescues != 2 || !math.IsNaN(float64(h.Matrices[0].Jitter)) ||
		h.KLByLayer[0] != 1.5 || h.Shares[0].Name != "all" || h.TimedSteps != 3 {
		t.Errorf("matrices %+v", h)
	}
}

func TestUnreadableDiagnostics(t *testing.T) {
	run := Info{Dir: t.TempDir()}
	path := filepath.Join(run.Dir, diagnosticsName)
	const part = `{"group":0,"index":0,"size":4,"cells":1}`
	for text, want := range map[string]string{
		`{"format":2}`: "format 2",
		`{"format":1,`: "unexpected end",
		`{"format":1,"blocks":{"parts":[` + part + `,` + part + `],"log10":[[1]]}}`: "1 cells, want 2",
		`{"format":1,"blocks":{"parts":[` + part + `,` + part + `],"log10":[[1],` +
			`[1]]}}`: "row 1 of the covariance has 1 cells, want 2",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if d, err := run.Diagnostics(); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, %v", text, d, err)
		}
	}
	os.Remove(path)
	if d, err := run.Diagnostics(); d != nil || err != nil {
		t.Errorf("without the file: %v, %v", d, err)
	}
}
