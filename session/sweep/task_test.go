//go:build unix

package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"dgplab/models/family"
	"dgplab/session"
	"dgplab/session/config"
	"dgplab/session/rundir"
	"dgplab/session/slurm"
)

// taskTest runs tasks of the small grid in a fake world.
type taskTest struct {
	*testing.T
	world    *fakeWorld
	mu       sync.Mutex
	log      []string
	requeued []string
	// refused is the error of requeuing, and cause the answer about the end of a task.
	refused error
	cause   slurm.Cause
}

func newTaskTest(t *testing.T) *taskTest {
	isolate(t)
	w := newFakeWorld()
	cells, err := smallGrid().Cells()
	if err != nil {
		t.Fatal(err)
	}
	s := &State{Name: "a", Grid: smallGrid()}
	for _, c := range cells {
		s.Cells = append(s.Cells, CellState{Cell: c, Status: Waiting})
	}
	if err := Save(s); err != nil {
		t.Fatal(err)
	}
	return &taskTest{T: t, world: w}
}

// ending is the end of a task.
type ending struct {
	TaskResult
	err error
}

// start starts a task as Slurm task 7_3 with a number of earlier starts.
func (t *taskTest) start(ctx context.Context, task Task, restarts int) <-chan ending {
	t.Helper()
	t.Setenv("SLURM_ARRAY_JOB_ID", "7")
	t.Setenv("SLURM_ARRAY_TASK_ID", "3")
	t.Setenv("SLURM_JOB_ID", "9")
	t.Setenv("SLURMD_NODENAME", "n1")
	t.Setenv("SLURM_RESTART_COUNT", fmt.Sprint(restarts))
	task.Sweep = "a"
	task.Log = func(format string, args ...any) {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.log = append(t.log, fmt.Sprintf(format, args...))
	}
	task.world = t.world.world()
	task.requeue = func(_ context.Context, id string) error {
		t.requeued = append(t.requeued, id)
		return t.refused
	}
	task.ending = func(_ context.Context, id string, n int) (slurm.Cause, error) {
		if id != "7_3" || n != restarts {
			t.Errorf("asked for %s after %d starts", id, n)
		}
		return t.cause, nil
	}
	done := make(chan ending, 1)
	go func() {
		result, err := task.run(ctx)
		done <- ending{result, err}
	}()
	return done
}

func (t *taskTest) wait(done <-chan ending) ending {
	t.Helper()
	select {
	case e := <-done:
		return e
	case <-time.After(2 * time.Minute):
		t.Fatalf("the task does not end: %v", t.log)
		return ending{}
	}
}

// untilWaiting waits until the last task has logged that it waits.
func (t *taskTest) untilWaiting() {
	t.Helper()
	eventually(t.T, "waiting", func() bool {
		t.mu.Lock()
		defer t.mu.Unlock()
		return len(t.log) > 0 && strings.Contains(t.log[len(t.log)-1], "waiting: ")
	})
}

// events returns the kinds of the events of a cell, with their texts.
func (t *taskTest) events(cell int) string {
	t.Helper()
	cells, _ := smallGrid().Cells()
	c, err := lockCell("a", cells[cell].Key)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var parts []string
	for _, e := range c.Events {
		parts = append(parts, strings.TrimSuffix(string(e.Kind)+" "+e.Text, " "))
	}
	return strings.Join(parts, ", ")
}

// A task trains its cells in order. Cells that are done or have failed are not trained again.
func TestTask(t *testing.T) {
	w := newTaskTest(t)
	done := w.start(t.Context(), Task{Positions: []int{1, 2, 99}}, 0)
	first := w.world.next(t)
	first.end(rundir.StopSteps)
	second := w.world.next(t)
	second.fail(errDisk)
	if e := w.wait(done); e.err != nil || e.Done != 1 || e.Failed != 1 || e.Requeued {
		t.Errorf("%+v", e)
	}
	cells, _ := smallGrid().Cells()
	if keyOf(first.config) != cells[1].Key || keyOf(second.config) != cells[2].Key {
		t.Errorf("trained %s and %s", keyOf(first.config), keyOf(second.config))
	}
	a := w.events(1)
	b := w.events(2)
	if a != "started, done" || b != "started, failed "+errDisk.Error() {
		t.Errorf("events %q and %q", a, b)
	}
	if e := w.wait(w.start(t.Context(), Task{Positions: []int{1, 2}}, 0)); e.err != nil || e.Done != 1 ||
		e.Failed != 1 {
		t.Errorf("again: %+v", e)
	}
	w.world.none(t)
	done = w.start(t.Context(), Task{Positions: []int{2}, Retry: true}, 0)
	again := w.world.next(t)
	again.end(rundir.StopSteps)
	if e := w.wait(done); e.Done != 1 || !again.resumed {
		t.Errorf("retried: %+v, resumed %v", e, again.resumed)
	}
	if e := w.wait(w.start(t.Context(), Task{Positions: []int{8}}, 0)); e.err == nil ||
		e.err.Error() != "the sweep a has no run at position 8" {
		t.Errorf("beyond the end: %v", e.err)
	}
}

// Before its time limit a task saves a checkpoint and queues itself again, at most the given number
// of times.
func TestTaskAtItsTimeLimit(t *testing.T) {
	w := newTaskTest(t)
	for restarts := range 3 {
		ctx, cancel := context.WithCancelCause(t.Context())
		done := w.start(ctx, Task{Positions: []int{0, 1}, Timeouts: 2}, restarts)
		j := w.world.next(t)
		if j.resumed != (restarts > 0) {
			t.Errorf("start %d: resumed %v", restarts, j.resumed)
		}
		cancel(ErrTimeLimit)
		e := w.wait(done)
		if again := restarts < 2; e.Requeued != again || !errors.Is(e.err, ErrTimeLimit) {
			t.Errorf("start %d: %+v", restarts, e)
		}
	}
	if strings.Join(w.requeued, " ") != "7_3 7_3" {
		t.Errorf("requeued %v", w.requeued)
	}
	if got := w.events(0); got != "started, time limit, requeued 1 of 2, started, time limit, "+
		"requeued 2 of 2, started, time limit" {
		t.Errorf("events %q", got)
	}
}

// A task that cannot be requeued returns an error and records no requeue.
func TestTaskThatCannotBeRequeued(t *testing.T) {
	w := newTaskTest(t)
	w.refused = errors.New("job requeue disabled")
	ctx, cancel := context.WithCancelCause(t.Context())
	done := w.start(ctx, Task{Positions: []int{0}, Timeouts: 2}, 0)
	w.world.next(t)
	cancel(ErrTimeLimit)
	if e := w.wait(done); e.Requeued || e.err == nil ||
		!strings.Contains(e.err.Error(), "could not requeue") {
		t.Errorf("%+v", e)
	}
	if got := w.events(0); got != "started, time limit" {
		t.Errorf("events %q", got)
	}
}

// A task that is asked to end saves a checkpoint and records why Slurm ends it.
func TestTaskAskedToEnd(t *testing.T) {
	for _, cause := range []slurm.Cause{slurm.Cancelled, slurm.Preempted} {
		w := newTaskTest(t)
		w.cause = cause
		ctx, cancel := context.WithCancelCause(t.Context())
		done := w.start(ctx, Task{Positions: []int{0, 1}, Timeouts: 2}, 1)
		w.world.next(t)
		cancel(ErrTerminated)
		if e := w.wait(done); !errors.Is(e.err, ErrTerminated) || e.Requeued || len(w.requeued) > 0 {
			t.Errorf("%+v, requeued %v", e, w.requeued)
		}
		if got := w.events(0); got != "started, interrupted, cause "+string(cause) {
			t.Errorf("events %q", got)
		}
		w.world.none(t)
	}
}

// Slurm writes the cause of the end into the log of a task. Causes before the last start do not count.
func TestCauseInTheLog(t *testing.T) {
	for after, cause := range map[time.Duration]slurm.Cause{time.Second: slurm.Preempted,
		-time.Hour: slurm.Requeued} {
		w := newTaskTest(t)
		cells, _ := smallGrid().Cells()
		dir, err := rundir.OpenFolder(folderName, "a", listsName, "001")
		if err != nil {
			t.Fatal(err)
		}
		defer dir.Close()
		err = errors.Join(writeList(dir, []ListedCell{{Cell: cells[0]}}), dir.Mkdir(logsName))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		done := w.start(ctx, Task{List: "001", Positions: []int{0}}, 0)
		w.world.next(t)
		put(t, filepath.Join(dir.Path(), logsName), "7_3.log", "error: *** JOB 9 ON n1 CANCELLED AT "+
			time.Now().Add(after).Format("2006-01-02T15:04:05")+" DUE TO PREEMPTION ***\n")
		w.cause = slurm.Requeued
		cancel(ErrTerminated)
		w.wait(done)
		if got := w.events(0); got != "started, interrupted, cause "+string(cause) {
			t.Errorf("events %q, want the cause %s", got, cause)
		}
	}
}

// A task waits for a cell that another process trains. If its time limit comes first, it queues
// itself again.
func TestTaskWaitsForACell(t *testing.T) {
	w := newTaskTest(t)
	cells, _ := smallGrid().Cells()
	other, err := lockCell("a", cells[0].Key)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	done := w.start(ctx, Task{Positions: []int{0}}, 0)
	w.untilWaiting()
	cancel(ErrTimeLimit)
	if e := w.wait(done); !e.Requeued || len(w.requeued) != 1 {
		t.Errorf("%+v, requeued %v", e, w.requeued)
	}
	w.world.none(t)
	done = w.start(t.Context(), Task{Positions: []int{0}}, 1)
	other.Close()
	w.world.next(t).end(rundir.StopSteps)
	if e := w.wait(done); e.Done != 1 {
		t.Errorf("%+v", e)
	}
}

// A task waits for a run that another process has locked, and records a single start.
func TestTaskWaitsForARun(t *testing.T) {
	w := newTaskTest(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	done := w.start(ctx, Task{Positions: []int{0}}, 0)
	w.world.next(t)
	cancel(ErrTerminated)
	w.wait(done)
	w.world.mu.Lock()
	w.world.resumeErr = rundir.ErrRunning
	w.world.mu.Unlock()
	done = w.start(t.Context(), Task{Positions: []int{0}}, 0)
	w.untilWaiting()
	w.world.mu.Lock()
	w.world.resumeErr = nil
	w.world.mu.Unlock()
	w.world.next(t).end(rundir.StopSteps)
	w.wait(done)
	got := w.events(0)
	if strings.Count(got, string(EventStarted)) != 2 || !strings.HasSuffix(got, "started, done") {
		t.Errorf("events %q", got)
	}
	done = w.start(t.Context(), Task{Positions: []int{1}}, 0)
	w.world.next(t).fail(&rundir.HeldError{})
	e := w.wait(done)
	if got := w.events(1); !errors.Is(e.err, rundir.ErrRunning) || e.Failed != 0 || got != "started" {
		t.Errorf("a run that another process has taken over: %+v, events %q", e, got)
	}
}

// A process that is killed between creating a run and recording it does not cause a second run.
func TestTaskFindsARunThatWasNotRecorded(t *testing.T) {
	w := newTaskTest(t)
	cells, _ := smallGrid().Cells()
	folder, err := lockCell("a", cells[0].Key)
	if err != nil {
		t.Fatal(err)
	}
	folder.Starting = true
	if err := folder.add(Event{Kind: EventStarted, Time: time.Now()}); err != nil {
		t.Fatal(err)
	}
	folder.Close()
	var want string
	for i, sweep := range []string{"a", "a", "b"} { // Runs of another cell or another sweep are not taken.
		full := config.Effective(cells[i%2].Config)
		file := &rundir.ConfigFile{Config: full, Values: full.Set, Sweep: sweep,
			ObjectiveIs: family.Objective{Name: "ELBO"}}
		run, err := rundir.Create(file, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		run.Close()
		if want == "" {
			want = file.ID
		}
	}
	dir, err := rundir.OpenFolder(folderName, "a", listsName, "001")
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if err := writeList(dir, []ListedCell{{Cell: cells[0]}}); err != nil { // without the run
		t.Fatal(err)
	}
	w.world.all = append(w.world.all, rundir.Info{
		ConfigFile: rundir.ConfigFile{ID: want, Config: cells[0].Config, Sweep: "a"},
		State:      rundir.Interrupted,
	})
	done := w.start(t.Context(), Task{List: "001", Positions: []int{0}}, 1)
	j := w.world.next(t)
	if !j.resumed || j.id != want {
		t.Errorf("run %s, resumed %v; want %s", j.id, j.resumed, want)
	}
	j.end(rundir.StopSteps)
	w.wait(done)
}

// A sweep that was submitted can be trained on this machine at the same time: cells that a task
// trains are left to it, and cells that a task has finished are not trained again.
func TestSweepBesideTasks(t *testing.T) {
	w := newTaskTest(t)
	done := w.start(t.Context(), Task{Positions: []int{1}}, 0)
	w.world.next(t).end(rundir.StopSteps)
	w.wait(done)
	cells, _ := smallGrid().Cells()
	busy, err := lockCell("a", cells[0].Key)
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	dir, err := rundir.OpenFolder(folderName, "a", listsName)
	if err != nil {
		t.Fatal(err)
	}
	dir.Close()
	world := w.world.world()
	world.runs = func() ([]rundir.Info, error) { return nil, nil } // It was read before the task began.
	s, err := resume(t.Context(), "a", Options{Jobs: 1}, world)
	if err != nil {
		t.Fatal(err)
	}
	for range len(cells) - 2 {
		j := w.world.next(t)
		if key := keyOf(j.config); key == cells[0].Key || key == cells[1].Key {
			t.Errorf("%s is trained", key)
		}
		j.end(rundir.StopSteps)
	}
	last := s.Wait()
	if last.Cells[0].Status != Stopped || !errors.Is(last.Cells[0].Err, rundir.ErrRunning) ||
		last.Count(Done) != len(cells)-1 {
		t.Errorf("%s: %v", counts(last), last.Cells[0].Err)
	}
	folder, err := lockCell("a", cells[2].Key)
	if err != nil || folder.Run != last.Cells[2].Run {
		t.Errorf("the task would not find the run %s, %v", last.Cells[2].Run, err)
	}
	folder.Close()
}

// Errors about the runs of a task end it. A run that does not start has failed.
func TestErrorsOfTasks(t *testing.T) {
	w := newTaskTest(t)
	task := Task{Sweep: "a", Positions: []int{0}, Log: t.Logf, world: w.world.world()}
	task.world.runs = func() ([]rundir.Info, error) { return nil, errDisk }
	if _, err := task.run(t.Context()); !errors.Is(err, errDisk) {
		t.Errorf("runs that cannot be listed: %v", err)
	}
	task.world = w.world.world()
	w.world.startErr = errDisk
	if result, err := task.run(t.Context()); result.Failed != 1 || err != nil {
		t.Errorf("a run that does not start: %+v, %v", result, err)
	}
	if got := w.events(0); got != "started, failed "+errDisk.Error() {
		t.Errorf("events %q", got)
	}
	cells, _ := smallGrid().Cells()
	other, err := lockCell("a", cells[1].Key)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	task.Positions[0] = 1
	refused := func(context.Context, string) error { return errDisk }
	for _, c := range []struct {
		cause   error
		job     string
		requeue func(context.Context, string) error
		want    error
	}{
		{ErrTerminated, "7", nil, ErrTerminated}, {ErrTimeLimit, "", nil, ErrTimeLimit},
		{ErrTimeLimit, "7", refused, errDisk},
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(c.cause)
		t.Setenv("SLURM_JOB_ID", c.job)
		task.requeue = c.requeue
		if _, err := task.run(ctx); !errors.Is(err, c.want) {
			t.Errorf("a locked cell, cause %v: %v; want %v", c.cause, err, c.want)
		}
	}
	task.job = ""
	if err := task.again(t.Context(), other); !errors.Is(err, ErrTimeLimit) {
		t.Errorf("requeued without a job: %v", err)
	}
	other.Run = "x"
	if err := errors.Join(other.save(), other.Close()); err != nil {
		t.Fatal(err)
	}
	task.world.find = func(string) (rundir.Info, error) { return rundir.Info{}, errDisk }
	if _, err := task.run(t.Context()); !errors.Is(err, errDisk) {
		t.Errorf("a run that cannot be read: %v", err)
	}
}

// A task whose new run cannot be recorded in the folder of its cell stops the run and waits for its
// checkpoint. Otherwise the task would end while the run is training, and leave it incomplete and locked.
func TestTaskStopsARunThatIsNotRecorded(t *testing.T) {
	w := newTaskTest(t)
	cells, _ := smallGrid().Cells()
	runs, err := rundir.Root()
	if err != nil {
		t.Fatal(err)
	}
	task := Task{Sweep: "a", Positions: []int{0}, Log: t.Logf, world: w.world.world()}
	start := task.world.start
	var awaited *awaitedJob
	task.world.start = func(ctx context.Context, sweep string, c rundir.Config, part int) (job, error) {
		run, err := start(ctx, sweep, c, part)
		awaited = &awaitedJob{job: run}
		cell := filepath.Join(runs, folderName, "a", cellsName, cellFolderName(cells[0].Key))
		return awaited, errors.Join(err, os.RemoveAll(cell))
	}
	_, err = task.run(t.Context())
	if err == nil {
		t.Error("the task reports no error")
	}
	if awaited == nil || !awaited.ended {
		t.Fatal("the task did not wait for the end of its run")
	}
	run := w.world.next(t)
	if stop := run.Latest().Summary.Stop; stop != rundir.StopAsked {
		t.Errorf("the run ended with %q; want %q", stop, rundir.StopAsked)
	}
}

// awaitedJob records that its end was waited for.
type awaitedJob struct {
	job
	ended bool
}

func (j *awaitedJob) Wait() *session.Snapshot {
	last := j.job.Wait()
	j.ended = true
	return last
}

// A run that was removed or is damaged is replaced by a new one.
func TestTaskReplacesRuns(t *testing.T) {
	for name, find := range map[string]func(string) (rundir.Info, error){
		"removed": func(string) (rundir.Info, error) { return rundir.Info{}, rundir.ErrNoRun },
		"damaged": func(id string) (rundir.Info, error) {
			return rundir.Info{ConfigFile: rundir.ConfigFile{ID: id}, State: rundir.Broken, Err: errDisk}, nil
		},
	} {
		w := newTaskTest(t)
		cells, _ := smallGrid().Cells()
		folder, err := lockCell("a", cells[0].Key)
		if err != nil {
			t.Fatal(err)
		}
		folder.Run = "x"
		if err := errors.Join(folder.save(), folder.Close()); err != nil {
			t.Fatal(err)
		}
		task := Task{Sweep: "a", Positions: []int{0}, Log: t.Logf, world: w.world.world()}
		task.world.find = find
		done := make(chan error, 1)
		go func() { _, err := task.run(t.Context()); done <- err }()
		j := w.world.next(t)
		if j.resumed {
			t.Errorf("%s: the run is resumed", name)
		}
		j.end(rundir.StopSteps)
		if err := <-done; err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A task that reaches its time limit while it waits for a run queues itself again. A run that does not start
// because the task must end has not failed.
func TestTaskEndsBeforeItsRun(t *testing.T) {
	w := newTaskTest(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	done := w.start(ctx, Task{Positions: []int{0}}, 0)
	w.world.next(t)
	cancel(ErrTerminated)
	w.wait(done)
	w.world.resumeErr = rundir.ErrRunning
	ctx, cancel = context.WithCancelCause(t.Context())
	done = w.start(ctx, Task{Positions: []int{0}}, 0)
	w.untilWaiting()
	cancel(ErrTimeLimit)
	if e := w.wait(done); !e.Requeued || !errors.Is(e.err, ErrTimeLimit) {
		t.Errorf("%+v", e)
	}
	w.world.startErr = errDisk
	ctx, cancel = context.WithCancelCause(t.Context())
	cancel(ErrTerminated)
	e := w.wait(w.start(ctx, Task{Positions: []int{1}}, 0))
	if !errors.Is(e.err, ErrTerminated) || !errors.Is(e.err, errDisk) || e.Failed > 0 {
		t.Errorf("%+v", e)
	}
	if got := w.events(1); got != "started" {
		t.Errorf("events %q", got)
	}
}

// A task that is asked to end does not depend on Slurm's answer about the cause, or on recording it.
func TestUnknownCause(t *testing.T) {
	w := newTaskTest(t)
	cells, _ := smallGrid().Cells()
	folder, err := lockCell("a", cells[0].Key)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	task := Task{Sweep: "a", job: "7", Log: func(format string, args ...any) {
		w.log = append(w.log, fmt.Sprintf(format, args...))
	}}
	task.ending = func(context.Context, string, int) (slurm.Cause, error) { return "", errDisk }
	task.explain(t.Context(), folder)
	if want := cells[0].Key + ": the cause is unknown: " + errDisk.Error(); w.log[0] != want {
		t.Errorf("logged %q, want %q", w.log, want)
	}
	task.ending = func(context.Context, string, int) (slurm.Cause, error) { return slurm.Cancelled, nil }
	path := filepath.Join(folder.dir.Path(), cellFileName)
	if err := os.MkdirAll(filepath.Join(path, "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	task.explain(t.Context(), folder)
	if last := w.log[len(w.log)-1]; len(w.log) != 3 || !strings.HasPrefix(last, cells[0].Key+": write ") {
		t.Errorf("logged %q", w.log)
	}
}

// If the run that a task has recorded for a cell is gone, a sweep beside the tasks starts a new one. A run
// that cannot be recorded for the tasks is trained, and the cell has the error.
func TestSweepBesideTasksReplacesRuns(t *testing.T) {
	w := newTaskTest(t)
	cells, _ := smallGrid().Cells()
	folder, err := lockCell("a", cells[0].Key)
	if err != nil {
		t.Fatal(err)
	}
	folder.Run = "gone"
	path := filepath.Join(folder.dir.Path(), cellFileName)
	lists, listed := rundir.OpenFolder(folderName, "a", listsName)
	if err := errors.Join(folder.save(), folder.Close(), listed, lists.Close()); err != nil {
		t.Fatal(err)
	}
	world := w.world.world()
	world.find = func(id string) (rundir.Info, error) {
		return rundir.Info{}, fmt.Errorf("%s: %w", id, rundir.ErrNoRun)
	}
	start := world.start
	world.start = func(ctx context.Context, sweep string, c rundir.Config, part int) (job, error) {
		if keyOf(c) == cells[0].Key {
			if err := errors.Join(os.Remove(path), os.MkdirAll(filepath.Join(path, "x"), 0o755)); err != nil {
				t.Error(err)
			}
		}
		return start(ctx, sweep, c, part)
	}
	s, err := resume(t.Context(), "a", Options{Jobs: 1}, world)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Wait()
	defer s.Cancel()
	if j := w.world.next(t); j.resumed || keyOf(j.config) != cells[0].Key {
		t.Errorf("%s, resumed %v", keyOf(j.config), j.resumed)
	}
	eventually(t, "the error", func() bool {
		c := s.Latest().Cells[0]
		return c.Status == Running && c.Err != nil && strings.HasPrefix(c.Err.Error(), "write "+cellFileName)
	})
}
