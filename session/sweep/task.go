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

// Task trains cells of a sweep, one after another, until none is left. Tasks may run at the same time on
// several machines that share the folder of runs: a task takes the next cell whose lock it gets. It skips
// the cells of other tasks, but waits for a cell if its owner may be dead or is an earlier start of the
// same task.
type Task struct {
	Sweep string
	// List is the list of the cells in a submission, or "" for the cells of the sweep in their order.
	List string
	// Positions are the indices of the cells to train. Positions beyond the end are ignored. nil selects all
	// cells.
	Positions []int
	// Retry trains failed cells again. The cells of a list have their own choice.
	Retry bool
	// AllowMemory trains runs even if they are estimated not to fit in free memory.
	AllowMemory bool
	// Log receives one line for each event.
	Log func(format string, args ...any)

	job          string // the Slurm task, or ""
	result       TaskResult
	dependencies dependencies
	requeue      func(ctx context.Context, id string) error
	// moved is set when a run has reached a later checkpoint, or a lock was waited for. Otherwise the time
	// limit is too short, and the task would be queued again for ever.
	moved bool
	// told holds the last message about each cell that is waited for.
	told map[string]string
}

// TaskResult counts the cells of a task by their end.
type TaskResult struct {
	Done, Failed int
	// Requeued is set if the task has queued itself again.
	Requeued bool
}

// askAgain is the time between attempts to lock the cells that are waited for.
const askAgain = 2 * time.Second

// Run trains the cells. When ctx ends with the cause ErrTimeLimit or ErrTerminated, the running cell
// saves a checkpoint, and the error is the cause.
func (t *Task) Run(ctx context.Context) (TaskResult, error) {
	t.dependencies, t.requeue = newDependencies(Options{AllowMemory: t.AllowMemory}), slurm.Requeue
	return t.run(ctx)
}

// The errors of cells that the task does not get.
var (
	// errHeld means that another process trains the cell.
	errHeld = errors.New("held by another process")
	// errWait means that the process that holds the cell is an earlier start of the task or may be dead.
	errWait = errors.New("wait for another process")
	// errStopped means that the task must end before the cell does.
	errStopped = errors.New("stopped")
)

func (t *Task) run(ctx context.Context) (TaskResult, error) {
	t.job, t.told = rundir.SlurmJob(), map[string]string{}
	cells, err := t.cells()
	if err != nil {
		return t.result, err
	}
	// Cells that other processes hold are tried again in further rounds.
	for {
		var held []ListedCell
		waits := false
		for _, c := range cells {
			status, err := t.take(ctx, c)
			switch {
			case errors.Is(err, errHeld), errors.Is(err, errWait):
				held = append(held, c)
				waits = waits || errors.Is(err, errWait)
			case errors.Is(err, errStopped):
				return t.result, t.stop(ctx)
			case err != nil:
				return t.result, err
			case status == Done:
				t.result.Done++
			default:
				t.result.Failed++
			}
		}
		if !waits && len(held) == len(cells) {
			break
		}
		cells = held
		if waits {
			t.moved = true
			select {
			case <-time.After(askAgain):
			case <-ctx.Done():
			}
		}
	}
	t.Log("no run is left: %d done, %d failed, %d held by other processes", t.result.Done, t.result.Failed,
		len(cells))
	return t.result, nil
}

// cells returns the cells of the task. The tasks of an array begin at different cells.
func (t *Task) cells() ([]ListedCell, error) {
	if t.List == "" {
		return t.found()
	}
	dir, err := folderOf(t.Sweep)
	if err == nil {
		err = CheckName(t.List)
	}
	if err != nil {
		return nil, err
	}
	list, err := readList(filepath.Join(dir, listsName, t.List))
	if err != nil {
		return nil, err
	}
	index, _ := strconv.Atoi(os.Getenv("SLURM_ARRAY_TASK_ID"))
	tasks, _ := strconv.Atoi(os.Getenv("SLURM_ARRAY_TASK_COUNT"))
	if index < 0 || index >= tasks {
		return list, nil
	}
	first := index * len(list) / tasks
	return slices.Concat(list[first:], list[:first]), nil
}

// found returns the cells at the positions in the sweep, with their runs.
func (t *Task) found() ([]ListedCell, error) {
	_, f, all, err := stored(t.Sweep)
	if err != nil {
		return nil, err
	}
	if f.Grid.Halving > 0 {
		return nil, errHalving
	}
	runs, err := t.dependencies.runs()
	if err != nil {
		return nil, err
	}
	var list []ListedCell
	for at, c := range match(t.Sweep, all, runs) {
		if t.Positions == nil || slices.Contains(t.Positions, at) {
			list = append(list, ListedCell{Cell: c.Cell, Run: c.Run, Retry: t.Retry})
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("the sweep %s has no run at position %d", t.Sweep, t.Positions[0])
	}
	return list, nil
}

// take trains a cell to its end, if the task gets its locks. Only then the error is nil.
func (t *Task) take(ctx context.Context, c ListedCell) (Status, error) {
	if ctx.Err() != nil {
		return "", errStopped
	}
	root, err := rundir.Root()
	if err != nil {
		return "", err
	}
	if t.heldElsewhere(filepath.Join(root, folderName, t.Sweep, cellsName, cellFolderName(c.Key))) {
		return "", errHeld
	}
	folder, err := lockCell(t.Sweep, c.Key)
	if errors.Is(err, rundir.ErrRunning) {
		return "", t.await(c, err)
	}
	if err != nil {
		return "", err
	}
	defer folder.Close()
	before, err := t.before(folder, c)
	if err != nil || before.Status == Done || before.Status == Failed {
		return before.Status, err
	}
	if folder.Run != "" && t.heldElsewhere(filepath.Join(root, folder.Run)) {
		return "", errHeld
	}

	folder.cellFile = cellFile{Key: c.Key, Run: folder.Run, List: t.List, Task: t.job}
	if err := folder.save(); err != nil {
		return "", err
	}
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	var run job
	if folder.Run != "" {
		run, err = t.dependencies.resume(running, folder.Run, 1)
	} else {
		run, err = t.dependencies.start(running, t.Sweep, c.Config, 1)
	}
	switch {
	case errors.Is(err, rundir.ErrRunning): // A person resumes the run, or its process was killed.
		return "", t.await(c, err)
	case err != nil && ctx.Err() != nil:
		return "", errStopped
	case err != nil:
		t.Log("%s: %v", c.Key, err)
		folder.Error = err.Error()
		return Failed, folder.save()
	}
	t.Log("%s: run %s", c.Key, run.ID())
	if folder.Run == "" {
		folder.Run = run.ID()
		if err := folder.save(); err != nil { // Other tasks would not know of the run.
			cancel()
			run.Wait()
			return "", err
		}
	}

	last := run.Wait()
	t.moved = t.moved || last.CheckpointStep > run.StartStep()
	switch {
	case last.Stop == rundir.StopFailed && errors.Is(last.Err, rundir.ErrRunning):
		t.Log("%s: %v", c.Key, last.Err)
		return "", errHeld
	case last.Stop == rundir.StopFailed:
		t.Log("%s: %v", c.Key, last.Err)
		return Failed, nil
	case last.Stop == rundir.StopAsked:
		t.Log("%s: %v; checkpoint at step %d", c.Key, context.Cause(ctx), max(0, last.CheckpointStep))
		return "", errStopped
	}
	t.Log("%s: done at step %d", c.Key, last.Step)
	return Done, nil
}

// heldElsewhere reports whether a process that is alive and no earlier start of the task has locked a folder.
func (t *Task) heldElsewhere(dir string) bool {
	if !rundir.Locked(dir) {
		return false
	}
	owner := rundir.OwnerOf(dir)
	return owner != nil && owner.Job != t.job
}

// await reports a lock that the task waits for, once.
func (t *Task) await(c ListedCell, err error) error {
	if text := err.Error(); text != t.told[c.Key] {
		t.told[c.Key] = text
		t.Log("%s: waiting: %s", c.Key, text)
	}
	return errWait
}

// before finds the run of a cell and returns its state. A failed cell that is to be trained again is waiting.
func (t *Task) before(folder *cellFolder, c ListedCell) (CellState, error) {
	state := CellState{Status: Waiting}
	switch {
	case folder.Run != "":
	case folder.Key != "" && folder.Error == "": // A process was killed before it recorded its run.
		runs, err := t.dependencies.runs()
		if err != nil {
			return state, err
		}
		folder.Run = match(t.Sweep, []Cell{c.Cell}, runs)[0].Run
	default:
		folder.Run = c.Run
	}
	if folder.Run != "" {
		info, err := t.dependencies.find(folder.Run)
		switch {
		case errors.Is(err, rundir.ErrNoRun):
			folder.Run = "" // The user has removed it.
		case err != nil:
			return state, err
		case info.State == rundir.Broken:
			t.Log("%s: %s cannot be read: %v; starting again", c.Key, folder.Run, info.Err)
			folder.Run = ""
		default:
			state = stateOf(info)
		}
	}
	state.Status = folder.status(state.Status)
	triedHere := t.List != "" && folder.List == t.List
	if state.Status == Failed && c.Retry && !triedHere {
		state.Status = Waiting
	}
	return state, nil
}

// stop ends the task. If its time limit is near, the task queues itself again.
func (t *Task) stop(ctx context.Context) error {
	cause := context.Cause(ctx)
	if !errors.Is(cause, ErrTimeLimit) || t.job == "" {
		return cause
	}
	if !t.moved {
		return fmt.Errorf("%w, and no step was trained; choose a longer --time", cause)
	}
	t.Log("%v: the task is queued again", cause)
	if err := t.requeue(context.WithoutCancel(ctx), t.job); err != nil {
		return fmt.Errorf("could not requeue the task: %w", err)
	}
	t.result.Requeued = true
	return cause
}
