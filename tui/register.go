package tui

import (
	"context"
	"errors"
	"slices"
	"sync"

	"dgplab/session"
	"dgplab/session/probe"
	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit"
	"dgplab/tui/sweep"
)

// register is an engine that records the runs, sweeps and predictions it has started. Screens list them
// here, and the program ends them here and waits for them, even if a screen is stuck. Its methods may be
// called from any goroutine.
type register struct {
	engine
	// ctx is the context of all work, and end cancels it. Cancelled runs keep a checkpoint and end without an
	// evaluation.
	ctx context.Context
	end context.CancelFunc

	mu   sync.Mutex
	jobs []*job // oldest first
}

// job is a run, a sweep or a prediction.
type job struct {
	// started is closed when the work has started, or cannot start. done is closed when it has ended.
	started chan struct{}
	done    <-chan struct{}

	asked *kit.Start        // the request for a run, nil for other work
	run   kit.Run           // nil until the run has started, and after its release
	last  *session.Snapshot // of a released run, without curves and predictions

	sweep kit.SweepRun // nil until the sweep has started

	file      string // the file of a prediction
	cancelled bool   // The end of the program has cancelled the prediction.
}

func newRegister(e engine) *register {
	r := &register{engine: e}
	r.ctx, r.end = context.WithCancel(context.Background())
	return r
}

// add adds work that is about to start.
func (r *register) add(j *job) *job {
	r.mu.Lock()
	defer r.mu.Unlock()
	j.started = make(chan struct{})
	j.done = j.started
	r.jobs = append(r.jobs, j)
	return j
}

// settle stores the run or the sweep that has started, or removes the job if there is an error.
func (r *register) settle(j *job, run kit.Run, sweep kit.SweepRun, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case err != nil:
		r.jobs = slices.DeleteFunc(r.jobs, func(other *job) bool { return other == j })
	case run != nil:
		j.run, j.done = run, run.Done()
	default:
		j.sweep, j.done = sweep, sweep.Done()
	}
	close(j.started)
}

// start starts a run for a job that was added with its request.
func (r *register) start(j *job) (kit.Run, error) {
	run, err := r.Start(r.ctx, *j.asked)
	r.settle(j, run, nil, err)
	return run, err
}

func (r *register) StartSweep(ctx context.Context, g sweeps.Grid, o sweeps.Options) (kit.SweepRun, error) {
	j := r.add(&job{})
	s, err := r.engine.StartSweep(ctx, g, o)
	r.settle(j, nil, s, err)
	return s, err
}

func (r *register) ResumeSweep(ctx context.Context, name string, o sweeps.Options) (kit.SweepRun, error) {
	j := r.add(&job{})
	s, err := r.engine.ResumeSweep(ctx, name, o)
	r.settle(j, nil, s, err)
	return s, err
}

func (r *register) StartExperiment(ctx context.Context, id string, jobs int) (kit.SweepRun, error) {
	j := r.add(&job{})
	s, err := r.engine.StartExperiment(ctx, id, jobs)
	r.settle(j, nil, s, err)
	return s, err
}

func (r *register) Predict(
	ctx context.Context, id, in, out string, report func(int),
) (*probe.Predicted, error) {
	j := r.add(&job{file: in})
	done, err := r.engine.Predict(ctx, id, in, out, report)
	r.mu.Lock()
	defer r.mu.Unlock()
	j.cancelled = errors.Is(err, context.Canceled) && r.ctx.Err() != nil
	close(j.started)
	return done, err
}

// list returns copies of the jobs, oldest first.
func (r *register) list() []job {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := make([]job, len(r.jobs))
	for i, j := range r.jobs {
		list[i] = *j
	}
	return list
}

// maxEnded is the number of ended runs that are kept with their curves and predictions. Older ones
// are read from their run directories.
const maxEnded = 8

// release releases the oldest ended runs, except for what their farewells need.
func (r *register) release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	ended := 0
	for _, j := range slices.Backward(r.jobs) {
		if j.run == nil || kit.Going(j.run) {
			continue
		}
		ended++
		if ended > maxEnded {
			j.last, j.run = withoutData(j.run.Latest()), nil
		}
	}
}

// withoutData returns a snapshot without what occupies memory, or nil if it is nil.
func withoutData(s *session.Snapshot) *session.Snapshot {
	if s == nil {
		return nil
	}
	slim := *s
	slim.Curve = nil
	slim.Predictions = nil
	slim.Diagnostics = nil
	slim.Alarms = nil
	slim.Hyper = nil
	slim.Chains = nil
	slim.Test = nil
	return &slim
}

// busy returns the number of runs that train or are about to start, including the runs of sweeps.
func (r *register) busy() (runs int) {
	for _, j := range r.list() {
		switch {
		case isClosed(j.done), j.file != "": // A prediction leaves no partial file.
		case j.sweep != nil:
			runs += kit.Training(j.sweep)
		default:
			runs++
		}
	}
	return runs
}

// wait waits until all work has ended or ctx ends. It returns the number of jobs that have not ended.
func (r *register) wait(ctx context.Context) (left int) {
	for {
		going := slices.DeleteFunc(r.list(), func(j job) bool { return isClosed(j.done) })
		if len(going) == 0 || ctx.Err() != nil {
			return len(going)
		}
		select {
		case <-going[0].done:
		case <-ctx.Done():
		}
	}
}

// latest returns the newest snapshot of a run, or nil before the first one.
func (j job) latest() *session.Snapshot {
	if j.run != nil {
		return j.run.Latest()
	}
	return j.last
}

// farewells returns lines with the state of all work and how to resume it.
func (r *register) farewells() (lines []string) {
	for _, j := range r.list() {
		switch {
		case j.cancelled:
			lines = append(lines, "prediction of "+j.file+" cancelled; no file was written")
		case j.sweep != nil:
			lines = append(lines, sweep.Farewell(j.sweep)...)
		default:
			lines = append(lines, runFarewell(j.latest())...)
		}
	}
	return lines
}
