package session

import (
	"context"
	"io"
	"math"
	"sync/atomic"

	"dgplab/datasets/files"
	"dgplab/session/config"
	"dgplab/session/interrupt"
	"dgplab/session/rundir"
)

// Run is a handle to a run that this process trains. All methods are safe for concurrent use, and only Wait
// blocks.
type Run struct {
	id, dir string
	latest  atomic.Pointer[Snapshot]
	box     *interrupt.Box[requests]
	// giveUp cancels operations that cannot be stopped between steps: loading data and long steps.
	giveUp context.CancelFunc
	// trained is closed when the training has ended without error, and done when the run has ended.
	trained, done chan struct{}
	began         int // the step from which the run started or was resumed
}

// requests holds the requests made since the trainer last checked.
type requests struct {
	paused     bool // until revoked
	stop       bool // permanent
	checkpoint bool // once
	diagnose   bool // once
	evaluate   bool // once
	finish     bool // once
}

func (w requests) persistent() requests { return requests{paused: w.paused, stop: w.stop} }

// Option is an option of Start or Resume.
type Option func(*options)

type options struct {
	env         environment
	inspected   *Inspector // see WithDataOf; may be nil
	limit       int        // maximum number of steps if not 0
	diagnostics bool
	allowMemory bool
	repair      bool // see WithRepair
	finish      bool // see WithFinish
	part        int  // end of the rung, if not 0; see WithRung
	sweep       string
	parent      string       // ID of the run that this run was forked from
	data        string       // see WithData
	packed      *rundir.Pack // the model to rebuild, if it is not in a run directory
}

// WithSteps sets the maximum number of steps unless n is 0.
func WithSteps(n int) Option { return func(o *options) { o.limit = n } }

// WithRung ends the run with StopRung after 1/part of its steps, rounded up. Schedules still extend over all
// steps, and a resumed run continues as if it had not stopped. With part 1, all steps are taken.
func WithRung(part int) Option { return func(o *options) { o.part = part } }

// WithFinish makes a resumed run finish; see Run.Finish.
func WithFinish() Option { return func(o *options) { o.finish = true } }

// WithData makes a resumed run read its data from the file at a path, which must have the same data. It has
// no effect if the path is empty.
func WithData(path string) Option { return func(o *options) { o.data = path } }

// WithoutLiveDiagnostics computes diagnostics only on request and at the end, for runs that nobody watches.
func WithoutLiveDiagnostics() Option { return func(o *options) { o.diagnostics = false } }

// AllowMemory skips the check that the run fits into memory.
func AllowMemory() Option { return func(o *options) { o.allowMemory = true } }

// WithPipe makes the run read its data set from the pipe p. It has no effect if p is nil.
func WithPipe(p *files.StoredPipe) Option {
	return func(o *options) { o.env = o.env.piped(p) }
}

// WithDataOf makes the run use the data of the last preview of an Inspector for which Once is set. They are
// then no longer kept there. If they are other data, the run reads its own.
func WithDataOf(i *Inspector) Option { return func(o *options) { o.inspected = i } }

// WithSweep makes a new run part of a sweep. The name is stored in config.json.
func WithSweep(name string) Option { return func(o *options) { o.sweep = name } }

// WithParent records that a new run is a fork of the run with the given ID.
func WithParent(id string) Option { return func(o *options) { o.parent = id } }

func collect(opts []Option) options {
	o := options{env: realEnvironment(), diagnostics: true}
	for _, set := range opts {
		set(&o)
	}
	return o
}

// Start validates a configuration, creates the run directory and returns. A goroutine loads the
// data, trains, evaluates and writes the results. The caller must call Wait or wait for Done before
// the process ends.
//
// If ctx is cancelled, the run finishes its step, saves a checkpoint and ends with StopAsked. It is not
// evaluated on the test set.
func Start(ctx context.Context, c rundir.Config, opts ...Option) (*Run, error) {
	o := collect(opts)
	if o.limit > 0 {
		c = config.WithSteps(c, o.limit)
	}
	r, err := o.env.ResolveNew(c)
	if err != nil {
		return nil, err
	}
	file := &rundir.ConfigFile{
		Config:      r.Config,
		Values:      r.Values,
		ObjectiveIs: r.Spec.Objective,
		Sweep:       o.sweep,
		Parent:      o.parent,
	}
	file.WarmStart, err = o.env.sourceOf(ctx, r, o.sweep)
	if err != nil {
		return nil, err
	}
	files, err := rundir.Create(file, o.env.now())
	if err != nil {
		return nil, err
	}
	t := &trainer{
		options:  o,
		Resolved: r,
		store:    store{Writer: files, config: file},
		progress: rundir.Progress{BestVal: rundir.Number(math.NaN())},
	}
	t.history = newHistory(r.Spec.Objective, 0)
	t.last = newReport(r.Spec.Objective)
	return t.launch(ctx), nil
}

// launch publishes the first snapshot and starts the goroutine.
func (t *trainer) launch(ctx context.Context) *Run {
	working, cancel := context.WithCancel(ctx)
	r := &Run{
		id:      t.store.config.ID,
		dir:     t.store.Dir(),
		box:     interrupt.NewBox(requests.persistent),
		giveUp:  cancel,
		trained: make(chan struct{}),
		done:    make(chan struct{}),
		began:   t.progress.Step,
	}
	t.run, t.state, t.store.step = r, rundir.Preparing, -1
	if t.store.start != nil {
		t.store.step = t.progress.Step
	}
	t.publish()
	go t.execute(ctx, working)
	return r
}

// ID returns the ID of the run, which is the name of its directory.
func (r *Run) ID() string { return r.id }

// StartStep returns the step of the checkpoint that the run was resumed from, or 0 for a new run.
func (r *Run) StartStep() int { return r.began }

// Dir returns the run directory.
func (r *Run) Dir() string { return r.dir }

// Latest returns the latest snapshot, which is never nil. It is a single atomic load.
func (r *Run) Latest() *Snapshot { return r.latest.Load() }

// Pause asks the trainer to pause after the current step, until Continue or Stop.
func (r *Run) Pause() { r.box.Ask(func(w *requests) { w.paused = true }) }

// Continue ends a pause.
func (r *Run) Continue() { r.box.Ask(func(w *requests) { w.paused = false }) }

// Stop asks the run to end after the current step. The run saves a checkpoint, evaluates on the
// test set and ends with StopAsked.
func (r *Run) Stop() {
	r.box.Ask(func(w *requests) { w.stop = true })
	r.giveUp()
}

// Finish asks a run to begin the decay of its learning rate after the current step, and to end after the
// decay. It has no effect on runs without a decay and on runs that are in theirs.
func (r *Run) Finish() { r.box.Ask(func(w *requests) { w.finish = true }) }

// Checkpoint requests a checkpoint after the current step, even during a pause.
func (r *Run) Checkpoint() { r.box.Ask(func(w *requests) { w.checkpoint = true }) }

// Diagnose requests new diagnostics after the current step, even during a pause.
func (r *Run) Diagnose() { r.box.Ask(func(w *requests) { w.diagnose = true }) }

// Evaluate requests the test scores and the objective over all training points after the current step, even
// during a pause. At the end of a run they are computed without a request.
func (r *Run) Evaluate() { r.box.Ask(func(w *requests) { w.evaluate = true }) }

// Trained returns a channel that is closed when the training has ended without error. The run may still have
// to be evaluated and saved.
func (r *Run) Trained() <-chan struct{} { return r.trained }

// Done returns a channel that is closed after the run has ended, all files are written and the last
// snapshot is published.
func (r *Run) Done() <-chan struct{} { return r.done }

// Wait waits for the end of the run and returns the last snapshot.
func (r *Run) Wait() *Snapshot {
	<-r.done
	return r.Latest()
}

// WriteFile atomically writes a file into the run directory and returns its path. The name must be
// a plain file name and not the name of a file of the run.
func (r *Run) WriteFile(name string, write func(io.Writer) error) (string, error) {
	return rundir.WriteFile(r.dir, name, write)
}
