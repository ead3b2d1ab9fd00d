package session

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"dgplab/models"
	"dgplab/models/sampling"
	"dgplab/session/config"
	"dgplab/session/rundir"
)

// samplesConfig returns a run with 4 steps of burn-in and 6 steps of sampling.
func samplesConfig(set ...string) rundir.Config {
	c := rundir.Config{Dataset: "steps", Family: "bnn-hmc", Seed: 2, Set: map[string]string{
		"burn_in": "4", "kept": "3", "thinning": "2", "hidden_width": "5", "leapfrog_steps": "5",
		"validation_every": "2", "metrics_every": "3", "validation": "0.2",
	}}
	for k := 0; k < len(set); k += 2 {
		c.Set[set[k]] = set[k+1]
	}
	return c
}

// The phases of a sampler determine the length of the run and are part of the report. Its result is the last
// validation, not the best. The run can be interrupted in any phase and can be extended.
func TestRunsOfSamplers(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	run := func(c rundir.Config) *Snapshot {
		t.Helper()
		r, err := Start(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		return wait(t, r, rundir.StopSteps)
	}
	whole := run(samplesConfig())
	if whole.Step != 10 || whole.Steps != 10 || whole.BestStep != 10 {
		t.Errorf("%d of %d steps, validation at step %d", whole.Step, whole.Steps, whole.BestStep)
	}
	for _, p := range whole.Curve {
		if want := map[bool]string{true: sampling.BurnIn, false: sampling.Sampling}[p.Step <= 4]; p.Phase !=
			want {
			t.Errorf("step %d has phase %q", p.Step, p.Phase)
		}
	}
	record, err := rundir.FindReadOnly(whole.ID)
	if err != nil || record.Steps != 10 || Open(record).BestStep != 10 {
		t.Errorf("read: %d steps, %v", record.Steps, err)
	}
	plan, err := new(Inspector).Inspect(context.Background(), samplesConfig())
	if err != nil || plan.Steps != 10 {
		t.Errorf("planned are %d steps, %v", plan.Steps, err)
	}
	if _, err := Resume(context.Background(), whole.ID); err == nil ||
		!strings.Contains(err.Error(), "request more steps") {
		t.Errorf("resumed at its end: %v", err)
	}
	longer := run(samplesConfig("steps", "15"))
	for _, stop := range []string{"2", "5", "10"} {
		part := run(samplesConfig("steps", stop))
		rest, err := Resume(context.Background(), part.ID, WithSteps(15))
		if err != nil {
			t.Fatal(err)
		}
		got := wait(t, rest, rundir.StopSteps)
		if lines(t, got.Dir) != lines(t, longer.Dir) ||
			!bytes.Equal(parameters(t, got.Dir), parameters(t, longer.Dir)) {
			t.Errorf("a run interrupted at step %s differs", stop)
		}
	}
}

// Early stopping and epochs do not apply to samplers, and the error explains why.
func TestSettingsOfSamplers(t *testing.T) {
	for name, value := range map[string]string{"early_stopping": "on", "epochs": "3", "keep": "best"} {
		err := config.Validate(samplesConfig(name, value))
		var refused *models.ValueError
		if !errors.As(err, &refused) || refused.Name != name || refused.Want == "" {
			t.Errorf("%s=%s: %v", name, value, err)
		} else {
			t.Log(err)
		}
	}
	for _, value := range []string{"off", "no"} {
		if err := config.Validate(samplesConfig("early_stopping", value)); err != nil {
			t.Error(err)
		}
	}
}

// Forking to a sampler keeps the common hyperparameters except settings that do not apply to
// samplers.
func TestForkToSampler(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	r, err := Start(context.Background(),
		rundir.Config{Dataset: "steps", Family: "svgp", Set: map[string]string{
			"steps": "3", "inducing": "5", "test_samples": "2", "early_stopping": "on"}})
	if err != nil {
		t.Fatal(err)
	}
	info, err := rundir.Find(wait(t, r, rundir.StopSteps).ID)
	if err != nil {
		t.Fatal(err)
	}
	c, err := config.Fork(info, map[string]string{"family": "bnn-sgld"})
	if err != nil || c.Set["early_stopping"] != "off" || c.Set["steps"] != "0" ||
		c.Set["test_samples"] != "2" {
		t.Errorf("%v, %v", c.Set, err)
	}
}
