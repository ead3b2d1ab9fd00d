package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"sync/atomic"

	"dgplab/models"
)

// Run is a handle on a run that this process trains. All methods may be called
// by any goroutine, at any time, and none waits for the trainer but Wait.
type Run struct {
	id, dir string
	latest  atomic.Pointer[Snapshot]
	box     *mailbox
	// giveUp ends what cannot be stopped between steps: loading data.
	giveUp context.CancelFunc
	done   chan struct{}
}

// Option changes how a run is made.
type Option func(*options)

type options struct {
	env         environment
	limit       int // of steps, if not 0
	diagnostics bool
}

// WithSteps gives a run that is resumed another limit of steps.
func WithSteps(n int) Option { return func(o *options) { o.limit = n } }

// WithoutLiveDiagnostics makes diagnostics only on request and at the end, for
// runs that nobody watches.
func WithoutLiveDiagnostics() Option { return func(o *options) { o.diagnostics = false } }

func withEnvironment(env environment) Option { return func(o *options) { o.env = env } }

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
func Start(ctx context.Context, c Config, opts ...Option) (*Run, error) {
	o := collect(opts)
	if o.limit > 0 {
		c = c.withSteps(o.limit)
	}
	r, err := o.env.resolve(c)
	if err != nil {
		return nil, err
	}
	now := o.env.now()
	id, dir, err := makeRunDir(r.Config, now)
	if err != nil {
		return nil, err
	}
	file := &configFile{Format: configVersion, ID: id, Created: now.UTC(), Config: r.Config, Values: r.values}
	t := &trainer{options: o, resolved: r, file: file, progress: progress{BestVal: Number(math.NaN())}}
	if err := t.open(dir); err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return t.launch(ctx), nil
}

// Resume continues a run that was stopped, failed or died, from its last
// checkpoint, or from the beginning if there was none. From there on it does
// what an uninterrupted run would have done, number for number. id may be the
// beginning of an ID. A run that reached its number of steps can be resumed with
// WithSteps; one that stopped early cannot.
//
// Until the files of the run were read and found sound, nothing is changed.
func Resume(ctx context.Context, id string, opts ...Option) (*Run, error) {
	o := collect(opts)
	dir, err := findRun(id)
	if err != nil {
		return nil, err
	}
	t := &trainer{options: o}
	if err := t.reopen(dir); err != nil {
		return nil, err
	}
	return t.launch(ctx), nil
}

// open takes the lock of a new run directory and writes the configuration.
func (t *trainer) open(dir string) (err error) {
	t.dir = dir
	if t.lock, err = lockRun(dir); err != nil {
		return err
	}
	if err = writeJSON(dir, configName, t.file); err == nil {
		t.log, err = openMetrics(dir, 0)
	}
	if err != nil {
		t.lock.Close()
		return fmt.Errorf("start the run: %w", err)
	}
	t.curve = newCurve(curveCap)
	return nil
}

// reopen takes the lock of an old run directory and reads what is there.
func (t *trainer) reopen(dir string) (err error) {
	t.dir = dir
	if t.lock, err = lockRun(dir); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			t.lock.Close()
		}
	}()
	if t.file, err = readConfig(dir); err != nil {
		return err
	}
	if err := t.mayResume(); err != nil {
		return err
	}
	if err := t.recall(); err != nil {
		return err
	}
	offset, err := t.recallCurve()
	if err != nil {
		return err
	}
	// From here on the directory is changed.
	removeLeftovers(dir)
	for _, name := range []string{summaryName, crashName} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := writeJSON(dir, configName, t.file); err != nil {
		return err
	}
	t.log, err = openMetrics(dir, offset)
	return err
}

// mayResume resolves the configuration of config.json and refuses a run that
// has come to its end.
func (t *trainer) mayResume() error {
	summary, err := readSummary(t.dir)
	if err != nil {
		return err
	}
	full := t.file.Config
	full.Set = t.file.Values
	if t.limit > 0 {
		full = full.withSteps(t.limit)
		t.file.Config = t.file.Config.withSteps(t.limit)
	}
	if t.resolved, err = t.env.resolve(full); err != nil {
		return err
	}
	t.resolved.Set = t.file.Config.clone().Set
	t.file.Values = t.values
	if summary == nil {
		return nil
	}
	switch {
	case summary.Stop == StopEarly:
		return fmt.Errorf("%s has ended by early stopping at step %d; start a new run with early_stopping=off", t.file.ID, summary.Steps)
	case summary.Stop == StopSteps && t.settings.steps <= summary.Steps:
		return fmt.Errorf("%s has ended after all of its %d steps; ask for more steps to resume it", t.file.ID, summary.Steps)
	}
	return nil
}

// recall reads the checkpoint, if there is one.
func (t *trainer) recall() error {
	cp, err := readCheckpoint(t.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		t.progress = progress{BestVal: Number(math.NaN())}
		return nil
	case err != nil:
		return err
	case cp.Run != t.file.ID:
		return fmt.Errorf("%s belongs to run %s", cp.path, cp.Run)
	case cp.Progress.Step > t.settings.steps:
		return fmt.Errorf("%s: the checkpoint is at step %d, more than the %d steps asked for", t.file.ID, cp.Progress.Step, t.settings.steps)
	}
	t.checkpoint, t.progress = cp, cp.Progress
	return nil
}

// recallCurve reads the report lines up to the checkpoint and returns the offset
// behind them. A line that an uninterrupted run would not have, at the end of a
// shorter run, does not count.
func (t *trainer) recallCurve() (int64, error) {
	t.curve = newCurve(curveCap)
	return readMetrics(t.dir, func(p Point) bool {
		return p.Step <= t.progress.Step && (t.reports(p.Step) || p.Step == t.settings.steps)
	}, func(p Point) {
		t.curve.add(p)
		t.last = models.Report{Objective: p.Objective, ExpectedLogLik: p.ExpectedLogLik, KL: p.KL}
	})
}

// launch publishes the first snapshot and starts the goroutine.
func (t *trainer) launch(ctx context.Context) *Run {
	preparing, cancel := context.WithCancel(ctx)
	r := &Run{id: t.file.ID, dir: t.dir, box: newMailbox(), giveUp: cancel, done: make(chan struct{})}
	t.run, t.state, t.checkpointStep = r, Preparing, -1
	if t.checkpoint != nil {
		t.checkpointStep = t.progress.Step
	}
	t.publish()
	go t.live(ctx, preparing)
	return r
}

// ID returns the run's name, that of its directory.
func (r *Run) ID() string { return r.id }

// Dir returns the run directory.
func (r *Run) Dir() string { return r.dir }

// Latest returns the newest snapshot, never nil. It is a single atomic load.
func (r *Run) Latest() *Snapshot { return r.latest.Load() }

// Pause asks the trainer to rest after the current step, until Continue or Stop.
func (r *Run) Pause() { r.box.ask(func(w *wishes) { w.paused = true }) }

// Continue ends a pause.
func (r *Run) Continue() { r.box.ask(func(w *wishes) { w.paused = false }) }

// Stop asks the run to end after the current step: it keeps a checkpoint, is
// evaluated on the test part, and ends as StopAsked.
func (r *Run) Stop() {
	r.box.ask(func(w *wishes) { w.stop = true })
	r.giveUp()
}

// Checkpoint asks for a checkpoint after the current step, also during a pause.
func (r *Run) Checkpoint() { r.box.ask(func(w *wishes) { w.checkpoint = true }) }

// Diagnose asks for new diagnostics after the current step, also during a pause.
func (r *Run) Diagnose() { r.box.ask(func(w *wishes) { w.diagnose = true }) }

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
	return writeInto(r.dir, name, write)
}

func writeInto(dir, name string, write func(io.Writer) error) (string, error) {
	if name == "" || name != filepath.Base(name) || name[0] == '.' || ownNames[name] {
		return "", fmt.Errorf("%q cannot be written into a run directory", name)
	}
	return filepath.Join(dir, name), writeAtomic(dir, name, write)
}
