package session

import (
	"context"
	"io"
	"math"
	"sync/atomic"

	"dgplab/datasets"
	"dgplab/session/mailbox"
	"dgplab/session/rundir"
)

// Run is a handle on a run that this process trains. All methods may be called
// by any goroutine, at any time, and none waits for the trainer but Wait.
type Run struct {
	id, dir string
	latest  atomic.Pointer[Snapshot]
	box     *mailbox.Box[wishes]
	// giveUp ends what cannot be stopped between steps: loading data, a long step.
	giveUp context.CancelFunc
	done   chan struct{}
	began  int // the step that it goes on from
}

// wishes is what was asked of a trainer since it last looked.
type wishes struct {
	paused     bool // holds until it is revoked
	stop       bool // holds for ever
	checkpoint bool // once
	diagnose   bool // once
	evaluate   bool // once
}

func (w wishes) kept() wishes { return wishes{paused: w.paused, stop: w.stop} }

// Option changes how a run is made.
type Option func(*options)

type options struct {
	env         environment
	limit       int // of steps, if not 0
	diagnostics bool
	allowMemory bool
	repair      bool // see WithRepair
	sweep       string
	parent      string // ID of the run that this is a fork of
}

// WithSteps gives a run that is resumed another limit of steps, unless that is 0.
func WithSteps(n int) Option { return func(o *options) { o.limit = n } }

// WithoutLiveDiagnostics makes diagnostics only on request and at the end, for
// runs that nobody watches.
func WithoutLiveDiagnostics() Option { return func(o *options) { o.diagnostics = false } }

// AllowMemory trains a run even if it does not seem to fit the memory that is free.
func AllowMemory() Option { return func(o *options) { o.allowMemory = true } }

// WithPipe trains a run on what came through the pipe that its data set is, if p is not nil.
func WithPipe(p *datasets.Pipe) Option {
	return func(o *options) { o.env = o.env.piped(p) }
}

// WithSweep makes a new run one of a sweep: the name is kept in config.json.
func WithSweep(name string) Option { return func(o *options) { o.sweep = name } }

// WithParent notes that a new run is a fork of the run with this ID.
func WithParent(id string) Option { return func(o *options) { o.parent = id } }

func collect(opts []Option) options {
	o := options{env: realEnvironment(), diagnostics: true}
	for _, set := range opts {
		set(&o)
	}
	return o
}

// Start validates a configuration, makes its run directory and returns; a
// goroutine loads the data, trains, evaluates and writes the results. The caller
// must see to it that Wait is called or Done is read before the process ends.
//
// When ctx is cancelled the run finishes its step, keeps a checkpoint and ends as
// StopAsked without an evaluation on the test part.
func Start(ctx context.Context, c rundir.Config, opts ...Option) (*Run, error) {
	o := collect(opts)
	if o.limit > 0 {
		c = withSteps(c, o.limit)
	}
	r, err := o.env.admit(c)
	if err != nil {
		return nil, err
	}
	file := &rundir.ConfigFile{
		Config:      r.Config,
		Values:      r.values,
		ObjectiveIs: r.spec.Objective,
		Sweep:       o.sweep,
		Parent:      o.parent,
	}
	file.WarmStart, err = sourceOf(r, o.sweep)
	if err != nil {
		return nil, err
	}
	files, err := rundir.Create(file, o.env.now())
	if err != nil {
		return nil, err
	}
	t := &trainer{
		options:  o,
		resolved: r,
		store:    store{Writer: files, config: file},
		progress: rundir.Progress{BestVal: rundir.Number(math.NaN())},
	}
	t.history = newHistory(r.spec.Objective, nil)
	t.last = newReport(r.spec.Objective)
	return t.launch(ctx), nil
}

// launch publishes the first snapshot and starts the goroutine.
func (t *trainer) launch(ctx context.Context) *Run {
	working, cancel := context.WithCancel(ctx)
	r := &Run{
		id:     t.store.config.ID,
		dir:    t.store.Dir(),
		box:    mailbox.New(wishes.kept),
		giveUp: cancel,
		done:   make(chan struct{}),
		began:  t.progress.Step,
	}
	t.run, t.state, t.store.step = r, Preparing, -1
	if t.store.start != nil {
		t.store.step = t.progress.Step
	}
	t.publish()
	go t.live(ctx, working)
	return r
}

// ID returns the run's name, that of its directory.
func (r *Run) ID() string { return r.id }

// Began returns the step of the checkpoint that the run goes on from, 0 for a new one.
func (r *Run) Began() int { return r.began }

// Dir returns the run directory.
func (r *Run) Dir() string { return r.dir }

// Latest returns the newest snapshot, never nil. It is a single atomic load.
func (r *Run) Latest() *Snapshot { return r.latest.Load() }

// Pause asks the trainer to rest after the current step, until Continue or Stop.
func (r *Run) Pause() { r.box.Ask(func(w *wishes) { w.paused = true }) }

// Continue ends a pause.
func (r *Run) Continue() { r.box.Ask(func(w *wishes) { w.paused = false }) }

// Stop asks the run to end after the current step: it keeps a checkpoint, is
// evaluated on the test part, and ends as StopAsked.
func (r *Run) Stop() {
	r.box.Ask(func(w *wishes) { w.stop = true })
	r.giveUp()
}

// Checkpoint asks for a checkpoint after the current step, also during a pause.
func (r *Run) Checkpoint() { r.box.Ask(func(w *wishes) { w.checkpoint = true }) }

// Diagnose asks for new diagnostics after the current step, also during a pause.
func (r *Run) Diagnose() { r.box.Ask(func(w *wishes) { w.diagnose = true }) }

// Evaluate asks for the scores on the test part, and the objective over all training
// points, after the current step, also during a pause. They are made at the end of a run anyway.
func (r *Run) Evaluate() { r.box.Ask(func(w *wishes) { w.evaluate = true }) }

// Done returns a channel that is closed when the run has ended, all files are
// written and the last snapshot is published.
func (r *Run) Done() <-chan struct{} { return r.done }

// Wait returns the last snapshot once the run has ended.
func (r *Run) Wait() *Snapshot {
	<-r.done
	return r.Latest()
}

// WriteFile writes a file into the run directory, atomically, and returns its
// path. The name must be a plain one and not one of the run's own files.
func (r *Run) WriteFile(name string, write func(io.Writer) error) (string, error) {
	return rundir.WriteFile(r.dir, name, write)
}
