package board

import (
	"fmt"
	"strings"
	"testing"

	"dgplab/models/view"
	"dgplab/tui/kit/kittest"
	"dgplab/viz/golden"
)

// The figures of several runs and their titles. They are about the first run where they show one.
func TestFiguresAndTitles(t *testing.T) {
	viewed := kittest.Scored(kittest.ViewRun(kittest.AllViews(), 1240), 2)
	first := kittest.Scored(kittest.Training(kittest.OfFamily("star", 0), 1240), 0)
	second := kittest.Scored(kittest.Training(kittest.OfFamily("mean-field", 0), 900), 1)
	viewed.ID, first.ID, second.ID = "viewed", "first", "second"
	sets := [][]*Run{{{ID: viewed.ID, Snapshot: viewed}}, {{ID: first.ID, Snapshot: first, Name: "mine"},
		{ID: second.ID, Snapshot: second}, {ID: viewed.ID, Snapshot: viewed}}}
	more := moreSets()
	for _, name := range []string{"classes", "three classes", "splits", "left out"} {
		var runs []*Run
		for _, s := range more[name] {
			runs = append(runs, &Run{ID: s.ID, Snapshot: s})
		}
		sets = append(sets, runs)
	}
	var list strings.Builder
	for _, runs := range sets {
		b := Of(runs...)
		var labels []string
		for _, r := range runs {
			labels = append(labels, r.Label)
		}
		fmt.Fprintf(&list, "%q\n", labels)
		for _, f := range b.Figures() {
			line := fmt.Sprintf("%-26s %-12s %-12s %s", f.Name, f.Panel, f.Page, f.Options.Title)
			list.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	golden.Check(t, "figures", list.String())
}

// The tables and pictures of several runs have all of them.
func TestFiguresOfSeveralRuns(t *testing.T) {
	d := several(4)
	d.Chosen = 3
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
	d := newStage()
	for run := range 3 {
		p := kittest.Plane()
		for i := range p.Fields[0].Values {
			p.Fields[0].Values[i] += 10 * float64(run+1)
		}
		d.start(kittest.ViewRun(view.Views{Plane: p}, 1240))
	}
	d.Chosen = 1
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
