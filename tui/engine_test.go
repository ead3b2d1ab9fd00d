package tui

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dgplab/datasets"
	"dgplab/session/compare"
	"dgplab/session/reproduce"
	"dgplab/session/rundir"
	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit"
	"dgplab/tui/sweep"
)

// A run on an unusable file does not start, and the error phrases the remedies as settings.
func TestRunOnUnusableFile(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	path := filepath.Join(t.TempDir(), "f.csv")
	for text, want := range map[string]string{
		"a,b,y\n1,2,1.5\n2,,2.5\n3,4," +
			"3.5\n": "the cell is missing; only targets may be missing; set columns to missing=drop: " +
			"omits such rows; set columns to missing=mean: uses the mean",
		"a,y\n1,0\n2,1\n3,2\n4,0\n5,1\n6," +
			"2\n": "which may be classes, numbers or counts; set targets to y:class: classes; " +
			"set targets to y:number: numbers; set targets to y:count: counts",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := new(workbench).Start(t.Context(), kit.Start{
			Config: rundir.Config{Dataset: path, Family: "linear"},
		})
		if err == nil || !strings.HasSuffix(err.Error(), want) || strings.Contains(err.Error(), "--") {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
	if list, err := rundir.List(); err != nil || len(list) > 0 {
		t.Errorf("%d runs have started, %v", len(list), err)
	}
}

// The engine returns the errors of runs, sweeps and experiments, and nil runs with them.
func TestErrorsOfTheEngine(t *testing.T) {
	w := new(workbench)
	ctx := t.Context()
	grid := sweeps.Grid{Datasets: []string{"steps"}, Families: []string{"linear"}, Seeds: []uint64{0}}
	calls := func(t *testing.T, name string) map[string]error {
		state := &sweeps.State{Name: name}
		_, _, list := new(workbench).ListRuns(1)
		_, predict := w.Predict(ctx, name, "in.csv", "out.csv", nil)
		_, preview := w.PreviewSweep(t.Context(), grid, name)
		started, start := w.StartSweep(ctx, grid, sweeps.Options{Name: name})
		resumed, resume := w.ResumeSweep(ctx, name, sweeps.Options{})
		_, open := new(workbench).OpenSweep(name)
		_, tasks := w.AskTasks(ctx, state)
		_, cancel := w.CancelTasks(ctx, state)
		_, resubmit := w.ResubmitSweep(ctx, state)
		_, compared := w.CompareSweep(name, compare.ReportOptions{})
		run, again := w.Start(ctx, kit.Start{Resume: name})
		if started != nil || resumed != nil || run != nil {
			t.Errorf("%v, %v and %v have started", started, resumed, run)
		}
		return map[string]error{
			"ListRuns": list, "Predict": predict, "PreviewSweep": preview, "StartSweep": start,
			"ResumeSweep": resume, "OpenSweep": open, "AskTasks": tasks, "CancelTasks": cancel,
			"ResubmitSweep": resubmit, "CompareSweep": compared,
			"Start": again, "Trash": w.Trash(name), "Untrash": w.Untrash(name),
			"Annotate": w.Annotate(name, func(*rundir.Notes) {}),
		}
	}
	check := func(t *testing.T, all map[string]error, without ...string) {
		t.Helper()
		for call, err := range all {
			if (err == nil) != slices.Contains(without, call) {
				t.Errorf("%s: %v", call, err)
			}
		}
	}
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	check(t, calls(t, "../a"), "ListRuns")
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DGPLAB_RUNS", file)
	all := calls(t, "a")
	_, all["ListSweeps"] = w.ListSweeps()
	_, all["ListExperiments"] = w.ListExperiments()
	_, all["MeasureExperiment"] = w.MeasureExperiment(reproduce.IDs()[0])
	_, all["PlanExperiment"] = w.PlanExperiment(ctx, reproduce.IDs()[0])
	_, all["StartExperiment"] = w.StartExperiment(ctx, reproduce.IDs()[0], 1)
	check(t, all)
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	_, measured := w.MeasureExperiment("none")
	_, begun := w.StartExperiment(ctx, "none", 1)
	t.Setenv("DGPLAB_CACHE", t.TempDir())
	_, empty := w.StartExperiment(ctx, "wilson2012/jura", 1)
	if !errors.Is(empty, sweep.ErrNoData) {
		t.Errorf("without data: %v", empty)
	}
	_, planned := w.PlanExperiment(ctx, "none")
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	_, stopped := w.StartExperiment(cancelled, reproduce.IDs()[0], 1)
	waiting := &sweeps.State{Cells: []sweeps.CellState{{Status: sweeps.Waiting}}}
	_, estimated := w.InspectSweep(cancelled, waiting)
	_, timed := w.TimeSteps(ctx, rundir.Config{Dataset: "none"})
	_, inspected := w.Inspect(ctx, rundir.Config{Dataset: "none"})
	_, forked := w.Fork(rundir.Info{}, nil)
	check(t, map[string]error{
		"MeasureExperiment": measured, "PlanExperiment": planned, "StartExperiment": begun,
		"InspectSweep": estimated, "TimeSteps": timed, "Inspect": inspected, "Fork": forked,
		"a cancelled StartExperiment": stopped,

		"Fetch":    w.Fetch(ctx, "none", func(datasets.Progress) {}),
		"Validate": w.Validate(rundir.Config{Dataset: "none"}),
	})
}

// The engine trains runs, predicts with them, and trains and compares sweeps. An unusable input is an error.
func TestEngine(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	dir := t.TempDir()
	table, bad := filepath.Join(dir, "table.csv"), filepath.Join(dir, "bad.csv")
	if err := errors.Join(
		os.WriteFile(table, []byte("a,b\n"+strings.Repeat("1,2\n3,5\n4,4\n6,9.5\n8,7\n", 8)), 0o600),
		os.WriteFile(bad, []byte("a,b\n1,2\nx,3\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	w, ctx := new(workbench), t.Context()
	config := rundir.Config{Dataset: table, Family: "linear"}
	first, err := w.Start(ctx, kit.Start{Config: config})
	if err != nil {
		t.Fatal(err)
	}
	<-first.Done()
	second, err := w.Start(ctx, kit.Start{Config: config, Parent: first.ID()})
	if err != nil {
		t.Fatal(err)
	}
	<-second.Done()
	if info, err := rundir.Find(second.ID()); err != nil || info.Parent != first.ID() {
		t.Errorf("the parent of a copy is %q, %v", info.Parent, err)
	}
	out, rows := filepath.Join(dir, "out.csv"), 0
	done, err := w.Predict(ctx, first.ID(), table, out, func(n int) { rows = n })
	if err != nil || done.Rows != 40 || rows == 0 {
		t.Errorf("predicted %+v, %v", done, err)
	}
	if text, err := os.ReadFile(out); err != nil || strings.Count(string(text), "\n") != 41 {
		t.Errorf("wrote %.60q, %v", text, err)
	}
	_, err = w.Predict(ctx, first.ID(), filepath.Join(dir, "none.csv"), out, nil)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("predictions for no file: %v", err)
	}
	_, err = w.Predict(ctx, first.ID(), bad, out, nil)
	if err == nil || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("predictions for a bad file: %v", err)
	}
	if d, err := w.Describe(ctx, datasets.Source{Name: table}); err != nil || d.Rows != 40 {
		t.Errorf("described %+v, %v", d, err)
	}
	grid := sweeps.Grid{Datasets: []string{table}, Families: []string{"linear"},
		Splits: []string{"interpolation:0", "interpolation:1"}, Seeds: []uint64{0}}
	s, err := w.StartSweep(ctx, grid, sweeps.Options{Name: "s", Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	<-s.Done()
	r, err := w.CompareSweep("s", compare.ReportOptions{})
	if err != nil || len(r.Runs) != 2 || len(r.Methods) != 1 {
		t.Errorf("compared %+v, %v", r, err)
	}
}
