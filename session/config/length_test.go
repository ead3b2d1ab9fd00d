package config

import (
	"maps"
	"strings"
	"testing"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
)

// The length is given in epochs or in steps. If only steps is set, it overrides epochs from a default, a
// preset or a forked run.
func TestEpochsOrSteps(t *testing.T) {
	spec, err := models.Lookup("svgp")
	if err != nil {
		t.Fatal(err)
	}
	spec.Training = map[string]family.Default{"epochs": {Value: "100", Source: "a paper"}}
	registry := DefaultRegistry()
	registry.Family = func(name string) (models.Spec, error) {
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
		r, err := registry.ResolveNew(c)
		switch {
		case tt.err != "":
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s %v: %v, want %s", tt.family, tt.set, err, tt.err)
			}
		case err != nil:
			t.Errorf("%s %v: %v", tt.family, tt.set, err)
		case r.Values["epochs"] != tt.epochs:
			t.Errorf("%s %v: epochs %q, want %q", tt.family, tt.set, r.Values["epochs"], tt.epochs)
		}
	}
	old := rundir.Info{ConfigFile: rundir.ConfigFile{Config: rundir.Config{
		Dataset: "steps",
		Family:  "svgp",
		Set:     map[string]string{"epochs": "9", "batch": "60"},
	}}, State: rundir.Ended}
	r, err := registry.ResolveNew(old.Config)
	if err != nil {
		t.Fatal(err)
	}
	old.Values = r.Values
	for epochs, changes := range map[string]map[string]string{
		"0": {"steps": "7"}, "9": {"seed": "7"}, "3": {"epochs": "3"},
	} {
		c, err := registry.Fork(old, changes)
		if err != nil || c.Set["epochs"] != epochs || c.Set["steps"] != changes["steps"] {
			t.Errorf("forked with %v: %v, %v", changes, c.Set, err)
		}
	}
}

// Steps set together with a preset in epochs determine the length, even if the other values come from the
// preset, as in forms.
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
