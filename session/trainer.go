package session

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"dgplab/datasets"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
)

// trainer is the goroutine of a run and all that it owns: model, optimiser, data
// and the files of the run directory. Nothing of it is touched by anyone else;
// what others see are the snapshots that it publishes.
type trainer struct {
	options
	*resolved
	run   *Run
	files *rundir.Writer
	file  *rundir.ConfigFile
	// ended says that the directory is still that of the run's earlier end.
	ended bool

	state    State
	prepared *datasets.Prepared
	size     models.Size
	admitted func() // see admit
	model    models.Model
	broken   bool // the model panicked and must not be called again

	// checkpoint is what a resumed run starts from, until it was restored.
	checkpoint     *rundir.Checkpoint
	checkpointStep int
	savedAt        float64 // training seconds at the last checkpoint

	progress rundir.Progress
	curve    *curve
	last     models.Report
	hyper    []models.Quantity
	test     *rundir.Metrics
	testStep int
	points   *rundir.Predictions // with test
	shown    *rundir.Predictions // points, thinned for snapshots
	// distances of the test points are measured once, to near training inputs.
	distances []float64
	near      int
	warnings  []string

	watcher     *watcher
	diagnostics *rundir.Diagnostics
	stored      *rundir.Diagnostics  // the last ones in the run directory
	clock       func() time.Duration // see timeStep
	schedule    schedule
	rate        rate
	published   time.Time
}

// live is the goroutine: it trains, evaluates, writes the summary and publishes
// the end, whatever happens on the way.
func (t *trainer) live(ctx, preparing context.Context) {
	defer close(t.run.done)
	defer t.files.Close()
	defer t.run.giveUp()
	defer t.leave()
	var stop rundir.Stop
	err := t.guard(func() (err error) {
		if err := t.prepare(preparing); err != nil {
			if preparing.Err() != nil {
				stop = rundir.StopAsked
				return nil
			}
			return err
		}
		stop, err = t.train(ctx)
		return err
	})
	if err == nil && t.model != nil {
		err = t.guard(func() error { return t.conclude(ctx) })
	}
	if err != nil {
		stop = rundir.StopFailed
	}
	t.end(stop, err)
}

// guard runs one stage of the run and turns a panic into an error of one line,
// with the details in a file of the run directory.
func (t *trainer) guard(stage func() error) (err error) {
	defer func() {
		value := recover()
		if value == nil {
			return
		}
		t.broken = true
		stack := debug.Stack()
		err = fmt.Errorf("the trainer panicked at step %d: %s (details in %s)", t.progress.Step, headline(value), rundir.CrashFile)
		crash := fmt.Sprintf("run %s, step %d\n\npanic: %v\n\n%s", t.file.ID, t.progress.Step, value, stack)
		if failed := t.files.SaveCrash(crash); failed != nil {
			t.warn("%v", failed)
		}
	}()
	return stage()
}

// headline returns the first line of what a panic says: the rest may be a stack.
func headline(value any) string {
	line, _, _ := strings.Cut(fmt.Sprint(value), "\n")
	return line
}

// prepare loads the data and builds the model, or restores it.
func (t *trainer) prepare(ctx context.Context) error {
	ds, err := t.load(ctx)
	if err != nil {
		return err
	}
	if err := t.checkData(describe(ds, t.prepared)); err != nil {
		return err
	}
	for _, w := range t.resolved.warnings(ds, t.prepared) {
		t.warn("%s", w)
	}
	if err := t.admit(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	t.publish()
	if err := t.build(); err != nil {
		return err
	}
	if m, ok := t.model.(family.Noter); ok {
		for _, note := range m.Notes() {
			t.warn("%s", note)
		}
	}
	if err := t.restore(); err != nil || !t.ended {
		return err
	}
	return t.renew()
}

// load reads the data set and cuts it into the parts of the run's split.
func (t *trainer) load(ctx context.Context) (*datasets.Dataset, error) {
	ds, err := t.env.load(ctx, t.Dataset, t.Targets)
	if err != nil {
		return nil, err
	}
	prepared, split, err := t.env.prepare(ds, t.Split, t.validation, derive(t.Seed, purposeHoldOut, 0))
	if err != nil {
		return nil, err
	}
	t.Split, t.file.Split, t.prepared = split, split, prepared
	return ds, nil
}

// build makes the model of the training part, as it is before the first step.
func (t *trainer) build() (err error) {
	train := t.prepared.Train
	data := models.Data{X: mat.DenseCopyOf(train.X), Y: mat.DenseCopyOf(train.Y), Task: taskOf(t.prepared.Task)}
	t.model, err = t.spec.New(t.familyValues(), data, derive(t.Seed, purposeModel, 0))
	return err
}

// checkData records what the data are, or refuses to go on with other data than
// the run began with.
func (t *trainer) checkData(facts *rundir.DataFacts) error {
	if old := t.file.Data; old != nil && !facts.Same(*old) {
		return fmt.Errorf("the data of %s are not those that the run began with; start a new run", t.Dataset)
	}
	t.file.Data = facts
	t.watcher.setData(facts.N)
	if t.ended {
		return nil // see renew
	}
	return t.files.SaveConfig(t.file)
}

// restore brings the model to the state of the checkpoint.
func (t *trainer) restore() error {
	if t.checkpoint != nil {
		if err := t.checkpoint.Restore(t.model.State()); err != nil {
			return err
		}
		if err := t.model.Restored(); err != nil {
			return fmt.Errorf("restore the model: %w", err)
		}
		if done := t.model.StepsDone(); done != t.progress.Step {
			return fmt.Errorf("the checkpoint is of step %d, its model of step %d", t.progress.Step, done)
		}
		t.checkpoint = nil
		t.savedAt = t.progress.Seconds
	}
	if t.progress.Early == nil {
		t.progress.Early = &rundir.EarlyStopping{Every: t.validationEvery}
	}
	t.hyper = cloneHyper(t.model.Hyper())
	return nil
}

// train takes steps until there is a reason to stop.
func (t *trainer) train(ctx context.Context) (rundir.Stop, error) {
	t.rate.restart(t.progress)
	t.setState(Training)
	if line := t.progress.Pending; line != nil {
		t.measure(ctx, t.env.now(), *line)
	}
	for {
		if t.attend(ctx) {
			return rundir.StopAsked, nil
		}
		if t.earlyStopping && t.stopper().decided() {
			return rundir.StopEarly, nil
		}
		if t.progress.Step >= t.settings.steps {
			return rundir.StopSteps, nil
		}
		if t.options.diagnostics && t.schedule.due(t.progress.Seconds) {
			t.diagnose()
			t.publish()
		}
		if err := t.step(ctx); err != nil {
			return rundir.StopFailed, err
		}
		t.checkpointIfDue()
		if t.env.now().Sub(t.published) >= publishPeriod {
			t.publish()
		}
	}
}

// attend does what was asked, waits out a pause, and reports whether to stop.
func (t *trainer) attend(ctx context.Context) (stop bool) {
	for {
		w := t.run.box.Take()
		if w.stop || ctx.Err() != nil {
			return true
		}
		if w.checkpoint {
			t.save()
			t.publish()
		}
		if w.diagnose {
			t.diagnose()
			t.publish()
		}
		if w.evaluate {
			if err := t.score(ctx); err != nil && ctx.Err() == nil {
				t.warn("no test scores: %v", err)
			}
			t.publish()
		}
		if !w.paused {
			if t.state == Paused {
				t.rate.restart(t.progress)
				t.setState(Training)
			}
			return false
		}
		if t.state != Paused {
			t.setState(Paused)
		}
		select {
		case <-t.run.box.Wake():
		case <-ctx.Done():
		}
	}
}

// save writes a checkpoint. A run goes on when it cannot be written.
func (t *trainer) save() {
	if t.broken || t.checkpointStep == t.progress.Step {
		return
	}
	t.savedAt = t.progress.Seconds
	// The lines must not be younger than the checkpoint that continues them.
	if err := t.files.Sync(); err != nil {
		t.warn("report lines could not be written: %v", err)
	}
	if err := t.files.SaveCheckpoint(t.progress, t.model.State()); err != nil {
		t.warn("no checkpoint could be written: %v", err)
		return
	}
	t.checkpointStep = t.progress.Step
	t.keepDiagnostics()
}

func (t *trainer) checkpointIfDue() {
	every, seconds := t.checkpointEvery, t.checkpointSeconds
	if every > 0 && t.progress.Step%every == 0 || seconds > 0 && t.progress.Seconds-t.savedAt >= seconds {
		t.save()
	}
}

// warn adds a warning unless it is there already. The list is bounded.
func (t *trainer) warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if len(t.warnings) < maxWarnings && !slices.Contains(t.warnings, text) {
		t.warnings = append(t.warnings, text)
	}
}

const maxWarnings = 100
