package session

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"dgplab/session/rundir"
)

func TestCostOfDiagnostics(t *testing.T) {
	w := newWorld(t)
	w.stepCost = 100 * time.Millisecond
	w.diagnoseCost = 500 * time.Millisecond
	s := wait(t, w.start(t, fakeConfig("steps=1000", "keep=last")), rundir.StopSteps)
	// Training takes 100 s. Diagnostics take half a second, so the pause between them is 12.5 s. The
	// first pauses are a sixteenth, an eighth, a quarter and a half of that. Diagnostics are also computed at
	// the end.
	want := []int{0, 8, 24, 56, 119, 244, 369, 494, 619, 745, 871, 997, 1000}
	if !slices.Equal(w.diagnosed, want) {
		t.Errorf("diagnostics at %v, want %v", w.diagnosed, want)
	}
	if math.Abs(s.Seconds-100) > 1e-6 || math.Abs(s.DiagnosticsSeconds-6.5) > 1e-6 {
		t.Errorf("%v seconds of training, %v of diagnostics", s.Seconds, s.DiagnosticsSeconds)
	}
	w.diagnoseCost = time.Millisecond
	w.diagnosed = nil
	wait(t, w.start(t, fakeConfig("steps=1000", "keep=last")), rundir.StopSteps)
	if n := len(w.diagnosed); n < 52 || n > 56 {
		t.Errorf("%d diagnostics in 100 s, want one every 2 s and some at the start", n)
	}
	w.diagnosed = nil
	r, err := Start(context.Background(), fakeConfig("steps=1000", "keep=last"),
		withEnvironment(w.environment()), WithoutLiveDiagnostics())
	if err != nil {
		t.Fatal(err)
	}
	wait(t, r, rundir.StopSteps)
	if len(w.diagnosed) != 1 || w.diagnosed[0] != 1000 {
		t.Errorf("diagnostics at %v, want only at the end", w.diagnosed)
	}
}

func TestRate(t *testing.T) {
	var r rate
	p := rundir.Progress{Step: 100, Seconds: 50}
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
		t.Errorf("rate %v, want 2: only the last seconds count", got)
	}
	advance(2, 60)
	if got := r.perSecond(); math.Abs(got-1.0/60) > 1e-6 {
		t.Errorf("rate %v of slow steps, want 1/60", got)
	}
	if len(r.marks) > 30 {
		t.Errorf("%d marks", len(r.marks))
	}
}

// After the initial phases, diagnostics are computed immediately, regardless of the cost of the
// previous ones. There are none during the phases.
func TestDiagnosticsAfterInitialPhases(t *testing.T) {
	w := newWorld(t)
	w.phases = func(step int) string {
		if step <= 3 {
			return fmt.Sprintf("start %d", step)
		}
		return ""
	}
	w.diagnoseCost = time.Hour
	wait(t, w.start(t, fakeConfig("steps=60")), rundir.StopSteps)
	if want := []int{0, 4, 60}; !slices.Equal(w.diagnosed, want) {
		t.Errorf("diagnostics at %v, want %v", w.diagnosed, want)
	}
}

// Times beyond the range of a duration are its maximum.
func TestSeconds(t *testing.T) {
	for s, want := range map[float64]time.Duration{
		1.5: 1500 * time.Millisecond, 1e10: math.MaxInt64, math.Inf(1): math.MaxInt64,
	} {
		if got := seconds(s); got != want {
			t.Errorf("%v s: %d, want %d", s, got, want)
		}
	}
}
