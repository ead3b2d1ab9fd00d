package session

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"dgplab/models"
	"dgplab/session/config"
	"dgplab/session/interrupt"
	"dgplab/session/probe"
	"dgplab/session/rundir"
	"dgplab/session/watch"
)

// trainer is the goroutine of a run with its data. No other goroutine accesses them; others read
// the published snapshots.
type trainer struct {
	options
	*config.Resolved
	run      *Run
	abortCtx context.Context // ends when the run must end without waiting for the model
	state    rundir.State

	probe     *probe.Probe // the model and its data; nil before the data are loaded
	size      models.Size
	admitted  func()         // see admit
	broken    bool           // The model panicked and must not be called again.
	before    []models.Array // the state before the current step; see takeStep
	room      []models.Array // buffer for before, reused between long steps
	hyper     []models.Quantity
	store     store
	progress  rundir.Progress
	closing   *rundir.Progress // the progress for the final checkpoint; nil before the end
	last      report
	phaseStep int // the last step that began a phase
	history   history
	diagnosis diagnosis
	test      testScores
	leftOut   leftOut
	// objective is the last evaluation over all points; nil before the first.
	objective *rundir.Evaluation
	kept      keeper

	rate      rate
	lastStep  float64 // seconds; 0 before the first step
	cores     coreTrial
	published time.Time
	notes     []string
	warnings  warnings
}

// callable reports whether there is a model that may be called.
func (t *trainer) callable() bool { return !t.broken && t.probe.Callable() }

// execute is the goroutine of the run. It trains, evaluates, writes the summary and publishes the end,
// even after errors and panics.
func (t *trainer) execute(ctx, working context.Context) {
	defer close(t.run.done)
	defer t.store.Close()
	defer t.run.giveUp()
	defer t.leave()
	shares.join(t)
	defer shares.leave(t)
	t.abortCtx = ctx
	var stop rundir.Stop
	err := t.guard(func() (err error) {
		if err := t.prepare(working); err != nil {
			if working.Err() != nil {
				stop = rundir.StopAsked
				return nil
			}
			return err
		}
		stop, err = t.train(ctx, working)
		return err
	})
	if err == nil {
		close(t.run.trained)
		// Let a sweep start its next run before this run computes and saves its results.
		runtime.Gosched()
	}
	if err == nil && t.probe != nil && t.probe.Model != nil {
		err = t.guard(func() error { return t.conclude(ctx) })
		if err != nil && errors.Is(err, ctx.Err()) {
			stop = rundir.StopAsked
			err = nil
		}
	}
	if err != nil {
		stop = rundir.StopFailed
	}
	t.end(stop, err)
}

// guard runs a stage of the run and turns a panic into a one-line error, with the details in a file
// of the run directory.
func (t *trainer) guard(stage func() error) (err error) {
	defer func() {
		value := recover()
		if value == nil {
			return
		}
		t.broken = true
		stack := debug.Stack()
		if p, ok := value.(*interrupt.Panic); ok {
			stack = p.Stack
		}
		err = fmt.Errorf("the trainer panicked at step %d: %s (details in %s)",
			t.progress.Step, headline(value), rundir.CrashFile)
		crash := fmt.Sprintf("run %s, step %d\n\npanic: %v\n\n%s",
			t.store.config.ID, t.progress.Step, value, stack)
		if failed := t.store.SaveCrash(crash); failed != nil {
			t.warnError("could not save the details of a panic", failed)
		}
	}()
	return stage()
}

// headline returns the first line of a panic message. The rest can be a stack.
func headline(value any) string {
	line, _, _ := strings.Cut(fmt.Sprint(value), "\n")
	return line
}

// train takes steps until the run has a reason to stop.
func (t *trainer) train(ctx, working context.Context) (rundir.Stop, error) {
	t.rate.restart(t.progress)
	t.setState(rundir.Running)
	if t.progress.Kept != nil {
		t.progress.Kept.Passed = false // conclude decides again.
	}
	if t.options.finish {
		t.finish()
	}
	if line := t.progress.Pending; line != nil {
		t.measure(ctx, t.env.now(), *line)
		t.store.pending = true
	}
	if t.progress.Converged {
		return rundir.StopConverged, nil // The run was interrupted at its end.
	}
	for {
		if t.handleRequests(ctx) {
			return rundir.StopAsked, nil
		}
		t.decayEarly()
		if stop := t.reasonToStop(); stop != "" {
			return stop, nil
		}
		t.saveStable()
		if settled := t.settled(); t.options.diagnostics && (settled || t.diagnosis.due(t.progress.Seconds)) {
			t.diagnose(working, settled)
			t.publish()
		}
		converged, err := t.step(working)
		switch {
		case err != nil && working.Err() != nil && errors.Is(err, working.Err()):
			return rundir.StopAsked, nil
		case err != nil:
			return rundir.StopFailed, err
		case converged:
			return rundir.StopConverged, nil
		}
		// The final state is saved later, by conclude.
		if t.store.due(t.progress, t.Settings) && t.reasonToStop() == "" {
			t.save()
			if err := t.store.Lost(); err != nil {
				return rundir.StopFailed, err
			}
		}
		if t.env.now().Sub(t.published) >= publishPeriod {
			t.publish()
		}
	}
}

// reasonToStop returns the reason to stop after the last step, or "" if there is none. Rules that end other
// runs early only begin the decay of a run that has one; see decayEarly.
func (t *trainer) reasonToStop() rundir.Stop {
	if t.schedule() == nil {
		if rule := t.ruleToStop(); rule != "" {
			return rule
		}
	}
	step := t.progress.Step
	switch {
	case step < t.sessionEnd():
		return ""
	case step < t.steps():
		return rundir.StopRung
	case t.progress.Decay != nil:
		return t.progress.Decay.Stop
	}
	return rundir.StopSteps
}

// ruleToStop returns the reason to stop if a rule that ends runs early decides, or "".
func (t *trainer) ruleToStop() rundir.Stop {
	switch {
	case t.EarlyStopping && t.stopper().Decided(), t.overfits():
		return rundir.StopEarly
	case t.UntilConverged && t.history.watcher.Drift.Converged():
		return rundir.StopSettled
	}
	return ""
}

// sessionEnd returns the last step before the end of the rung, or of the run.
func (t *trainer) sessionEnd() int {
	if t.part > 1 {
		return min(rundir.RungSteps(t.Settings.Steps, t.part), t.steps())
	}
	return t.steps()
}

// overfits reports whether the run should stop because it overfits.
func (t *trainer) overfits() bool {
	step := t.progress.Step
	return t.StopOverfitting && t.Validates(step) && watch.Overfits(step, t.history.watcher.Drift)
}

// stopper returns the early-stopping rule with the state in the checkpoint.
func (t *trainer) stopper() *watch.EarlyStopper { return (*watch.EarlyStopper)(t.progress.Early) }

// handleRequests handles requests, waits during a pause, and reports whether to stop.
func (t *trainer) handleRequests(ctx context.Context) (stop bool) {
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
			t.diagnose(ctx, true)
			t.publish()
		}
		if w.finish {
			t.finish()
		}
		if w.evaluate {
			if err := t.score(ctx); err != nil && ctx.Err() == nil {
				t.warnError("could not compute test scores", err)
			}
			_ = t.evaluateOrWarn(ctx) // The loop checks ctx itself.
			t.publish()
		}
		if !w.paused {
			if t.state == rundir.Paused {
				t.rate.restart(t.progress)
				t.setState(rundir.Running)
			}
			return false
		}
		if t.state != rundir.Paused {
			t.setState(rundir.Paused)
		}
		select {
		case <-t.run.box.Wake():
		case <-ctx.Done():
		}
	}
}
