package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"dgplab/session"
	"dgplab/session/config"
	"dgplab/session/rundir"
	"dgplab/session/slurm"
)

// The causes of the end of the context of Task.Run.
var (
	// ErrTimeLimit means that the time limit of the task is near. The task saves a checkpoint and
	// queues itself again.
	ErrTimeLimit = errors.New("the time limit is near")
	// ErrTerminated means that the task must end. It saves a checkpoint.
	ErrTerminated = errors.New("asked to end")
)

// Task trains some cells of a sweep one after another. Tasks may run at the same time on several
// machines that share the folder of runs. A cell that another process trains is waited for.
type Task struct {
	Sweep string
	// List is the list of the cells, or "" for the cells of the sweep in their order. Positions are
	// the indices of the cells to train. Positions beyond the list are ignored, except the first.
	List      string
	Positions []int
	// Timeouts is the number of times that a cell is queued again after a time limit.
	Timeouts int
	// Retry trains failed cells again.
	Retry bool
	// AllowMemory trains runs even if they are estimated not to fit in free memory.
	AllowMemory bool
	// Log receives one line for each event.
	Log func(format string, args ...any)

	job      string // the Slurm task, or ""
	restarts int
	host     string
	world    world
	requeue  func(ctx context.Context, id string) error
	ending   func(ctx context.Context, id string, restarts int) (slurm.Cause, error)
}

// TaskResult counts the cells of a task by their end.
type TaskResult struct {
	Done, Failed int
	// Requeued is set if the task has queued itself again.
	Requeued bool
}

// askAgain is the time between attempts to lock a cell that another process trains.
const askAgain = 2 * time.Second

// Run trains the cells. When ctx ends with the cause ErrTimeLimit or ErrTerminated, the running cell
// saves a checkpoint, and the error is the cause.
func (t *Task) Run(ctx context.Context) (TaskResult, error) {
	t.world = newWorld(Options{AllowMemory: t.AllowMemory})
	t.requeue, t.ending = slurm.Requeue, slurm.Ending
	return t.run(ctx)
}

func (t *Task) run(ctx context.Context) (TaskResult, error) {
	t.host = os.Getenv("SLURMD_NODENAME")
	if t.host == "" {
		t.host, _ = os.Hostname()
	}
	t.job = os.Getenv("SLURM_JOB_ID")
	if array := os.Getenv("SLURM_ARRAY_JOB_ID"); array != "" {
		t.job = array + "_" + os.Getenv("SLURM_ARRAY_TASK_ID")
	}
	t.restarts, _ = strconv.Atoi(os.Getenv("SLURM_RESTART_COUNT"))
	var result TaskResult
	cells, err := t.cells()
	if err != nil {
		return result, err
	}
	for _, c := range cells {
		status, err := t.train(ctx, c)
		switch {
		case errors.Is(err, errRequeued):
			result.Requeued = true
			return result, ErrTimeLimit
		case err != nil:
			return result, err
		case status == Done:
			result.Done++
		default:
			result.Failed++
		}
	}
	return result, nil
}

// errRequeued means that the task has queued itself again.
var errRequeued = errors.New("requeued")

// cells returns the cells of the task.
func (t *Task) cells() ([]ListedCell, error) {
	dir, f, err := readFile(t.Sweep)
	if err != nil {
		return nil, err
	}
	if f.Grid.Halving > 0 {
		return nil, errHalving
	}
	var list []ListedCell
	if t.List != "" {
		list, err = t.listed(dir)
	} else {
		list, err = t.found(f)
	}
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("the sweep %s has no run at position %d", t.Sweep, t.Positions[0])
	}
	return list, err
}

// listed returns the cells at the positions in the list of the task.
func (t *Task) listed(dir string) ([]ListedCell, error) {
	if err := CheckName(t.List); err != nil {
		return nil, err
	}
	all, err := readList(filepath.Join(dir, listsName, t.List), 0, slices.Max(t.Positions)+1)
	if err != nil {
		return nil, err
	}
	var list []ListedCell
	for _, at := range t.Positions {
		if at < len(all) {
			list = append(list, all[at])
		}
	}
	return list, nil
}

// found returns the cells at the positions in the sweep, with their runs.
func (t *Task) found(f *file) ([]ListedCell, error) {
	all, err := f.Grid.Cells()
	if err != nil {
		return nil, err
	}
	runs, err := t.world.runs()
	if err != nil {
		return nil, err
	}
	states := match(t.Sweep, all, runs)
	var list []ListedCell
	for _, at := range t.Positions {
		if at < len(states) {
			list = append(list, ListedCell{Cell: states[at].Cell, Run: states[at].Run, Retry: t.Retry})
		}
	}
	return list, nil
}

// train trains a cell to its end.
func (t *Task) train(ctx context.Context, c ListedCell) (Status, error) {
	folder, err := t.lock(ctx, c.Key)
	if err != nil {
		return "", err
	}
	defer folder.Close()
	if folder.Run == "" {
		folder.Run = c.Run
	}
	if folder.Starting {
		if err := t.findStarted(folder); err != nil {
			return "", err
		}
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	told := ""
	for {
		status, err := t.before(folder)
		if err != nil {
			return "", err
		}
		failedHere := folder.last().Kind == EventFailed && folder.last().List == t.List && t.List != ""
		switch {
		case status == Done:
			t.Log("%s: done before", c.Key)
			return Done, nil
		case status == Failed && (!c.Retry || failedHere):
			t.Log("%s: failed before", c.Key)
			return Failed, nil
		}
		run, err := t.begin(running, folder, c.Cell)
		if run != nil && err != nil { // Other tasks would not know of the run.
			stop()
			run.Wait()
			return t.end(ctx, folder, nil, err)
		}
		if errors.Is(err, rundir.ErrRunning) && folder.Run != "" {
			if text := err.Error(); text != told { // A person resumes the run, or its process was killed.
				told = text
				t.Log("%s: waiting: %s", c.Key, text)
			}
			err = t.wait(ctx)
			if err == nil {
				continue
			}
		}
		if err != nil {
			return t.end(ctx, folder, nil, err)
		}
		t.Log("%s: run %s", c.Key, run.ID())
		return t.end(ctx, folder, run.Wait(), nil)
	}
}

// lock locks the folder of a cell. It waits while another process trains the cell.
func (t *Task) lock(ctx context.Context, key string) (*cellFolder, error) {
	told := ""
	for {
		folder, err := lockCell(t.Sweep, key)
		if !errors.Is(err, rundir.ErrRunning) {
			return folder, err
		}
		if text := err.Error(); text != told {
			told = text
			t.Log("%s: waiting: %s", key, text)
		}
		if err := t.wait(ctx); err != nil {
			return nil, err
		}
	}
}

// wait waits before the next attempt. If the time limit comes first, the task queues itself again.
func (t *Task) wait(ctx context.Context) error {
	select {
	case <-time.After(askAgain):
		return nil
	case <-ctx.Done():
	}
	cause := context.Cause(ctx)
	if errors.Is(cause, ErrTimeLimit) && t.job != "" {
		if err := t.requeue(context.WithoutCancel(ctx), t.job); err != nil {
			return fmt.Errorf("could not requeue the task: %w", err)
		}
		return errRequeued
	}
	return cause
}

// findStarted looks for a run that a process created without recording it, because it was killed
// between the two.
func (t *Task) findStarted(folder *cellFolder) error {
	dirs, err := rundir.Dirs()
	if err != nil {
		return err
	}
	// IDs begin with the creation time in local time, which can differ by a day between machines.
	oldest := folder.last().Time.Add(-26 * time.Hour).Format("20060102-150405")
	for _, dir := range dirs {
		if filepath.Base(dir) < oldest {
			break
		}
		file, err := rundir.ReadConfig(dir)
		if err == nil && file.Sweep == t.Sweep && keyOf(config.Effective(file.Config)) == folder.Key {
			folder.Run = filepath.Base(dir)
			break
		}
	}
	return nil
}

// before returns the status of the cell before this attempt.
func (t *Task) before(folder *cellFolder) (Status, error) {
	if folder.Run == "" {
		return Waiting, nil
	}
	info, err := t.world.find(folder.Run)
	if errors.Is(err, rundir.ErrNoRun) {
		folder.Run = "" // The user has removed it.
		return Waiting, nil
	}
	if err != nil {
		return "", err
	}
	if info.State == rundir.Broken {
		t.Log("%s: %s cannot be read: %v; starting again", folder.Key, folder.Run, info.Err)
		folder.Run = ""
		return Waiting, nil
	}
	return stateOf(info).Status, nil
}

// event returns an event of the task.
func (t *Task) event(kind EventKind) Event {
	return Event{Kind: kind, Time: time.Now().UTC().Truncate(time.Second), List: t.List, Host: t.host,
		Job: t.job, Restarts: t.restarts}
}

// begin resumes or starts the run of a cell. A new run that cannot be recorded is returned with the error.
func (t *Task) begin(ctx context.Context, folder *cellFolder, c Cell) (job, error) {
	folder.Starting = folder.Run == ""
	if err := folder.add(t.event(EventStarted)); err != nil {
		return nil, err
	}
	if folder.Run != "" {
		run, err := t.world.resume(ctx, folder.Run, 1)
		if errors.Is(err, rundir.ErrRunning) { // Nothing has started; the caller tries again.
			folder.Events = folder.Events[:len(folder.Events)-1]
			err = errors.Join(err, folder.save())
		}
		return run, err
	}
	run, err := t.world.start(ctx, t.Sweep, c.Config, 1)
	if err != nil {
		return nil, err
	}
	folder.Run, folder.Starting = run.ID(), false
	return run, folder.save()
}

// end records the end of an attempt. last is the last snapshot of the run, or nil if it did not start
// because of err.
func (t *Task) end(
	ctx context.Context, folder *cellFolder, last *session.Snapshot, err error,
) (Status, error) {
	switch {
	case errors.Is(err, errRequeued), last == nil && ctx.Err() != nil:
		return "", errors.Join(err, context.Cause(ctx))
	case last == nil:
		return t.failed(folder, 0, err)
	case last.Stop == rundir.StopFailed:
		return t.failed(folder, last.Step, last.Err)
	case last.Stop != rundir.StopAsked:
		e := t.event(EventDone)
		e.Step = last.Step
		t.Log("%s: done at step %d", folder.Key, last.Step)
		return Done, folder.add(e)
	}
	kind := EventInterrupted
	if errors.Is(context.Cause(ctx), ErrTimeLimit) {
		kind = EventTimeLimit
	}
	e := t.event(kind)
	e.Step = last.Step
	t.Log("%s: %v; checkpoint at step %d", folder.Key, context.Cause(ctx), max(0, last.CheckpointStep))
	if err := folder.add(e); err != nil {
		return "", err
	}
	if kind == EventTimeLimit {
		return "", t.again(ctx, folder)
	}
	t.explain(ctx, folder)
	return "", context.Cause(ctx)
}

// failed records a failure. A cell that another process has taken over has not failed.
func (t *Task) failed(folder *cellFolder, step int, err error) (Status, error) {
	t.Log("%s: %v", folder.Key, err)
	if errors.Is(err, rundir.ErrRunning) {
		return "", err
	}
	e := t.event(EventFailed)
	e.Step, e.Text = step, err.Error()
	return Failed, folder.add(e)
}

// again queues the task again after a time limit, unless that has happened too often.
func (t *Task) again(ctx context.Context, folder *cellFolder) error {
	n := folder.timeouts(t.List)
	switch {
	case t.job == "":
		return ErrTimeLimit
	case n > t.Timeouts:
		return fmt.Errorf("%w, and the cell has reached its limit of %d requeues", ErrTimeLimit, t.Timeouts)
	}
	e := t.event(EventRequeued)
	e.Text = fmt.Sprintf("%d of %d", n, t.Timeouts)
	if err := folder.add(e); err != nil {
		return err
	}
	t.Log("%s: queued again, %s", folder.Key, e.Text)
	if err := t.requeue(context.WithoutCancel(ctx), t.job); err != nil {
		folder.Events = folder.Events[:len(folder.Events)-1]
		return errors.Join(fmt.Errorf("could not requeue the task: %w", err), folder.save())
	}
	return errRequeued
}

// explain records why Slurm ends the task: the reason that Slurm has written into the log, or else its
// answer, if it comes in time.
func (t *Task) explain(ctx context.Context, folder *cellFolder) {
	if t.job == "" {
		return
	}
	cause := t.causeInLog(folder)
	var err error
	if cause == "" {
		cause, err = t.ending(context.WithoutCancel(ctx), t.job, t.restarts)
	}
	if err != nil {
		t.Log("%s: the cause is unknown: %v", folder.Key, err)
		return
	}
	e := t.event(EventCause)
	e.Text = string(cause)
	t.Log("%s: %s", folder.Key, cause)
	if err := folder.add(e); err != nil {
		t.Log("%s: %v", folder.Key, err)
	}
}

// logTail is the number of lines at the end of the log that can give the cause.
const logTail = 50

// causeInLog returns the cause in the log of a task of a list, or "".
func (t *Task) causeInLog(folder *cellFolder) slurm.Cause {
	dir, err := folderOf(t.Sweep)
	if err != nil || t.List == "" {
		return ""
	}
	var began time.Time
	for _, e := range folder.Events {
		if e.Kind == EventStarted {
			began = e.Time
		}
	}
	lines := LastLines(filepath.Join(dir, listsName, t.List, logsName, t.job+".log"), logTail)
	return slurm.EndingInLog(lines, os.Getenv("SLURM_JOB_ID"), began)
}
