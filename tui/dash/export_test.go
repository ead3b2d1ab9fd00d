package dash

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"dgplab/models/view"
	"dgplab/session/rundir"
	"dgplab/tui/kit/kittest"
	"dgplab/tui/report"
	"dgplab/viz/figure"
	"dgplab/viz/golden"
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

// The figures of several runs and their titles. They are about the first run where they show one.
func TestFiguresAndTitles(t *testing.T) {
	viewed := kittest.Scored(kittest.ViewRun(kittest.AllViews(), 1240), 2)
	first := kittest.Scored(kittest.Training(kittest.OfFamily("star", 0), 1240), 0)
	second := kittest.Scored(kittest.Training(kittest.OfFamily("mean-field", 0), 900), 1)
	viewed.ID, first.ID, second.ID = "viewed", "first", "second"
	sets := [][]Shown{{{Snapshot: viewed}},
		{{Snapshot: first, Name: "mine"}, {Snapshot: second}, {Snapshot: viewed}}}
	more := moreSets()
	for _, name := range []string{"classes", "three classes", "splits", "left out"} {
		var runs []Shown
		for _, s := range more[name] {
			runs = append(runs, Shown{Snapshot: s})
		}
		sets = append(sets, runs)
	}
	var list strings.Builder
	for _, runs := range sets {
		fmt.Fprintf(&list, "%q\n", Labels(runs))
		for _, f := range Figures(runs) {
			line := fmt.Sprintf("%-26s %-12s %-12s %s", f.Name, f.Panel, f.Page, f.Options.Title)
			list.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	golden.Check(t, "figures", list.String())
}

// exports returns the tables and the vector graphics that the dashboard exports, by file name. It omits
// bitmaps, which take long and which TestExport writes.
func (d *desk) exports(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, f := range report.Files(d.dash.Figures(), report.CSV, figure.SVG) {
		var text strings.Builder
		err := f.Write(&text)
		switch {
		case err == nil:
			files[f.Name] = text.String()
		case !errors.Is(err, figure.ErrNothing): // Empty pictures are omitted.
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	return files
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

// Several runs are exported into one folder.
func TestExportOfSeveralRuns(t *testing.T) {
	d := several(4)
	d.dash.Chosen = 3
	d.Send(d.Keys("e")())
	if !strings.HasSuffix(d.Note,
		" to /runs/fake-1+fake-2+fake-3+20261121-101500-mountaincar-fully-coupled-k3x9") {
		t.Fatalf("said %q", d.Note)
	}
	files := d.exports(t)
	for _, name := range []string{"errors", "distance", "pit", "coverage"} {
		for _, ending := range []string{".csv", ".svg"} {
			if len(files[name+ending]) == 0 {
				t.Errorf("there is no %s%s", name, ending)
			}
		}
	}
	if text := files["coverage.csv"]; !strings.HasPrefix(text,
		"run,label,n,nominal,observed,chance_low,chance_high\n") || strings.Count(text, "star seed 0") != 41 {
		t.Errorf("coverage.csv:\n%.300s", text)
	}
	if text := files["errors.csv"]; strings.Count(text, "\n") != 1+4*200 {
		t.Errorf("errors.csv has %d rows", strings.Count(text, "\n"))
	}
	if text := files["table.csv"]; strings.Count(text, "\n") != 5 ||
		!strings.Contains(text, "mean-field seed 1") {
		t.Errorf("table.csv:\n%s", text)
	}
	if text := files["direct.csv"]; !strings.HasPrefix(text, "a,b,over,n,share") ||
		strings.Count(text, "\n") < 2 {
		t.Errorf("direct.csv:\n%s", text)
	}
	rows := strings.Split(files["curves.csv"], "\n")
	if rows[0] != "run,label,step,seconds,objective,expected_log_lik,kl,val_log_lik" ||
		!strings.HasPrefix(rows[1], "fake-1,star seed 0,1,0.0285,") {
		t.Errorf("curves.csv begins with\n%s\n%s", rows[0], rows[1])
	}
	for _, label := range []string{"star seed 0", "mean-field seed 1", "fully-coupled seed 0"} {
		if !strings.Contains(files["elbo.svg"], label) {
			t.Errorf("elbo.svg does not name %s", label)
		}
	}
}

// TestExportOfPlanes checks the contents of the files, and their names, which contain the numbers of runs
// that are not selected.
func TestExportOfPlanes(t *testing.T) {
	d := emptyDesk(120, 40)
	for run := range 3 {
		p := kittest.Plane()
		for i := range p.Fields[0].Values {
			p.Fields[0].Values[i] += 10 * float64(run+1)
		}
		d.start(kittest.ViewRun(view.Views{Plane: p}, 1240))
	}
	d.dash.Chosen = 1
	files := d.exports(t)
	for name, level := range map[string]string{"plane-run-1": "10.", "plane": "20.", "plane-run-3": "30."} {
		lines := strings.Split(files[name+".csv"], "\n")
		if len(lines) < 2 || !strings.Contains(lines[len(lines)/4], ","+level) {
			t.Errorf("%s.csv does not start with the value %s: %.200q", name, level, files[name+".csv"])
		}
		if !strings.HasPrefix(files[name+".svg"], "<?xml") {
			t.Errorf("there is no %s.svg", name)
		}
	}
	for name := range files {
		if strings.Contains(name, "plane-run-2") || strings.Contains(name, "plane-run-4") {
			t.Errorf("there is a file %s", name)
		}
	}
}
