package sweep

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"dgplab/session/rundir"

	"dgplab/session"
	"dgplab/session/mailbox"
)

// publishPeriod is the time between states that tell of nothing but progress.
const publishPeriod = 200 * time.Millisecond

// job is a run that goes; *session.Run is one.
type job interface {
	ID() string
	Latest() *session.Snapshot
	Pause()
	Continue()
	Wait() *session.Snapshot
}

// world is what a sweep needs from outside. Tests replace it.
type world struct {
	runs   func() ([]rundir.Info, error)
	start  func(ctx context.Context, sweep string, c rundir.Config) (job, error)
	resume func(ctx context.Context, id string) (job, error)
	now    func() time.Time
}

func realWorld() world {
	return world{
		runs: rundir.List,
		start: func(ctx context.Context, sweep string, c rundir.Config) (job, error) {
			return handle(session.Start(ctx, c, session.WithSweep(sweep), session.WithoutLiveDiagnostics()))
		},
		resume: func(ctx context.Context, id string) (job, error) {
			return handle(session.Resume(ctx, id, session.WithoutLiveDiagnostics()))
		},
		now: time.Now,
	}
}

// handle returns no job for no run.
func handle(r *session.Run, err error) (job, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}

// conductor is the goroutine of a sweep and all that it owns. What others see are
// the states that it publishes.
type conductor struct {
	*Sweep
	world
	state  State // its cells are written by this goroutine alone
	lock   io.Closer
	active map[int]job // by the index of the cell
	ended  chan int    // the cell whose run has ended; it has room for every job
	paused bool
}

// launch makes the table of cells from the runs that there are, publishes the
// first state and starts the goroutine.
func launch(ctx context.Context, s *State, cells []Cell, lock io.Closer, o Options, w world) (*Sweep, error) {
	runs, err := w.runs()
	if err != nil {
		lock.Close()
		return nil, err
	}
	s.Jobs = max(1, s.Jobs)
	s.Cells = match(s.Name, cells, runs)
	requeue(s.Cells, func(status Status) bool {
		return status == Stopped || status == Running || status == Failed && o.Retry
	})
	ctx, cancel := context.WithCancel(ctx)
	sweep := &Sweep{name: s.Name, box: mailbox.New(wishes.kept), cancel: cancel, done: make(chan struct{})}
	c := &conductor{Sweep: sweep, world: w, state: *s, lock: lock, active: map[int]job{}, ended: make(chan int, s.Jobs)}
	c.publish(Going)
	go c.live(ctx)
	return sweep, nil
}

// requeue lets all cells wait whose status is chosen.
func requeue(cells []CellState, chosen func(Status) bool) {
	for i := range cells {
		if chosen(cells[i].Status) {
			cells[i].Status = Waiting
		}
	}
}

// live is the goroutine: it keeps as many runs going as there are jobs until all
// cells have ended or ctx has.
func (c *conductor) live(ctx context.Context) {
	defer close(c.done)
	defer c.lock.Close()
	defer c.cancel()
	tick := time.NewTicker(publishPeriod)
	defer tick.Stop()
	cancelled := ctx.Done()
	for {
		c.obey()
		c.fill(ctx)
		if len(c.active) == 0 && (ctx.Err() != nil || c.next() < 0) {
			break
		}
		c.publish(c.phase(ctx))
		select {
		case i := <-c.ended:
			c.settle(i)
		case <-c.box.Wake():
		case <-tick.C:
		case <-cancelled:
			cancelled = nil // It is heard once; the runs take their time.
		}
	}
	c.dismiss()
	c.publish(Over)
}

// dismiss gives the cells that still wait the status that their runs have.
func (c *conductor) dismiss() {
	for i := range c.state.Cells {
		switch cell := &c.state.Cells[i]; {
		case cell.Status != Waiting || cell.Run == "":
		case cell.Summary != nil:
			cell.end(cell.Summary)
		default:
			cell.Status = Stopped
		}
	}
}

// phase says where the sweep stands while it lives.
func (c *conductor) phase(ctx context.Context) Phase {
	switch {
	case ctx.Err() != nil:
		return Stopping
	case c.paused:
		return Resting
	}
	return Going
}

// obey does what was asked.
func (c *conductor) obey() {
	w := c.box.Take()
	if w.retry {
		requeue(c.state.Cells, func(s Status) bool { return s == Failed || s == Stopped })
	}
	if w.paused == c.paused {
		return
	}
	c.paused = w.paused
	for _, run := range c.active {
		if c.paused {
			run.Pause()
		} else {
			run.Continue()
		}
	}
}

// next returns the first cell that waits, -1 if there is none.
func (c *conductor) next() int {
	return slices.IndexFunc(c.state.Cells, func(cell CellState) bool { return cell.Status == Waiting })
}

// fill starts runs as long as there is room.
func (c *conductor) fill(ctx context.Context) {
	for !c.paused && ctx.Err() == nil && len(c.active) < c.state.Jobs {
		i := c.next()
		if i < 0 {
			return
		}
		c.begin(ctx, i)
	}
}

// begin starts or resumes the run of a cell.
func (c *conductor) begin(ctx context.Context, i int) {
	cell := &c.state.Cells[i]
	cell.Err, cell.Summary = nil, nil
	var run job
	var err error
	if cell.Run != "" {
		run, err = c.resume(ctx, cell.Run)
		if errors.Is(err, rundir.ErrRunning) {
			cell.Status, cell.Err = Stopped, err
			return
		}
	}
	if cell.Run == "" || err != nil { // A run that cannot be resumed is done anew.
		run, err = c.start(ctx, c.name, cell.Config)
	}
	if err != nil {
		cell.Status, cell.Err = Failed, err
		return
	}
	cell.Status, cell.Run = Running, run.ID()
	c.active[i] = run
	go func() {
		run.Wait()
		c.ended <- i
	}()
}

// settle takes over how the run of a cell ended.
func (c *conductor) settle(i int) {
	s := c.active[i].Wait()
	delete(c.active, i)
	cell := &c.state.Cells[i]
	cell.Steps = s.Steps
	cell.end(s.Summary)
}

// publish makes a copy of the table the newest state.
func (c *conductor) publish(phase Phase) {
	for i, run := range c.active {
		s, cell := run.Latest(), &c.state.Cells[i]
		cell.Step, cell.Steps, cell.Seconds, cell.Remaining = s.Step, s.Steps, s.Seconds, s.Remaining
	}
	s := c.state
	s.Phase, s.Cells = phase, slices.Clone(c.state.Cells)
	c.latest.Store(&s)
}
