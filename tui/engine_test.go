package tui

import (
	"context"
	"errors"
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
		_, preview := w.PreviewSweep(grid, name)
		started, start := w.StartSweep(ctx, grid, sweeps.Options{Name: name})
		resumed, resume := w.ResumeSweep(ctx, name, sweeps.Options{})
		_, open := new(workbench).OpenSweep(name)
		_, place := w.PlaceSweep(ctx, state)
		_, cancel := w.CancelTasks(ctx, state, func(int) bool { return true })
		_, resubmit := w.ResubmitSweep(ctx, state)
		_, throttle := w.ThrottleSweep(ctx, state, func(n int) int { return n })
		_, compared := w.CompareSweep(name, compare.ReportOptions{})
		run, again := w.Start(ctx, kit.Start{Resume: name})
		if started != nil || resumed != nil || run != nil {
			t.Errorf("%v, %v and %v have started", started, resumed, run)
		}
		return map[string]error{
			"ListRuns": list, "Predict": predict, "PreviewSweep": preview, "StartSweep": start,
			"ResumeSweep": resume, "OpenSweep": open, "PlaceSweep": place, "CancelTasks": cancel,
			"ResubmitSweep": resubmit, "ThrottleSweep": throttle, "CompareSweep": compared,
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
