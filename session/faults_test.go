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

// outcome is what a run comes to, whatever happens to it on the way.
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

// differs says in what an outcome differs from another one, "" for nothing.
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

// faultTest is a run to which every fault happens at every operation.
type faultTest struct {
	*testing.T
	world *fakeWorld
	want  outcome
	stop  rundir.Stop // why the run ends
	runs  string      // the folder of runs before the fault; "" for an empty one
	begin func() (*Run, error)
	kinds []fault
	// counts of what came of it.
	finished, failed, resumed, refused int
}

func (f *faultTest) resume(id string, opts ...Option) (*Run, error) {
	return Resume(context.Background(), id, append(opts, withEnvironment(f.world.environment()))...)
}

// folder makes a folder of runs as it was before the fault.
func (f *faultTest) folder() {
	root := f.TempDir()
	f.Setenv("DGPLAB_RUNS", root)
	if f.runs != "" {
		copyDir(f.T, f.runs, root)
	}
}

// strike lets a fault happen at an operation: afterwards the run opens, and comes to its
// end bit for bit, or is refused with a reason.
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
	case err != nil && !isReason(err) || s != nil && s.Err != nil && !isReason(s.Err):
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

// settle brings a run to its end, after a fault.
func (f *faultTest) settle(at int, kind fault, info rundir.Info) {
	f.Helper()
	if _, err := Open(info.ID); err != nil {
		f.Errorf("%s at %d: %v", kind, at, err)
	}
	dead := kind == kill || kind == torn || kind == power
	run, err := f.resume(info.ID)
	if err != nil && !strings.Contains(err.Error(), "has ended after all of its") &&
		!strings.Contains(err.Error(), "has converged at step") {
		f.refused++
		if info.State == rundir.Broken && isReason(err) {
			return // It never had a configuration.
		}
		if dead || !isReason(err) {
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

// all strikes at every operation with every fault, at some of them in short tests.
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
	stride := 1
	if testing.Short() {
		stride = 7
	}
	for _, kind := range f.kinds {
		for at := 1; at <= disk.ops && !f.Failed(); at += stride {
			f.strike(at, kind)
		}
	}
	f.Logf("%d operations: %d runs finished, %d did not; %d were resumed, %d refused",
		disk.ops, f.finished, f.failed, f.resumed, f.refused)
}

// allFaults are all kinds of them.
var allFaults = []fault{once, full, kill, torn, power}

// small is a run with all that a run has in few steps. The last one has no report line but as
// the last one.
var small = []string{"steps=13", "checkpoint_every=4", "metrics_every=3", "validation_every=2",
	"test_samples=2", "validation_samples=2"}

// TestFaultsOfTheDisk does one thing wrong at each operation of a run, from its first to its
// last.
func TestFaultsOfTheDisk(t *testing.T) {
	f := &faultTest{T: t, world: newWorld(t), stop: rundir.StopSteps, kinds: allFaults}
	f.begin = func() (*Run, error) {
		return Start(context.Background(), config(small...), withEnvironment(f.world.environment()))
	}
	f.all()
}

// TestFaultsOfTheDiskOfWhatConverges does some of that to a run that ends before its time.
func TestFaultsOfTheDiskOfWhatConverges(t *testing.T) {
	f := &faultTest{T: t, world: newWorld(t), stop: rundir.StopConverged, kinds: []fault{once, kill, power}}
	f.world.convergesAt = 5
	f.begin = func() (*Run, error) {
		return Start(context.Background(), config(small...), withEnvironment(f.world.environment()))
	}
	f.all()
}

// TestFaultsOfTheDiskWhileResuming does so to a run that goes on from a checkpoint, with report
// lines behind it.
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
	r = f.world.start(t, config(small...))
	close(started)
	wait(t, r, rundir.StopSteps)
	f.world.onStep = nil
	f.runs = dead
	f.begin = func() (*Run, error) { return f.resume(filepath.Base(r.Dir())) }
	f.all()
}
