package reproduce

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"dgplab/session"
	"dgplab/session/rundir"
	"dgplab/session/rundir/rundirtest"
	"dgplab/session/sweep"
	"dgplab/viz/golden"
)

// randomExperiment returns the text of an experiment, sometimes with an error.
func randomExperiment(r *golden.Filler) string {
	odd := func(usual string, others ...string) string {
		if r.IntN(150) == 0 {
			return golden.Pick(r, others...)
		}
		return usual
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line(odd(`title = "Scores"`, "", `titel = "x"`))
	line(`source = "A paper"`)
	line(odd(`place = "Table 1"`, "place = ", `place = ""`))
	line(`metric = "%s"`, odd(golden.Pick(r, "log_lik", "rmse", "seconds"), "log_like", "x"))
	if r.IntN(2) == 0 {
		line("repetitions = %d", golden.Pick(r, 1, 4, 20))
		line(`spread = "%s"`, odd(golden.Pick(r, "se", "sd"), "variance"))
	}
	if r.IntN(2) == 0 {
		line("decimals = %d", r.IntN(4))
	}
	line(`splits = "%s"`, odd(golden.Pick(r, "interpolation:0..1", "interpolation",
		"interpolation:3,interpolation:5"),
		"interpolaton:0", "", "interpolation:x"))
	if r.IntN(3) == 0 {
		line(`seeds = "%s"`, odd("0..1", "a"))
	}
	line(golden.Pick(r, `differs = ["fewer steps"]`, `differs = ["fewer steps", "other data"]`, ""))
	line("[set]\nsteps = \"20\"\ninducing = \"%s\"", odd("8", "0"))
	var methods []string
	for i := range 1 + r.IntN(4) {
		name := odd(string(rune('A'+i)), "A", "")
		methods = append(methods, name)
		line("[[method]]\nname = %q", name)
		if i == 0 || r.IntN(4) > 0 {
			line("family = %q", odd(golden.Pick(r, "svgp", "linear", "star", "bnn-vi"), "linea"))
			line(golden.Pick(r, "", "", `set = { steps = "7" }`, odd(`set = { steps = "3" }`,
				`set = { width = "x" }`)))
		}
	}
	columns := methods
	ranks := map[string]bool{}
	if r.IntN(3) > 0 {
		columns = nil
		for i := range 1 + r.IntN(5) {
			name := fmt.Sprint("c", i)
			columns = append(columns, name)
			q := golden.Pick(r, Score, Rank, Underestimated, Share, Difference, Ratio, Wider)
			ranks[name] = q == Rank
			line("[[column]]\nname = %q\nquantity = %q\na = %q", name, odd(string(q), "sum", ""),
				odd(golden.Pick(r, methods...), "X"))
			if q != Score && q != Rank && q != Underestimated || odd("", "x") != "" {
				line("b = %q", odd(golden.Pick(r, methods...), "X", ""))
			}
		}
	}
	for _, name := range []string{"steps", "hills", "gone", "all"}[:1+r.IntN(4)] {
		line("[[data]]\nname = %q", name)
		switch name {
		case "hills":
			line("dataset = %q", odd("mountaincar", "mountaincart", "boston"))
		case "gone":
			line(golden.Pick(r, `skipped = "not to be had"`, `dataset = "boston"`))
		}
		line("[data.published]")
		var published []string
		for _, c := range columns {
			if ranks[c] != (name == "all") && odd("", "x") == "" || r.IntN(4) == 0 {
				continue
			}
			published = append(published, c)
			line("%q = %s", odd(c, "other"), odd(golden.Pick(r, "-1.25", "2", "[-1.0, 0.1]", "[1, 0.02]",
				`">0"`, `"<1.5"`,
				`">-2"`), "true", "[1, 2, 3]", "[1, -2]", `"-2"`, `">x"`))
		}
		if len(published) > 0 && r.IntN(4) == 0 {
			line("[data.excluded]\n%q = %q", odd(published[0], "c9"), golden.Pick(r, "in other units",
				"not comparable: too short"))
		}
	}
	return b.String()
}

// savedPredictions returns the directories of runs with predictions for the same points.
func savedPredictions(t *testing.T, r *golden.Filler, n int) (dirs []string) {
	t.Helper()
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	t.Setenv("DGPLAB_CACHE", t.TempDir())
	first := rundirtest.Predictions(r, 12, 1, 0)
	for range n {
		p := rundirtest.Predictions(r, 12, 1, 0)
		p.Target = first.Target
		w, err := rundir.Create(&rundir.ConfigFile{Config: rundir.Config{Dataset: "steps", Family: "svgp"}},
			time.Now())
		if err == nil {
			err = w.SavePredictions(1, p)
		}
		if err != nil {
			t.Fatal(err)
		}
		dirs = append(dirs, w.Dir())
		w.Close()
	}
	return dirs
}

// TestRecordedExperiments compares the errors of random experiments, and their results with random runs,
// with recorded ones.
func TestRecordedExperiments(t *testing.T) {
	r := rundirtest.NewFiller(9)
	dirs := savedPredictions(t, r, 5)
	var sums golden.Sums
	for range 140 {
		text := randomExperiment(r)
		e, err := parse("small/table", text)
		if err != nil {
			sums.Add("errors", err.Error())
			continue
		}
		for range r.IntN(3) {
			err := e.Override(sweep.Axis{Name: golden.Pick(r, "inducing", "steps", "batch", "nothing"),
				Family: golden.Pick(r, "", "", "svgp", "star"),
				Values: golden.Pick(r, []string{"6"}, []string{"9"}, []string{"0"}, []string{"1", "2"})})
			sums.Add("overrides", fmt.Sprint(err))
		}
		if _, err := e.planned(); err != nil {
			_, unplanned := e.Plan(t.Context(), new(session.Inspector), nil, Selection{}, false)
			sums.Add("errors", err.Error(), fmt.Sprint(unplanned))
			continue
		}
		sums.Add("descriptions", fmt.Sprint(e.Runs(), e.SweepName(), e.SplitsText(), e.Missing(),
			e.SplitsNamed([]string{"1", "interpolation:0", "7"}), e.Grid()))
		protocol, err := e.Protocol()
		if err != nil {
			t.Fatal(err)
		}
		sums.Add("protocols", protocol.Markdown())
		part := Selection{Data: golden.Pick(r, nil, nil, []string{"steps"}, []string{"hills"}),
			Splits: golden.Pick(r, nil, nil, []string{"interpolation:1"})}
		names, err := e.datasets(part.Data)
		sums.Add("selections", fmt.Sprint(names, err))
		if selected, err := e.Part(part); err != nil {
			_, unplanned := e.Plan(t.Context(), new(session.Inspector), nil, part, false)
			sums.Add("selections", err.Error(), fmt.Sprint(unplanned))
		} else {
			e = selected
		}
		runs := randomRuns(t, r, e, dirs)
		entry, err := e.entry(finished(runs))
		if err != nil {
			t.Fatal(err)
		}
		sums.Add("entries", fmt.Sprintf("%d %.4g %d", entry.Done, entry.Seconds, entry.Unknown))
		table, err := e.Measure(runs)
		if err != nil {
			t.Fatal(err)
		}
		sums.Add("tables", table.Sheet().Markdown())
		sums.AddRounded(t, "cells", table.Cells())
		sums.Add("judgements", fmt.Sprint(table.Judged()))
		var csv strings.Builder
		if err := CSV(&csv, []*Table{table}); err != nil {
			t.Fatal(err)
		}
		sums.AddRounded(t, "CSV", csv.String())
	}
	sums.Check(t, "experiments")
}

// randomRuns returns runs of an experiment. Some are missing, unusable or repeated.
func randomRuns(t *testing.T, r *golden.Filler, e *Experiment, dirs []string) []rundir.Info {
	t.Helper()
	runs := runsOf(t, e, func(string, rundir.Config) float64 {
		return float64(r.IntN(300)-200) / 100
	})
	missing := golden.Pick(r, 0, 0.1, 0.6)
	var kept []rundir.Info
	for i := range runs {
		run := &runs[i]
		run.Dir = golden.Pick(r, dirs...)
		rmse := rundir.Number(golden.Pick(r, 0.5, 0.7, 1, 2))
		run.Summary.Test.RMSE = &rmse
		run.Summary.Seconds = float64(1 + r.IntN(60))
		if r.IntN(6) == 0 {
			run.Summary.Stop = golden.Of[rundir.Stop](r)
			run.State = golden.Of[rundir.State](r)
			run.Summary.Drift = golden.Of[*rundir.Drift](r)
		}
		if r.IntN(30) == 0 {
			run.Summary.Test = nil
		}
		if r.Float64() < missing {
			continue
		}
		kept = append(kept, *run)
	}
	return kept
}
