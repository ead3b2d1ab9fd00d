package tui

import (
	"context"
	"slices"
	"sync"

	"dgplab/session"
	"dgplab/session/sweep"
	"dgplab/tui/ablate"
	"dgplab/tui/kit"
)

// register is an engine that lists what it has begun and what has not ended, so that this can be
// waited for without the screens. Any goroutine may call its methods.
type register struct {
	engine
	mu   sync.Mutex
	list []*job
}

// job is a run, a sweep or a prediction.
type job struct {
	done chan struct{} // closed when it has ended
	// farewell returns lines about what became of it. It is nil for a prediction, and until a
	// run or a sweep has started.
	farewell func() []string
}

// going returns the jobs that have not ended, the oldest first.
func (r *register) going() []*job {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.list)
}

// add lists a job.
func (r *register) add() *job {
	r.mu.Lock()
	defer r.mu.Unlock()
	j := &job{done: make(chan struct{})}
	r.list = append(r.list, j)
	return j
}

// remove drops a job that has ended.
func (r *register) remove(j *job) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = slices.DeleteFunc(r.list, func(other *job) bool { return other == j })
	close(j.done)
}

// follow keeps a job that has started in the list until done is closed.
func (r *register) follow(j *job, done <-chan struct{}, farewell func() []string) {
	r.mu.Lock()
	j.farewell = farewell
	r.mu.Unlock()
	go func() {
		<-done
		r.remove(j)
	}()
}

// farewells returns what became of jobs, a line or two for each.
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

func (r *register) StartSweep(ctx context.Context, g sweep.Grid, o sweep.Options) (kit.SweepRun, error) {
	j := r.add()
	s, err := r.engine.StartSweep(ctx, g, o)
	return r.followSweep(j, s, err)
}

func (r *register) ResumeSweep(ctx context.Context, name string, o sweep.Options) (kit.SweepRun, error) {
	j := r.add()
	s, err := r.engine.ResumeSweep(ctx, name, o)
	return r.followSweep(j, s, err)
}

// followSweep is follow for a sweep, or remove where there is an error.
func (r *register) followSweep(j *job, s kit.SweepRun, err error) (kit.SweepRun, error) {
	if err != nil {
		r.remove(j)
		return nil, err
	}
	r.follow(j, s.Done(), func() []string { return ablate.Farewell(s) })
	return s, nil
}

func (r *register) Predict(
	ctx context.Context, id, in, out string, report func(int),
) (*session.Predicted, error) {
	j := r.add()
	defer r.remove(j)
	return r.engine.Predict(ctx, id, in, out, report)
}
