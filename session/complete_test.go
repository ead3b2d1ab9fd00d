package session

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
)

func TestInvalidConfigs(t *testing.T) {
	w := newWorld(t)
	change := func(f func(*rundir.Config)) rundir.Config {
		c := fakeConfig()
		f(&c)
		return c
	}
	tests := []struct {
		name string
		c    rundir.Config
		want []string
	}{
		{"dataset", change(func(c *rundir.Config) { c.Dataset = "circle" }), []string{"data set"}},
		{"family", change(func(c *rundir.Config) { c.Family = "gan" }), []string{"family"}},
		{"split", change(func(c *rundir.Config) { c.Split = "half" }), []string{"split"}},
		{"steps", fakeConfig("steps=0"), []string{"steps", "0", "from 1 to"}},
		{"steps", fakeConfig("steps=many"), []string{"steps", "many", "whole number"}},
		{"validation", fakeConfig("validation=1"), []string{"validation", "from 0 to 0.9"}},
		{"validation", fakeConfig("validation=NaN"), []string{"validation", "NaN"}},
		{"early_stopping", fakeConfig("early_stopping=perhaps"), []string{"on or off"}},
		{"rate", fakeConfig("rate=0"), []string{"rate", "above 0"}},
		{"unknown", fakeConfig("depth=3"), []string{"depth", "unknown hyperparameter"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Start(context.Background(), tt.c, withEnvironment(w.environment()))
			if err == nil {
				t.Fatal("accepted")
			}
			for _, part := range tt.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q lacks %q", err, part)
				}
			}
		})
	}
	if list, err := rundir.List(); err != nil || len(list) != 0 {
		t.Errorf("a refused configuration leaves %v behind (%v)", list, err)
	}
}

func TestInspect(t *testing.T) {
	w := newWorld(t)
	loads := 0
	w.onLoad = func(context.Context) { loads++ }
	env := w.environment()
	inspector := &Inspector{env: &env}
	plan, err := inspector.Inspect(context.Background(), fakeConfig("validation=0"))
	if err != nil {
		t.Fatal(err)
	}
	points, _ := family.PredictionSize(200)
	d := plan.Data
	if d.Rows != 200 || d.N != 160 || d.Validation != 0 || d.Test != 40 || d.D != 3 || d.P != 1 ||
		plan.Size.Variational != 3 || plan.Config.Split != "interpolation:0" || plan.SecondsPerStep != 0 ||
		plan.MemoryBytes != 8*(4*4+(3*200+1.3*points)*4) {
		t.Errorf("plan %+v", plan)
	}
	if len(plan.Warnings) != 2 || plan.Warnings[0].Text != "made up" ||
		!strings.Contains(plan.Warnings[1].Text, "no validation points") {
		t.Errorf("warnings %q", plan.Warnings)
	}
	plan, err = inspector.Inspect(context.Background(), fakeConfig("validation=0", "early_stopping=off"))
	if err != nil || len(plan.Warnings) != 1 {
		t.Errorf("without validation: warnings %q, %v", plan.Warnings, err)
	}
	// After a run the speed is known: 1 ms per step on 144 training points.
	wait(t, w.start(t, fakeConfig()), rundir.StopSteps)
	loads = 0
	plan, err = inspector.Inspect(context.Background(), fakeConfig())
	if err != nil || plan.SecondsPerStep < 0.000999 || plan.SecondsPerStep > 0.001001 {
		t.Errorf("%v s per step, %v", plan.SecondsPerStep, err)
	}
	if loads != 0 {
		t.Error("the data were loaded again")
	}
	if _, err := inspector.Inspect(context.Background(), fakeConfig("rate=2")); err == nil {
		t.Error("a bad value was accepted")
	}
}

func TestExpectedSeconds(t *testing.T) {
	w := newWorld(t)
	// The runs take 1 ms per step with validation, and 8 ms on all 160 training points.
	wait(t, w.start(t, fakeConfig()), rundir.StopSteps)
	w.stepCost = 8 * time.Millisecond
	wait(t, w.start(t, fakeConfig("validation=0")), rundir.StopSteps)
	for _, c := range []struct {
		family  string
		flops   float64
		seconds float64
	}{
		{"fake", 4 * 144 * 3, 0.001},                               // like the first run
		{"fake", 4 * 160 * 3, 0.008},                               // like the second run
		{"fake", 4 * 160 * 3 * 32, 0.008 * 16},                     // 32 to the power 0.8
		{"fake", 4 * 144 * 3 / 16, 0.001 / math.Pow(16, 0.8)},      // smaller than both
		{"fake", 1, leastStep},                                     // overhead only
		{"other", 4 * 144 * 3, 0}, {"fake", 0, 0}, {"fake", -1, 0}, // no data
	} {
		got := expectedSeconds(new(rundir.Lister), c.family, models.Size{StepFLOPs: c.flops})
		if math.Abs(got-c.seconds) > 1e-3*c.seconds {
			t.Errorf("%s with %g operations: %g s per step, want %g", c.family, c.flops, got, c.seconds)
		}
	}
	for ratio, want := range map[float64]float64{1: 0.01, 32: 0.16, 1e-9: leastStep} {
		if got := ScaledSeconds(0.01, ratio); math.Abs(got-want) > 1e-12 {
			t.Errorf("a step with %g times as many operations takes %g s, want %g", ratio, got, want)
		}
	}
	if got := ScaledSeconds(1e-5, 0.5); got != 1e-5 {
		t.Errorf("half a step of 10 us takes %g s", got)
	}
}

func TestRunWithoutValidationOrTest(t *testing.T) {
	w := newWorld(t)
	w.noTest = true
	s := wait(t, w.start(t, fakeConfig("validation=0")), rundir.StopSteps)
	if s.Test != nil || s.BestStep != 0 || s.BestVal == s.BestVal ||
		len(s.Warnings) != 3 || len(s.Notes) != 1 {
		t.Errorf("test %v, best %v at %d, warnings %q", s.Test, s.BestVal, s.BestStep, s.Warnings)
	}
}

// A run uses the data set of the preview once, and only for the same source.
func TestRunTakesInspectedData(t *testing.T) {
	w := newWorld(t)
	loads := 0
	w.onLoad = func(context.Context) { loads++ }
	env := w.environment()
	inspector := &Inspector{env: &env, Once: true}
	if _, err := inspector.Inspect(context.Background(), fakeConfig()); err != nil {
		t.Fatal(err)
	}
	start := func(c rundir.Config) {
		t.Helper()
		r, err := Start(context.Background(), c, withEnvironment(env), WithDataOf(inspector))
		if err != nil {
			t.Fatal(err)
		}
		wait(t, r, rundir.StopSteps)
	}
	other := fakeConfig()
	other.Targets = []string{"y"}
	for i, run := range []struct {
		config rundir.Config
		loads  int
	}{{other, 2}, {fakeConfig(), 2}, {fakeConfig(), 3}} {
		start(run.config)
		if loads != run.loads {
			t.Errorf("after run %d the data were loaded %d times, want %d", i+1, loads, run.loads)
		}
	}
}
