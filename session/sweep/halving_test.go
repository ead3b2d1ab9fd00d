package sweep

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"dgplab/session"
	"dgplab/session/rundir"
)

// halvingGrid returns a grid of the settings inducing=1 to inducing=n on one data set, split and seed.
func halvingGrid(n, factor int) Grid {
	axis := Axis{Name: "inducing"}
	for i := range n {
		axis.Values = append(axis.Values, fmt.Sprint(i+1))
	}
	return Grid{Datasets: []string{"steps"}, Families: []string{"svgp"}, Seeds: []uint64{0},
		Set: []Axis{axis, single("validation", "0.1")}, Halving: factor}
}

// compete starts a grid in a fake dependencies and ends its runs as they begin. It returns the values of
// inducing with the rung lengths, in the order of the runs, and the last state.
func compete(t *testing.T, w *fakeWorld, g Grid, o Options, end func(*fakeJob)) (begun []string, s *State) {
	t.Helper()
	sweep, err := start(context.Background(), g, o, w.dependencies())
	if err != nil {
		t.Fatal(err)
	}
	return follow(t, w, sweep, end)
}

// follow calls end for the runs of a sweep as they begin.
func follow(t *testing.T, w *fakeWorld, s *Sweep, end func(*fakeJob)) (begun []string, last *State) {
	t.Helper()
	t.Cleanup(func() { s.Cancel(); s.Wait() })
	for {
		select {
		case j := <-w.begun:
			begun = append(begun, fmt.Sprintf("%s/%d", j.config.Set["inducing"], j.part))
			end(j)
		case <-s.Done():
			return begun, s.Latest()
		}
	}
}

// inducingScore returns the number of inducing points of a cell as its validation log-likelihood.
func inducingScore(c *CellState, _ int) (float64, error) {
	var x float64
	_, err := fmt.Sscan(c.Config.Set["inducing"], &x)
	return x, err
}

// Nine settings are reduced to three and then to one. Runs are extended, not restarted.
func TestHalving(t *testing.T) {
	isolate(t)
	w := newFakeWorld()
	var asked []int
	w.score = func(c *CellState, until int) (float64, error) {
		asked = append(asked, until)
		return inducingScore(c, until)
	}
	begun, last := compete(t, w, halvingGrid(9, 3), Options{Name: "a"}, (*fakeJob).arrive)
	want := strings.Fields("1/9 2/9 3/9 4/9 5/9 6/9 7/9 8/9 9/9 7/3 8/3 9/3 9/1")
	if !reflect.DeepEqual(begun, want) {
		t.Errorf("begun %q, want %q", begun, want)
	}
	if len(w.all) != 9 {
		t.Errorf("%d run directories, want 9", len(w.all))
	}
	check(t, last, Over, "1 done 8 pruned ")
	if !last.Complete() || len(last.Left(true)) != 0 || last.Remaining() != 0 {
		t.Errorf("complete %v, left %d", last.Complete(), len(last.Left(true)))
	}
	if asked[0] != 12 || asked[8] != 12 || asked[9] != 34 || len(asked) != 12 {
		t.Errorf("validations up to the steps %v", asked)
	}
	for i, rung := range []int{1, 1, 1, 1, 1, 1, 2, 2, 3} {
		if got := last.Cells[i].Rung; got != rung {
			t.Errorf("cell %d is at rung %d, want %d", i, got, rung)
		}
	}
	seen, err := OpenAmong("a", w.all)
	if err != nil || counts(seen) != "1 done 8 pruned " ||
		!reflect.DeepEqual(seen.Decisions, last.Decisions) {
		t.Errorf("read as %q, %v", counts(seen), err)
	}
	rows := last.Rows()
	if rows[0].Pruned != 1 || rows[0].Rung != 1 || rows[8].Pruned != 0 {
		t.Errorf("rows %+v and %+v", rows[0], rows[8])
	}

	again := goOn(t, w, Options{Name: "a", Retry: true})
	check(t, again.Wait(), Over, "1 done 8 pruned ")
	w.none(t)
}

// The number of rungs leaves one setting, unless the first rung would be too short.
func TestRungs(t *testing.T) {
	isolate(t)
	for _, c := range []struct {
		settings, factor, rungs int
		text                    string
	}{
		{2, 3, 2, "1/3 and all steps"},
		{8, 3, 3, "1/9, 1/3 and all steps"},
		{10, 3, 4, "1/27, 1/9, 1/3 and all steps"},
		{200, 2, 7, "1/64, 1/32, 1/16, 1/8, 1/4, 1/2 and all steps"},
		{200, 200, 2, "1/200 and all steps"},
	} {
		plan, err := Preview(t.Context(), new(session.Inspector), halvingGrid(c.settings, c.factor), "")
		if err != nil {
			t.Fatal(err)
		}
		if g := plan.Grid; g.Rungs != c.rungs || g.RungsText() != c.text {
			t.Errorf("%d settings, factor %d: %d rungs, %s", c.settings, c.factor, g.Rungs, g.RungsText())
		}
	}
}

// The settings of each data set and split compete separately, by their mean over seeds. The order of the
// cells breaks ties. Failed runs lose and are not retried. The baseline does not compete.
func TestBrackets(t *testing.T) {
	isolate(t)
	w := newFakeWorld()
	w.score = func(c *CellState, _ int) (float64, error) {
		x, err := inducingScore(c, 0)
		switch {
		case c.Config.Split == "interpolation:1":
			return -x, err
		case x == 2 && c.Config.Seed == 1:
			return 10, err // The mean of 2 and 10 beats 4.
		}
		return min(x, 4), err // The settings 4 and 5 tie.
	}
	g := halvingGrid(5, 2)
	g.Seeds = []uint64{0, 1}
	g.Splits = []string{"interpolation:0", "interpolation:1"}
	g.Baseline = true
	_, last := compete(t, w, g, Options{Name: "a", Jobs: 3}, func(j *fakeJob) {
		c := j.config
		if c.Set["inducing"] == "1" && c.Split == "interpolation:1" && c.Seed == 1 {
			j.fail(errors.New("bad luck"))
			return
		}
		j.arrive()
	})
	var got []string
	for _, d := range last.Decisions {
		text := fmt.Sprintf("%s %d:", d.Split, d.Rung)
		for _, r := range d.Ranking[:d.Kept] {
			text += " " + strings.Fields(r.Setting)[2][len("inducing="):]
		}
		got = append(got, text)
	}
	for _, want := range []string{
		"interpolation:0 1: 2 4 5", "interpolation:1 1: 2 3 4",
		"interpolation:0 2: 2 4", "interpolation:1 2: 2 3",
		"interpolation:0 3: 2", "interpolation:1 3: 2",
	} {
		found := false
		for _, text := range got {
			found = found || text == want
		}
		if !found || len(got) != 6 {
			t.Errorf("decisions %q, want %q", got, want)
		}
	}
	check(t, last, Over, "6 done 15 pruned 1 failed ") // The baseline is trained once for each split.
	if ranking := last.Decisions[1].Ranking; last.Decisions[1].Split == "interpolation:1" &&
		(ranking[4].Setting != "steps svgp inducing=1 validation=0.1" ||
			!math.IsNaN(float64(ranking[4].ValLogLik))) {
		t.Errorf("the failed setting: %+v", ranking)
	}
	if len(last.Left(true)) != 0 {
		t.Errorf("left: %v", last.Left(true))
	}
	check(t, goOn(t, w, Options{Name: "a", Retry: true}).Wait(), Over, "6 done 15 pruned 1 failed ")
	w.none(t)
}

// A run that ends before the end of its rung competes with the steps that it has taken.
func TestEarlyRunsCompete(t *testing.T) {
	isolate(t)
	w := newFakeWorld()
	w.score = inducingScore
	begun, last := compete(t, w, halvingGrid(4, 2), Options{Name: "a"}, func(j *fakeJob) {
		if name := j.config.Set["inducing"]; name == "1" || name == "4" {
			j.end(rundir.StopEarly)
			return
		}
		j.arrive()
	})
	if want := []string{"1/4", "2/4", "3/4", "4/4", "3/2"}; !reflect.DeepEqual(begun, want) {
		t.Errorf("begun %q, want %q", begun, want)
	}
	check(t, last, Over, "2 done 2 pruned ")
}

// If the scores cannot be read or the decision cannot be saved, no run continues, and the decision is
// made when the sweep is resumed.
func TestUndecidedRung(t *testing.T) {
	isolate(t)
	w := newFakeWorld()
	w.score = func(*CellState, int) (float64, error) { return 0, errDisk }
	begun, last := compete(t, w, halvingGrid(2, 2), Options{Name: "a"}, (*fakeJob).arrive)
	check(t, last, Over, "2 stopped ")
	if err := last.Cells[0].Err; len(begun) != 2 || !errors.Is(err, errDisk) {
		t.Errorf("begun %q, %v", begun, err)
	}
	w.score = inducingScore
	begun, last = follow(t, w, goOn(t, w, Options{Name: "a"}), (*fakeJob).arrive)
	check(t, last, Over, "1 done 1 pruned ")
	if !reflect.DeepEqual(begun, []string{"2/1"}) {
		t.Errorf("begun %q", begun)
	}
}

// Grids in which settings cannot compete are refused, and a competition cannot be changed.
func TestHalvingRefused(t *testing.T) {
	isolate(t)
	for want, change := range map[string]func(*Grid){
		"want a whole number from 2":      func(g *Grid) { g.Halving = 1 },
		"cannot have 1 rungs":             func(g *Grid) { g.Rungs = 1 },
		"less than a millionth":           func(g *Grid) { g.Rungs = 40 },
		"rungs need successive halving":   func(g *Grid) { g.Halving, g.Rungs = 0, 2 },
		"needs at least two settings":     func(g *Grid) { g.Set = g.Set[1:] },
		"halving needs validation points": func(g *Grid) { g.Set = g.Set[:1] },
		"cannot start from a family of the": func(g *Grid) {
			g.Set = append(g.Set, single("warm_start", "svgp"))
		},
	} {
		g := halvingGrid(3, 3)
		if strings.Contains(want, "family of the") {
			g.Families = []string{"star", "svgp"}
		}
		change(&g)
		_, err := Preview(t.Context(), new(session.Inspector), g, "")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
	w := newFakeWorld()
	compete(t, w, halvingGrid(3, 3), Options{Name: "a"}, (*fakeJob).arrive)
	more := halvingGrid(4, 3)
	more.Rungs = 2
	for want, g := range map[string]Grid{
		"cannot be extended": more, "other rungs": halvingGrid(3, 2), "already has": halvingGrid(3, 0),
	} {
		if _, err := start(context.Background(), g, Options{Name: "a"}, w.dependencies()); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}

// single returns an axis with one value.
func single(name, value string) Axis { return Axis{Name: name, Values: []string{value}} }

// realHalving has four settings on two splits, with a learning rate that falls to zero at the last of 16
// steps.
func realHalving() Grid {
	g := smallGrid()
	g.Seeds = []uint64{0}
	g.Set[0].Values = []string{"2", "4", "6", "8"}
	g.Set[1].Values = []string{"16"}
	g.Set = append(g.Set, single("schedule", "linear"), single("validation_every", "3"),
		single("validation", "0.2"))
	g.Halving = 2
	return g
}

// A sweep that is interrupted repeatedly, within rungs and between them, makes the same decisions and has the
// same results bit for bit as an uninterrupted sweep. Its complete runs equal runs without rungs.
func TestInterruptedHalving(t *testing.T) {
	isolate(t)
	s, err := Start(context.Background(), realHalving(), Options{Name: "whole", Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	whole := s.Wait()
	check(t, whole, Over, "2 done 6 pruned ")
	if len(whole.Decisions) != 4 {
		t.Fatalf("%d decisions", len(whole.Decisions))
	}

	cut, err := start(context.Background(), realHalving(), Options{Name: "cut", Jobs: 1},
		endingWorld(context.Background()))
	times := 0
	for ; err == nil && !cut.Wait().Complete(); times++ {
		if times == 5 {
			forgetDecision(t, "cut")
		}
		if times > 50 {
			t.Fatal("the sweep does not end")
		}
		cut, err = resume(context.Background(), "cut", Options{Jobs: 1}, endingWorld(context.Background()))
	}
	if err != nil {
		t.Fatal(err)
	}
	if times < 6 {
		t.Errorf("the sweep was interrupted only %d times", times)
	}
	last := cut.Latest()
	ranked := func(s *State) map[string]string {
		texts := map[string]string{}
		for _, d := range s.Decisions {
			texts[fmt.Sprint(d.Split, d.Rung)] = fmt.Sprint(d)
		}
		return texts
	}
	got := ranked(last)
	want := ranked(whole)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("decisions %v, want %v", got, want)
	}
	grid := realHalving()
	grid.Halving = 0
	s, err = Start(context.Background(), grid, Options{Name: "grid", Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	all := s.Wait()
	for i, c := range last.Cells {
		want := whole.Cells[i]
		if c.Status != want.Status || c.Rung != want.Rung || c.Step != want.Step ||
			c.Summary.Test.LogLik != want.Summary.Test.LogLik ||
			c.Summary.Objective != want.Summary.Objective || c.Summary.BestVal != want.Summary.BestVal {
			t.Errorf("%s: %s at step %d of rung %d, want %s at step %d of rung %d; or the scores differ",
				c.Key, c.Status, c.Step, c.Rung, want.Status, want.Step, want.Rung)
		}
		full := all.Cells[i].Summary
		if c.Status == Done &&
			(c.Summary.Test.LogLik != full.Test.LogLik || c.Summary.Objective != full.Objective) {
			t.Errorf("%s differs from a run without rungs", c.Key)
		}
	}
}

// endingWorld returns the real dependencies, in which the sweep is cancelled when its first run ends or,
// every other time, while that run is training.
func endingWorld(ctx context.Context) dependencies {
	w := newDependencies(Options{})
	ctx, cancel := context.WithCancel(ctx)
	var once sync.Once
	cancelAfter := func(j job, err error) (job, error) {
		if err == nil {
			once.Do(func() {
				go func() {
					j.Wait()
					cancel()
				}()
			})
		}
		return j, err
	}
	begin, goOn := w.start, w.resume
	w.start = func(_ context.Context, sweep string, c rundir.Config, part int) (job, error) {
		return cancelAfter(begin(ctx, sweep, c, part))
	}
	w.resume = func(_ context.Context, id string, part int) (job, error) {
		return cancelAfter(goOn(ctx, id, part))
	}
	return w
}

// forgetDecision removes the last decision of a sweep unless a run has continued since, as if the process had
// died before saving it.
func forgetDecision(t *testing.T, name string) {
	t.Helper()
	s, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	n := len(s.Decisions)
	if n == 0 {
		return
	}
	d := s.Decisions[n-1]
	for i := range s.Cells {
		c := &s.Cells[i]
		if c.Config.Split == d.Split && c.Rung > d.Rung && c.Summary != nil &&
			c.Summary.Step > rundir.RungSteps(c.Steps, s.Grid.Part(d.Rung)) {
			return
		}
	}
	path := filepath.Join(os.Getenv("DGPLAB_RUNS"), folderName, name, fileName)
	f := new(file)
	if err := rundir.ReadJSON(path, f); err != nil {
		t.Fatal(err)
	}
	dir, err := rundir.OpenFolder(folderName, name)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if err := writeFile(dir, s, f.Decisions[:n-1]); err != nil {
		t.Fatal(err)
	}
}

// The longest possible time assumes that the slowest settings continue. Runs without rungs take all steps.
func TestHalvingSeconds(t *testing.T) {
	s := &State{Grid: Grid{Halving: 2, Rungs: 3}}
	for i, seconds := range []float64{8, 16, 24, 32, 5} {
		c := CellState{Cell: Cell{setting: fmt.Sprint(seconds)}, Seconds: seconds, Rung: 1}
		if i == 4 {
			c.Rung = 0 // the baseline
		}
		s.Cells = append(s.Cells, c)
	}
	all := func(*CellState) bool { return true }
	whole := func(c *CellState) float64 { return c.Seconds }
	none := func(*CellState) float64 { return 0 }
	// The baseline, a quarter of all, another quarter of the slowest two, and half of the slowest one.
	if got, want := s.halvingSeconds(all, whole, none), 5.0+80.0/4+56.0/4+32.0/2; got != want {
		t.Errorf("%v s, want %v", got, want)
	}
	slow := func(c *CellState) bool { return c.Seconds > 20 }
	if got, want := s.halvingSeconds(slow, whole, none), 56.0/4+56.0/4+32.0/2; got != want {
		t.Errorf("with two settings left: %v s, want %v", got, want)
	}
	// A run cannot have less than no time left in its rung.
	trained := func(c *CellState) float64 { return 4 }
	if got, want := s.halvingSeconds(all, whole, trained), 1+(0.0+0+2+4)+56.0/4+32.0/2; got != want {
		t.Errorf("after 4 s each: %v s, want %v", got, want)
	}
}

// Settings are compared by the mean of the last validations before the end of the rung, or by the best such
// mean, and by the validation at the end of the run only if there is no other.
func TestValidation(t *testing.T) {
	isolate(t)
	dir := filepath.Join(os.Getenv("DGPLAB_RUNS"), "r")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	var text []byte
	for step := 1; step <= 200; step++ {
		value := math.NaN()
		switch {
		case step == 75:
			value = 100 // at the end of the run
		case step%20 == 0 && step != 40:
			value = -math.Abs(float64(step-100)) / 20
		}
		text = rundir.Point{Step: step, ValLogLik: value}.AppendJSON(text, "")
		text = append(text, '\n')
	}
	if err := os.WriteFile(filepath.Join(dir, "metrics.jsonl"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		keep, every string
		until       int
		want        float64
	}{
		{rundir.KeptBest, "20", 200, -2.0 / 3},              // at the steps 80, 100 and 120
		{"last", "20", 200, -4},                             // at the steps 160, 180 and 200
		{"last", "20", 199, -3},                             // at the steps 140, 160 and 180
		{"last", "20", 80, -1.5},                            // at the steps 60 and 80
		{rundir.KeptBest, "20", 19, math.NaN()},             // before the first validation
		{"last", "1000", 80, -1}, {"last", "1000", 75, 100}, // at the end of a shorter run
	} {
		cell := &CellState{Run: "r", Summary: &rundir.Summary{
			Values: map[string]string{"validation_every": c.every, rundir.KeepSetting: c.keep}}}
		got, err := validation(cell, c.until)
		if err != nil || math.Abs(got-c.want) > 1e-12 || math.IsNaN(got) != math.IsNaN(c.want) {
			t.Errorf("%+v: %v, %v", c, got, err)
		}
	}
}

// A rung whose decision cannot be saved stops its settings, and the decision does not count.
func TestDecisionIsNotSaved(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(dir string) error
		want  string
	}{
		"the lock is lost": {func(dir string) error {
			path := filepath.Join(dir, "lock")
			return errors.Join(os.Remove(path), os.Mkdir(path, 0o755))
		}, "the lock file was removed or replaced: "},
		"the file cannot be replaced": {func(dir string) error {
			path := filepath.Join(dir, fileName)
			return errors.Join(os.Remove(path), os.MkdirAll(filepath.Join(path, "x"), 0o755))
		}, "save the sweep: "},
	} {
		t.Run(name, func(t *testing.T) {
			isolate(t)
			w := newFakeWorld()
			w.score = inducingScore
			dir := filepath.Join(os.Getenv("DGPLAB_RUNS"), folderName, "a")
			_, last := compete(t, w, halvingGrid(2, 2), Options{Name: "a", Jobs: 2}, func(j *fakeJob) {
				if j.config.Set["inducing"] == "2" {
					if err := c.spoil(dir); err != nil {
						t.Error(err)
					}
				}
				j.arrive()
			})
			check(t, last, Over, "2 stopped ")
			if err := last.Cells[0].Err; err == nil || !strings.Contains(err.Error(), c.want) ||
				!strings.HasPrefix(err.Error(), "successive halving: ") || len(last.Decisions) > 0 {
				t.Errorf("error %v, decisions %v", err, last.Decisions)
			}
		})
	}
}
