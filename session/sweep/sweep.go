package sweep

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"dgplab/datasets/files"
	"dgplab/session"
	"dgplab/session/interrupt"
)

// errRunning is wrapped by errors about a sweep that another process is training.
var errRunning = errors.New("the sweep is already running in another process or window")

// Options configures the execution of a sweep. It is not part of the sweep.
type Options struct {
	// Name is the name of a new sweep; "" selects Grid.DefaultName.
	Name string
	// Jobs is the number of parallel runs, at least 1. The runs share the cores.
	Jobs int
	// Retry runs failed cells again.
	Retry bool
	// AllowMemory trains runs even if they are not expected to fit into free memory.
	AllowMemory bool
	// Cells are the cells of the grid to train, in this order. The states of the sweep then have only
	// these cells. nil trains all cells.
	Cells []Cell
}

// Sweep is a handle on a sweep trained by this process. Its methods are safe for concurrent use.
// Only Wait blocks.
type Sweep struct {
	name   string
	latest atomic.Pointer[State]
	box    *interrupt.Box[requests]
	cancel context.CancelFunc
	done   chan struct{}
}

// Start starts the sweep of a grid in a goroutine and returns. If a sweep of this name exists, Start
// continues it, and extends it if the grid has additional cells. The grid must contain all cells of the
// existing sweep.
//
// The caller must wait for the end with Wait or Done before the process exits. When ctx is
// cancelled, the runs finish their current steps and write checkpoints, and the sweep ends.
func Start(ctx context.Context, grid Grid, o Options) (*Sweep, error) {
	return start(ctx, grid, o, newDependencies(o))
}

func start(ctx context.Context, grid Grid, o Options, w dependencies) (*Sweep, error) {
	in := new(session.Inspector) // The files may have changed since a preview, so they are read again.
	grid, err := grid.withDefaultSplits(ctx, in)
	if err != nil {
		return nil, err
	}
	cells, err := grid.Cells()
	if err != nil {
		return nil, err
	}
	if o.Name == "" {
		o.Name = grid.DefaultName(cells)
	}
	folder, err := lockFolder(o.Name)
	if err != nil {
		return nil, err
	}
	s := &State{
		Name: o.Name,
		Dir:  folder.dir.Path(),
		Grid: grid.completed(cells),
		Jobs: o.Jobs,
	}
	s.data, err = contentsOf(ctx, in, s.Grid)
	if err == nil {
		err = s.establish(folder.dir, cells, w.now())
	}
	if err != nil {
		folder.Close()
		return nil, err
	}
	if o.Cells != nil {
		cells = o.Cells
	}
	return launch(ctx, s, cells, folder, o, w)
}

// Resume continues a sweep. Finished cells are left unchanged, and interrupted cells continue from their
// checkpoints.
func Resume(ctx context.Context, name string, o Options) (*Sweep, error) {
	return resume(ctx, name, o, newDependencies(o))
}

func resume(ctx context.Context, name string, o Options, w dependencies) (*Sweep, error) {
	dir, f, cells, err := stored(name)
	if err != nil {
		return nil, err
	}
	folder, err := lockFolder(name)
	if err != nil {
		return nil, err
	}
	s := &State{
		Name:      name,
		Dir:       dir,
		Created:   f.Created,
		Grid:      f.Grid,
		Jobs:      o.Jobs,
		Decisions: f.Decisions,
		data:      f.Data,
	}
	now, err := contentsOf(ctx, new(session.Inspector), f.Grid)
	if err == nil {
		err = f.Data.check(name, now)
	}
	if err != nil {
		folder.Close()
		return nil, err
	}
	return launch(ctx, s, cells, folder, o, w)
}

// establish writes the grid of a new or extended sweep. It sets the creation time and adopts the earlier
// decisions.
func (s *State) establish(dir files.Dir, cells []Cell, now time.Time) error {
	old, more, err := extended(s, cells)
	if err != nil {
		return err
	}
	s.Created = now.UTC()
	if old != nil {
		s.Created, s.Decisions, s.data = old.Created, old.Decisions, old.Data.with(s.data)
	}
	if !more {
		return nil
	}
	return writeFile(dir, s, s.Decisions)
}

// extended returns the file of the sweep s, or nil if it does not exist. more is true if cells has cells that
// the sweep lacks. extended returns an error if a cell of the sweep is missing from cells, if the data has
// changed, or if settings would be added to successive halving.
func extended(s *State, cells []Cell) (old *file, more bool, err error) {
	_, old, before, err := stored(s.Name)
	if errors.Is(err, ErrNone) {
		return nil, true, nil
	}
	if err != nil {
		return nil, false, err
	}
	if old.Grid.Halving != s.Grid.Halving || old.Grid.Rungs != s.Grid.Rungs {
		return nil, false, fmt.Errorf("the sweep %s already has other rungs of successive halving; "+
			"choose another name", old.Name)
	}
	if err := old.Data.check(old.Name, s.data); err != nil {
		return nil, false, err
	}
	has := make(map[string]bool, len(cells))
	for _, c := range cells {
		has[c.Key] = true
	}
	for _, c := range before {
		if !has[c.Key] {
			return nil, false,
				fmt.Errorf("the sweep %s already has other runs, for example %s; choose another name",
					old.Name, c.Key)
		}
	}
	more = len(cells) > len(before)
	if s.Grid.Halving > 0 && more {
		return nil, false, fmt.Errorf("the sweep %s cannot be extended because its settings compete in "+
			"rungs; choose another name", old.Name)
	}
	return old, more, nil
}

// Name returns the name of the sweep and of its directory.
func (s *Sweep) Name() string { return s.name }

// Latest returns the newest state, which is never nil, with a single atomic load.
func (s *Sweep) Latest() *State { return s.latest.Load() }

// Pause pauses all runs after their current step, until Continue or Cancel, and starts no new runs.
func (s *Sweep) Pause() { s.box.Ask(func(w *requests) { w.paused = true }) }

// Continue ends a pause.
func (s *Sweep) Continue() { s.box.Ask(func(w *requests) { w.paused = false }) }

// RetryFailed queues failed and stopped cells again.
func (s *Sweep) RetryFailed() { s.box.Ask(func(w *requests) { w.retry = true }) }

// Cancel ends the sweep. Its runs write checkpoints after their current step, so the sweep can be
// resumed.
func (s *Sweep) Cancel() { s.cancel() }

// Done returns a channel that is closed when all runs have stopped and the last state is published.
func (s *Sweep) Done() <-chan struct{} { return s.done }

// Wait waits for the end of the sweep and returns the last state.
func (s *Sweep) Wait() *State {
	<-s.done
	return s.Latest()
}

// requests holds the pending requests to a sweep.
type requests struct {
	paused bool // until Continue
	retry  bool // once
}

func (w requests) kept() requests { return requests{paused: w.paused} }
