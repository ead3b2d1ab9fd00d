package sweep

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dgplab/session"
	"dgplab/session/rundir"
)

// TestRealSweep simulates a crash in a sweep of real runs. Finished runs are left unchanged, and the
// interrupted run ends as it would have without the crash.
func TestRealSweep(t *testing.T) {
	isolate(t)
	grid := smallGrid()
	s, err := Start(context.Background(), grid, Options{Name: "whole", Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	whole := s.Wait()
	check(t, whole, Over, "8 done ")
	runs, err := rundir.List()
	if err != nil || len(runs) != 8 {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	before := changes(runs)

	seen, err := Open("whole")
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range seen.Cells {
		if live := whole.Cells[i]; c.Key != live.Key || c.Run != live.Run || c.Status != Done ||
			c.Summary.Test.LogLik != live.Summary.Test.LogLik ||
			c.Seconds != live.Seconds || c.Steps != live.Steps {
			t.Errorf("read %+v; live %+v", c, live)
		}
	}
	of, err := Runs("whole")
	if err != nil || len(of) != 8 || of[3].ID != whole.Cells[3].Run || of[3].Results == nil {
		t.Errorf("%v, %v", of, err)
	}

	// Simulate a crash after the first checkpoint of one cell and before the start of another.
	cut, gone := whole.Cells[2], whole.Cells[5]
	for _, name := range []string{"summary.json", "checkpoint"} {
		if err := os.Remove(filepath.Join(cut.Summary.Dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll(gone.Summary.Dir); err != nil {
		t.Fatal(err)
	}
	seen, err = Open("whole")
	if err != nil || counts(seen) != "6 done 1 waiting 1 stopped " {
		t.Fatalf("%q, %v", counts(seen), err)
	}
	s, err = Resume(context.Background(), "whole", Options{})
	if err != nil {
		t.Fatal(err)
	}
	again := s.Wait()
	check(t, again, Over, "8 done ")
	for i, c := range again.Cells {
		if old := whole.Cells[i]; c.Summary.Test.LogLik != old.Summary.Test.LogLik ||
			(c.Run == old.Run) != (i != 5) {
			t.Errorf("%s: %s with %v; was %s with %v",
				c.Key, c.Run, c.Summary.Test.LogLik, old.Run, old.Summary.Test.LogLik)
		}
	}
	runs, err = rundir.List()
	if err != nil {
		t.Fatal(err)
	}
	after := changes(runs)
	for id, when := range before {
		if id != cut.Run && id != gone.Run && after[id] != when {
			t.Errorf("%s was written again", id)
		}
	}
}

// changes returns the last modification time of each run.
func changes(runs []rundir.Info) map[string]int64 {
	at := map[string]int64{}
	for _, info := range runs {
		at[info.ID] = info.Changed.UnixNano()
	}
	return at
}

// Cancelling the context stops the runs. They can be continued later.
func TestRealCancel(t *testing.T) {
	isolate(t)
	grid := smallGrid()
	grid.Seeds, grid.Splits = []uint64{0}, nil
	grid.Set[1].Values = []string{"1000000"}
	grid.Set = append(grid.Set, Axis{Name: "early_stopping", Values: []string{"off"}})
	ctx, cancel := context.WithCancel(context.Background())
	s, err := Start(ctx, grid, Options{Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "steps", func() bool {
		return !slices.ContainsFunc(s.Latest().Cells, func(c CellState) bool { return c.Step < 20 })
	})
	cancel()
	last := s.Wait()
	check(t, last, Over, "2 stopped ")
	list, err := List()
	if err != nil || len(list) != 1 || list[0].Name != s.Name() || list[0].Err != nil {
		t.Fatalf("%+v, %v", list, err)
	}
	for i, c := range list[0].State.Cells {
		if c.Status != Stopped || c.Step < 20 || c.Step != last.Cells[i].Step || c.Seconds <= 0 {
			t.Errorf("%+v", c)
		}
	}
}

// Unreadable sweeps are listed with an error. An empty folder is not a sweep.
func TestList(t *testing.T) {
	isolate(t)
	if list, err := List(); err != nil || len(list) != 0 {
		t.Fatalf("%v, %v", list, err)
	}
	grid := smallGrid()
	grid.Seeds, grid.Splits, grid.Set[0].Values = []uint64{0}, nil, []string{"4"}
	for _, name := range []string{"b", "a", "c"} {
		s, err := Start(context.Background(), grid, Options{Name: name})
		if err != nil {
			t.Fatal(err)
		}
		s.Wait()
	}
	parent := filepath.Join(os.Getenv("DGPLAB_RUNS"), folderName)
	for name, text := range map[string]string{"empty": "", "damaged": "{", "later": `{"format": 99}`} {
		if err := os.MkdirAll(filepath.Join(parent, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if text != "" {
			if err := os.WriteFile(filepath.Join(parent, name, fileName), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	list, err := List()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range list {
		got = append(got, e.Name)
		if (e.Err == nil) != (e.State != nil) {
			t.Errorf("%+v", e)
		}
	}
	if want := []string{"c", "a", "b", "damaged", "later"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if err := list[4].Err; !strings.Contains(err.Error(), "format 99") {
		t.Error(err)
	}
	if runs, err := rundir.List(); err != nil || len(runs) != 3 {
		t.Errorf("%d runs, %v", len(runs), err)
	}
}

// The time of the baseline is known before its first run.
func TestTimeOfTheBaseline(t *testing.T) {
	isolate(t)
	grid := smallGrid()
	grid.Families = []string{"linear"}
	grid.Set = nil
	plan, err := Preview(t.Context(), new(session.Inspector), grid, "plan")
	if err != nil {
		t.Fatal(err)
	}
	e, err := Inspect(t.Context(), new(session.Inspector), plan, false)
	if err != nil || !(e.Seconds > 0 && e.Seconds < 1) || e.Unknown != 0 {
		t.Errorf("%g s and %d runs of unknown time, %v; want less than a second in all", e.Seconds, e.Unknown,
			err)
	}
}

func TestInspect(t *testing.T) {
	isolate(t)
	grid := smallGrid()
	plan, err := Preview(t.Context(), new(session.Inspector), grid, "plan")
	if err != nil {
		t.Fatal(err)
	}
	in := new(session.Inspector)
	e, err := Inspect(context.Background(), in, plan, false)
	if err != nil || e.Runs != 8 || e.Unknown != 8 || e.Seconds != 0 || e.Time(2) != 0 {
		t.Errorf("without earlier runs: %+v, %v", e, err)
	}
	most := 0.0
	for _, c := range plan.Cells {
		preview, err := in.Inspect(context.Background(), c.Config)
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, preview.MemoryBytes)
	}
	if e.Memory != most || most == 0 {
		t.Errorf("%v bytes for the largest run, want %v", e.Memory, most)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if err := e.TimeSteps(stopped, in); !errors.Is(err, context.Canceled) || e.Unknown != 8 {
		t.Errorf("cancelled: %v, %d unknown", err, e.Unknown)
	}
	if err := e.TimeSteps(context.Background(), in); err != nil || e.Unknown != 0 || e.Timed != 8 {
		t.Errorf("with timed steps: %+v, %v", e, err)
	}
	total := 0.0
	for _, c := range plan.Cells {
		total += e.Of(c.Cell)
	}
	if e.Seconds <= 0 || math.Abs(total-e.Seconds) > 1e-9 || e.Longest <= 0 || e.Longest > e.Seconds {
		t.Errorf("%g s, %g s in all, longest %g s", e.Seconds, total, e.Longest)
	}
	s, err := Start(context.Background(), grid, Options{Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	s.Wait()
	e, err = Inspect(context.Background(), in, plan, false)
	if err != nil || e.Unknown != 0 || e.Seconds <= 0 {
		t.Errorf("with earlier runs: %+v, %v", e, err)
	}
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-8 } // Durations are whole nanoseconds.
	one := e.Time(1).Seconds()
	two := e.Time(2).Seconds()
	many := e.Time(100).Seconds()
	if !near(one, e.Seconds) || !near(two, e.Seconds/2) || !near(many, e.Seconds/8) {
		t.Errorf("%v for one worker, %v for two, %v for many; %v s", one, two, many, e.Seconds)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Inspect(ctx, in, plan, false); err != context.Canceled {
		t.Error(err)
	}
	// Fewer training rows than inducing points are detected before anything starts.
	cell := &plan.Cells[6]
	cell.Config.Set = map[string]string{"width": "2,2,2"}
	cell.Config.Family, cell.setting = "star", "other"
	if _, err := Inspect(context.Background(), in, plan, false); err == nil ||
		!strings.Contains(err.Error(), cell.Key) {
		t.Error(err)
	}
}
