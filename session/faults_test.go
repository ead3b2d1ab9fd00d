package session

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"dgplab/session/rundir"
)

// outcome holds the results of a run that must not depend on faults.
type outcome struct {
	lines      string
	parameters []byte
	test       string
}

func outcomeOf(t *testing.T, dir string, stop rundir.Stop) outcome {
	t.Helper()
	summary, err := rundir.ReadSummary(dir)
	if err != nil || summary == nil || summary.Stop != stop {
		t.Fatalf("summary %+v, %v", summary, err)
	}
	test, err := json.Marshal(summary.Test)
	if err != nil {
		t.Fatal(err)
	}
	return outcome{lines(t, dir), parameters(t, dir), string(test)}
}

// differs describes the difference between two outcomes, or "" if there is none.
func (o outcome) differs(other outcome) string {
	switch {
	case o.lines != other.lines:
		return fmt.Sprintf("report lines\n%swant\n%s", o.lines, other.lines)
	case !bytes.Equal(o.parameters, other.parameters):
		return fmt.Sprintf("parameters\n%swant\n%s", o.parameters, other.parameters)
	case o.test != other.test:
		return fmt.Sprintf("scores %s, want %s", o.test, other.test)
	}
	return ""
}

// faultTest injects every fault at every operation of a run.
type faultTest struct {
	*testing.T
	world *fakeWorld
	want  outcome
	stop  rundir.Stop // why the run ends
	runs  string      // the folder of runs before the fault; "" if it is empty
	begin func() (*Run, error)
	kinds []fault
	// Counts of outcomes.
	finished, failed, resumed, refused int
}

func (f *faultTest) resume(id string, opts ...Option) (*Run, error) {
	return Resume(context.Background(), id, append(opts, withEnvironment(f.world.environment()))...)
}

// folder creates the folder of runs in its state before the fault.
func (f *faultTest) folder() {
	root := f.TempDir()
	f.Setenv("DGPLAB_RUNS", root)
	if f.runs != "" {
		copyDir(f.T, f.runs, root)
	}
}

// strike injects a fault at an operation. Afterwards it must be possible to open the run. When resumed, the
// run must end with the same results bit for bit or be refused with a reason.
func (f *faultTest) strike(at int, kind fault) {
	f.Helper()
	f.folder()
	disk := breakDisk(f.T, at, kind)
	run, err := f.begin()
	var s *Snapshot
	if err == nil {
		s = run.Wait()
	}
	disk.mend()
	switch {
	case err != nil && !isOneLineError(err) || s != nil && s.Err != nil && !isOneLineError(s.Err):
		f.Errorf("%s at %d: error %v, %v", kind, at, err, s)
	case s != nil && s.Stop == f.stop && !disk.dead:
		f.finished++
	default:
		f.failed++
	}
	runs, err := rundir.List()
	if err != nil {
		f.Errorf("%s at %d: %v", kind, at, err)
	}
	for _, info := range runs {
		f.settle(at, kind, info)
	}
}

// settle resumes a run to its end after a fault.
func (f *faultTest) settle(at int, kind fault, info rundir.Info) {
	f.Helper()
	opened := Open(info)
	if opened.State == rundir.Broken && !isOneLineError(opened.Err) {
		f.Errorf("%s at %d: %v", kind, at, opened.Err)
	}
	dead := kind == kill || kind == torn || kind == power
	run, err := f.resume(info.ID)
	if err != nil && !strings.Contains(err.Error(), "has done all of its") &&
		!strings.Contains(err.Error(), "has converged at step") {
		f.refused++
		if info.State == rundir.Broken && isOneLineError(err) {
			return // The run never had a configuration.
		}
		if dead || !isOneLineError(err) {
			f.Errorf("%s at %d: refused: %v", kind, at, err)
		}
		run, err = f.resume(info.ID, WithRepair())
		if err != nil {
			f.Errorf("%s at %d: a repair is refused: %v", kind, at, err)
			return
		}
	}
	if run != nil {
		f.resumed++
		if s := run.Wait(); s.Stop != f.stop {
			f.Errorf("%s at %d: ended by %s, %v", kind, at, s.Stop, s.Err)
			return
		}
	}
	if what := outcomeOf(f.T, info.Dir, f.stop).differs(f.want); what != "" {
		f.Errorf("%s at %d: %s", kind, at, what)
	}
}

// all injects every fault at every operation, or each kind at other operations unless all cases are tested.
func (f *faultTest) all() {
	f.folder()
	disk := breakDisk(f.T, 0, once)
	run, err := f.begin()
	if err != nil {
		f.Fatal(err)
	}
	run.Wait()
	disk.mend()
	f.want = outcomeOf(f.T, run.Dir(), f.stop)
	stride := sampled(15)
	for k, kind := range f.kinds {
		for at := 1 + k*stride/len(f.kinds); at <= disk.ops && !f.Failed(); at += stride {
			f.strike(at, kind)
		}
	}
	f.Logf("%d operations: %d runs finished, %d failed; %d were resumed, %d refused",
		disk.ops, f.finished, f.failed, f.resumed, f.refused)
}

// allFaults holds all kinds of faults.
var allFaults = []fault{once, full, kill, torn, power}

// small holds the settings of a run that uses all features in a few steps. The last step has a report line
// only because the run ends there.
var small = []string{"steps=13", "checkpoint_every=4", "metrics_every=3", "validation_every=2",
	"test_samples=2", "validation_samples=2"}

// A single fault at any operation of a run does not change its results.
func TestFaultsOfTheDisk(t *testing.T) {
	f := &faultTest{T: t, world: newWorld(t), stop: rundir.StopSteps, kinds: allFaults}
	f.begin = func() (*Run, error) {
		return Start(context.Background(), fakeConfig(small...), withEnvironment(f.world.environment()))
	}
	f.all()
}

// Faults do not change the results of a run that converges early.
func TestFaultsOfTheDiskInConvergedRun(t *testing.T) {
	f := &faultTest{T: t, world: newWorld(t), stop: rundir.StopConverged, kinds: []fault{once, kill, power}}
	f.world.convergesAt = 5
	f.begin = func() (*Run, error) {
		return Start(context.Background(), fakeConfig(small...), withEnvironment(f.world.environment()))
	}
	f.all()
}

// Faults do not change the results of a run that was stopped at a report line and validated only because
// of that. When the run continues, the line is written again without the validation.
func TestFaultsOfTheDiskAfterAStop(t *testing.T) {
	f := &faultTest{T: t, world: newWorld(t), stop: rundir.StopSteps, kinds: allFaults}
	f.runs = t.TempDir()
	t.Setenv("DGPLAB_RUNS", f.runs)
	var r *Run
	started := make(chan struct{})
	f.world.onStep = func(step int) error {
		<-started
		if step == 9 {
			r.Stop()
		}
		return nil
	}
	r = f.world.start(t, fakeConfig(small...))
	close(started)
	wait(t, r, rundir.StopAsked)
	f.world.onStep = nil
	f.begin = func() (*Run, error) { return f.resume(filepath.Base(r.Dir())) }
	f.all()
}

// Faults do not change the results of a run resumed from a checkpoint older than its last report lines.
func TestFaultsOfTheDiskWhileResuming(t *testing.T) {
	f := &faultTest{T: t, world: newWorld(t), stop: rundir.StopSteps, kinds: allFaults}
	root := t.TempDir()
	t.Setenv("DGPLAB_RUNS", root)
	dead := ""
	var r *Run
	started := make(chan struct{})
	f.world.onStep = func(step int) error {
		<-started
		if step == 8 {
			dead = t.TempDir()
			copyDir(t, root, dead)
		}
		return nil
	}
	r = f.world.start(t, fakeConfig(small...))
	close(started)
	wait(t, r, rundir.StopSteps)
	f.world.onStep = nil
	f.runs = dead
	f.begin = func() (*Run, error) { return f.resume(filepath.Base(r.Dir())) }
	f.all()
}
