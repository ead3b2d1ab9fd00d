//go:build unix

package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"dgplab/session"
	"dgplab/session/rundir"
)

// taskTest runs tasks of the small grid in a fake dependencies.
type taskTest struct {
	*testing.T
	dependencies *fakeWorld
	cells        []Cell
	mu           sync.Mutex
	log          []string
	requeued     []string
	// refused is the error of requeuing.
	refused error
}

func newTaskTest(t *testing.T) *taskTest {
	isolate(t)
	return &taskTest{T: t, dependencies: newFakeWorld(), cells: saved(t).cells()}
}

// cells returns the cells of a state.
func (s *State) cells() (list []Cell) {
	for _, c := range s.Cells {
		list = append(list, c.Cell)
	}
	return list
}

// ending is the end of a task.
type ending struct {
	TaskResult
	err error
}

// as makes this process a task of the Slurm array 7, which has 4 tasks.
func (t *taskTest) as(index int) {
	t.Setenv("SLURM_ARRAY_JOB_ID", "7")
	t.Setenv("SLURM_ARRAY_TASK_ID", fmt.Sprint(index))
	t.Setenv("SLURM_ARRAY_TASK_COUNT", "4")
}

// start starts a task as Slurm task 7_3.
func (t *taskTest) start(ctx context.Context, task Task) <-chan ending {
	t.Helper()
	t.as(3)
	task.Sweep = "a"
	task.Log = func(format string, args ...any) {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.log = append(t.log, fmt.Sprintf(format, args...))
	}
	task.dependencies = t.dependencies.dependencies()
	task.requeue = func(_ context.Context, id string) error {
		t.requeued = append(t.requeued, id)
		return t.refused
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

// forget empties the log.
func (t *taskTest) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.log = nil
}

// lock locks the folder of a cell until the end of the test.
func (t *taskTest) lock(cell int) *cellFolder {
	t.Helper()
	folder, err := lockCell("a", t.cells[cell].Key)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { folder.Close() })
	return folder
}

// list writes a list of some cells.
func (t *taskTest) list(name string, cells ...ListedCell) {
	t.Helper()
	dir, err := rundir.OpenFolder(folderName, "a", listsName, name)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if err := writeList(dir, cells); err != nil {
		t.Fatal(err)
	}
}

// A task trains its cells in order. Cells that are done or have failed are not trained again.
func TestTask(t *testing.T) {
	w := newTaskTest(t)
	done := w.start(t.Context(), Task{Positions: []int{1, 2, 99}})
	first := w.dependencies.next(t)
	first.end(rundir.StopSteps)
	second := w.dependencies.next(t)
	second.fail(errDisk)
	if e := w.wait(done); e.err != nil || e.Done != 1 || e.Failed != 1 || e.Requeued {
		t.Errorf("%+v", e)
	}
	if keyOf(first.config) != w.cells[1].Key || keyOf(second.config) != w.cells[2].Key {
		t.Errorf("trained %s and %s", keyOf(first.config), keyOf(second.config))
	}
	if e := w.wait(w.start(t.Context(), Task{Positions: []int{1, 2}})); e.err != nil || e.Done != 1 ||
		e.Failed != 1 {
		t.Errorf("again: %+v", e)
	}
	w.dependencies.none(t)
	done = w.start(t.Context(), Task{Positions: []int{2}, Retry: true})
	again := w.dependencies.next(t)
	again.end(rundir.StopSteps)
	if e := w.wait(done); e.Done != 1 || !again.resumed {
		t.Errorf("retried: %+v, resumed %v", e, again.resumed)
	}
	if e := w.wait(w.start(t.Context(), Task{Positions: []int{8}})); e.err == nil ||
		e.err.Error() != "the sweep a has no run at position 8" {
		t.Errorf("beyond the end: %v", e.err)
	}
	done = w.start(t.Context(), Task{})
	for range 6 {
		w.dependencies.next(t).end(rundir.StopSteps)
	}
	if e := w.wait(done); e.Done != 8 {
		t.Errorf("all cells: %+v", e)
	}
}

// The last of four tasks of an array begins with the last quarter of the cells. It leaves a cell that a task
// holds which is alive, and trains the cell of a task which has ended.
func TestTasksShareCells(t *testing.T) {
	w := newTaskTest(t)
	var all []ListedCell
	for _, c := range w.cells {
		all = append(all, ListedCell{Cell: c})
	}
	w.list("001", all...)
	w.as(0)
	w.lock(0)
	killed := w.lock(1)
	done := w.start(t.Context(), Task{List: "001"})
	var order []int
	for range 7 {
		j := w.dependencies.next(t)
		key := keyOf(j.config)
		order = append(order, slices.IndexFunc(w.cells, func(c Cell) bool { return c.Key == key }))
		if len(order) == 4 {
			killed.Close()
		}
		j.end(rundir.StopSteps)
	}
	if e := w.wait(done); e.err != nil || e.Done != 7 {
		t.Errorf("%+v", e)
	}
	if want := []int{6, 7, 2, 3, 4, 5, 1}; !slices.Equal(order, want) {
		t.Errorf("the cells are trained in the order %v, want %v", order, want)
	}
	last := w.log[len(w.log)-1]
	if last != "no run is left: 7 done, 0 failed, 1 held by other processes" {
		t.Errorf("logged %q", last)
	}
}

// Before its time limit a task saves a checkpoint and queues itself again, unless it has reached none.
func TestTaskAtItsTimeLimit(t *testing.T) {
	w := newTaskTest(t)
	for _, c := range []struct {
		stuck, resumed bool
		err            string
	}{
		{false, false, ErrTimeLimit.Error()}, {false, true, ErrTimeLimit.Error()},
		{true, true, "the time limit is near, and no step was trained; choose a longer --time"},
	} {
		w.dependencies.stuck = c.stuck
		ctx, cancel := context.WithCancelCause(t.Context())
		done := w.start(ctx, Task{Positions: []int{0, 1}})
		j := w.dependencies.next(t)
		if j.resumed != c.resumed {
			t.Errorf("resumed %v, want %v", j.resumed, c.resumed)
		}
		cancel(ErrTimeLimit)
		e := w.wait(done)
		if e.Requeued == c.stuck || !errors.Is(e.err, ErrTimeLimit) || e.err.Error() != c.err {
			t.Errorf("stuck %v: %+v", c.stuck, e)
		}
	}
	if strings.Join(w.requeued, " ") != "7_3 7_3" {
		t.Errorf("requeued %v", w.requeued)
	}
	w.dependencies.stuck, w.refused = false, errors.New("job requeue disabled")
	ctx, cancel := context.WithCancelCause(t.Context())
	done := w.start(ctx, Task{Positions: []int{0}})
	w.dependencies.next(t)
	cancel(ErrTimeLimit)
	if e := w.wait(done); e.Requeued || !strings.Contains(errorText(e.err), "could not requeue") {
		t.Errorf("a task that Slurm does not requeue: %+v", e)
	}
}

// A task that is asked to end saves a checkpoint and begins no other run.
func TestTaskAskedToEnd(t *testing.T) {
	w := newTaskTest(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	done := w.start(ctx, Task{Positions: []int{0, 1}})
	w.dependencies.next(t)
	cancel(ErrTerminated)
	if e := w.wait(done); !errors.Is(e.err, ErrTerminated) || e.Requeued || len(w.requeued) > 0 {
		t.Errorf("%+v, requeued %v", e, w.requeued)
	}
	w.dependencies.none(t)
	w.dependencies.startErr = errDisk
	e := w.wait(w.start(ctx, Task{Positions: []int{1}}))
	if !errors.Is(e.err, ErrTerminated) || e.Failed > 0 {
		t.Errorf("a run that does not start because the task must end: %+v", e)
	}
}

// A task that Slurm has started again waits for the cell that its earlier start holds. If its time limit
// comes first, it queues itself again.
func TestTaskWaitsForItsEarlierStart(t *testing.T) {
	w := newTaskTest(t)
	w.as(3)
	earlier := w.lock(0)
	ctx, cancel := context.WithCancelCause(t.Context())
	done := w.start(ctx, Task{Positions: []int{0}})
	w.untilWaiting()
	cancel(ErrTimeLimit)
	if e := w.wait(done); !e.Requeued || len(w.requeued) != 1 {
		t.Errorf("%+v, requeued %v", e, w.requeued)
	}
	w.dependencies.none(t)
	w.forget()
	done = w.start(t.Context(), Task{Positions: []int{0}})
	w.untilWaiting()
	earlier.Close()
	w.dependencies.next(t).end(rundir.StopSteps)
	if e := w.wait(done); e.Done != 1 {
		t.Errorf("%+v", e)
	}
}

// A task waits for a run whose owner may be dead. It leaves a run that another process has taken over.
func TestTaskWaitsForARun(t *testing.T) {
	w := newTaskTest(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	done := w.start(ctx, Task{Positions: []int{0}})
	w.dependencies.next(t)
	cancel(ErrTerminated)
	w.wait(done)
	w.dependencies.mu.Lock()
	w.dependencies.resumeErr = rundir.ErrRunning
	w.dependencies.mu.Unlock()
	done = w.start(t.Context(), Task{Positions: []int{0}})
	w.untilWaiting()
	w.dependencies.mu.Lock()
	w.dependencies.resumeErr = nil
	w.dependencies.mu.Unlock()
	w.dependencies.next(t).end(rundir.StopSteps)
	if e := w.wait(done); e.Done != 1 {
		t.Errorf("%+v", e)
	}
	done = w.start(t.Context(), Task{Positions: []int{1}})
	w.dependencies.next(t).fail(&rundir.HeldError{})
	if e := w.wait(done); e.err != nil || e.Failed != 0 || e.Done != 0 {
		t.Errorf("a run that another process has taken over: %+v", e)
	}
}

// A process that is killed between creating a run and recording it does not cause a second run.
func TestTaskFindsARunThatWasNotRecorded(t *testing.T) {
	w := newTaskTest(t)
	folder := w.lock(0)
	folder.Key = w.cells[0].Key
	if err := errors.Join(folder.save(), folder.Close()); err != nil {
		t.Fatal(err)
	}
	for i, run := range []struct{ id, sweep string }{{"run0", "a"}, {"run1", "a"}, {"run2", "b"}} {
		file := rundir.ConfigFile{ID: run.id, Config: w.cells[i%2].Config, Sweep: run.sweep}
		died := rundir.Info{ConfigFile: file, State: rundir.Interrupted}
		w.dependencies.all = append(w.dependencies.all, died)
	}
	w.list("001", ListedCell{Cell: w.cells[0]})
	done := w.start(t.Context(), Task{List: "001"})
	j := w.dependencies.next(t)
	if !j.resumed || j.id != "run0" {
		t.Errorf("run %s, resumed %v; want run0", j.id, j.resumed)
	}
	j.end(rundir.StopSteps)
	w.wait(done)
}

// A failed cell is trained again by the first task of a new list that asks for it. Its failure is shown, also
// if no run could start.
func TestTaskRetriesOnce(t *testing.T) {
	w := newTaskTest(t)
	failed := func(list string) ending {
		t.Helper()
		w.list(list, ListedCell{Cell: w.cells[0], Retry: list != "001"})
		return w.wait(w.start(t.Context(), Task{List: list}))
	}
	w.dependencies.startErr = errDisk
	if e := failed("001"); e.Failed != 1 || e.err != nil {
		t.Errorf("a run that does not start: %+v", e)
	}
	s, err := Open("a")
	if err != nil {
		t.Fatal(err)
	}
	c := s.Cells[0]
	if c.Status != Failed || errorText(c.Err) != errDisk.Error() || c.Task != "7_3" ||
		!strings.HasSuffix(c.Log, "/lists/001/logs/7_3.log") {
		t.Errorf("the cell is %s, %v, task %s, log %s", c.Status, c.Err, c.Task, c.Log)
	}
	w.dependencies.startErr = nil
	if e := failed("001"); e.Failed != 1 {
		t.Errorf("a failed cell without retry: %+v", e)
	}
	w.dependencies.none(t)
	w.list("002", ListedCell{Cell: w.cells[0], Retry: true})
	done := w.start(t.Context(), Task{List: "002"})
	w.dependencies.next(t).fail(errDisk)
	if e := w.wait(done); e.Failed != 1 {
		t.Errorf("a cell that fails again: %+v", e)
	}
	if e := failed("002"); e.Failed != 1 {
		t.Errorf("another task of the list: %+v", e)
	}
	w.dependencies.none(t)
}

// A sweep that was submitted can be trained on this machine at the same time: cells that a task
// trains are left to it, and cells that a task has finished are not trained again.
func TestSweepBesideTasks(t *testing.T) {
	w := newTaskTest(t)
	done := w.start(t.Context(), Task{Positions: []int{1}})
	w.dependencies.next(t).end(rundir.StopSteps)
	w.wait(done)
	cells := w.cells
	w.lock(0)
	dir, err := rundir.OpenFolder(folderName, "a", listsName)
	if err != nil {
		t.Fatal(err)
	}
	dir.Close()
	dependencies := w.dependencies.dependencies()
	// The list was read before the task began.
	dependencies.runs = func() ([]rundir.Info, error) { return nil, nil }
	s, err := resume(t.Context(), "a", Options{Jobs: 1}, dependencies)
	if err != nil {
		t.Fatal(err)
	}
	for range len(cells) - 2 {
		j := w.dependencies.next(t)
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

// Errors about the runs of a task end it.
func TestErrorsOfTasks(t *testing.T) {
	w := newTaskTest(t)
	task := Task{Sweep: "a", Positions: []int{0}, Log: t.Logf, dependencies: w.dependencies.dependencies()}
	task.dependencies.runs = func() ([]rundir.Info, error) { return nil, errDisk }
	if _, err := task.run(t.Context()); !errors.Is(err, errDisk) {
		t.Errorf("runs that cannot be listed: %v", err)
	}
	task.dependencies = w.dependencies.dependencies()
	folder := w.lock(0)
	folder.Key, folder.Run = w.cells[0].Key, "x"
	if err := errors.Join(folder.save(), folder.Close()); err != nil {
		t.Fatal(err)
	}
	task.dependencies.find = func(string) (rundir.Info, error) { return rundir.Info{}, errDisk }
	if _, err := task.run(t.Context()); !errors.Is(err, errDisk) {
		t.Errorf("a run that cannot be read: %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(ErrTimeLimit)
	if _, err := task.run(ctx); err != ErrTimeLimit {
		t.Errorf("the time limit without Slurm: %v", err)
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
	task := Task{Sweep: "a", Positions: []int{0}, Log: t.Logf, dependencies: w.dependencies.dependencies()}
	start := task.dependencies.start
	var awaited *awaitedJob
	task.dependencies.start = func(
		ctx context.Context, sweep string, c rundir.Config, part int,
	) (job, error) {
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
	run := w.dependencies.next(t)
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
		task := Task{Sweep: "a", Positions: []int{0}, Log: t.Logf,
			dependencies: w.dependencies.dependencies()}
		task.dependencies.find = find
		done := make(chan error, 1)
		go func() { _, err := task.run(t.Context()); done <- err }()
		j := w.dependencies.next(t)
		if j.resumed {
			t.Errorf("%s: the run is resumed", name)
		}
		j.end(rundir.StopSteps)
		if err := <-done; err != nil {
			t.Errorf("%s: %v", name, err)
		}
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
	dependencies := w.dependencies.dependencies()
	dependencies.find = func(id string) (rundir.Info, error) {
		return rundir.Info{}, fmt.Errorf("%s: %w", id, rundir.ErrNoRun)
	}
	start := dependencies.start
	dependencies.start = func(ctx context.Context, sweep string, c rundir.Config, part int) (job, error) {
		if keyOf(c) == cells[0].Key {
			if err := errors.Join(os.Remove(path), os.MkdirAll(filepath.Join(path, "x"), 0o755)); err != nil {
				t.Error(err)
			}
		}
		return start(ctx, sweep, c, part)
	}
	s, err := resume(t.Context(), "a", Options{Jobs: 1}, dependencies)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Wait()
	defer s.Cancel()
	if j := w.dependencies.next(t); j.resumed || keyOf(j.config) != cells[0].Key {
		t.Errorf("%s, resumed %v", keyOf(j.config), j.resumed)
	}
	eventually(t, "the error", func() bool {
		c := s.Latest().Cells[0]
		return c.Status == Running && c.Err != nil && strings.HasPrefix(c.Err.Error(), "write "+cellFileName)
	})
}
