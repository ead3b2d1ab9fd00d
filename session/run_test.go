package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// lines returns the report lines of a run with seconds, which depend on the
// clock, set to 0.
func lines(t *testing.T, dir string) string {
	t.Helper()
	var text []byte
	if _, err := readMetrics(dir, func(Point) bool { return true }, func(p Point) {
		p.Seconds = 0
		text = append(p.AppendJSON(text, ""), '\n')
	}); err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// parameters returns the arrays of a run's checkpoint, as bytes.
func parameters(t *testing.T, dir string) []byte {
	t.Helper()
	cp, err := readCheckpoint(dir)
	if err != nil {
		t.Fatal(err)
	}
	cp.Progress.Seconds = 0
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(cp.Progress); err != nil {
		t.Fatal(err)
	}
	for i, a := range cp.Arrays {
		b.WriteString(a.Name)
		for _, x := range cp.values[i] {
			b.WriteByte(' ')
			b.Write(appendNumber(nil, x))
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

func copyDir(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

func TestRunToTheEnd(t *testing.T) {
	w := newWorld(t)
	r := w.start(t, config())
	s := wait(t, r, StopSteps)
	if s.Step != 60 || s.N != 144 || s.NumValidation != 16 || s.NumTest != 40 || s.D != 3 || s.P != 1 || s.Parameters != 4 || s.Variational != 3 {
		t.Errorf("snapshot %+v", s)
	}
	if s.Split != "interpolation:0" || s.Rescues != 1 || s.CheckpointStep != 60 || s.Diagnostics == nil || s.Diagnostics.Step != 60 {
		t.Errorf("snapshot %+v", s)
	}
	if math.IsNaN(s.BestVal) || s.BestStep == 0 || s.Test == nil || s.Test.N != 40 || s.Test.Samples != 100 || s.Test.NLL != -s.Test.LogLik {
		t.Errorf("best %v at %d, test %+v", s.BestVal, s.BestStep, s.Test)
	}
	// 60 steps of a millisecond; diagnostics are free here.
	if math.Abs(s.Seconds-0.06) > 1e-9 || math.Abs(float64(s.Summary.StepsPerSecond)-1000) > 1e-6 {
		t.Errorf("%v seconds, %v steps per second", s.Seconds, s.Summary.StepsPerSecond)
	}
	var steps []int
	for _, p := range s.Curve {
		steps = append(steps, p.Step)
	}
	if len(steps) != 7 || steps[0] != 1 || steps[6] != 60 {
		t.Errorf("report lines at %v", steps)
	}
	summary, err := readSummary(r.Dir())
	if err != nil || summary.Test == nil || summary.Stop != StopSteps || summary.Hyper["likelihood.variance"] == nil {
		t.Errorf("summary %+v, %v", summary, err)
	}
	if isLocked(r.Dir()) {
		t.Error("the lock is still held")
	}
}

func TestSameSeedSameNumbers(t *testing.T) {
	w := newWorld(t)
	a, b := w.start(t, config()), w.start(t, config())
	wait(t, a, StopSteps)
	wait(t, b, StopSteps)
	if lines(t, a.Dir()) != lines(t, b.Dir()) || !bytes.Equal(parameters(t, a.Dir()), parameters(t, b.Dir())) {
		t.Error("two runs of one configuration differ")
	}
	c := config()
	c.Seed++
	d := w.start(t, c)
	wait(t, d, StopSteps)
	if lines(t, a.Dir()) == lines(t, d.Dir()) {
		t.Error("another seed made no difference")
	}
}

// A run that is stopped, or whose process dies, at any step and is resumed must
// equal one that was never interrupted, bit for bit.
func TestResumedEqualsUninterrupted(t *testing.T) {
	w := newWorld(t)
	set := []string{"steps=90", "checkpoint_every=7", "validation_points=5", "metrics_every=4"}
	whole := w.start(t, config(set...))
	wholeEnd := wait(t, whole, StopSteps)
	wantLines, wantParameters := lines(t, whole.Dir()), parameters(t, whole.Dir())
	wantTest, _ := json.Marshal(wholeEnd.Test)

	same := func(t *testing.T, id string, s *Snapshot, dir string) {
		t.Helper()
		if got := lines(t, dir); got != wantLines {
			t.Errorf("%s: report lines differ:\n%s\nwant\n%s", id, got, wantLines)
		}
		if got := parameters(t, dir); !bytes.Equal(got, wantParameters) {
			t.Errorf("%s: parameters differ:\n%s\nwant\n%s", id, got, wantParameters)
		}
		if got, _ := json.Marshal(s.Test); !bytes.Equal(got, wantTest) {
			t.Errorf("%s: test scores %s, want %s", id, got, wantTest)
		}
		if len(s.Curve) != len(wholeEnd.Curve) || s.BestVal != wholeEnd.BestVal || s.BestStep != wholeEnd.BestStep || s.Rescues != wholeEnd.Rescues {
			t.Errorf("%s: snapshots differ", id)
		}
	}
	resume := func(t *testing.T, id string) *Run {
		t.Helper()
		r, err := Resume(context.Background(), id, withEnvironment(w.environment()))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	t.Run("stopped", func(t *testing.T) {
		for _, at := range []int{1, 23, 40, 89} {
			var r *Run
			started := make(chan struct{})
			w.onStep = func(step int) error {
				<-started
				if step == at {
					r.Stop()
				}
				return nil
			}
			r = w.start(t, config(set...))
			close(started)
			if s := wait(t, r, StopAsked); s.Step != at || s.CheckpointStep != at {
				t.Fatalf("stopped at %d with checkpoint %d, want %d", s.Step, s.CheckpointStep, at)
			}
			w.onStep = nil
			again := resume(t, r.ID()[:len(r.ID())-1])
			same(t, r.ID(), wait(t, again, StopSteps), r.Dir())
		}
	})
	t.Run("died", func(t *testing.T) {
		for _, at := range []int{3, 8, 50, 85} {
			// What a power cut at this step would leave behind.
			dead := ""
			var r *Run
			started := make(chan struct{})
			w.onStep = func(step int) error {
				<-started
				if step == at {
					dead = r.ID() + "-dead"
					copyDir(t, r.Dir(), filepath.Join(filepath.Dir(r.Dir()), dead))
				}
				return nil
			}
			r = w.start(t, config(set...))
			close(started)
			wait(t, r, StopSteps)
			w.onStep = nil
			dir := filepath.Join(filepath.Dir(r.Dir()), dead)
			rename(t, dir, dead)
			tear(t, dir)
			again := resume(t, dead)
			same(t, dead, wait(t, again, StopSteps), dir)
		}
	})
	t.Run("more steps", func(t *testing.T) {
		short := append([]string{}, set...)
		short[0] = "steps=33" // no multiple of anything: its last line is one of its own
		r := w.start(t, config(short...))
		wait(t, r, StopSteps)
		if _, err := Resume(context.Background(), r.ID(), withEnvironment(w.environment())); err == nil || !strings.Contains(err.Error(), "33 steps") {
			t.Errorf("resuming a finished run: %v", err)
		}
		again, err := Resume(context.Background(), r.ID(), withEnvironment(w.environment()), WithSteps(90))
		if err != nil {
			t.Fatal(err)
		}
		same(t, r.ID(), wait(t, again, StopSteps), r.Dir())
	})
}

// rename gives a copied run directory its own identity.
func rename(t *testing.T, dir, id string) {
	t.Helper()
	file, err := readConfig(dir)
	if err != nil {
		t.Fatal(err)
	}
	cp, err := readCheckpoint(dir)
	if err == nil {
		var arrays = someArrays()[:0]
		for i, a := range cp.Arrays {
			arrays = append(arrays, arrayOf(a.Name, cp.values[i]))
		}
		if err := saveCheckpoint(dir, cp.Progress, arrays); err != nil {
			t.Fatal(err)
		}
	} else if !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	file.ID = id
	if err := writeJSON(dir, configName, file); err != nil {
		t.Fatal(err)
	}
}

// tear adds half a line and the leftovers of a write that did not end.
func tear(t *testing.T, dir string) {
	t.Helper()
	f, err := os.OpenFile(filepath.Join(dir, metricsName), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(f, `{"step":1000,"obj`)
	f.Close()
	if err := os.WriteFile(filepath.Join(dir, tempPrefix+"checkpoint-1"), []byte("half"), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestPauseAndRequests(t *testing.T) {
	w := newWorld(t)
	reached := make(chan *Run, 1)
	var r *Run
	started := make(chan struct{})
	w.onStep = func(step int) error {
		<-started
		if step == 20 {
			r.Pause()
			reached <- r
		}
		return nil
	}
	r = w.start(t, config())
	close(started)
	<-reached
	s := until(t, r, func(s *Snapshot) bool { return s.State == Paused })
	if s.Step != 20 || s.CheckpointStep != -1 {
		t.Fatalf("paused at %d, checkpoint %d", s.Step, s.CheckpointStep)
	}
	w.pass(time.Hour) // the pause is no training time
	r.Checkpoint()
	until(t, r, func(s *Snapshot) bool { return s.CheckpointStep == 20 })
	r.Diagnose()
	s = until(t, r, func(s *Snapshot) bool { return s.Diagnostics != nil && s.Diagnostics.Step == 20 })
	kept := s.Diagnostics.Covariance.Log10[0]
	if s.State != Paused || s.Step != 20 {
		t.Errorf("state %s at step %d", s.State, s.Step)
	}
	if _, err := Resume(context.Background(), r.ID(), withEnvironment(w.environment())); !errors.Is(err, ErrRunning) {
		t.Errorf("resuming a run that is alive: %v", err)
	}
	r.Continue()
	end := wait(t, r, StopSteps)
	if end.Seconds > 0.061 {
		t.Errorf("%v seconds of training", end.Seconds)
	}
	if s.Diagnostics.Covariance.Log10[0] != kept || end.Diagnostics.Covariance.Log10[0] == kept {
		t.Error("an old snapshot moved with the model")
	}
}

// until polls for a snapshot.
func until(t *testing.T, r *Run, ok func(*Snapshot) bool) *Snapshot {
	t.Helper()
	for range 100000 {
		if s := r.Latest(); ok(s) {
			return s
		}
		time.Sleep(100 * time.Microsecond)
	}
	t.Fatalf("never reached; last snapshot %+v", r.Latest())
	return nil
}

func TestStopDuringPauseAndPreparation(t *testing.T) {
	w := newWorld(t)
	r := w.start(t, config())
	r.Pause()
	r.Stop()
	wait(t, r, StopAsked)

	w.onLoad = func(ctx context.Context) { <-ctx.Done() }
	r = w.start(t, config())
	until(t, r, func(s *Snapshot) bool { return s.State == Preparing })
	r.Stop()
	if s := wait(t, r, StopAsked); s.Step != 0 || s.Test != nil {
		t.Errorf("snapshot %+v", s)
	}
}

func TestCancelKeepsCheckpointAndSkipsTest(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(context.Background())
	w.onStep = func(step int) error {
		if step == 15 {
			cancel()
		}
		return nil
	}
	r, err := Start(ctx, config(), withEnvironment(w.environment()))
	if err != nil {
		t.Fatal(err)
	}
	if s := wait(t, r, StopAsked); s.Step != 15 || s.CheckpointStep != 15 || s.Test != nil {
		t.Errorf("step %d, checkpoint %d, test %v", s.Step, s.CheckpointStep, s.Test)
	}
}

func TestFailures(t *testing.T) {
	tests := []struct {
		name   string
		break_ func(w *fakeWorld)
		want   string
	}{
		{"step", func(w *fakeWorld) {
			w.onStep = func(step int) error {
				if step == 30 {
					return errors.New("layer 1 is not positive definite")
				}
				return nil
			}
		}, "layer 1 is not positive definite"},
		{"panic", func(w *fakeWorld) {
			w.onStep = func(step int) error {
				if step == 30 {
					panic("index out of range\nand more")
				}
				return nil
			}
		}, "index out of range (details in crash.txt)"},
		{"load", func(w *fakeWorld) { w.loadErr = errors.New("no such file") }, "no such file"},
		{"load panics", func(w *fakeWorld) { w.onLoad = func(context.Context) { panic("bad") } }, "bad (details in crash.txt)"},
		{"test", func(w *fakeWorld) { w.predictErr = errors.New("no prediction") }, "evaluate on the test part: no prediction"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			tt.break_(w)
			r := w.start(t, config("checkpoint_every=8"))
			s := wait(t, r, StopFailed)
			if !strings.Contains(s.Err.Error(), tt.want) || strings.Contains(s.Err.Error(), "\n") {
				t.Errorf("error %q, want one line with %q", s.Err, tt.want)
			}
			summary, err := readSummary(r.Dir())
			if err != nil || summary.Stop != StopFailed || summary.Error != s.Err.Error() {
				t.Errorf("summary %+v, %v", summary, err)
			}
			crash, err := os.ReadFile(filepath.Join(r.Dir(), crashName))
			if panics := strings.Contains(tt.name, "panic"); panics != (err == nil) || panics && !bytes.Contains(crash, []byte("goroutine")) {
				t.Errorf("crash file: %v", err)
			}
			if s.Step == 29 && s.CheckpointStep != 24 {
				t.Errorf("checkpoint of step %d, want the last good one, 24", s.CheckpointStep)
			}
		})
	}
}

func TestWriteErrors(t *testing.T) {
	w := newWorld(t)
	var r *Run
	started := make(chan struct{})
	w.onStep = func(step int) error {
		<-started
		if step == 5 { // a folder in the way: the rename fails
			if err := os.MkdirAll(filepath.Join(r.Dir(), checkpointName, "x"), 0o755); err != nil {
				t.Error(err)
			}
		}
		return nil
	}
	r = w.start(t, config("checkpoint_every=8"))
	close(started)
	s := wait(t, r, StopSteps)
	if s.CheckpointStep != -1 || !strings.Contains(strings.Join(s.Warnings, "\n"), "no checkpoint could be written") {
		t.Errorf("checkpoint %d, warnings %q", s.CheckpointStep, s.Warnings)
	}

	w.onStep = func(step int) error {
		if step == 5 {
			if err := os.MkdirAll(filepath.Join(r.Dir(), summaryName, "x"), 0o755); err != nil {
				t.Error(err)
			}
		}
		return nil
	}
	started = make(chan struct{})
	inner := w.onStep
	w.onStep = func(step int) error { <-started; return inner(step) }
	r = w.start(t, config())
	close(started)
	s = wait(t, r, StopFailed)
	if !strings.Contains(s.Err.Error(), "the summary could not be saved") {
		t.Errorf("error %v", s.Err)
	}
}

func TestResumeRefusesOtherData(t *testing.T) {
	w := newWorld(t)
	w.onStep = func(step int) error { return errors.New("stop here") }
	r := w.start(t, config())
	wait(t, r, StopFailed)
	w.onStep, w.shift = nil, 1e-9
	again, err := Resume(context.Background(), r.ID(), withEnvironment(w.environment()))
	if err != nil {
		t.Fatal(err)
	}
	if s := wait(t, again, StopFailed); !strings.Contains(s.Err.Error(), "not those that the run began with") {
		t.Errorf("error %v", s.Err)
	}
}

func TestResumeRefusesDamage(t *testing.T) {
	w := newWorld(t)
	w.onStep = func(step int) error {
		if step == 30 {
			return errors.New("enough")
		}
		return nil
	}
	r := w.start(t, config("checkpoint_every=8"))
	wait(t, r, StopFailed)
	path := filepath.Join(r.Dir(), checkpointName)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)-50] ^= 4
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Resume(context.Background(), r.ID(), withEnvironment(w.environment())); err == nil || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("error %v", err)
	}
	if s, err := readSummary(r.Dir()); s == nil || err != nil {
		t.Error("a refused resume changed the directory")
	}
	if isLocked(r.Dir()) {
		t.Error("a refused resume keeps the lock")
	}
}

func TestDiagnosticsStayCheap(t *testing.T) {
	w := newWorld(t)
	w.stepCost = 100 * time.Millisecond
	w.diagnoseCost = 500 * time.Millisecond
	s := wait(t, w.start(t, config("steps=1000")), StopSteps)
	// 100 s of training; 10 s between diagnostics of half a second; one more at
	// the start and one at the end.
	if n := len(w.diagnosed); n != 11 {
		t.Errorf("diagnostics at %v", w.diagnosed)
	}
	if math.Abs(s.Seconds-100) > 1e-6 || math.Abs(s.DiagnosticsSeconds-5.5) > 1e-6 {
		t.Errorf("%v seconds of training, %v of diagnostics", s.Seconds, s.DiagnosticsSeconds)
	}
	w.diagnoseCost = time.Millisecond
	w.diagnosed = nil
	wait(t, w.start(t, config("steps=1000")), StopSteps)
	if n := len(w.diagnosed); n < 48 || n > 52 {
		t.Errorf("%d diagnostics in 100 s, want one every 2 s", n)
	}
	w.diagnosed = nil
	r, err := Start(context.Background(), config("steps=1000"), withEnvironment(w.environment()), WithoutLiveDiagnostics())
	if err != nil {
		t.Fatal(err)
	}
	if wait(t, r, StopSteps); len(w.diagnosed) != 1 || w.diagnosed[0] != 1000 {
		t.Errorf("diagnostics at %v, want at the end only", w.diagnosed)
	}
}

func TestEarlyStoppingStopsARun(t *testing.T) {
	w := newWorld(t)
	w.stepCost = 0
	// Noise grows without bound after step 5000 would be natural; here the model
	// is at its best long before, and the validation subset makes the curve wander.
	s := w.start(t, config("steps=40000", "validation_points=1", "checkpoint_every=0")).Wait()
	if s.Stop != StopEarly || s.Step <= earlyAfter || s.Step%10 != 0 {
		t.Fatalf("stop %s at %d", s.Stop, s.Step)
	}
	off := w.start(t, config("steps=5600", "validation_points=1", "early_stopping=off", "checkpoint_every=0")).Wait()
	if off.Stop != StopSteps {
		t.Errorf("stop %s with early stopping off", off.Stop)
	}
	if _, err := Resume(context.Background(), s.ID, withEnvironment(w.environment())); err == nil || !strings.Contains(err.Error(), "early stopping") {
		t.Errorf("resume: %v", err)
	}
}

func TestWriteFile(t *testing.T) {
	w := newWorld(t)
	r := w.start(t, config())
	wait(t, r, StopSteps)
	path, err := r.WriteFile("curve.csv", func(w io.Writer) error { _, err := io.WriteString(w, "a,b\n"); return err })
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(path); string(text) != "a,b\n" {
		t.Errorf("%s holds %q", path, text)
	}
	for _, name := range []string{"", "..", "../x", "a/b", ".hidden", configName, checkpointName, lockName} {
		if _, err := r.WriteFile(name, func(io.Writer) error { return nil }); err == nil {
			t.Errorf("%q was accepted", name)
		}
	}
}

// Anyone may ask and look at any time; the race detector watches.
func TestManyCallers(t *testing.T) {
	w := newWorld(t)
	r := w.start(t, config("steps=3000", "checkpoint_every=0"))
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			last := 0
			for {
				select {
				case <-r.Done():
					return
				default:
				}
				r.Pause()
				r.Diagnose()
				s := r.Latest()
				if s.Step < last {
					t.Errorf("step %d after step %d", s.Step, last)
				}
				last = s.Step
				sum := 0.0
				for _, p := range s.Curve {
					sum += p.Objective
				}
				for _, q := range s.Hyper {
					sum += q.Value[0]
				}
				_ = sum
				r.Checkpoint()
				r.Continue()
				time.Sleep(time.Millisecond)
			}
		})
	}
	wait(t, r, StopSteps)
	group.Wait()
}

func TestRate(t *testing.T) {
	var r rate
	p := progress{Step: 100, Seconds: 50}
	r.restart(p)
	if r.perSecond() != 0 {
		t.Errorf("rate %v before the first step", r.perSecond())
	}
	advance := func(steps int, each float64) {
		for range steps {
			p.Step++
			p.Seconds += each
			r.add(p)
		}
	}
	advance(1000, 0.01)
	if got := r.perSecond(); math.Abs(got-100) > 1e-6 {
		t.Errorf("rate %v, want 100", got)
	}
	advance(40, 0.5)
	if got := r.perSecond(); math.Abs(got-2) > 1e-6 {
		t.Errorf("rate %v, want 2: what was before the last seconds is forgotten", got)
	}
	advance(2, 60)
	if got := r.perSecond(); math.Abs(got-1.0/60) > 1e-6 {
		t.Errorf("rate %v of slow steps, want 1/60", got)
	}
	if len(r.marks) > 30 {
		t.Errorf("%d marks", len(r.marks))
	}
}
