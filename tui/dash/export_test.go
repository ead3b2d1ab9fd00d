package dash

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"dgplab/session/rundir"
	"dgplab/tui/kit/kittest"
)

func TestExport(t *testing.T) {
	a, _ := newDesk(kittest.Training(someConfig, 100), 120, 40)
	cmd := a.Keys("e")
	if cmd == nil || !strings.Contains(a.View(), "exporting") {
		t.Fatal("e does not report that it exports")
	}
	a.Perform(cmd)
	if !strings.Contains(a.View(), "exported 16 files to /runs/fake-1") {
		t.Fatalf("the result is not shown:\n%s", a.View())
	}
	for name, start := range map[string]string{
		"elbo.png": "\x89PNG", "validation.png": "\x89PNG", "covariance.png": "\x89PNG",
		"samples-layer-1.png": "\x89PNG",
		"elbo.svg":            "<?xml", "validation.svg": "<?xml", "covariance.svg": "<?xml",
		"samples-layer-3.svg": "<?xml",
		"curve.csv":           "step,seconds,objective,expected_log_lik,kl,val_log_lik\n1,0.0285,",
		"covariance.csv":      "", "samples.csv": "", "layers.csv": "",
	} {
		if got := a.files[name]; len(got) < 60 || !bytes.HasPrefix(got, []byte(start)) {
			t.Errorf("%s: %.40q", name, got)
		}
	}
	curve := a.files["curve.csv"]
	if rows := bytes.Count(curve, []byte("\n")); rows != 101 {
		t.Errorf("curve.csv has %d rows, want 101", rows)
	}
	if strings.Contains(string(curve), "NaN") {
		t.Error("curve.csv has NaN where nothing was measured")
	}
}

func TestExportOfNothing(t *testing.T) {
	s := kittest.Training(someConfig, 10)
	s.Curve, s.Diagnostics = nil, nil
	a, _ := newDesk(s, 80, 24)
	a.Perform(a.Keys("e"))
	if !strings.Contains(a.View(), "there is nothing to export yet") {
		t.Fatalf("screen:\n%s", a.View())
	}
}

// An export of a run without validation points omits the validation.
func TestExportWithoutValidation(t *testing.T) {
	s := kittest.Training(someConfig, 1)
	s.Curve = []rundir.Point{{Step: 1, Objective: -3, ValLogLik: math.NaN()},
		{Step: 2, Objective: -2, ValLogLik: math.NaN()}}
	a, _ := newDesk(s, 80, 24)
	a.Perform(a.Keys("e"))
	if _, ok := a.files["elbo.svg"]; !ok {
		t.Error("the ELBO is missing")
	}
	if _, ok := a.files["validation.svg"]; ok || !strings.Contains(a.View(), "exported 14 files") {
		t.Errorf("an empty picture was exported, or other files failed:\n%s", a.View())
	}
}

// fullDisk is a folder in which only some files can be written.
type fullDisk struct {
	*exported
	left int
}

func (f *fullDisk) WriteFile(name string, write func(io.Writer) error) (string, error) {
	if f.left--; f.left < 0 {
		return "", errors.New("disk full")
	}
	return f.exported.WriteFile(name, write)
}

// fullEngine exports into a full disk.
type fullEngine struct {
	engine
	left int
	err  error
}

func (e fullEngine) Exports(ids []string) (Exports, error) {
	return &fullDisk{e.exported, e.left}, e.err
}

// A failed export says after how many files and why it failed. Another one starts only afterwards.
func TestExportFails(t *testing.T) {
	d := emptyDesk(80, 24)
	if d.Keys("e"); d.Note != noRun {
		t.Errorf("without a run: %q", d.Note)
	}
	d.start(kittest.Training(someConfig, 100))
	for _, c := range []struct {
		left int
		err  error
		want string
	}{
		{0, nil, "export failed: curve.csv: disk full"},
		{1, nil, "export failed after 1 file: elbo.png: disk full"},
		{2, nil, "export failed after 2 files: elbo.svg: disk full"},
		{9, errors.New("no folder"), "export failed: no folder"},
	} {
		d.dash.engine = fullEngine{d.engine, c.left, c.err}
		cmd := d.Keys("e")
		if again := d.Keys("e"); again != nil || d.Note != "an export is in progress" {
			t.Errorf("a second time: %q", d.Note)
		}
		if d.Perform(cmd); d.Note != c.want {
			t.Errorf("%d files can be written, %v: %q, want %q", c.left, c.err, d.Note, c.want)
		}
	}
}
