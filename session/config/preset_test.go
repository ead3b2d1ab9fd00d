package config

import (
	"errors"
	"maps"
	"slices"
	"testing"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/session/rundir"
)

// The registry of families is consistent: names of hyperparameters are unique, defaults and presets
// are complete, valid and have sources, and conditions refer to earlier hyperparameters.
func TestFamilyDeclarations(t *testing.T) {
	for _, spec := range models.Families() {
		before := map[string]models.Hyperparameter{}
		for _, h := range Fields(spec) {
			if _, twice := before[h.Name]; twice {
				t.Errorf("%s: two fields are named %s", spec.Name, h.Name)
			}
			if h.When != nil {
				other, ok := before[h.When.Name]
				if !ok {
					t.Errorf("%s: %s depends on %s, which is not before it",
						spec.Name, h.Name, h.When.Name)
				}
				for _, value := range h.When.Is {
					if err := other.Validate(value); err != nil || other.Canonical(value) != value {
						t.Errorf("%s: %s depends on %s=%s: %v", spec.Name, h.Name, other.Name, value, err)
					}
				}
			}
			before[h.Name] = h
		}
		for name, own := range spec.Training {
			if !slices.ContainsFunc(Hyperparameters(), func(h models.Hyperparameter) bool {
				return h.Name == name
			}) || own.Source == "" {
				t.Errorf("%s: default %s=%s is not a setting or has no source",
					spec.Name, name, own.Value)
			}
		}
		presets := PresetNames(spec)
		for _, p := range spec.Presets {
			names := append(family.Names(spec.Hyperparameters),
				family.Names(withDefaults(spec, training()))...)
			slices.Sort(names)
			own := maps.Clone(p.Values) // The families are shared by all tests.
			maps.DeleteFunc(own, func(name, _ string) bool {
				return slices.Contains(family.Names(starting()), name)
			})
			if given := slices.Sorted(maps.Keys(own)); !slices.Equal(given, names) {
				t.Errorf("%s: preset %s has values for %q, want %q", spec.Name, p.Name, given, names)
			}
			if _, err := PresetValues(spec, p.Name); err != nil || p.Title == "" || p.Source == "" {
				t.Errorf("%s: the preset %s has no title, no source or a bad value: %v",
					spec.Name, p.Name, err)
			}
		}
		slices.Sort(presets)
		if len(slices.Compact(presets)) != len(spec.Presets)+1 {
			t.Errorf("%s: two presets have the same name: %q", spec.Name, presets)
		}
	}
}

func TestWithPreset(t *testing.T) {
	given := rundir.Config{Dataset: "steps", Family: "mean-field", Set: map[string]string{"layers": "2"}}
	paper := func(own map[string]string) map[string]string {
		want := map[string]string{
			"noise_variance": "0.01", "learning_rate": "0.005", "schedule": "stairs", "decay_rate": "0.98",
			"beta2": "0.999",
			"keep":  "last", "stop_overfitting": "off", "validation_points": "0",
		}
		maps.Copy(want, own)
		return want
	}
	for _, tt := range []struct {
		preset string
		set    map[string]string
		want   map[string]string
	}{
		{"", nil, map[string]string{}},
		{"default", map[string]string{"layers": "2"}, map[string]string{"layers": "2"}},
		{"lindinger2020", map[string]string{"layers": "2"}, paper(map[string]string{"layers": "2"})},
		{"lindinger2020", map[string]string{"validation_points": "1024"},
			paper(map[string]string{"validation_points": "1024"})},
		{"lindinger2020-natgrad", nil,
			paper(map[string]string{"optimizer": "natgrad", "learning_rate": "0.001", "decay_rate": "0.99"})},
		{"lindinger2020-natgrad", map[string]string{"optimizer": "adam"},
			paper(map[string]string{"optimizer": "adam", "learning_rate": "0.001", "decay_rate": "0.99"})},
	} {
		given.Set = tt.set
		c, err := WithPreset(given, tt.preset)
		if err != nil || !maps.Equal(c.Set, tt.want) ||
			(c.Preset != tt.preset && tt.preset != rundir.DefaultPreset) {
			t.Errorf("%s with %v: %v on %q, %v; want %v", tt.preset, tt.set, c.Set, c.Preset, err, tt.want)
		}
		if err := Validate(c); err != nil {
			t.Errorf("%s with %v: %v", tt.preset, tt.set, err)
		}
	}
	var value *models.ValueError
	if _, err := WithPreset(given, "nobody1900"); !errors.As(err, &value) ||
		value.Name != rundir.PresetField {
		t.Errorf("unknown preset: %v", err)
	}
	given.Preset = "nobody1900"
	if err := Validate(given); !errors.As(err, &value) || value.Name != rundir.PresetField {
		t.Errorf("unknown preset: %v", err)
	}
}

func TestPresetChanges(t *testing.T) {
	spec, err := models.Lookup("mean-field")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		preset string
		set    map[string]string
		want   []string
	}{
		{"", nil, nil},
		{"lindinger2020", nil, []string{"noise_variance", "learning_rate", "schedule", "beta2",
			"stop_overfitting", "keep", "validation_points"}},
		{"", map[string]string{"learning_rate": "5e-2", "layers": "2", "steps": "10"},
			[]string{"layers", "steps"}},
		{"", map[string]string{"natgrad_step": "0.1"}, nil}, // It has no effect with Adam.
		{"", map[string]string{"natgrad_step": "0.1", "optimizer": "natgrad"},
			[]string{"optimizer", "natgrad_step"}},
	} {
		values, err := models.Resolve(allHyperparameters(spec), tt.set)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := PresetChanges(spec, tt.preset, values); err != nil || !slices.Equal(got, tt.want) {
			t.Errorf("%q with %v: %q, %v; want %q", tt.preset, tt.set, got, err, tt.want)
		}
	}
}

// Values without effect are refused for a new run and accepted in a recorded one.
func TestValuesWithoutEffect(t *testing.T) {
	c := rundir.Config{Dataset: "steps", Family: "mean-field", Set: map[string]string{"natgrad_step": "0.01"}}
	if err := Validate(c); err == nil || err.Error() != "natgrad_step: only with optimizer=natgrad" {
		t.Errorf("%v", err)
	}
	if _, err := DefaultRegistry().Resolve(c); err != nil {
		t.Errorf("a recorded run does not open: %v", err)
	}
	if got := Effective(c); len(got.Set) != 0 || len(c.Set) != 1 {
		t.Errorf("%v of %v", got.Set, c.Set)
	}
	c.Set["optimizer"] = "natgrad"
	if err := Validate(c); err != nil || len(Effective(c).Set) != 2 {
		t.Errorf("%v, %v", err, Effective(c))
	}
	// A fork omits values without effect unless they are among the changes.
	old := rundir.Info{State: rundir.Ended, ConfigFile: rundir.ConfigFile{Config: c}}
	old.Values, _ = models.Resolve(Fields(mustLookup(t, "mean-field"))[len(RunFields()):], c.Set)
	fork, err := Fork(old, map[string]string{"optimizer": "adam"})
	if _, kept := fork.Set["natgrad_step"]; err != nil || kept {
		t.Errorf("%v, %v", fork.Set, err)
	}
	if _, err := Fork(old, map[string]string{"optimizer": "adam", "natgrad_step": "0.1"}); err == nil {
		t.Error("a value without effect is accepted")
	}
}

func mustLookup(t *testing.T, name string) models.Spec {
	t.Helper()
	spec, err := models.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// Any preset applied to any configuration is refused or keeps the values that were set. If no values were
// set, the result is valid.
func FuzzWithPreset(f *testing.F) {
	for _, spec := range models.Families() {
		f.Add(spec.Name, "", "", "")
		for _, name := range PresetNames(spec) {
			f.Add(spec.Name, name, "steps", "10")
			f.Add(spec.Name, name, "epochs", "1e400")
		}
	}
	f.Fuzz(func(t *testing.T, name, preset, field, value string) {
		c := rundir.Config{Dataset: "steps", Family: name, Set: map[string]string{}}
		if field != "" {
			c.Set[field] = value
		}
		got, err := WithPreset(c, preset)
		if err != nil {
			return
		}
		if kept, ok := got.Set[field]; field != "" && (!ok || kept != value) {
			t.Errorf("%s=%s became %q, %v", field, value, kept, ok)
		}
		if field == "" {
			if err := Validate(got); err != nil {
				t.Errorf("preset %q of %s: %v", preset, name, err)
			}
		}
	})
}

// Exact objectives and samplers keep the last parameters by default, all others the best.
func TestDefaultKeptParameters(t *testing.T) {
	for _, spec := range models.Families() {
		values, err := models.Resolve(allHyperparameters(spec), nil)
		if err != nil {
			t.Fatal(err)
		}
		want := rundir.KeptBest
		if spec.Objective.Sampled() || !spec.Objective.Noisy {
			want = keptLast
		}
		if values.Text(rundir.KeepSetting) != want {
			t.Errorf("%s keeps the %s parameters, want the %s",
				spec.Name, values.Text(rundir.KeepSetting), want)
		}
	}
}
