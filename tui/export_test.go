package tui

import (
	"bytes"
	"strings"
	"testing"

	"dgplab/session"
)

func TestExportWritesPicturesAndTables(t *testing.T) {
	a, r := dashApp(training(someConfig, 100), 120, 40)
	_, cmd := a.Update(press("e"))
	if cmd == nil || !strings.Contains(a.View(), "exporting") {
		t.Fatal("e does not say that it exports")
	}
	a.Update(a.dash.export()())
	if !strings.Contains(a.View(), "exported 16 files to /runs/fake") {
		t.Fatalf("the result is not shown:\n%s", a.View())
	}
	for name, start := range map[string]string{
		"elbo.png": "\x89PNG", "validation.png": "\x89PNG", "covariance.png": "\x89PNG", "samples-layer-1.png": "\x89PNG",
		"elbo.svg": "<?xml", "validation.svg": "<?xml", "covariance.svg": "<?xml", "samples-layer-3.svg": "<?xml",
		"curve.csv": "step,seconds,objective,expected_log_lik,kl,val_log_lik\n1,0.0285,", "covariance.csv": "", "samples.csv": "", "layers.csv": "",
	} {
		if got, ok := r.files[name]; !ok || len(got) < 60 || !bytes.HasPrefix(got, []byte(start)) {
			t.Errorf("%s: %.40q", name, got)
		}
	}
	if rows := bytes.Count(r.files["curve.csv"], []byte("\n")); rows != 101 {
		t.Errorf("curve.csv has %d rows, want 101", rows)
	}
	if strings.Contains(string(r.files["curve.csv"]), "NaN") {
		t.Error("curve.csv has NaN where nothing was measured")
	}
}

func TestExportOfNothingSaysSo(t *testing.T) {
	s := training(someConfig, 10)
	s.Curve, s.Diagnostics = nil, nil
	a, _ := dashApp(s, 80, 24)
	a.Update(a.dash.export()())
	if !strings.Contains(a.View(), "export failed: there is nothing to export yet") {
		t.Fatalf("screen:\n%s", a.View())
	}
}

// TestExportWithoutValidation exports a run that has no validation points.
func TestExportWithoutValidation(t *testing.T) {
	s := training(someConfig, 1)
	s.Curve = []session.Point{{Step: 1, Objective: -3, ValLogLik: nan()}, {Step: 2, Objective: -2, ValLogLik: nan()}}
	a, r := dashApp(s, 80, 24)
	a.Update(a.dash.export()())
	if _, ok := r.files["elbo.svg"]; !ok {
		t.Error("the ELBO is missing")
	}
	if _, ok := r.files["validation.svg"]; ok || !strings.Contains(a.View(), "exported 14 files") {
		t.Errorf("a picture of nothing was exported, or the rest failed:\n%s", a.View())
	}
}
