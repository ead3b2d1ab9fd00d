package sweep

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"dgplab/datasets/files"
	"dgplab/session/mailbox"
	"dgplab/session/rundir"
)

// errRunning is wrapped by errors about a sweep that a process works on already.
var errRunning = errors.New("the sweep is being run by another process or window")

// Options say how a sweep is run; they are no part of it.
type Options struct {
	// Name of a new sweep; "" means Grid.DefaultName.
	Name string
	// Jobs is how many runs go at once, at least 1. They share the cores.
	Jobs int
	// Retry runs failed cells again.
	Retry bool
	// AllowMemory trains runs even if they do not seem to fit the memory that is free.
	AllowMemory bool
}

// Sweep is a handle on a sweep that this process works on. All methods may be
// called by any goroutine, at any time, and none waits but Wait.
type Sweep struct {
	name   string
	latest atomic.Pointer[State]
	box    *mailbox.Box[wishes]
	cancel context.CancelFunc
	done   chan struct{}
}

// Start begins the sweep of a grid, or goes on with the one of the same name, and
// returns; a goroutine trains its runs. That sweep may have other cells than the
// grid as long as the grid has all of them: it is extended then.
//
// The caller must see to it that Wait is called or Done is read before the process
// ends. When ctx is cancelled the runs finish their steps, keep checkpoints, and
// the sweep ends.
func Start(ctx context.Context, grid Grid, o Options) (*Sweep, error) {
	return start(ctx, grid, o, realWorld(o))
}

func start(ctx context.Context, grid Grid, o Options, w world) (*Sweep, error) {
	cells, err := grid.Cells()
	if err != nil {
		return nil, err
	}
	if o.Name == "" {
		o.Name = grid.DefaultName(cells)
	}
	folder, err := hold(o.Name)
	if err != nil {
		return nil, err
	}
	grid = grid.completed(cells)
	created, err := establish(folder.dir, grid, cells, o.Name, w.now())
	if err != nil {
		folder.Close()
		return nil, err
	}
	return launch(ctx, &State{
		Name:    o.Name,
		Dir:     folder.dir.Path(),
		Created: created,
		Grid:    grid,
		Jobs:    o.Jobs,
	}, cells, folder, o, w)
}

// Resume goes on with a sweep: cells that are done stay as they are, those that
// were interrupted go on from their checkpoints.
func Resume(ctx context.Context, name string, o Options) (*Sweep, error) {
	return resume(ctx, name, o, realWorld(o))
}

func resume(ctx context.Context, name string, o Options, w world) (*Sweep, error) {
	dir, f, cells, err := stored(name)
	if err != nil {
		return nil, err
	}
	folder, err := hold(name)
	if err != nil {
		return nil, err
	}
	return launch(ctx, &State{Name: name, Dir: dir, Created: f.Created, Grid: f.Grid, Jobs: o.Jobs},
		cells, folder, o, w)
}

// establish writes the grid of a new sweep, or of one that is extended, and
// returns when the sweep was created.
func establish(dir files.Dir, grid Grid, cells []Cell, name string, now time.Time) (time.Time, error) {
	created, more, err := extended(name, cells)
	switch {
	case err != nil || !created.IsZero() && !more:
		return created, err
	case created.IsZero():
		created = now.UTC()
	}
	f := &file{Format: fileVersion, Name: name, Created: created, Grid: grid}
	if err := rundir.WriteJSON(dir, fileName, f); err != nil {
		return created, fmt.Errorf("save the sweep: %w", err)
	}
	return created, nil
}

// extended returns when the sweep of a name was created, the zero time if there is
// none, and whether cells are more than it has. It refuses cells that lack one of
// those.
func extended(name string, cells []Cell) (created time.Time, more bool, err error) {
	_, old, before, err := stored(name)
	if errors.Is(err, ErrNone) {
		return created, true, nil
	}
	if err != nil {
		return created, false, err
	}
	has := make(map[string]bool, len(cells))
	for _, c := range cells {
		has[c.Key] = true
	}
	for _, c := range before {
		if !has[c.Key] {
			return created, false,
				fmt.Errorf("the sweep %s has other cells, for example %s; choose another name",
					old.Name, c.Key)
		}
	}
	return old.Created, len(cells) > len(before), nil
}

// Name returns the sweep's name, that of its directory.
func (s *Sweep) Name() string { return s.name }

// Latest returns the newest state, never nil. It is a single atomic load.
func (s *Sweep) Latest() *State { return s.latest.Load() }

// Pause asks all runs to rest after their current step, until Continue or Cancel,
// and starts no more.
func (s *Sweep) Pause() { s.box.Ask(func(w *wishes) { w.paused = true }) }

// Continue ends a pause.
func (s *Sweep) Continue() { s.box.Ask(func(w *wishes) { w.paused = false }) }

// RetryFailed puts the cells that failed or were stopped so far back in the queue.
func (s *Sweep) RetryFailed() { s.box.Ask(func(w *wishes) { w.retry = true }) }

// Cancel ends the sweep: its runs keep checkpoints after their current step. It
// can be resumed.
func (s *Sweep) Cancel() { s.cancel() }

// Done returns a channel that is closed when no run of the sweep goes any more and
// the last state is published.
func (s *Sweep) Done() <-chan struct{} { return s.done }

// Wait returns the last state.
func (s *Sweep) Wait() *State {
	<-s.done
	return s.Latest()
}

// wishes is what was asked of a sweep since its goroutine last looked.
type wishes struct {
	paused bool // holds until it is revoked
	retry  bool // once
}

func (w wishes) kept() wishes { return wishes{paused: w.paused} }
