package sweep

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"dgplab/models/family"
	"dgplab/session/compare"
	"dgplab/session/metric"
	"dgplab/session/rundir"
)

// made returns a state with finished cells and scores that depend on the configuration.
func made(t *testing.T, g Grid, logLik func(rundir.Config) float64) *State {
	t.Helper()
	cells, err := g.Cells()
	if err != nil {
		t.Fatal(err)
	}
	s := &State{Grid: g, Phase: Over, Cells: match("none", cells, nil)}
	for i := range s.Cells {
		c := &s.Cells[i]
		c.Status, c.Run = Done, fmt.Sprint("run", i)
		c.Summary = &rundir.Summary{
			Stop: rundir.StopSteps,
			Step: 1,
			Test: &rundir.Metrics{LogLik: rundir.Number(logLik(c.Config))},
		}
	}
	return s
}

func TestAxes(t *testing.T) {
	isolate(t)
	s := made(t, smallGrid(), func(rundir.Config) float64 { return 0 })
	var got string
	for _, a := range s.Axes() {
		got += fmt.Sprint(a.Name, a.Values, " ")
	}
	if want := "dataset[steps] family[svgp] inducing[4 6] steps[12] test_samples[2] batch[20] " +
		"split[interpolation:0 interpolation:1] seed[0 1] "; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if got := s.Varied(); !slices.Equal(got, []string{"inducing", "split", "seed"}) {
		t.Error(got)
	}
	if got := s.Settings(); !slices.Equal(got, []string{"inducing"}) {
		t.Error(got)
	}
}

// The axes of a sweep of methods are the hyperparameters that differ within a family.
func TestAxesOfMethods(t *testing.T) {
	isolate(t)
	g := smallGrid()
	g.Families, g.Set, g.Seeds, g.Splits = nil, nil, g.Seeds[:1], g.Splits[:1]
	g.Methods = []Method{
		{Family: "svgp", Set: map[string]string{"inducing": "4", "steps": "12"}},
		{Family: "svgp", Set: map[string]string{"inducing": "6", "steps": "12", "batch": "20"}},
		{Family: "linear", Set: map[string]string{"intercept": "on"}},
	}
	s := made(t, g, func(rundir.Config) float64 { return 0 })
	var got string
	for _, a := range s.settingAxes() {
		got += fmt.Sprintf("%s%q ", a.Name, a.Values)
	}
	if want := `batch["" "20"] inducing["" "4" "6"] `; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if got := s.Varied(); !slices.Equal(got, []string{"family", "batch", "inducing"}) {
		t.Error(got)
	}
	if got := g.DefaultName(nil); !strings.HasPrefix(got, "steps-svgp-linear") {
		t.Error(got)
	}
}

// For each number of inducing points there are four runs with scores 1, 3 (split 0) and 2, 6 (split
// 1), plus 10 for the larger number. The means of the splits are 2 and 4, so the mean is 3 (13) and
// the standard error sqrt(2)/sqrt(2).
func TestScores(t *testing.T) {
	isolate(t)
	s := made(t, smallGrid(), func(c rundir.Config) float64 {
		v := map[string][]float64{"interpolation:0": {1, 3}, "interpolation:1": {2, 6}}[c.Split][c.Seed]
		if c.Set["inducing"] == "6" {
			v += 10
		}
		return v
	})
	m := metric.Get("log_lik")
	groups := s.Groups(s.Settings())
	if len(groups) != 2 {
		t.Fatalf("%+v", groups)
	}
	for i, want := range []float64{3, 13} {
		score := s.Score(groups[i], m)
		if float64(score.Mean) != want || math.Abs(float64(score.SE)-1) > 1e-15 || score.N != 2 ||
			score.Runs != 4 || score.Over != compare.OverSplits {
			t.Errorf("%v: %+v; want %v", groups[i].Values, score, want)
		}
	}
	// With one split, the seeds are counted.
	for _, g := range s.Groups([]string{rundir.SplitField, "inducing"}) {
		want := map[string]float64{
			"interpolation:0 4": 2, "interpolation:1 4": 4, "interpolation:0 6": 12, "interpolation:1 6": 14,
		}[g.Values[0]+" "+g.Values[1]]
		if score := s.Score(g, m); float64(score.Mean) != want || score.N != 2 ||
			score.Over != compare.OverSeeds {
			t.Errorf("%v: %+v, want %v", g.Values, score, want)
		}
	}
	// A score of NaN is not hidden.
	value := &s.Cells[groups[0].Cells[1]].Summary.Test.LogLik
	before := *value
	*value = rundir.Number(math.NaN())
	if score := s.Score(groups[0], m); score.N != 2 || !math.IsNaN(float64(score.Mean)) ||
		!math.IsNaN(float64(score.SE)) || score.Runs != 4 {
		t.Errorf("%+v", score)
	}
	*value = before
	// Unfinished runs and runs without the score are ignored.
	s.Cells[groups[0].Cells[0]].Status = Failed
	s.Cells[groups[0].Cells[1]].Summary = &rundir.Summary{}
	s.Cells[groups[0].Cells[2]].Summary = &rundir.Summary{}
	if score := s.Score(groups[0], m); score.N != 1 || score.Mean != 6 || !math.IsNaN(float64(score.SE)) ||
		score.Over != compare.OverOne {
		t.Errorf("%+v", score)
	}
	s.Cells[groups[0].Cells[3]].Status = Running
	if score := s.Score(groups[0], m); score.N != 0 || !math.IsNaN(float64(score.Mean)) ||
		!math.IsNaN(float64(score.SE)) {
		t.Errorf("%+v", score)
	}
	if got := s.Groups(nil); len(got) != 1 || len(got[0].Cells) != 8 {
		t.Errorf("%+v", got)
	}
	all := s.Groups([]string{rundir.SeedField, "inducing"})
	if len(all) != 4 || !slices.Equal(all[1].Values, []string{"0", "6"}) ||
		!slices.Equal(all[2].Values, []string{"1", "4"}) {
		t.Errorf("%+v", all)
	}
}

func TestMeasured(t *testing.T) {
	isolate(t)
	s := made(t, smallGrid(), func(rundir.Config) float64 { return -1 })
	rmse := rundir.Number(2.5)
	s.Cells[7].Summary.Test.RMSE = &rmse
	s.Cells[6].Summary.Test.Coverage = map[string]rundir.Number{"95": 0.9}
	keys := metric.Keys(s.Measured())
	if want := []string{"log_lik", "nll", "rmse", "coverage95", "objective",
		"seconds"}; !slices.Equal(keys, want) {
		t.Errorf("%v, want %v", keys, want)
	}
}

// A sweep over families with different objectives has no score of the objective.
func TestMeasuredObjective(t *testing.T) {
	isolate(t)
	s := made(t, smallGrid(), func(rundir.Config) float64 { return -1 })
	of := func(o family.Objective) int {
		for i := range s.Cells {
			s.Cells[i].Summary.ObjectiveIs = family.Objective{Name: "ELBO", Kind: family.Bound}
		}
		s.Cells[7].Summary.ObjectiveIs = o
		return slices.IndexFunc(s.Measured(), func(m metric.Column) bool { return m.Key == "objective" })
	}
	if i := of(family.Objective{
		Name:  "ELBO",
		Kind:  family.Bound,
		Noisy: true,
	}); i < 0 || s.Measured()[i].Name != "ELBO" {
		t.Error("the objective is missing")
	}
	exact := family.Objective{Name: "log marginal likelihood", Kind: family.Evidence}
	if of(exact) >= 0 {
		t.Error("a bound and an evidence share a score")
	}
	for _, row := range s.Rows() {
		if _, ok := row.Scores["objective"]; ok || len(row.Scores) == 0 {
			t.Errorf("scores %v", row.Scores)
		}
	}
	s.Cells[7].Status = Failed
	if of(exact) < 0 {
		t.Error("an unfinished run counts")
	}
}

func TestRemaining(t *testing.T) {
	isolate(t)
	s := made(t, smallGrid(), func(rundir.Config) float64 { return 0 })
	for i := range s.Cells {
		s.Cells[i].Status = Waiting
	}
	s.Phase = Going
	set := func(i int, status Status, seconds, remaining float64) {
		c := &s.Cells[i]
		c.Status, c.Seconds, c.Remaining = status, seconds, time.Duration(remaining*1e9)
	}
	step := func(name string, jobs int, want float64) {
		s.Jobs = jobs
		if got := s.Remaining().Seconds(); math.Abs(got-want) > 1e-6 {
			t.Errorf("%s: %v s, want %v", name, got, want)
		}
	}
	step("nothing known", 1, 0)
	set(0, Running, 4, 6)
	step("one run goes", 1, 6+7*10)
	set(0, Done, 10, 0) // inducing=4
	step("one is done", 1, 7*10)
	step("one is done, two workers", 2, 7*10/2.)
	set(1, Done, 20, 0) // inducing=6
	step("each setting has its own time", 1, 3*10+3*20)
	set(2, Running, 4, 8)
	set(3, Stopped, 4, 0)
	step("one running, one stopped", 1, 8+2*10+2*20)
	set(6, Running, 3, 0)
	step("one running without an estimate", 1, 8+10+7+2*20)
	set(6, Waiting, 0, 0)
	set(4, Waiting, 7, 0)
	step("one started before", 1, 8+3+10+2*20)
	step("as many workers as runs", 8, 20)
	s.Phase = Over
	step("over", 1, 0)
}

// Of several runs of a cell the one with the most progress counts, or the newest of equal runs. Runs of other
// sweeps do not count.
func TestRunsOfACell(t *testing.T) {
	isolate(t)
	cells, err := smallGrid().Cells()
	if err != nil {
		t.Fatal(err)
	}
	run := func(id string, state rundir.State, stop rundir.Stop) rundir.Info {
		file := rundir.ConfigFile{ID: id, Sweep: "a", Config: cells[0].Config}
		info := rundir.Info{ConfigFile: file, State: state, Step: 5, Steps: 10}
		if stop != "" {
			info.Results = &rundir.Summary{Stop: stop, Error: "bad luck", Step: 7, Seconds: 3}
		}
		return info
	}
	broken := run("broken", rundir.Broken, "")
	broken.Err = errDisk
	failed := run("failed", rundir.Ended, rundir.StopFailed)
	asked := run("asked", rundir.Ended, rundir.StopAsked)
	died := run("died", rundir.Interrupted, "")
	running := run("running", rundir.Running, "")
	done := run("done", rundir.Ended, rundir.StopEarly)
	elsewhere := run("elsewhere", rundir.Ended, rundir.StopSteps)
	elsewhere.Sweep = "b"
	for _, c := range []struct {
		runs   []rundir.Info // newest first
		id     string
		status Status
		step   int
	}{
		{nil, "", Waiting, 0}, {[]rundir.Info{elsewhere}, "", Waiting, 0},
		{[]rundir.Info{broken}, "broken", Failed, 5}, {[]rundir.Info{failed, broken}, "failed", Failed, 7},
		{[]rundir.Info{broken, failed}, "broken", Failed, 5},
		{[]rundir.Info{failed, died}, "died", Stopped, 5}, {[]rundir.Info{asked, died}, "asked", Stopped, 7},
		{[]rundir.Info{died, running}, "running", Running, 5},
		{[]rundir.Info{running, done, failed, elsewhere}, "done", Done, 7},
	} {
		states := match("a", cells, c.runs)
		if got := states[0]; got.Run != c.id || got.Status != c.status || got.Step != c.step {
			t.Errorf("with %d runs: %s is %s at step %d, want %s, %s, %d",
				len(c.runs), got.Run, got.Status, got.Step,
				c.id, c.status, c.step)
		}
		if states[1].Status != Waiting || states[1].Key != cells[1].Key {
			t.Errorf("another cell is %s", states[1].Status)
		}
	}
	states := match("a", cells, []rundir.Info{failed})
	if err := states[0].Err; err == nil || err.Error() != "bad luck" {
		t.Errorf("a failed run has the error %v", err)
	}
	if err := match("a", cells, []rundir.Info{broken})[0].Err; err != errDisk {
		t.Errorf("a broken run has the error %v", err)
	}
	// Failed cells are trained again only on request.
	s := &State{Cells: states}
	without := len(s.Left(false))
	with := len(s.Left(true))
	if without != len(cells)-1 || with != len(cells) {
		t.Errorf("%d cells are left, %d with the failed one, of %d", without, with, len(cells))
	}
}

// Finished runs that were still improving are counted.
func TestImprovingRuns(t *testing.T) {
	isolate(t)
	s := made(t, smallGrid(), func(rundir.Config) float64 { return 0 })
	improving := &rundir.Drift{
		Verdict:   rundir.Improving,
		Objective: &rundir.Estimate{Slope: 1, Trend: rundir.Rising},
	}
	for _, i := range s.Groups(s.Settings())[0].Cells[:3] {
		s.Cells[i].Summary.Drift = improving
	}
	s.Cells[s.Groups(s.Settings())[0].Cells[2]].Status = Failed
	var got string
	for _, g := range s.Groups(s.Settings()) {
		done, improving := s.Done(g)
		got += fmt.Sprintf("%d of %d; ", improving, done)
	}
	if want := "2 of 3; 0 of 4; "; got != want {
		t.Errorf("still improving: %s, want %s", got, want)
	}
	if rows := s.Rows(); len(rows) != 2 || rows[0].Improving != 2 ||
		rows[1].Improving != 0 || rows[0].Runs != 4 {
		t.Errorf("rows %+v", rows)
	}
}

// With successive halving, the slowest settings are assumed to continue. The times of whole runs follow from
// the steps done so far.
func TestRemainingOfHalving(t *testing.T) {
	isolate(t)
	g := halvingGrid(4, 2)
	g.Rungs = 2
	s := made(t, g, func(rundir.Config) float64 { return 0 })
	s.Phase = Going
	for i := range s.Cells {
		s.Cells[i].Status, s.Cells[i].Rung = Waiting, 1
	}
	progress := func(i, step int, seconds float64) {
		c := &s.Cells[i]
		c.Step, c.Steps, c.Seconds = step, 100, seconds
	}
	step := func(name string, jobs int, want float64) {
		t.Helper()
		s.Jobs = jobs
		if got := s.Remaining().Seconds(); math.Abs(got-want) > 1e-6 {
			t.Errorf("%s: %v s, want %v", name, got, want)
		}
	}
	step("nothing known", 1, 0)
	progress(0, 10, 5) // 50 s for all steps
	step("one run has begun", 1, 4*25-5+2*25)
	step("two workers", 2, (4*25-5+2*25)/2.)
	progress(1, 20, 30) // 150 s for all steps, 100 s on average
	step("two runs have begun", 1, 25-5+75-30+2*50+75+50)
	s.Cells[0].Status = Done
	step("one is done", 1, 75-30+2*50+75+50)
}

// The speed is the number of steps per second of training.
func TestSpeed(t *testing.T) {
	for seconds, want := range map[float64]float64{0: 0, 0.5: 20, 20: 0.5} {
		if got := (&CellState{Step: 10, Seconds: seconds}).Speed(); got != want {
			t.Errorf("10 steps in %v s: %v steps per second, want %v", seconds, got, want)
		}
	}
}

// Times beyond the range of a duration are its maximum.
func TestDuration(t *testing.T) {
	for seconds, want := range map[float64]time.Duration{
		1.5: 1500 * time.Millisecond, 6e9: 6e18, 1e300: math.MaxInt64, math.Inf(1): math.MaxInt64,
	} {
		if got := duration(seconds); got != want {
			t.Errorf("%v s: %d, want %d", seconds, got, want)
		}
	}
}
