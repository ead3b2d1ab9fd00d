package sweep

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"dgplab/models"
	"dgplab/session"
	"dgplab/session/config"
	"dgplab/session/interrupt"
	"dgplab/session/memory"
	"dgplab/session/rundir"
)

// publishPeriod is the interval between states that differ only in progress.
const publishPeriod = 200 * time.Millisecond

// job is a run in training. *session.Run implements it.
type job interface {
	ID() string
	StartStep() int
	Latest() *session.Snapshot
	Pause()
	Continue()
	Trained() <-chan struct{}
	Done() <-chan struct{}
	Wait() *session.Snapshot
}

// dependencies holds what a sweep depends on, which tests replace.
type dependencies struct {
	runs   func() ([]rundir.Info, error)
	start  func(ctx context.Context, sweep string, c rundir.Config, part int) (job, error)
	resume func(ctx context.Context, id string, part int) (job, error)
	// validation returns the validation log-likelihood of a run up to a step.
	validation func(c *CellState, until int) (float64, error)
	find       func(id string) (rundir.Info, error)
	now        func() time.Time
}

func newDependencies(o Options) dependencies {
	options := func(part int, more ...session.Option) []session.Option {
		more = append(more, session.WithRung(part))
		if o.AllowMemory {
			more = append(more, session.AllowMemory())
		}
		return append(more, session.WithoutLiveDiagnostics())
	}
	return dependencies{
		runs: rundir.List,
		start: func(ctx context.Context, sweep string, c rundir.Config, part int) (job, error) {
			return handle(session.Start(ctx, c, options(part, session.WithSweep(sweep))...))
		},
		resume: func(ctx context.Context, id string, part int) (job, error) {
			return handle(session.Resume(ctx, id, options(part)...))
		},
		validation: validation,
		find:       rundir.Find,
		now:        time.Now,
	}
}

// handle converts a run to a job. It returns a nil interface for a nil run.
func handle(r *session.Run, err error) (job, error) {
	if err != nil {
		return nil, err
	}
	return r, nil
}

// scheduler holds the state owned by the goroutine of a sweep. Other goroutines see only the
// published states.
type scheduler struct {
	*Sweep
	dependencies
	state  State // The cells are written only by this goroutine.
	folder *lockedFolder
	active map[int]job // by index of the cell
	// saving holds the active cells whose runs are evaluated and saved, which takes little time of the
	// processor. The next runs begin meanwhile.
	saving map[int]bool
	// crowded is true if a run did not fit into memory. Only then, all active runs count as jobs.
	crowded bool
	// held has the folders of the active cells if the sweep was submitted to other machines, else it is
	// nil.
	held map[int]*cellFolder
	// values holds the hyperparameters of the first summary of each setting; see shareValues.
	values map[string]models.Values
	// trained receives the index of a cell when its run has ended its training without error, and ended when
	// the run has ended.
	trained, ended chan int
	paused         bool
}

// launch builds the table of cells from existing runs, publishes the first state and starts the
// goroutine.
func launch(
	ctx context.Context, s *State, cells []Cell, folder *lockedFolder, o Options, w dependencies,
) (*Sweep, error) {
	runs, err := w.runs()
	if err != nil {
		folder.Close()
		return nil, err
	}
	s.Jobs = max(1, s.Jobs)
	s.take(cells, runs)
	requeue(s.Cells, func(status Status) bool {
		return status == Stopped || status == Running || status == Failed && o.Retry
	})
	ctx, cancel := context.WithCancel(ctx)
	sweep := &Sweep{
		name:   s.Name,
		box:    interrupt.NewBox(requests.kept),
		cancel: cancel,
		done:   make(chan struct{}),
	}
	worker := &scheduler{
		Sweep:        sweep,
		dependencies: w,
		state:        *s,
		folder:       folder,
		active:       map[int]job{},
		saving:       map[int]bool{},
		values:       map[string]models.Values{},
		trained:      make(chan int),
		ended:        make(chan int),
	}
	if s.Submitted {
		worker.held = map[int]*cellFolder{}
	}
	worker.publish(Going)
	go worker.run(ctx)
	return sweep, nil
}

// requeue sets the status of the chosen cells to Waiting, except for cells whose settings are out of the
// competition.
func requeue(cells []CellState, chosen func(Status) bool) {
	for i := range cells {
		if chosen(cells[i].Status) && !cells[i].out {
			cells[i].Status = Waiting
		}
	}
}

// run runs the scheduler until all cells have ended or ctx is done.
func (s *scheduler) run(ctx context.Context) {
	defer close(s.done)
	defer s.folder.Close()
	defer s.cancel()
	tick := time.NewTicker(publishPeriod)
	defer tick.Stop()
	cancelled := ctx.Done()
	for {
		s.handleRequests()
		s.decide()
		s.fill(ctx)
		if len(s.active) == 0 && (ctx.Err() != nil || s.next() < 0) {
			break
		}
		s.publish(s.phase(ctx))
		select {
		case i := <-s.trained:
			s.saving[i] = true
		case i := <-s.ended:
			s.finish(i)
		case <-s.box.Wake():
		case <-tick.C:
		case <-cancelled:
			cancelled = nil // Do not select this case again while the runs finish.
		}
	}
	s.settle()
	s.publish(Over)
}

// settle sets the final status of cells that are still waiting.
func (s *scheduler) settle() {
	for i := range s.state.Cells {
		cell := &s.state.Cells[i]
		switch {
		case cell.Status != Waiting || cell.Run == "":
		case cell.Summary != nil:
			cell.end(cell.Summary)
		default:
			cell.Status = Stopped
		}
	}
}

// phase returns the phase of the sweep while it is active.
func (s *scheduler) phase(ctx context.Context) Phase {
	switch {
	case ctx.Err() != nil:
		return Stopping
	case s.paused:
		return Resting
	}
	return Going
}

// handleRequests handles pending requests.
func (s *scheduler) handleRequests() {
	w := s.box.Take()
	if w.retry {
		requeue(s.state.Cells, func(status Status) bool { return status == Failed || status == Stopped })
	}
	if w.paused == s.paused {
		return
	}
	s.paused = w.paused
	for _, run := range s.active {
		if s.paused {
			run.Pause()
		} else {
			run.Continue()
		}
	}
}

// next returns the index of the first cell that can be started, or -1.
func (s *scheduler) next() int {
	return slices.IndexFunc(s.state.Cells, func(cell CellState) bool {
		return cell.Status == Waiting && !s.state.atRung(&cell) && !s.waitsForStart(cell.Config)
	})
}

// waitsForStart reports whether a cell takes its initial parameters from a family that still has
// waiting or running cells with the same data, split and seed.
func (s *scheduler) waitsForStart(c rundir.Config) bool {
	family := c.Set[rundir.WarmStartSetting]
	return family != "" && slices.ContainsFunc(s.state.Cells, func(other CellState) bool {
		o := other.Config
		return o.Family == family && o.Dataset == c.Dataset && o.Split == c.Split &&
			(o.Seed == c.Seed || config.Seedless(o)) &&
			(other.Status == Waiting || other.Status == Running)
	})
}

// full reports whether all jobs are taken. At most twice as many runs are active.
func (s *scheduler) full() bool {
	if s.crowded {
		return len(s.active) >= s.state.Jobs
	}
	return len(s.active)-len(s.saving) >= s.state.Jobs || len(s.active) >= 2*s.state.Jobs
}

// fill starts runs while there are free jobs.
func (s *scheduler) fill(ctx context.Context) {
	for !s.paused && ctx.Err() == nil && !s.full() {
		i := s.next()
		if i < 0 {
			return
		}
		s.begin(ctx, i)
	}
}

// begin starts or resumes the run of a cell.
func (s *scheduler) begin(ctx context.Context, i int) {
	cell := &s.state.Cells[i]
	cell.Err, cell.Summary = nil, nil
	if _, err := s.folder.Keep(); err != nil { // The lock may have been lost to another process.
		cell.Status, cell.Err = Stopped, err
		return
	}
	err := s.hold(i)
	if err != nil {
		cell.Status, cell.Err = Stopped, err
		return
	}
	if cell.Status == Done {
		return
	}
	part := s.state.Grid.Part(cell.Rung)
	var run job
	if cell.Run != "" {
		run, err = s.resume(ctx, cell.Run, part)
		if errors.Is(err, rundir.ErrRunning) {
			cell.Status, cell.Err = Stopped, err
			s.drop(i)
			return
		}
	}
	if cell.Run == "" || err != nil { // Start a new run if the run cannot be resumed.
		run, err = s.start(ctx, s.name, cell.Config, part)
	}
	if err != nil {
		cell.Status, cell.Err = Failed, err
		s.drop(i)
		return
	}
	cell.Status, cell.Run = Running, run.ID()
	s.record(i)
	s.active[i] = run
	go func() {
		select {
		case <-run.Trained():
			s.trained <- i
			<-run.Done()
		case <-run.Done():
		}
		s.ended <- i
	}()
}

// hold locks the folder of a cell if tasks on other machines may train it. If one of them has created
// the run of the cell, that run is continued, or the cell is done.
func (s *scheduler) hold(i int) error {
	if s.held == nil {
		return nil
	}
	cell := &s.state.Cells[i]
	folder, err := lockCell(s.name, cell.Key)
	if err != nil {
		return err
	}
	s.held[i] = folder
	if folder.Run == "" {
		return nil
	}
	info, err := s.find(folder.Run)
	if err != nil || info.State == rundir.Broken {
		return nil // The run was removed or is damaged; another one replaces it.
	}
	cell.Run = info.ID
	if stateOf(info).Status == Done {
		cell.end(info.Results)
		s.drop(i)
	}
	return nil
}

// record writes the run of a cell into its folder, for tasks on other machines.
func (s *scheduler) record(i int) {
	folder := s.held[i]
	if folder == nil {
		return
	}
	folder.cellFile = cellFile{Key: s.state.Cells[i].Key, Run: s.state.Cells[i].Run}
	if err := folder.save(); err != nil {
		s.state.Cells[i].Err = err
	}
}

// drop releases the folder of a cell.
func (s *scheduler) drop(i int) {
	if folder := s.held[i]; folder != nil {
		folder.Close()
		delete(s.held, i)
	}
}

// finish records the end of a cell's run.
func (s *scheduler) finish(i int) {
	last := s.active[i].Wait()
	delete(s.active, i)
	delete(s.saving, i)
	s.drop(i)
	cell := &s.state.Cells[i]
	if full := new(memory.Error); errors.As(last.Err, &full) && len(s.active) > 0 {
		// The run may fit into memory after another run has ended. Until then, reduce the number of jobs.
		cell.Status, s.state.Jobs, s.crowded = Waiting, len(s.active), true
		return
	}
	cell.Steps = last.Steps
	summary := last.Summary // A pointer into the snapshot would keep its curve and predictions in memory.
	summary.Values = s.shareValues(cell.setting, summary.Values)
	cell.end(&summary)
}

// shareValues returns the values of the first run of a setting if they are equal. Runs that differ only in
// their data or seed mostly have equal values, which take half of the memory of a summary.
func (s *scheduler) shareValues(setting string, v models.Values) models.Values {
	first, ok := s.values[setting]
	if !ok {
		s.values[setting] = v
	}
	if maps.Equal(first, v) {
		return first
	}
	return v
}

// publish publishes a copy of the current state.
func (s *scheduler) publish(phase Phase) {
	for i, run := range s.active {
		now, cell := run.Latest(), &s.state.Cells[i]
		cell.Step = now.Step
		cell.Steps = now.Steps
		cell.Seconds = now.Seconds
		cell.Remaining = now.Remaining
		cell.Curve = now.Curve
	}
	state := s.state
	state.Phase, state.Cells = phase, slices.Clone(s.state.Cells)
	s.latest.Store(&state)
}
