package sweep

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"dgplab/session"
	"dgplab/session/rundir"
)

// fakeWorld is a dependencies with runs that end when the test ends them.
type fakeWorld struct {
	mu   sync.Mutex
	all  []rundir.Info // oldest first
	jobs map[string]*fakeJob
	// begun receives every started or resumed run.
	begun chan *fakeJob
	// resumeErr and startErr are returned if they are not nil.
	resumeErr, startErr error
	// stuck is set if runs reach no checkpoint.
	stuck bool
	// score returns the validation log-likelihood of a run. If it is nil, the value is 0.
	score func(c *CellState, until int) (float64, error)
}

// fakeJob is a run of a fakeWorld.
type fakeJob struct {
	dependencies *fakeWorld
	id           string
	config       rundir.Config
	sweep        string
	part         int
	resumed      bool
	trained      func() // ends the training
	idle         chan struct{}
	done         chan struct{}
	once         sync.Once

	mu     sync.Mutex
	latest session.Snapshot
	paused bool
}

func newFakeWorld() *fakeWorld {
	return &fakeWorld{jobs: map[string]*fakeJob{}, begun: make(chan *fakeJob, 1000)}
}

func (w *fakeWorld) dependencies() dependencies {
	return dependencies{
		runs: func() ([]rundir.Info, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			list := slices.Clone(w.all)
			slices.Reverse(list)
			return list, nil
		},
		start: func(ctx context.Context, sweep string, c rundir.Config, part int) (job, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			if w.startErr != nil {
				return nil, w.startErr
			}
			id := fmt.Sprintf("run%03d", len(w.all))
			w.all = append(w.all, rundir.Info{
				ConfigFile: rundir.ConfigFile{ID: id, Config: c, Sweep: sweep},
				State:      rundir.Running,
				Steps:      100,
			})
			return w.begin(ctx, id, c, sweep, part, false), nil
		},
		resume: func(ctx context.Context, id string, part int) (job, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			if w.resumeErr != nil {
				return nil, w.resumeErr
			}
			info := w.info(id)
			info.State, info.Results = rundir.Running, nil
			return w.begin(ctx, id, info.Config, info.Sweep, part, true), nil
		},
		validation: func(c *CellState, until int) (float64, error) {
			if w.score == nil {
				return 0, nil
			}
			return w.score(c, until)
		},
		find: func(id string) (rundir.Info, error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			return *w.info(id), nil
		},
		now: func() time.Time { return time.Unix(1700000000, 0) },
	}
}

// info returns the entry of a run. The caller must hold the lock.
func (w *fakeWorld) info(id string) *rundir.Info {
	i := slices.IndexFunc(w.all, func(info rundir.Info) bool { return info.ID == id })
	return &w.all[i]
}

// begin returns a job that ends with its context.
func (w *fakeWorld) begin(
	ctx context.Context, id string, c rundir.Config, sweep string, part int, resumed bool,
) *fakeJob {
	if part < 1 {
		panic("a run has no steps")
	}
	j := &fakeJob{dependencies: w, id: id, config: c, sweep: sweep, part: part, resumed: resumed,
		idle: make(chan struct{}), done: make(chan struct{})}
	j.trained = sync.OnceFunc(func() { close(j.idle) })
	j.latest = session.Snapshot{
		Summary:   rundir.Summary{ID: id, Step: 10, Seconds: 1},
		State:     rundir.Running,
		Steps:     100,
		Remaining: 9 * time.Second,
	}
	w.jobs[id] = j
	context.AfterFunc(ctx, func() { j.end(rundir.StopAsked) })
	w.begun <- j
	return j
}

// fail ends a run with an error.
func (j *fakeJob) fail(err error) {
	j.mu.Lock()
	j.latest.Err = err
	j.mu.Unlock()
	j.end(rundir.StopFailed)
}

// arrive ends a run at the end of its rung.
func (j *fakeJob) arrive() {
	if j.part > 1 {
		j.end(rundir.StopRung)
		return
	}
	j.end(rundir.StopSteps)
}

// end ends a run with a score that depends on the configuration.
func (j *fakeJob) end(stop rundir.Stop) {
	j.once.Do(func() {
		s := rundir.Summary{ID: j.id, Stop: stop, Config: j.config, Step: 100, Seconds: 10}
		if stop == rundir.StopRung {
			s.Step = rundir.RungSteps(100, j.part)
		}
		if stop == rundir.StopFailed {
			s.Error = "bad luck"
		}
		j.mu.Lock()
		j.latest.State, j.latest.Summary = rundir.Ended, s
		if !j.dependencies.stuck {
			j.latest.CheckpointStep = s.Step
		}
		j.mu.Unlock()
		j.dependencies.mu.Lock()
		info := j.dependencies.info(j.id)
		info.State, info.Results, info.Step = rundir.Ended, &s, s.Step
		j.dependencies.mu.Unlock()
		close(j.done)
	})
}

func (j *fakeJob) ID() string { return j.id }

func (j *fakeJob) StartStep() int { return 0 }

func (j *fakeJob) Latest() *session.Snapshot {
	j.mu.Lock()
	defer j.mu.Unlock()
	s := j.latest
	return &s
}

func (j *fakeJob) Trained() <-chan struct{} { return j.idle }
func (j *fakeJob) Done() <-chan struct{}    { return j.done }

func (j *fakeJob) Wait() *session.Snapshot {
	<-j.done
	return j.Latest()
}

func (j *fakeJob) Pause()    { j.setPaused(true) }
func (j *fakeJob) Continue() { j.setPaused(false) }

func (j *fakeJob) setPaused(paused bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.paused = paused
}

func (j *fakeJob) isPaused() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.paused
}

// next returns the next run that begins.
func (w *fakeWorld) next(t *testing.T) *fakeJob {
	t.Helper()
	select {
	case j := <-w.begun:
		return j
	case <-time.After(2 * time.Minute):
		t.Fatal("no run has begun")
		return nil
	}
}

// none checks that no run has begun.
func (w *fakeWorld) none(t *testing.T) {
	t.Helper()
	select {
	case j := <-w.begun:
		t.Fatalf("%s is begun", keyOf(j.config))
	default:
	}
}

// eventually waits until ok returns true.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for limit := time.Now().Add(2 * time.Minute); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("timed out waiting for %s", what)
		}
	}
}

// counts formats the number of cells per status, in the order of Statuses.
func counts(s *State) string {
	text := ""
	for _, status := range Statuses() {
		if n := s.Count(status); n > 0 {
			text += fmt.Sprintf("%d %s ", n, status)
		}
	}
	return text
}

var errDisk = errors.New("the disk is full")
