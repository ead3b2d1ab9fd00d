package dash

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"dgplab/session"
	"dgplab/tui/kit/kittest"
)

func TestExportWritesPicturesAndTables(t *testing.T) {
	a, r := newDesk(kittest.Training(someConfig, 100), 120, 40)
	cmd := a.Keys("e")
	if cmd == nil || !strings.Contains(a.View(), "exporting") {
		t.Fatal("e does not say that it exports")
	}
	a.Perform(cmd)
	if !strings.Contains(a.View(), "exported 16 files to /runs/fake-1") {
		t.Fatalf("the result is not shown:\n%s", a.View())
	}
	for name, start := range map[string]string{
		"elbo.png": "\x89PNG", "validation.png": "\x89PNG", "covariance.png": "\x89PNG", "samples-layer-1.png": "\x89PNG",
		"elbo.svg": "<?xml", "validation.svg": "<?xml", "covariance.svg": "<?xml", "samples-layer-3.svg": "<?xml",
		"curve.csv": "step,seconds,objective,expected_log_lik,kl,val_log_lik\n1,0.0285,", "covariance.csv": "", "samples.csv": "", "layers.csv": "",
	} {
		if got, ok := r.File(name); !ok || len(got) < 60 || !bytes.HasPrefix(got, []byte(start)) {
			t.Errorf("%s: %.40q", name, got)
		}
	}
	curve, _ := r.File("curve.csv")
	if rows := bytes.Count(curve, []byte("\n")); rows != 101 {
		t.Errorf("curve.csv has %d rows, want 101", rows)
	}
	if strings.Contains(string(curve), "NaN") {
		t.Error("curve.csv has NaN where nothing was measured")
	}
}

func TestExportOfNothingSaysSo(t *testing.T) {
	s := kittest.Training(someConfig, 10)
	s.Curve, s.Diagnostics = nil, nil
	a, _ := newDesk(s, 80, 24)
	a.Perform(a.Keys("e"))
	if !strings.Contains(a.View(), "export failed: there is nothing to export yet") {
		t.Fatalf("screen:\n%s", a.View())
	}
}

// TestExportWithoutValidation exports a run that has no validation points.
func TestExportWithoutValidation(t *testing.T) {
	s := kittest.Training(someConfig, 1)
	s.Curve = []session.Point{{Step: 1, Objective: -3, ValLogLik: math.NaN()}, {Step: 2, Objective: -2, ValLogLik: math.NaN()}}
	a, r := newDesk(s, 80, 24)
	a.Perform(a.Keys("e"))
	if _, ok := r.File("elbo.svg"); !ok {
		t.Error("the ELBO is missing")
	}
	if _, ok := r.File("validation.svg"); ok || !strings.Contains(a.View(), "exported 14 files") {
		t.Errorf("a picture of nothing was exported, or the rest failed:\n%s", a.View())
	}
}
