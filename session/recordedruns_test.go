package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"dgplab/session/config"
	"dgplab/session/rundir"
	"dgplab/viz/golden"
)

// randomRun returns a configuration and changes the behaviour of a world. Most runs end without an error.
func randomRun(f *golden.Filler, w *fakeWorld) rundir.Config {
	c := fakeConfig("steps=" + golden.Pick(f, "1", "8", "13", "60", "150", "700"))
	for _, setting := range []struct {
		name   string
		values []string
	}{
		{"metrics_every", []string{"1", "3", "10", "50"}},
		{config.ValidationEvery, []string{"1", "2", "5", "10"}},
		{"checkpoint_every", []string{"0", "4", "20"}}, {"checkpoint_seconds", []string{"0", "1"}},
		{rundir.KeepSetting, []string{"best", "last"}}, {"validation", []string{"0", "0.1", "0.3"}},
		{"validation_points", []string{"0", "5"}}, {"test_samples", []string{"1", "3"}},
		{config.UntilConverged, []string{"on"}}, {"early_stopping", []string{"off"}},
		{rundir.BudgetSetting, []string{"1s", "4s"}},
	} {
		often := 2
		if len(setting.values) == 1 || setting.name == rundir.BudgetSetting {
			often = 6
		}
		if f.IntN(often) == 0 {
			c.Set[setting.name] = golden.Pick(f, setting.values...)
		}
	}
	w.stepCost = golden.Pick(f, time.Millisecond, 20*time.Millisecond, 150*time.Millisecond, 2*time.Second)
	w.diagnoseCost = golden.Pick(f, 0, time.Millisecond, time.Second)
	w.noTest = f.IntN(8) == 0
	w.components = golden.Pick(f, 0, 2)
	w.convergesAt = golden.Pick(f, 0, 0, 0, 5, 40)
	w.collapsed = f.IntN(4) == 0
	w.phases = golden.Pick(f, nil, nil, phases)
	if f.IntN(3) == 0 {
		top := golden.Pick(f, 20., 200)
		w.bias = func(step int) float64 { return math.Abs(float64(step)-top) / 100 }
		w.gain = func(step int) float64 { return float64(step) }
	}
	w.onStep, w.viewsErr, w.predictErr = nil, nil, nil
	switch f.IntN(10) {
	case 0:
		at := golden.Pick(f, 1, 6, 30)
		w.onStep = func(step int) error {
			if step == at {
				return errors.New("bad luck")
			}
			return nil
		}
	case 1:
		w.viewsErr = errors.New("no views")
	case 2:
		w.predictErr = errors.New("no predictions")
	case 3:
		at := golden.Pick(f, 1, 6)
		w.onStep = func(step int) error {
			if step == at {
				panic("a panic")
			}
			return nil
		}
	}
	return c
}

// runID matches the ID of a run, and its path.
var runID = regexp.MustCompile(`("?/[^" ]*/)?\d{8}-\d{6}-line-fake-[0-9a-f]{6}`)

// creation matches the time of creation in a configuration.
var creation = regexp.MustCompile(`"created": ?"[^"]*"`)

// addRun adds everything that a run has written and published to the checksums.
func addRun(t *testing.T, sums *golden.Sums, kind string, w *fakeWorld, s *Snapshot) {
	t.Helper()
	plain := func(value any) json.RawMessage {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		return creation.ReplaceAll(runID.ReplaceAll(text, []byte("RUN")), nil)
	}
	add := func(group string, value any) {
		t.Helper()
		sums.AddRounded(t, kind+": "+group, string(plain(value)))
	}
	add("summary", &s.Summary)
	add("curve", s.Curve)
	add("snapshot", []any{s.State, s.Steps, s.Remaining, s.Last, s.ValPoints, s.CheckpointStep, s.TestStep,
		s.DriftText(), s.Died(), fmt.Sprint(s.Err), s.LeftOut == nil, s.Diagnostics == nil})
	if s.Diagnostics != nil {
		add("diagnostics", s.Diagnostics)
	}
	for _, name := range []string{"config.json", "metrics.jsonl", "test_points.csv"} {
		text, err := os.ReadFile(filepath.Join(s.Dir, name))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		text = bytes.ReplaceAll(text, []byte("\n"), []byte(" "))
		add(name, string(creation.ReplaceAll(text, nil)))
	}
	w.records.Lock()
	add("diagnosed", w.diagnosed)
	w.records.Unlock()
	r, err := Open(s.ID)
	if err != nil {
		t.Fatal(err)
	}
	recorded := r.Snapshot()
	add("recorded", []any{&recorded.Summary, recorded.State, recorded.Steps, recorded.Last, recorded.TestStep,
		recorded.CheckpointStep, fmt.Sprint(recorded.Err), recorded.DriftText()})
	d, err := r.diagnose(context.Background(), w.environment())
	sums.Add(kind+": looked at", fmt.Sprint(d != nil, runID.ReplaceAllString(fmt.Sprint(err), "RUN")))
}

// TestRecordedSessions compares the files, the results and the published states of random runs, which are
// then resumed, repaired or forked, with recorded checksums.
func TestRecordedSessions(t *testing.T) {
	f := golden.NewFiller(16)
	var sums golden.Sums
	for range 24 {
		w := newWorld(t)
		c := randomRun(f, w)
		r := w.start(t, c)
		s := r.Wait()
		addRun(t, &sums, "first", w, s)
		kind := golden.Pick(f, "resumed", "resumed", "extended", "damaged", "repaired", "forked", "forked")
		w.onStep, w.viewsErr, w.predictErr = nil, nil, nil
		options := []Option{withEnvironment(w.environment())}
		var err error
		switch kind {
		case "forked":
			fork := c.Clone()
			fork.Seed++
			fork.Set[rundir.WarmStartSetting] = s.ID
			fork.Set[config.WarmOptimizer] = golden.Pick(f, "fresh", "kept")
			r, err = Start(context.Background(), fork, append(options, WithParent(s.ID), WithSweep("a"))...)
		case "extended":
			r, err = Resume(context.Background(), s.ID, append(options, WithSteps(s.Steps+20))...)
		case "damaged", "repaired":
			path := filepath.Join(s.Dir, golden.Pick(f, "metrics.jsonl", "checkpoint"))
			text, _ := os.ReadFile(path)
			lines := strings.SplitAfter(string(text), "\n")
			at := f.IntN(len(lines))
			lines[at] = golden.Pick(f, "", "x\n", "{\"step\":2}\n")
			if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o644); err != nil {
				t.Fatal(err)
			}
			if kind == "repaired" {
				options = append(options, WithRepair())
			}
			r, err = Resume(context.Background(), s.ID, options...)
		default:
			if f.IntN(3) == 0 {
				options = append(options, WithRung(2))
			}
			r, err = Resume(context.Background(), s.ID, options...)
		}
		sums.Add(kind+": errors", runID.ReplaceAllString(fmt.Sprint(err), "RUN"))
		if err == nil {
			addRun(t, &sums, "second", w, r.Wait())
		}
	}
	sums.Check(t, "sessions")
}

// TestRecordedCalculations compares curves, speeds, pauses and remedies for random values with recorded
// checksums.
func TestRecordedCalculations(t *testing.T) {
	f := golden.NewFiller(17)
	var sums golden.Sums
	for range 30 {
		c := newCurve(golden.Pick(f, 16, 40, 64))
		var speed rate
		speed.restart(rundir.Progress{})
		var d diagnosis
		trial := coreTrial{}
		step, clock := 0, 0.0
		for range 150 {
			step += golden.Pick(f, 1, 1, 10, 100)
			clock += golden.Pick(f, 0, 0.001, 0.1, 0.3, 2)
			p := rundir.Point{Step: step, Objective: f.Float(), ValLogLik: f.Float()}
			if f.IntN(2) == 0 {
				p.ValLogLik = math.NaN()
			}
			c.add(p)
			if f.IntN(10) == 0 {
				p.ValLogLik = f.Float()
				sums.Add("curve", fmt.Sprint(c.replace(p)))
			}
			speed.add(rundir.Progress{Seconds: clock, Step: step})
			sums.Add("speed", fmt.Sprintf("%.6g", speed.perSecond()))
			if d.due(clock) {
				cost := golden.Pick(f, 0, 0.01, 1)
				predictions := cost * golden.Pick(f, 0, 0.5, 1)
				d.take(&rundir.Diagnostics{Seconds: rundir.Number(cost)}, clock, predictions)
				sums.Add("pauses", fmt.Sprintf("%.6g %.6g %.6g %d", d.next, d.nextPredictions, d.spent,
					d.predicted))
			}
			sums.Add("cores", fmt.Sprint(trial.next(golden.Pick(f, 1, 2, 4, 8, 8, 8, 8))))
			trial.add(golden.Pick(f, 0.001, 0.002, 0.01, 0.2))
		}
		for _, p := range c.view() {
			sums.Add("curve", string(p.AppendJSON(nil, "")))
		}
		p := Preview{Steps: golden.Pick(f, 100, 20000), Budget: golden.Pick(f, 0, 0, time.Minute)}
		for range f.IntN(6) {
			p.Cheaper = append(p.Cheaper, config.Cheaper{Name: golden.Pick(f, "inducing", "width", "samples"),
				Value: golden.Pick(f, "4", "8"), Ratio: golden.Pick(f, 0.5, 0.25, 0.1, 0.01)})
		}
		perStep := golden.Pick(f, 1e-4, 0.01, 0.1, 3)
		best, seconds := p.Remedy(perStep)
		sums.AddRounded(t, "remedies", []any{best, seconds, p.Seconds(perStep), Long(p.Seconds(perStep))})
		sums.AddRounded(t, "remedies", ScaledSeconds(perStep, golden.Pick(f, 0.01, 1, 30)))
	}
	sums.Check(t, "calculations")
}
