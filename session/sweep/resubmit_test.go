//go:build unix

package sweep

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"dgplab/session/slurm"
)

func TestMemoryOf(t *testing.T) {
	for text, want := range map[string]float64{"100": 100 << 20, "2G": 2 << 30, "2g": 2 << 30,
		"512K": 512 << 10, "1": 1 << 20, "0.5G": 1 << 29, "1.5T": 1.5 * (1 << 40)} {
		if got, ok := memoryOf(text); !ok || got != want {
			t.Errorf("%s is %v bytes, %v; want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "0", "x", "G", "-1"} {
		if got, ok := memoryOf(text); ok {
			t.Errorf("%s is %v bytes", text, got)
		}
	}
}

// All cells that are neither done nor active are submitted again, with the last options.
func TestResubmit(t *testing.T) {
	isolate(t)
	dir := fakeSlurm(t)
	p := planned(t)
	p.Options.Mem, p.AllowMemory = "1M", true
	if _, err := p.Submit(t.Context()); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "queue", "101_1|PENDING||5:00|None\n102_0|RUNNING|n1|5:00|None\n")
	s, err := Open("a")
	if err != nil || !s.Submitted {
		t.Fatalf("%+v, %v", s, err)
	}
	made, err := Resubmit(t.Context(), s)
	if err != nil || made.Cells != 4 || made.Options.Partition != "long" || made.Options.Pack != 2 {
		t.Fatalf("%+v, %v", made, err)
	}
	if script := get(t, made.Dir, scriptName); !strings.Contains(script, " --timeouts 3 --allow-memory\n") {
		t.Errorf("the memory is checked although the first submission skips that:\n%s", script)
	}
	put(t, dir, "queue", "101_1|PENDING||5:00|None\n102_0|RUNNING|n1|5:00|None\n103_0|PENDING||5:00|None\n"+
		"103_1|PENDING||5:00|None\n")
	if _, err := Resubmit(t.Context(), s); !errors.Is(err, ErrNothingLeft) {
		t.Errorf("error %v", err)
	}
	put(t, dir, "down", "")
	if _, err := Resubmit(t.Context(), s); !errors.Is(err, slurm.ErrSilent) {
		t.Errorf("error %v of a controller that is down", err)
	}
}

// The throttle of all jobs changes together.
func TestThrottle(t *testing.T) {
	isolate(t)
	dir := fakeSlurm(t)
	if _, err := planned(t).Submit(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, err := Open("a")
	if err != nil {
		t.Fatal(err)
	}
	double := func(n int) int { return 2 * n }
	if _, err := Throttle(t.Context(), s, double); !errors.Is(err, ErrNoTasks) {
		t.Errorf("error %v without tasks", err)
	}
	put(t, dir, "queue", "101_1|PENDING||5:00|None\n102_0|PENDING||5:00|None\n")
	n, err := Throttle(t.Context(), s, double)
	calls := get(t, dir, "scontrol.calls")
	if err != nil || n != 16 || !strings.Contains(calls, "JobId=101 ArrayTaskThrottle=8\n") ||
		!strings.Contains(calls, "JobId=102 ArrayTaskThrottle=8\n") {
		t.Errorf("%d, %v, calls\n%s", n, err, calls)
	}
}

// A task gets the memory that its runs need.
func TestEstimated(t *testing.T) {
	e := Estimate{Runs: 2, Longest: 600, Memory: 1e9}
	got, err := Estimated(slurm.Options{Pack: 3}, e, false)
	if err != nil || got.Mem != "1500M" || got.Time != "70" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := Estimated(slurm.Options{Mem: "500M"}, e, false); err == nil {
		t.Error("too little memory is accepted")
	}
	for _, c := range []struct {
		o    slurm.Options
		e    Estimate
		want string
	}{
		{slurm.Options{}, Estimate{Runs: 2, Longest: 600, Unknown: 1}, ""},
		{slurm.Options{}, Estimate{Longest: 600}, ""},
		{slurm.Options{Time: "5"}, e, "5"},
		{slurm.Options{}, Estimate{Runs: 1, Longest: 300}, "20"},
		{slurm.Options{}, Estimate{Runs: 1, Longest: 301}, "30"},
	} {
		if got, err := Estimated(c.o, c.e, false); err != nil || got.Time != c.want {
			t.Errorf("%+v: time limit %q, %v; want %q", c.e, got.Time, err, c.want)
		}
	}
	if got, err := Estimated(slurm.Options{Mem: "500M"}, e, true); err != nil || got.Mem != "500M" {
		t.Errorf("%+v, %v", got, err)
	}
}

// A resubmission and a change of the throttle that cannot be made return the reason.
func TestResubmissionErrors(t *testing.T) {
	isolate(t)
	dir := fakeSlurm(t)
	s := saved(t)
	refused := func(resubmit, throttle string) {
		t.Helper()
		_, err := Resubmit(t.Context(), s)
		if !strings.Contains(errorText(err), resubmit) {
			t.Errorf("Resubmit: %v; want %s", err, resubmit)
		}
		n, err := Throttle(t.Context(), s, func(n int) int { return n })
		if n != 0 || errorText(err) != throttle {
			t.Errorf("Throttle: %d, %v; want %s", n, err, throttle)
		}
		_, err = CancelTasks(t.Context(), s, func(int) bool { return true })
		if text := errorText(err); text != throttle && throttle != ErrNoTasks.Error() {
			t.Errorf("CancelTasks: %v; want %s", err, throttle)
		}
	}
	refused("the sweep a was not submitted to Slurm", ErrNoTasks.Error())
	s.Name = "../a"
	refused("invalid", CheckName("../a").Error())
	s.Name = "a"
	if _, err := planned(t).Submit(t.Context()); err != nil {
		t.Fatal(err)
	}
	whole := s.Cells
	s.Cells = slices.Clone(whole)
	s.Cells[0].Config.Dataset = "unknown"
	refused("unknown", ErrNoTasks.Error())
	s.Cells = whole
	small := planned(t)
	small.Options.Mem = "1M"
	put(t, dir, "queue", "101_1|PENDING||5:00|None\n")
	for _, program := range []string{"scontrol", "scancel"} {
		put(t, dir, program, "#!/bin/sh\necho no controller >&2; exit 1\n")
	}
	refused("no controller", "no controller")
	if _, err := small.Submit(t.Context()); err != nil {
		t.Fatal(err)
	}
	refused("--mem=1M is less than", "no controller")
	put(t, dir, "down", "")
	refused(slurm.ErrSilent.Error(), "squeue: the Slurm controller does not answer")
}
