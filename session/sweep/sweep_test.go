package sweep

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"strings"
	"testing"

	"dgplab/models"
	"dgplab/session/memory"
	"dgplab/session/rundir"
)

// begin starts the small grid in a fake dependencies.
func begin(t *testing.T, w *fakeWorld, o Options) *Sweep {
	t.Helper()
	s, err := start(context.Background(), smallGrid(), o, w.dependencies())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Cancel(); s.Wait() })
	return s
}

func goOn(t *testing.T, w *fakeWorld, o Options) *Sweep {
	t.Helper()
	s, err := resume(context.Background(), o.Name, o, w.dependencies())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Cancel(); s.Wait() })
	return s
}

func check(t *testing.T, s *State, phase Phase, want string) {
	t.Helper()
	if s.Phase != phase || counts(s) != want {
		t.Fatalf("%s, %q; want %s, %q", s.Phase, counts(s), phase, want)
	}
}

// At most Jobs runs are active, and they start in the order of the cells.
func TestWorkers(t *testing.T) {
	isolate(t)
	w := newFakeWorld()
	s := begin(t, w, Options{Name: "a", Jobs: 3})
	cells, _ := smallGrid().Cells()
	var going []*fakeJob
	for i := range cells {
		j := w.next(t)
		if got := keyOf(j.config); got != cells[i].Key || j.sweep != "a" || j.resumed {
			t.Fatalf("run %d is %q of sweep %q, resumed %v; want %q",
				i, got, j.sweep, j.resumed, cells[i].Key)
		}
		going = append(going, j)
		if len(going) < 3 {
			continue
		}
		eventually(t, "three runs", func() bool { return s.Latest().Count(Running) == 3 })
		w.none(t)
		going[i%3].end(rundir.StopEarly)
		going = append(going[:i%3], going[i%3+1:]...)
	}
	for _, j := range going {
		j.end(rundir.StopSteps)
	}
	last := s.Wait()
	check(t, last, Over, "8 done ")
	if !last.Complete() || last.Remaining() != 0 {
		t.Errorf("complete %v, %s left", last.Complete(), last.Remaining())
	}
	for i, c := range last.Cells {
		if c.Key != cells[i].Key || c.Run == "" || c.Summary == nil || c.Step != 100 || c.Seconds != 10 {
			t.Errorf("cell %d: %+v", i, c)
		}
	}
}

// The next run begins when the training of another one ends, but only so many runs may be evaluated.
func TestNextRunBeginsAfterTraining(t *testing.T) {
	isolate(t)
	w := newFakeWorld()
	s := begin(t, w, Options{Name: "a", Jobs: 1})
	first := w.next(t)
	first.trained()
	second := w.next(t)
	second.trained()
	eventually(t, "two runs", func() bool { return s.Latest().Count(Running) == 2 })
	w.none(t)
	first.end(rundir.StopSteps)
	third := w.next(t)
	second.end(rundir.StopSteps)
	eventually(t, "two ends", func() bool { return s.Latest().Count(Done) == 2 })
	w.none(t)
	third.end(rundir.StopSteps)
	w.next(t)
	s.Cancel()
	check(t, s.Wait(), Over, "3 done 4 waiting 1 stopped ")
}

// A process dies, or is stopped, with one cell done, one failed and two running. When the sweep is resumed,
// finished and failed cells are not trained again.
func TestResume(t *testing.T) {
	isolate(t)
	w := newFakeWorld()
	s := begin(t, w, Options{Name: "a", Jobs: 2})
	w.next(t).end(rundir.StopSteps)
	w.next(t).end(rundir.StopFailed)
	third := w.next(t)
	fourth := w.next(t)
	s.Cancel()
	check(t, s.Wait(), Over, "1 done 4 waiting 2 stopped 1 failed ")

	again := goOn(t, w, Options{Name: "a", Jobs: 2})
	if j := w.next(t); j.id != third.id || !j.resumed {
		t.Errorf("%s, resumed %v; want %s", j.id, j.resumed, third.id)
	}
	if j := w.next(t); j.id != fourth.id || !j.resumed {
		t.Errorf("%s, resumed %v; want %s", j.id, j.resumed, fourth.id)
	}
	for i := range 6 {
		if i >= 2 {
			if j := w.next(t); j.resumed {
				t.Errorf("%s is resumed", j.id)
			}
		}
		w.end(t)
	}
	last := again.Wait()
	check(t, last, Over, "7 done 1 failed ")
	if err := last.Cells[1].Err; err == nil || err.Error() != "bad luck" {
		t.Errorf("the failed cell has the error %v", err)
	}
	w.none(t)

	// If no cell remains, no run starts.
	check(t, goOn(t, w, Options{Name: "a"}).Wait(), Over, "7 done 1 failed ")
	w.none(t)

	retried := goOn(t, w, Options{Name: "a", Retry: true})
	j := w.next(t)
	if !j.resumed || j.id != last.Cells[1].Run {
		t.Errorf("%s, resumed %v; want %s", j.id, j.resumed, last.Cells[1].Run)
	}
	j.end(rundir.StopSteps)
	check(t, retried.Wait(), Over, "8 done ")
}

// A run that does not fit into memory next to others waits until one of them ends. A run that does not fit on
// its own fails.
func TestRunsThatDoNotFitTogetherGoOneAfterTheOther(t *testing.T) {
	isolate(t)
	w := newFakeWorld()
	s := begin(t, w, Options{Name: "a", Jobs: 3})
	first := w.next(t)
	second := w.next(t)
	third := w.next(t)
	third.fail(&memory.Error{Need: 2, Free: 1})
	eventually(t, "two jobs", func() bool { return s.Latest().Jobs == 2 })
	w.none(t)
	first.end(rundir.StopSteps)
	again := w.next(t)
	if again.id != third.id || !again.resumed {
		t.Errorf("%s, resumed %v; want %s", again.id, again.resumed, third.id)
	}
	second.end(rundir.StopSteps)
	w.next(t).end(rundir.StopSteps)
	for range 3 {
		w.next(t).end(rundir.StopSteps)
	}
	alone := w.next(t)
	again.end(rundir.StopSteps)
	eventually(t, "the last run alone", func() bool { return s.Latest().Count(Running) == 1 })
	alone.fail(&memory.Error{Need: 2, Free: 1})
	check(t, s.Wait(), Over, "7 done 1 failed ")
}

// end ends any active run.
func (w *fakeWorld) end(t *testing.T) {
	t.Helper()
	w.mu.Lock()
	var going *fakeJob
	for _, info := range w.all {
		if info.State == rundir.Running {
			going = w.jobs[info.ID]
			break
		}
	}
	w.mu.Unlock()
	if going == nil {
		t.Fatal("no run goes")
	}
	going.end(rundir.StopSteps)
}

func TestPause(t *testing.T) {
	isolate(t)
	w := newFakeWorld()
	s := begin(t, w, Options{Name: "a", Jobs: 2})
	first := w.next(t)
	second := w.next(t)
	s.Pause()
	eventually(t, "the pause", func() bool {
		return s.Latest().Phase == Resting && first.isPaused() && second.isPaused()
	})
	first.end(rundir.StopSteps) // The run was at its last step.
	eventually(t, "the end of a run", func() bool { return s.Latest().Count(Done) == 1 })
	w.none(t)
	s.Continue()
	third := w.next(t)
	eventually(t, "the end of the pause", func() bool {
		return s.Latest().Phase == Going && !second.isPaused()
	})
	if third.isPaused() {
		t.Error("a run that began after the pause is paused")
	}
	s.Pause()
	eventually(t, "the second pause", func() bool { return third.isPaused() })
	s.Cancel()
	check(t, s.Wait(), Over, "1 done 5 waiting 2 stopped ")
}

func TestRetryFailed(t *testing.T) {
	isolate(t)
	w := newFakeWorld()
	s := begin(t, w, Options{Name: "a", Jobs: 1})
	failed := w.next(t)
	failed.end(rundir.StopFailed)
	second := w.next(t)
	eventually(t, "the failure", func() bool { return counts(s.Latest()) == "1 running 6 waiting 1 failed " })
	s.RetryFailed()
	eventually(t, "the queue", func() bool { return s.Latest().Count(Failed) == 0 })
	second.end(rundir.StopSteps)
	if j := w.next(t); j.id != failed.id || !j.resumed {
		t.Errorf("%s is next, resumed %v; want %s", j.id, j.resumed, failed.id)
	}
	eventually(t, "the second attempt", func() bool {
		c := s.Latest().Cells[0]
		return c.Status == Running && c.Err == nil && c.Summary == nil
	})
	s.Cancel()
	s.Wait()
	// The cell is queued again but not started, so it stays failed.
	w.jobs = map[string]*fakeJob{}
	s = goOn(t, w, Options{Name: "a", Jobs: 1})
	w.next(t).end(rundir.StopFailed)
	w.next(t)
	eventually(t, "the failure", func() bool { return s.Latest().Count(Failed) == 1 })
	s.RetryFailed()
	eventually(t, "the queue", func() bool { return s.Latest().Count(Failed) == 0 })
	s.Cancel()
	if last := s.Wait(); last.Count(Failed) != 1 || last.Cells[0].Err == nil {
		t.Errorf("%q, %v", counts(last), last.Cells[0].Err)
	}
}

// If a run cannot be started, its cell fails. A run locked by another process is left alone. A run that
// cannot be resumed is replaced by a new run.
func TestBeginningsThatFail(t *testing.T) {
	isolate(t)
	w := newFakeWorld()
	w.startErr = errDisk
	s := begin(t, w, Options{Name: "a", Jobs: 2})
	last := s.Wait()
	check(t, last, Over, "8 failed ")
	if !errors.Is(last.Cells[7].Err, errDisk) {
		t.Error(last.Cells[7].Err)
	}
	w.startErr = nil
	s = goOn(t, w, Options{Name: "a", Jobs: 1})
	first := w.next(t)
	s.Cancel()
	s.Wait()

	w.resumeErr = rundir.ErrRunning
	s = goOn(t, w, Options{Name: "a", Jobs: 1})
	if j := w.next(t); keyOf(j.config) == keyOf(first.config) {
		t.Error("a run with another writer was started")
	}
	eventually(t, "the refusal", func() bool {
		c := s.Latest().Cells[0]
		return c.Status == Stopped && errors.Is(c.Err, rundir.ErrRunning)
	})
	s.Cancel()
	s.Wait()

	w.resumeErr = errDisk
	goOn(t, w, Options{Name: "a", Jobs: 1})
	if j := w.next(t); keyOf(j.config) != keyOf(first.config) || j.id == first.id || j.resumed {
		t.Errorf("%s of %q, resumed %v", j.id, keyOf(j.config), j.resumed)
	}
}

func TestOneWriter(t *testing.T) {
	isolate(t)
	w := newFakeWorld()
	s := begin(t, w, Options{Name: "a", Jobs: 1})
	if _, err := start(context.Background(), smallGrid(), Options{Name: "a"},
		w.dependencies()); !errors.Is(err, errRunning) {
		t.Errorf("a second Start: %v", err)
	}
	if _, err := resume(context.Background(), "a", Options{}, w.dependencies()); !errors.Is(err, errRunning) {
		t.Errorf("Resume after Start: %v", err)
	}
	if seen, err := Open("a"); err != nil || seen.Phase != Going {
		t.Errorf("%+v, %v", seen, err)
	}
	s.Cancel()
	s.Wait()
	if seen, err := Open("a"); err != nil || seen.Phase != Over {
		t.Errorf("%+v, %v", seen, err)
	}
}

// A sweep with an existing name continues or extends that sweep.
func TestExtend(t *testing.T) {
	isolate(t)
	w := newFakeWorld()
	s := begin(t, w, Options{Name: "a", Jobs: 8})
	for range 8 {
		w.next(t).end(rundir.StopSteps)
	}
	s.Wait()
	check(t, begin(t, w, Options{Name: "a"}).Wait(), Over, "8 done ")
	w.none(t)

	less := smallGrid()
	less.Seeds = []uint64{1, 2}
	if _, err := start(context.Background(), less, Options{Name: "a"}, w.dependencies()); err == nil ||
		!strings.Contains(err.Error(), "choose another name") {
		t.Errorf("other cells: %v", err)
	}
	more := smallGrid()
	more.Seeds = append(more.Seeds, 7)
	s, err := start(context.Background(), more, Options{Name: "a", Jobs: 8}, w.dependencies())
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		if j := w.next(t); j.config.Seed != 7 {
			t.Errorf("%q is begun", keyOf(j.config))
		} else {
			j.end(rundir.StopSteps)
		}
	}
	check(t, s.Wait(), Over, "12 done ")
	if seen, err := Open("a"); err != nil || len(seen.Cells) != 12 {
		t.Errorf("%v, %v", seen, err)
	}
}

func TestNamesThatAreNone(t *testing.T) {
	isolate(t)
	w := newFakeWorld()
	_, err := start(context.Background(), smallGrid(), Options{Name: "../a"}, w.dependencies())
	if err == nil {
		t.Error("a sweep was written outside of its folder")
	}
	if _, err := resume(context.Background(), "a", Options{}, w.dependencies()); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
	if _, err := Open("a"); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
}

// A sweep whose runs cannot be listed does not start and leaves no lock. A run that cannot start is no run.
func TestSweepDoesNotStart(t *testing.T) {
	isolate(t)
	saved(t)
	w := newFakeWorld().dependencies()
	w.runs = func() ([]rundir.Info, error) { return nil, errDisk }
	if s, err := resume(t.Context(), "a", Options{}, w); s != nil || !errors.Is(err, errDisk) {
		t.Errorf("sweep %v, error %v", s, err)
	}
	folder, err := lockFolder("a")
	if err != nil {
		t.Fatal(err)
	}
	folder.Close()
	c := rundir.Config{Dataset: "nothing", Family: "svgp"}
	run, err := newDependencies(Options{}).start(t.Context(), "a", c, 1)
	if run != nil || err == nil || !strings.Contains(err.Error(), "nothing") {
		t.Errorf("run %v, error %v", run, err)
	}
}

// Summaries of a setting share equal values.
func TestShareValues(t *testing.T) {
	s := &scheduler{values: map[string]models.Values{}}
	first := models.Values{"steps": "100", "rate": "0.1"}
	s.shareValues("a", first)
	for _, c := range []struct {
		setting string
		values  models.Values
		shared  bool
	}{
		{"a", models.Values{"rate": "0.1", "steps": "100"}, true},
		{"a", models.Values{"rate": "0.2", "steps": "100"}, false},
		{"a", models.Values{"rate": "0.1"}, false},
		{"a", nil, false},
		{"a", models.Values{"rate": "0.1", "steps": "100"}, true},
		{"b", models.Values{"rate": "0.1", "steps": "100"}, false},
	} {
		got := s.shareValues(c.setting, c.values)
		if !maps.Equal(got, c.values) {
			t.Errorf("%v became %v", c.values, got)
		}
		if shared := reflect.ValueOf(got).Pointer() == reflect.ValueOf(first).Pointer(); shared != c.shared {
			t.Errorf("%v is shared: %v", c.values, shared)
		}
	}
}
