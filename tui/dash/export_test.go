package dash

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"dgplab/session/rundir"
	"dgplab/tui/kit/kittest"
	"dgplab/tui/report"
	"dgplab/viz/figure"
)

// exports presses keys, accepts the folder and the format, and waits for the end of the export.
func (d *desk) exports(keys ...string) {
	cmd := d.Keys(keys...)
	if d.dash.prompt != nil {
		cmd = d.Keys("enter")
	}
	d.Perform(cmd)
}

// names returns the sorted names of the exported files.
func (e *exported) names() []string { return slices.Sorted(maps.Keys(e.files)) }

// The first export asks for the folder and the format, and later ones use them. The path of the file is
// shown.
func TestExportOfFocusedPanel(t *testing.T) {
	a, _ := newDesk(kittest.Training(someConfig, 100), 120, 40)
	a.Keys("e")
	kittest.CheckShows(t, "the first export", a.View(), "export to ./dgplab-figures", "as svg",
		"enter write  tab next format  esc cancel")
	a.Keys("esc", "e", "tab", "ctrl+u", "o", "u", "t")
	kittest.CheckShows(t, "another folder and format", a.View(), "export to out", "as png")
	a.Perform(a.Keys("enter"))
	kittest.CheckShows(t, "the result", a.View(), "exported out/elbo-fake-1.png")
	a.Perform(a.Keys("tab", "e"))
	want := []string{"elbo-fake-1.png", "validation-fake-1.png"}
	if got := a.names(); !slices.Equal(got, want) {
		t.Errorf("exported %q, want %q", got, want)
	}
	if !bytes.HasPrefix(a.files["elbo-fake-1.png"], []byte("\x89PNG")) {
		t.Errorf("the file is not a picture: %.40q", a.files["elbo-fake-1.png"])
	}
	a.Keys("shift+tab")
	a.dash.Act(actExportTo, tea.KeyMsg{})
	kittest.CheckShows(t, "the question for another target", a.View(), "export to out", "as png")
}

// A figure shows the chosen layer of the selected run, and its name tells it from figures of other runs.
func TestExportFollowsTheScreen(t *testing.T) {
	d := emptyDesk(120, 40)
	d.start(kittest.Training(someConfig, 100))
	d.start(kittest.Training(kittest.OfFamily("star", 1), 100))
	d.Keys("shift+tab", "right", "right", ",")
	d.exports("e")
	if got, want := d.names(), []string{"samples-layer-3-fake-1-and-1.svg"}; !slices.Equal(got, want) {
		t.Errorf("exported %q, want %q", got, want)
	}
	if text := string(d.files["samples-layer-3-fake-1-and-1.svg"]); !strings.Contains(text, "seed 0") {
		t.Error("the title does not name the selected run")
	}
}

// E exports every panel of the page once: pictures in the chosen format, and tables as CSV.
func TestExportOfPage(t *testing.T) {
	a, _ := newDesk(kittest.Training(someConfig, 100), 120, 40)
	a.exports("E")
	want := []string{"covariance-fake-1.svg", "elbo-fake-1.svg", "samples-layer-1-fake-1.svg",
		"validation-fake-1.svg"}
	if got := a.names(); !slices.Equal(got, want) {
		t.Errorf("exported %q, want %q", got, want)
	}
	kittest.CheckShows(t, "the result", a.View(), "exported 4 files to ./dgplab-figures")
	a.start(kittest.Training(kittest.OfFamily("star", 1), 100))
	a.exports("2", "E")
	if _, ok := a.files["table-fake-2-and-1.csv"]; !ok {
		t.Errorf("the table of the runs is missing: %q", a.names())
	}
}

// The palette exports all layers, in any format.
func TestExportOfEverything(t *testing.T) {
	a, _ := newDesk(kittest.Training(someConfig, 100), 120, 40)
	a.dash.target = exportTarget{"all", report.CSV, true}
	a.Perform(a.dash.Act(actExportAll, tea.KeyMsg{}))
	for _, name := range []string{"curve", "covariance", "samples", "layers"} {
		if len(a.files[name+"-fake-1.csv"]) < 60 {
			t.Errorf("%s.csv is missing: %q", name, a.names())
		}
	}
	curve := string(a.files["curve-fake-1.csv"])
	if rows := strings.Count(curve, "\n"); rows != 101 {
		t.Errorf("curve.csv has %d rows, want 101", rows)
	}
	if strings.Contains(curve, "NaN") {
		t.Error("curve.csv has NaN where nothing was measured")
	}
	a.dash.target.format = figure.SVG
	a.Perform(a.dash.Act(actExportAll, tea.KeyMsg{}))
	for _, name := range []string{"samples-layer-1-fake-1.svg", "samples-layer-3-fake-1.svg"} {
		if !bytes.HasPrefix(a.files[name], []byte("<?xml")) {
			t.Errorf("%s: %.40q", name, a.files[name])
		}
	}
}

func TestExportOfNothing(t *testing.T) {
	s := kittest.Training(someConfig, 10)
	s.Curve, s.Diagnostics = nil, nil
	a, _ := newDesk(s, 80, 24)
	a.Keys("e")
	kittest.CheckShows(t, "an empty panel", a.View(), "this panel has no figure to export")
	a.Keys("E")
	kittest.CheckShows(t, "an empty page", a.View(), "there is nothing to export yet")
}

// A picture without values, such as the validation of a run without validation points, is not a file.
func TestExportWithoutValidation(t *testing.T) {
	s := kittest.Training(someConfig, 1)
	s.Curve = []rundir.Point{{Step: 1, Objective: -3, ValLogLik: math.NaN()},
		{Step: 2, Objective: -2, ValLogLik: math.NaN()}}
	a, _ := newDesk(s, 80, 24)
	a.exports("E")
	want := []string{"covariance-fake-1.svg", "elbo-fake-1.svg", "samples-layer-1-fake-1.svg"}
	if got := a.names(); !slices.Equal(got, want) {
		t.Errorf("exported %q, want %q", got, want)
	}
	a.exports("tab", "e")
	kittest.CheckShows(t, "an empty picture", a.View(), "there is nothing to export yet")
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

func (e fullEngine) Exports(string) (Exports, error) {
	return &fullDisk{e.exported, e.left}, e.err
}

// A failed export says after how many files and why it failed. Another one starts only afterwards.
func TestExportFails(t *testing.T) {
	d := emptyDesk(80, 24)
	if d.Keys("e"); d.Note != noRun {
		t.Errorf("without a run: %q", d.Note)
	}
	d.start(kittest.Training(someConfig, 100))
	d.dash.target.chosen = true
	for _, c := range []struct {
		left int
		err  error
		want string
	}{
		{0, nil, "export failed: elbo-fake-1.svg: disk full"},
		{1, nil, "export failed after 1 file: validation-fake-1.svg: disk full"},
		{2, nil, "export failed after 2 files: covariance-fake-1.svg: disk full"},
		{9, errors.New("no folder"), "export failed: no folder"},
	} {
		d.dash.engine = fullEngine{d.engine, c.left, c.err}
		cmd := d.Keys("E")
		if again := d.Keys("E"); again != nil || d.Note != "an export is in progress" {
			t.Errorf("a second time: %q", d.Note)
		}
		if d.Perform(cmd); d.Note != c.want {
			t.Errorf("%d files can be written, %v: %q, want %q", c.left, c.err, d.Note, c.want)
		}
	}
}

// Names of files have the identifier of the run without its time, which would fill the line.
func TestNamesOfExports(t *testing.T) {
	d, _ := newDesk(kittest.Training(someConfig, 100), 80, 24)
	for id, want := range map[string]string{
		"20261129-105905-energy-mean-field-8ad0cc": "energy-mean-field-8ad0cc", "fake-1": "fake-1",
	} {
		d.dash.Current().ID = id
		if got := d.dash.shownRuns(); got != want {
			t.Errorf("%s is named %s, want %s", id, got, want)
		}
	}
}
