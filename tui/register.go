package tui

import (
	"context"
	"slices"
	"sync"

	"dgplab/session/probe"
	sweeps "dgplab/session/sweep"
	"dgplab/tui/kit"
	"dgplab/tui/sweep"
)

// register is an engine that keeps track of the work that it has started until the work ends. Run uses it to
// wait for the work independently of the screens. Its methods may be called from any goroutine.
type register struct {
	engine
	mu   sync.Mutex
	list []*job
}

// job is a run, a sweep or a prediction.
type job struct {
	done chan struct{} // closed at the end
	// farewell returns lines about the outcome. It is nil for a prediction, and before a run or a
	// sweep has started.
	farewell func() []string
}

// going returns the jobs that have not ended, oldest first.
func (r *register) going() []*job {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.list)
}

// add adds a job.
func (r *register) add() *job {
	r.mu.Lock()
	defer r.mu.Unlock()
	j := &job{done: make(chan struct{})}
	r.list = append(r.list, j)
	return j
}

// remove removes a job that has ended.
func (r *register) remove(j *job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = slices.DeleteFunc(r.list, func(other *job) bool { return other == j })
	close(j.done)
}

// follow removes a started job when done is closed.
func (r *register) follow(j *job, done <-chan struct{}, farewell func() []string) {
	r.mu.Lock()
	j.farewell = farewell
	r.mu.Unlock()
	go func() {
		<-done
		r.remove(j)
	}()
}

// farewells returns a line or two about the outcome of each job.
func (r *register) farewells(jobs []*job) (lines []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, j := range jobs {
		if j.farewell != nil {
			lines = append(lines, j.farewell()...)
		}
	}
	return lines
}

func (r *register) Start(ctx context.Context, s kit.Start) (kit.Run, error) {
	j := r.add()
	run, err := r.engine.Start(ctx, s)
	if err != nil {
		r.remove(j)
		return nil, err
	}
	r.follow(j, run.Done(), func() []string { return runFarewell(run.Latest()) })
	return run, nil
}

func (r *register) StartSweep(ctx context.Context, g sweeps.Grid, o sweeps.Options) (kit.SweepRun, error) {
	j := r.add()
	s, err := r.engine.StartSweep(ctx, g, o)
	return r.followSweep(j, s, err)
}

func (r *register) ResumeSweep(ctx context.Context, name string, o sweeps.Options) (kit.SweepRun, error) {
	j := r.add()
	s, err := r.engine.ResumeSweep(ctx, name, o)
	return r.followSweep(j, s, err)
}

func (r *register) StartExperiment(ctx context.Context, id string, jobs int) (kit.SweepRun, error) {
	j := r.add()
	s, err := r.engine.StartExperiment(ctx, id, jobs)
	return r.followSweep(j, s, err)
}

// followSweep calls follow for a sweep, or removes the job if there is an error.
func (r *register) followSweep(j *job, s kit.SweepRun, err error) (kit.SweepRun, error) {
	if err != nil {
		r.remove(j)
		return nil, err
	}
	r.follow(j, s.Done(), func() []string { return sweep.Farewell(s) })
	return s, nil
}

func (r *register) Predict(
	ctx context.Context, id, in, out string, report func(int),
) (*probe.Predicted, error) {
	j := r.add()
	defer r.remove(j)
	return r.engine.Predict(ctx, id, in, out, report)
}
