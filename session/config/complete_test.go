package config

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"testing"

	"dgplab/datasets/table"
	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
)

// WithSteps sets the steps and turns epochs off without changing the given configuration.
func TestWithSteps(t *testing.T) {
	for _, c := range []struct{ set, want map[string]string }{
		{map[string]string{"steps": "9"}, map[string]string{"steps": "7"}},
		{map[string]string{"epochs": "9", "batch": "2"},
			map[string]string{"steps": "7", "epochs": "0", "batch": "2"}},
	} {
		before := maps.Clone(c.set)
		got := WithSteps(rundir.Config{Set: c.set}, 7)
		if !maps.Equal(got.Set, c.want) || !maps.Equal(c.set, before) {
			t.Errorf("%v became %v, want %v", before, got.Set, c.want)
		}
	}
}

// The baseline has the same data and nothing else.
func TestBaselineOf(t *testing.T) {
	c := rundir.Config{
		Dataset: "table.csv", Targets: []string{"y"}, Columns: table.Choices{Ignore: []string{"id"}},
		Split: "interpolation:3", Family: "other", Preset: "paper", Seed: 5,
		Set: map[string]string{"log_targets": "on", "steps": "9"},
	}
	want := c.Clone()
	want.Family, want.Preset, want.Set = models.BaselineFamily, "", map[string]string{"log_targets": "on"}
	got := BaselineOf(c)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	got.Targets[0], got.Columns.Ignore[0] = "x", "x"
	if c.Targets[0] != "y" || c.Columns.Ignore[0] != "id" {
		t.Error("the baseline shares its columns")
	}
	if got := BaselineOf(rundir.Config{}); len(got.Set) != 0 {
		t.Errorf("%v is set", got.Set)
	}
}

// Fields check their values before data are known.
func TestFieldChecks(t *testing.T) {
	for _, c := range []struct {
		field, value string
		valid        bool
	}{
		{"split", "", true}, {"split", "standard:1", true}, {"split", "no", false},
		{"targets", `a,"b,c"`, true}, {"targets", `"`, false}, {"targets", "", true},
		{"columns", "ignore=id", true}, {"columns", "ignore", false}, {"columns", "", true},
		{"seed", "0", true}, {"seed", "-1", false},
	} {
		i := slices.IndexFunc(RunFields(), func(h models.Hyperparameter) bool { return h.Name == c.field })
		if err := RunFields()[i].Validate(c.value); (err == nil) != c.valid {
			t.Errorf("%s=%s: %v", c.field, c.value, err)
		}
	}
	spec := mustLookup(t, models.BaselineFamily)
	for _, h := range Fields(spec) {
		if h.Name == rundir.PresetField && !slices.Equal(h.Choices, PresetNames(spec)) {
			t.Errorf("presets %q, want %q", h.Choices, PresetNames(spec))
		}
	}
	if list, err := FamilyHyperparameters("nobody"); list != nil || err == nil {
		t.Errorf("an unknown family: %v, %v", list, err)
	}
}

// Settings that samplers do not support are rejected with a reason, however they are spelled.
func TestSettingsOfSamplers(t *testing.T) {
	for _, spec := range models.Families() {
		if !spec.Objective.Sampled() {
			continue
		}
		for _, h := range allHyperparameters(spec) {
			bad := map[string]string{
				"keep": "best", "early_stopping": "true", "stop_overfitting": "on", "until_converged": "on",
				"budget": "5m",
			}[h.Name]
			if bad == "" {
				continue
			}
			if h.Validate(bad) == nil || h.Validate(h.Default) != nil || h.First || h.When != nil {
				t.Errorf("%s: %s=%s: %v, its default %s: %v", spec.Name, h.Name, bad, h.Validate(bad),
					h.Default, h.Validate(h.Default))
			}
		}
	}
}

// A fork between a sampler and an optimiser does not keep the number of steps, and resets a preset
// that the new family does not have.
func TestForkBetweenSamplers(t *testing.T) {
	find := func(sampled bool) models.Spec {
		i := slices.IndexFunc(models.Families(), func(spec models.Spec) bool {
			return spec.Objective.Sampled() == sampled && len(spec.Presets) > 0
		})
		return models.Families()[i]
	}
	optimised := find(false)
	sampler := find(true)
	run := func(spec models.Spec, preset, steps string) rundir.Info {
		c := rundir.Config{Dataset: "steps", Family: spec.Name, Preset: preset, Set: map[string]string{}}
		r, err := DefaultRegistry().Resolve(c)
		if err != nil {
			t.Fatal(err)
		}
		r.Values["steps"] = steps
		file := rundir.ConfigFile{ID: "id", Config: c, Values: r.Values, ObjectiveIs: spec.Objective}
		return rundir.Info{ConfigFile: file, State: rundir.Ended}
	}
	c, err := Fork(run(optimised, optimised.Presets[0].Name, "70"), map[string]string{"family": sampler.Name})
	if err != nil || c.Set["steps"] != "0" || c.Preset != "" {
		t.Errorf("%s to %s: steps %q, preset %q, %v",
			optimised.Name, sampler.Name, c.Set["steps"], c.Preset, err)
	}
	c, err = Fork(run(sampler, "", "70"), map[string]string{"family": optimised.Name})
	if err != nil || c.Set["steps"] == "70" {
		t.Errorf("%s to %s: steps %q, %v", sampler.Name, optimised.Name, c.Set["steps"], err)
	}
	c, err = Fork(run(sampler, "", "70"), map[string]string{"seed": "4"})
	if err != nil || c.Set["steps"] != "70" || c.Seed != 4 {
		t.Errorf("%s with another seed: %+v, %v", sampler.Name, c, err)
	}
	preset := optimised.Presets[0]
	changes := map[string]string{"preset": preset.Name, "test_samples": "3"}
	c, err = Fork(run(optimised, "", "70"), changes)
	if err != nil || c.Set["test_samples"] != "3" {
		t.Fatalf("%s: %v, %v", preset.Name, c.Set, err)
	}
	values, err := PresetValues(optimised, preset.Name)
	if err != nil {
		t.Fatal(err)
	}
	applying := family.Applicable(allHyperparameters(optimised), values)
	for name, value := range values {
		if applying[name] && name != "test_samples" && name != "steps" && c.Set[name] != value {
			t.Errorf("%s: %s=%s, want %s", preset.Name, name, c.Set[name], value)
		}
	}
}

// Presets of unknown families and unknown presets are errors, and invalid configurations stay as they
// are.
func TestPresetErrors(t *testing.T) {
	c := rundir.Config{Family: "nobody", Set: map[string]string{"steps": "1"}}
	if got, err := WithPreset(c, ""); err == nil || !reflect.DeepEqual(got, c) {
		t.Errorf("an unknown family: %+v, %v", got, err)
	}
	if got := Effective(c); !reflect.DeepEqual(got, c) {
		t.Errorf("an unknown family: %+v", got)
	}
	spec := models.Families()[0]
	bad := rundir.Config{Family: spec.Name, Set: map[string]string{"test_samples": "none"}}
	if got := Effective(bad); !reflect.DeepEqual(got, bad) {
		t.Errorf("an invalid configuration: %+v", got)
	}
	var value *models.ValueError
	if list, err := PresetChanges(spec, "nobody", nil); list != nil || !errors.As(err, &value) ||
		value.Name != "preset" || value.Value != "nobody" {
		t.Errorf("an unknown preset: %v, %v", list, err)
	}
	own := rundir.Config{Family: spec.Name, Set: map[string]string{"warm_start": spec.Name}}
	if got := Effective(own); len(got.Set) != 0 {
		t.Errorf("a warm start from the own family: %v", got.Set)
	}
	own.Set["warm_start"] = "some run"
	if got := Effective(own); got.Set["warm_start"] != "some run" {
		t.Errorf("a warm start from a run: %v", got.Set)
	}
	for _, spec := range models.Families() {
		for _, p := range spec.Presets {
			if got, want := PresetHelp(spec, p.Name), p.Title+" ("+p.Source+")"; got != want {
				t.Errorf("%s: %q, want %q", p.Name, got, want)
			}
		}
		if got := PresetHelp(spec, "nobody"); got != "" {
			t.Errorf("an unknown preset: %q", got)
		}
	}
}

// All values of runs of unknown families are informative.
func TestInformativeDifferencesOfUnknownFamilies(t *testing.T) {
	run := func(zeal string) rundir.Info {
		return rundir.Info{ConfigFile: rundir.ConfigFile{
			Config: rundir.Config{Family: "nobody"}, Values: models.Values{"zeal": zeal},
		}}
	}
	want := []Difference{{"zeal", []string{"1", "2"}}}
	if got := InformativeDifferences([]rundir.Info{run("1"), run("2")}); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	known := run("1")
	known.Config.Family = models.BaselineFamily
	other := run("2")
	other.Config.Family = models.BaselineFamily
	if got := InformativeDifferences([]rundir.Info{known, other}); len(got) != 1 {
		t.Errorf("a value that the family does not have: %v", got)
	}
}
