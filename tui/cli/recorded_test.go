package cli

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"dgplab/datasets/table"
	"dgplab/models/family"
	"dgplab/session"
	"dgplab/session/bench"
	"dgplab/session/compare"
	"dgplab/session/probe"
	"dgplab/session/rundir"
	"dgplab/session/rundir/rundirtest"
	"dgplab/session/sweep"
	"dgplab/tui/dash"
	"dgplab/tui/report"
	"dgplab/viz/canvas"
	"dgplab/viz/golden"
	"dgplab/viz/tables"
)

// capture returns a console that writes to buffers. written returns their contents and empties them.
func capture() (c *console, written func() string) {
	var out, errs bytes.Buffer
	c = &console{Streams: Streams{Out: &out, Err: &errs}, getenv: func(string) string { return "" }}
	return c, func() string {
		text := out.String() + "--- standard error\n" + errs.String()
		out.Reset()
		errs.Reset()
		return text
	}
}

// timeless returns a value as JSON without times, which depend on the time zone.
func timeless(t *testing.T, value any) string {
	t.Helper()
	text, err := jsonText(value)
	if err != nil {
		t.Fatal(err)
	}
	return moments.ReplaceAllString(text, "MOMENT")
}

// randomSnapshot returns a snapshot of a run with a curve and without diagnostics.
func randomSnapshot(r *golden.Filler) *session.Snapshot {
	golden.Field(r, "Diagnostics", (*rundir.Diagnostics)(nil))
	golden.Draw(r, func() []rundir.Point {
		list := make([]rundir.Point, r.IntN(8))
		step := 0
		for i := range list {
			step += 1 + r.IntN(200)
			list[i] = rundir.Point{Step: step, Objective: r.Float(), ValLogLik: r.Float(),
				Phase: golden.Pick(r, "", "warm-up", "warm-up", "sampling")}
		}
		return list
	})
	golden.Among(r, session.Ended, session.Ended, session.Training, session.Preparing)
	s := golden.Of[session.Snapshot](r)
	s.Steps = golden.Pick(r, 100, 2000, 12000)
	s.Step = r.IntN(s.Steps + 1)
	s.Seconds = golden.Pick(r, 0, 0.5, 70, 5000) * r.Float64()
	s.CheckpointStep = golden.Pick(r, -1, s.Step, s.Step/2)
	s.KeptStep = golden.Pick(r, 0, s.Step, s.Step/2)
	for _, term := range s.ObjectiveIs.Terms {
		s.Last.Readings = append(s.Last.Readings, rundir.Reading{Key: term.Key, Value: r.Float()})
	}
	return &s
}

// addNarrow adds a table at several widths, at which columns are shortened or missing.
func addNarrow(sums *golden.Sums, t tables.Table) {
	for w := 24; w <= 144; w += 8 {
		for line := range t.Lines(canvas.Style{}, w) {
			fmt.Fprint(sums.Group("narrow tables"), line)
		}
	}
}

// TestRecordedRunTexts compares the texts about random runs with recorded ones.
func TestRecordedRunTexts(t *testing.T) {
	r := rundirtest.NewFiller(21)
	c, written := capture()
	var sums golden.Sums
	for range 300 {
		s := randomSnapshot(r)
		info := golden.Of[rundir.Info](r)
		info.Config = s.Config
		sums.Add("results", c.result(s))
		if s.Test != nil && len(s.Test.Outputs) > 0 {
			addNarrow(&sums, outputTable(s.Test))
		}
		sums.Add("pictures", c.pictures(s, r.IntN(2) == 0))
		sums.Add("origins", originFacts(info, s).String(), notesLine(info.Notes))
		sums.Add("verdicts", fmt.Sprint(verdict(s)), oneLine(outputLost(s, golden.Pick(r, errors.New("full"),
			io.ErrClosedPipe))), place(s))
		line := commandLine(info.Config)
		sums.Add("commands", line)
		page := runPage(info, s)
		page.Sections = append(page.Sections, pictureSections([]report.Figure{{Page: "fit"},
			{Page: "training"},
			{Page: "fit"}})...)
		var html strings.Builder
		if err := page.Write(&html); err != nil {
			t.Fatal(err)
		}
		sums.Add("pages", html.String())
		c.say("%s", changeLine(info, golden.Of[rundir.Info](r).Config))
		preview := &session.Preview{}
		preview.Budget = golden.Pick[time.Duration](r, 0, 0, time.Minute)
		remarks{}.ofTime(c, s, preview)
		remarks{}.of(c, s.Notes, s.Warnings)
		sums.Add("remarks", written())
		sums.Add("phases", report.StopReason(s), report.ScoredText(s.KeptStep, s.Step))
	}
	sums.Check(t, "run_texts")
}

// TestRecordedProgress compares the progress of random runs, as text, with recorded ones.
func TestRecordedProgress(t *testing.T) {
	r := rundirtest.NewFiller(22)
	c, written := capture()
	var sums golden.Sums
	for range 100 {
		p := newPlainReporter(c)
		s := randomSnapshot(r)
		for i := range 12 {
			s.Step = min(s.Step+r.IntN(1+s.Steps/6), s.Steps)
			s.Seconds += golden.Pick(r, 0, 0.3, 1, 20)
			s.Last = golden.Of[rundir.Point](r)
			s.Curve = append(s.Curve, rundir.Point{Step: s.Step, ValLogLik: r.Float(),
				Phase: golden.Pick(r, "", "a", "b")})
			s.State = golden.Pick(r, session.Training, session.Training, session.Ended)
			if i == 0 {
				s.State = session.Preparing
			}
			if err := p.report(s); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.end(s); err != nil {
			t.Fatal(err)
		}
		sums.Add("progress", written())
	}
	sums.Check(t, "progress_texts")
}

// TestRecordedLists compares lists and comparisons of random runs with recorded ones.
func TestRecordedLists(t *testing.T) {
	r := rundirtest.NewFiller(23)
	c, written := capture()
	var sums golden.Sums
	for range 60 {
		runs := rundirtest.Runs(r, 1+r.IntN(9))
		sums.Add("runs", c.runs(runs, "none").text(), written())
		addNarrow(&sums, runTable(runs))
		for i := range runs {
			sums.AddRounded(t, "JSON of runs", timeless(t, runFor(runs[i])))
		}
		shown := make([]dash.Shown, len(runs))
		for i := range shown {
			shown[i] = dash.Shown{Snapshot: randomSnapshot(r), Name: runs[i].Notes.Name}
			shown[i].Snapshot.Config = runs[i].Config
		}
		var html strings.Builder
		page := comparisonPage([]string{"first"}, runs, shown)
		if err := page.Write(&html); err != nil {
			t.Fatal(err)
		}
		sums.Add("pages", html.String())
		o := compare.ReportOptions{All: r.IntN(2) == 0}
		o.Unmatched = r.IntN(2) == 0
		for i := range runs { // Several methods and data sets with scores.
			runs[i].Config.Dataset = golden.Pick(r, "energy", "boston")
			runs[i].Config.Split = golden.Pick(r, "standard:0", "standard:1")
		}
		found, err := compare.NewReport(runs, o)
		if err != nil {
			sums.Add("errors", err.Error())
			continue
		}
		result := &compared{Report: found}
		if r.IntN(2) == 0 {
			result.failed = []string{"no direct comparison on energy: no test points"}
		}
		if len(result.Runs) == 2 {
			result.Joint = &probe.JointDistance{Points: r.IntN(100), KL: 0.123456, Covariance: 2,
				Draws: r.IntN(2) * 256}
			a, b := result.jointRuns()
			sums.Add("joint", result.jointName(a), result.jointName(b))
		}
		sums.Add("comparisons", c.comparedText(result))
		sums.AddRounded(t, "JSON of comparisons", timeless(t, result.json()))
		c.sayLeftOut(result)
		sums.Add("remarks", written())
	}
	sums.Check(t, "list_texts")
}

// randomSweep returns a sweep whose cells are in random states.
func randomSweep(t *testing.T, r *golden.Filler) *sweep.State {
	t.Helper()
	some := func(list ...string) []string { return list[:1+r.IntN(len(list))] }
	g := sweep.Grid{Datasets: some("steps", "mountaincar"), Families: some("svgp", "star", "linear"),
		Splits: golden.Pick(r, nil, []string{"interpolation:0"}, []string{"interpolation:0",
			"interpolation:1"}),
		Seeds: []uint64{0, 1, 2}[:1+r.IntN(3)], Baseline: r.IntN(4) == 0,
		Preset: golden.Pick(r, "", "", "", "default")}
	if r.IntN(3) > 0 {
		g.Set = append(g.Set, sweep.Axis{Name: "inducing", Values: some("4", "8", "12")})
	}
	if r.IntN(3) == 0 {
		g.Set = append(g.Set, sweep.Axis{Name: "kernel", Values: some("rbf", "matern32")})
	}
	if r.IntN(4) == 0 {
		g.Set = append(g.Set, sweep.Axis{Name: "inducing", Values: some("5", "6"), Family: "svgp"})
	}
	if r.IntN(4) == 0 {
		g.Random = 1 + r.IntN(4)
	}
	if r.IntN(3) == 0 {
		g.Halving = 2
	}
	if r.IntN(8) == 0 {
		g.Families, g.Set, g.Preset = nil, nil, ""
		g.Methods = []sweep.Method{{Family: "svgp", Set: map[string]string{"inducing": "4"}},
			{Family: "linear"}, {Family: "svgp", Set: map[string]string{"inducing": "8"}}}[:1+r.IntN(3)]
	}
	cells, err := g.Cells()
	if err != nil {
		return randomSweep(t, r)
	}
	s := &sweep.State{Name: "depth", Created: golden.Of[rundir.ConfigFile](r).Created, Grid: g,
		Phase: golden.Pick(r, sweep.Going, sweep.Resting, sweep.Stopping, sweep.Over, sweep.Over),
		Jobs:  r.IntN(3)}
	usual := golden.Pick(r, sweep.Done, sweep.Done, sweep.Waiting, sweep.Running)
	for _, cell := range cells {
		state := golden.Of[sweep.CellState](r)
		state.Cell, state.Steps, state.Seconds = cell, 2000, float64(r.IntN(500))
		state.Step = r.IntN(2001)
		if r.IntN(4) > 0 {
			state.Status = usual
		}
		state.Err = nil
		switch state.Status {
		case sweep.Failed:
			state.Err = errors.New("bad\nluck")
		case sweep.Done, sweep.Pruned:
			summary := golden.Of[rundir.Summary](r)
			summary.Config = cell.Config
			summary.Test = golden.Pick(r, nil, summary.Test)
			state.Summary = &summary
		default:
			state.Summary = nil
		}
		s.Cells = append(s.Cells, state)
	}
	if g.Halving > 0 {
		s.Decisions = golden.Of[[]sweep.Decision](r)
		for i := range s.Decisions {
			s.Decisions[i].Kept = min(s.Decisions[i].Kept, len(s.Decisions[i].Ranking))
		}
	}
	return s
}

// TestRecordedSweepTexts compares the texts about random sweeps with recorded ones.
func TestRecordedSweepTexts(t *testing.T) {
	r := rundirtest.NewFiller(24)
	golden.Among(r, sweep.Statuses()...)
	golden.Among(r, sweep.PlacePending, sweep.PlaceRunning, sweep.PlaceRequeued, sweep.PlaceTimedOut,
		sweep.PlaceCancelled, sweep.PlaceFailed, sweep.PlaceLost, sweep.PlaceUnknown, sweep.PlaceDone)
	log := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(log, []byte("one\ntwo\n\nthree\nfour\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	golden.Field(r, "Log", "", log)
	c, written := capture()
	var sums golden.Sums
	var entries []sweep.Entry
	for range 120 {
		s := randomSweep(t, r)
		e := golden.Of[sweep.Estimate](r)
		e.Runs = len(s.Left(false))
		sums.Add("introductions", sweepIntroduction(s, e, 1+r.IntN(3)))
		var placed *sweep.Placements
		if r.IntN(2) == 0 {
			placed = &sweep.Placements{Err: golden.Of[error](r)}
			for range s.Cells {
				placed.Cells = append(placed.Cells, golden.Of[*sweep.Placement](r))
			}
		}
		sums.Add("texts", strings.ReplaceAll(c.sweepText(s, placed, r.IntN(2) == 0), log, "LOG"))
		addNarrow(&sums, sweepTable(s, s.Main()))
		if placed != nil {
			addNarrow(&sums, placesTable(s, placed, unfinished(placed)))
		}
		sums.Add("verdicts", fmt.Sprint(sweepVerdict(s)), fmt.Sprint(experimentVerdict(s)),
			oneLine(sweepOutputLost(s, golden.Pick(r, errors.New("full"), io.ErrClosedPipe))))
		for i := range s.Cells {
			if s.Cells[i].Status == sweep.Failed || s.Cells[i].Summary != nil {
				sums.Add("runs", sweepCellText(&s.Cells[i]), cellTitle(&s.Cells[i], s.Varied()))
			}
		}
		sums.Add("progress", sweepProgress(s))
		if s.Grid.Halving == 0 {
			out := placedSweepFor(s, placed)
			for i := range out.Cells {
				if at := out.Cells[i].Slurm; at != nil {
					at.Log = ""
				}
			}
			sums.AddRounded(t, "JSON", timeless(t, out))
		}
		entries = append(entries, sweep.Entry{Name: s.Name, State: s})
		if r.IntN(6) == 0 {
			entries = append(entries, sweep.Entry{Name: "torn", Err: errors.New("bad\nfile")})
		}
		for _, reporter := range []sweepReporter{c.newSweepReporter(false), c.newSweepReporter(true)} {
			err := errors.Join(reporter.begin(s, e, 2), reporter.cell(s, &s.Cells[0]))
			reporter.progress(s)
			if err := errors.Join(err, reporter.end(s)); err != nil {
				t.Fatal(err)
			}
		}
		sums.AddRounded(t, "reports", moments.ReplaceAllString(written(), "MOMENT"))
		submit := submission{console: c, state: s, json: r.IntN(2) == 0}
		made := golden.Of[sweep.Submission](r)
		plan := &sweep.Plan{Script: "#!/bin/sh\n", Path: "/jobs/script"}
		err := errors.Join(submit.introduce(e, placed), submit.printPlan(plan), submit.printSubmitted(&made,
			plan))
		if err != nil {
			t.Fatal(err)
		}
		sums.AddRounded(t, "submissions",
			moments.ReplaceAllString(strings.ReplaceAll(written(), log, "LOG"), "MOMENT"))
	}
	for first := 0; first < len(entries); first += 5 {
		addNarrow(&sums, sweepsTable(entries[first:min(first+5, len(entries))]))
		sums.Add("lists", c.sweepsText(entries[first:min(first+5, len(entries))]))
	}
	sums.Check(t, "sweep_texts")
}

// TestRecordedAnswers compares the texts about random predictions, suggestions, files and measurements with
// recorded ones.
func TestRecordedAnswers(t *testing.T) {
	r := rundirtest.NewFiller(25)
	golden.Draw(r, func() probe.Suggestion {
		return probe.Suggestion{Row: r.IntN(3000), Inputs: []string{"red", "0.25"}, Score: r.Float(),
			Mean: []float64{r.Float(), r.Float()}, SD: []float64{r.Float(), r.Float()}}
	})
	golden.Among(r, table.Number, table.Category, table.Date, table.Text)
	golden.Among(r, table.Input, table.Target, table.Ignored)
	c, written := capture()
	dir := t.TempDir()
	var sums golden.Sums
	for range 200 {
		done := golden.Of[probe.Predicted](r)
		out := golden.Pick(r, standard, "out.csv")
		if err := c.reportPredicted(&cobra.Command{}, &done, "new.csv", out); err != nil {
			t.Fatal(err)
		}
		sums.Add("predictions", predictedText(&done, "new.csv", "out.csv"), written())
		s := golden.Of[probe.Suggestions](r)
		s.Inputs, s.Targets = []string{"colour", "size"}, []string{"y1", "=y2"}
		if len(s.List) > 0 && r.IntN(2) == 0 {
			for i := range s.List {
				s.List[i].Row = 0
			}
		}
		for len(s.List) > 0 && len(s.List) < 12 && r.IntN(9) > 0 {
			s.List = append(s.List, s.List...)
		}
		addNarrow(&sums, suggestionTable(&s))
		sums.Add("suggestions", c.suggestionsText(&s, golden.Pick(r, "", "next.csv")))
		path := filepath.Join(dir, "next.csv")
		if err := writeInputs(path, &s); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		sums.Add("suggested inputs", string(text), fmt.Sprint(len(rows), err))
		file := golden.Of[table.Description](r)
		file.Delimiter = golden.Pick(r, ",", ";", "|", "\t", " ")
		sums.Add("files", c.fileText("x.csv", &file, golden.Pick(r, columnRange{}, columnRange{true, 1, 1})))
		sums.AddRounded(t, "JSON of files", newFileJSON(&file))
	}
	sums.Check(t, "answer_texts")
}

// TestRecordedBenchmarks compares the texts about random measurements with recorded ones.
func TestRecordedBenchmarks(t *testing.T) {
	r := rundirtest.NewFiller(26)
	golden.Draw(r, func() bench.Measure { return bench.Measure(r.Float()) })
	golden.Draw(r, func() bench.Count { return golden.Pick[bench.Count](r, 0, 1.5e6, 2e9) })
	golden.Draw(r, func() bench.Rate { return golden.Pick[bench.Rate](r, 0, 1e9, 1.05e9, 4.2e10) })
	golden.Draw(r, func() bench.Setting {
		s := bench.Setting{Family: golden.Pick(r, "star", "svgp", "gp")}
		for _, axis := range []string{"inducing", "layers", "kernel", bench.Rows} {
			if r.IntN(3) > 0 {
				s.Values = append(s.Values, bench.Value{Name: axis, Text: golden.Pick(r, "2", "32", "64",
					"rbf")})
			}
		}
		return s
	})
	golden.Draw(r, func() family.Shape {
		return family.Shape{Rows: r.IntN(900), Inner: 64,
			Cols: r.IntN(70)}
	})
	c, written := capture()
	var sums golden.Sums
	for range 150 {
		o := bench.Defaults()
		o.Inputs, o.Outputs = 1+r.IntN(3), 1+r.IntN(3)
		o.Families = golden.Pick(r, []string{"star"}, []string{"svgp", "star"}, []string{"gp"})
		if r.IntN(3) == 0 {
			o.Axes = append(o.Axes, sweep.Axis{Name: bench.Rows, Values: []string{"700", "800"}})
		}
		plan, err := bench.New(o)
		if err != nil {
			t.Fatal(err)
		}
		result := golden.Of[bench.Result](r)
		if r.IntN(2) == 0 {
			for i := range result.Cells {
				result.Cells[i].Err = nil
			}
		}
		err = errors.Join(c.benchText(plan, result), c.benchFloors(plan, result))
		sums.Add("texts", written())
		for _, table := range []tables.Table{floorTable(result), scalingTable(result.Scaling)} {
			addNarrow(&sums, table)
		}
		if len(result.Cells) > 0 {
			addNarrow(&sums, benchTable(plan, result))
		}
		err = errors.Join(err, c.benchJSON(plan, result, r.IntN(2) == 0))
		if err != nil {
			t.Fatal(err)
		}
		sums.AddRounded(t, "JSON", written())
		p := golden.Of[bench.Progress](r)
		sums.Add("progress", benchProgress(p), fmt.Sprint(benchVerdict(plan, result, golden.Of[error](r))))
	}
	sums.Check(t, "bench_texts")
}
