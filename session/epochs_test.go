package session

import (
	"bytes"
	"context"
	"maps"
	"strings"
	"testing"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
)

// epochsConfig is a run with the given number of epochs in batches of 60.
func epochsConfig(epochs string) rundir.Config {
	return rundir.Config{Dataset: "steps", Family: "svgp", Seed: 2, Set: map[string]string{
		"epochs": epochs, "batch": "60", "inducing": "8", "test_samples": "2",
		"validation_every": "4", "metrics_every": "3",
	}}
}

// A run of epochs ends with the last step of the last epoch. It can be resumed and extended.
func TestRunsOfEpochs(t *testing.T) {
	t.Setenv("DGPLAB_RUNS", t.TempDir())
	start := func(epochs string) *Snapshot {
		t.Helper()
		r, err := Start(context.Background(), epochsConfig(epochs))
		if err != nil {
			t.Fatal(err)
		}
		if s := r.Latest(); s.Steps != 0 && s.N == 0 {
			t.Errorf("%d steps before the data are loaded", s.Steps)
		}
		return wait(t, r, rundir.StopSteps)
	}
	whole := start("3")
	want := (3*whole.N + 59) / 60
	if whole.N%60 == 0 || whole.Step != want || whole.Steps != want {
		t.Fatalf("%d of %d steps for 3 epochs of %d points, want %d", whole.Step, whole.Steps, whole.N, want)
	}
	if done, limit := whole.Epochs(); limit != 3 || done < 3 || done >= 3+60/float64(whole.N) {
		t.Errorf("%v of %d epochs", done, limit)
	}
	info, err := rundir.Find(whole.ID)
	if err != nil || info.Steps != want {
		t.Errorf("the directory has %d steps, %v", info.Steps, err)
	}
	plan, err := new(Inspector).Inspect(context.Background(), epochsConfig("3"))
	if err != nil || plan.Steps != want {
		t.Errorf("planned are %d steps, %v", plan.Steps, err)
	}

	part := start("1")
	if _, err := Resume(context.Background(), part.ID); err == nil ||
		!strings.Contains(err.Error(), "request more steps") {
		t.Errorf("resumed at its end: %v", err)
	}
	again, err := Resume(context.Background(), part.ID, WithSteps(want))
	if err != nil {
		t.Fatal(err)
	}
	got := wait(t, again, rundir.StopSteps)
	if _, limit := got.Epochs(); limit != 0 || got.Set["steps"] == "" || got.Step != want {
		t.Errorf("extended: %d epochs, %v", limit, got.Set)
	}
	if lines(t, got.Dir) != lines(t, whole.Dir) ||
		!bytes.Equal(parameters(t, got.Dir), parameters(t, whole.Dir)) {
		t.Error("the extended run differs from a run with the same number of epochs")
	}
}

// The length is given in epochs or in steps. Steps that are set alone override epochs from a
// default, a preset or an old run.
func TestEpochsOrSteps(t *testing.T) {
	spec, err := models.Lookup("svgp")
	if err != nil {
		t.Fatal(err)
	}
	spec.Training = map[string]family.Default{"epochs": {Value: "100", Source: "a paper"}}
	env := realEnvironment()
	env.family = func(name string) (models.Spec, error) {
		if name == "svgp" {
			return spec, nil
		}
		return models.Lookup(name)
	}
	for _, tt := range []struct {
		family string
		set    map[string]string
		epochs string // "" for none
		err    string
	}{
		{"svgp", nil, "100", ""},
		{"svgp", map[string]string{"steps": "7"}, "0", ""},
		{"svgp", map[string]string{"steps": "7", "epochs": "0"}, "0", ""},
		{"svgp", map[string]string{"steps": "7", "epochs": "2"}, "", "steps: only with epochs=0"},
		{"svgp", map[string]string{"epochs": "-1"}, "", "epochs=-1: want a whole number from 0"},
		{"star", map[string]string{"steps": "7"}, "0", ""},
		{"gp", map[string]string{"steps": "7"}, "", ""},
		{"gp", map[string]string{"epochs": "7"}, "",
			"epochs=7: the family gp uses all training points in every step; set steps"},
	} {
		c := rundir.Config{Dataset: "steps", Family: tt.family, Set: tt.set}
		r, err := env.admit(c)
		switch {
		case tt.err != "":
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s %v: %v, want %s", tt.family, tt.set, err, tt.err)
			}
		case err != nil:
			t.Errorf("%s %v: %v", tt.family, tt.set, err)
		case r.values["epochs"] != tt.epochs:
			t.Errorf("%s %v: epochs %q, want %q", tt.family, tt.set, r.values["epochs"], tt.epochs)
		}
	}
	old := rundir.Info{Config: epochsConfig("9"), State: rundir.Ended}
	r, err := env.admit(old.Config)
	if err != nil {
		t.Fatal(err)
	}
	old.Values = r.values
	for epochs, changes := range map[string]map[string]string{
		"0": {"steps": "7"}, "9": {"seed": "7"}, "3": {"epochs": "3"},
	} {
		c, err := fork(env, old, changes)
		if err != nil || c.Set["epochs"] != epochs || c.Set["steps"] != changes["steps"] {
			t.Errorf("forked with %v: %v, %v", changes, c.Set, err)
		}
	}
}

// Steps set together with a preset in epochs determine the length, also when the other values are
// taken from the preset as in forms.
func TestStepsWithPresetInEpochs(t *testing.T) {
	for _, spec := range models.Families() {
		for _, preset := range spec.Presets {
			if preset.Values[rundir.EpochsSetting] == noEpochs || preset.Values[rundir.EpochsSetting] == "" {
				continue
			}
			c, err := WithPreset(rundir.Config{
				Dataset: "steps",
				Family:  spec.Name,
				Set:     map[string]string{"steps": "7"},
			}, preset.Name)
			if err != nil {
				t.Fatal(err)
			}
			values, err := PresetValues(spec, preset.Name)
			if err != nil {
				t.Fatal(err)
			}
			maps.Copy(values, c.Set)
			if n := rundir.StepLimit(values, 1000); n != 7 {
				t.Errorf("%s with %s: %d steps, want 7", spec.Name, preset.Name, n)
			}
		}
	}
}
