package config

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dgplab/session/rundir"
)

// starRun returns an ended run of the family star.
func starRun(t *testing.T, set map[string]string) rundir.Info {
	t.Helper()
	c := rundir.Config{Dataset: "steps", Split: "interpolation:2", Family: "star", Seed: 1, Set: set}
	r, err := DefaultRegistry().Resolve(c)
	if err != nil {
		t.Fatal(err)
	}
	file := rundir.ConfigFile{ID: "id", Config: c, Values: r.Values}
	return rundir.Info{ConfigFile: file, State: rundir.Ended}
}

func TestForkToAnotherFamily(t *testing.T) {
	info := starRun(t, map[string]string{"inducing": "24", "layers": "4", "steps": "70"})
	c, err := Fork(info, map[string]string{"family": "svgp"})
	if err != nil {
		t.Fatal(err)
	}
	known, err := FamilyHyperparameters("svgp")
	if err != nil {
		t.Fatal(err)
	}
	if c.Family != "svgp" || c.Set["inducing"] != "24" || c.Set["steps"] != "70" || c.Set["layers"] != "" {
		t.Errorf("%+v", c)
	}
	for _, h := range known {
		_, set := c.Set[h.Name]
		// These are options of the optimiser natgrad, of argmax and of schedule=stairs.
		unused := slices.Contains([]string{"natgrad_step", "epsilon", "decay_rate", "decay_steps"}, h.Name)
		if set == unused {
			t.Errorf("%s is set: %v", h.Name, set)
		}
	}
	// svgp does not allow inducing counts of four layers and uses its default.
	lists := starRun(t, map[string]string{"inducing": "24,16,8,8", "layers": "4"})
	if c, err := Fork(lists, map[string]string{"family": "svgp"}); err != nil || c.Set["inducing"] != "128" {
		t.Errorf("%+v, %v", c, err)
	}
	// A requested value that the family does not have is an error.
	if _, err := Fork(info, map[string]string{
		"family": "svgp", "layers": "3",
	}); err == nil || !strings.Contains(err.Error(), "layers") {
		t.Errorf("layers of svgp: %v", err)
	}
}

func TestForkToAnotherDataset(t *testing.T) {
	tests := []struct {
		split, dataset string
		changes        map[string]string
		wantSplit      string
		wantTargets    []string
	}{
		{"standard:7", "boston", nil, "standard:7", nil},
		{"standard:99", "boston", nil, "", nil},
		{"standard:7", "steps", nil, "", nil},
		{"standard:7", "steps", map[string]string{"split": "standard:7"}, "standard:7", nil},
		{"extrapolation:3", "steps", nil, "extrapolation:3", nil},
		{"interpolation:0", "other.csv", map[string]string{"targets": `x, "b,c"`},
			"interpolation:0", []string{"x", "b,c"}},
	}
	for _, tt := range tests {
		c := rundir.Config{
			Dataset: "table.csv",
			Targets: []string{"y"},
			Split:   tt.split,
			Set:     map[string]string{},
		}
		changes := map[string]string{"dataset": tt.dataset}
		maps.Copy(changes, tt.changes)
		if err := apply(&c, changes); err != nil {
			t.Fatal(err)
		}
		if c.Dataset != tt.dataset || c.Split != tt.wantSplit ||
			!reflect.DeepEqual(c.Targets, tt.wantTargets) {
			t.Errorf("%+v: %+v", tt, c)
		}
	}
}

func TestForkOfBrokenRun(t *testing.T) {
	info := rundir.Info{State: rundir.Broken, Err: errors.New("bad file")}
	if _, err := Fork(info, nil); err == nil || !strings.Contains(err.Error(), "bad file") {
		t.Error(err)
	}
}

// A run may lack a hyperparameter that is newer than the run, if it has no effect on it or if the value of
// older runs is known.
func TestRunsOlderThanAHyperparameter(t *testing.T) {
	old := starRun(t, map[string]string{"schedule": "stairs"})
	delete(old.Values, "decay_share")
	spec := mustLookup(t, "star")
	if _, err := RecordedValues(old.ID, spec, old.Values); err != nil {
		t.Error(err)
	}
	old.Values["schedule"] = "stable-decay"
	want := "the configuration of id has no value for decay_share"
	if _, err := RecordedValues(old.ID, spec, old.Values); err == nil || err.Error() != want {
		t.Errorf("a value with an effect is missing: %v", err)
	}
	spec.Hyperparameters = slices.Clone(spec.Hyperparameters)
	for i := range spec.Hyperparameters {
		if h := &spec.Hyperparameters[i]; h.Name == "decay_share" {
			h.Before = "0.5"
		}
	}
	values, err := RecordedValues(old.ID, spec, old.Values)
	if err != nil || values["decay_share"] != "0.5" || old.Values["decay_share"] != "" {
		t.Errorf("a value of older runs: %q, %v", values["decay_share"], err)
	}
}

// Fork returns an error if the changes give an invalid configuration or if the run lacks a value.
func TestForkErrors(t *testing.T) {
	short := starRun(t, nil)
	delete(short.Values, "inducing")
	missing := "the configuration of id has no value for inducing"
	if c, err := Fork(short, nil); err == nil || err.Error() != missing || c.Family != "" {
		t.Errorf("a run without a value: %+v, %v", c, err)
	}
	for want, changes := range map[string]map[string]string{
		"unknown family":   {"family": "no"},
		"preset=no":        {"preset": "no"},
		"unknown data set": {"dataset": "no"},
		"inducing=many":    {"inducing": "many"},
		"split":            {"split": "no"},
		"columns":          {"columns": "ignore"},
	} {
		if _, err := Fork(starRun(t, nil), changes); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", changes, err, want)
		}
	}
}

func TestDifferences(t *testing.T) {
	a := starRun(t, map[string]string{"learning_rate": "0.010", "whiten": "true"})
	b := starRun(t, map[string]string{"learning_rate": "0.01", "whiten": "on", "steps": "5", "inducing": "9"})
	b.Config.Seed, b.Config.Split = 2, "interpolation:3"
	c := a
	c.Config.Family = "svgp"
	c.Values = maps.Clone(a.Values)
	delete(c.Values, "layers")
	c.Values["zeal"] = "1"
	deep := starRun(t, map[string]string{"layers": "4"})
	deep.Config.Seed, deep.Config.Split = a.Config.Seed, a.Config.Split
	deep.Values["learning_rate"] = "0.010"
	tests := []struct {
		name string
		runs []rundir.Info
		want []Difference
	}{
		{"none", nil, nil},
		{"one", []rundir.Info{a}, nil},
		{"equal", []rundir.Info{a, a}, nil},
		{"values", []rundir.Info{a, b, a}, []Difference{
			{"split", []string{"interpolation:2", "interpolation:3", "interpolation:2"}},
			{"seed", []string{"1", "2", "1"}},
			{"inducing", []string{a.Values["inducing"], "9", a.Values["inducing"]}},
			{"steps", []string{"20000", "5", "20000"}},
		}},
		{"families", []rundir.Info{c, a}, []Difference{
			{"family", []string{"svgp", "star"}},
			{"zeal", []string{"1", ""}},
		}},
		{"families with different hyperparameters", []rundir.Info{c, deep}, []Difference{
			{"family", []string{"svgp", "star"}},
			{"layers", []string{"", "4"}},
			{"zeal", []string{"1", ""}},
		}},
	}
	for _, tt := range tests {
		if got := Differences(tt.runs); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

// An official split is kept if the new data set has it.
func TestMovedSplits(t *testing.T) {
	for split, want := range map[string]string{
		"standard:19": "standard:19", "standard:20": "", "standard:x": "",
		"interpolation:20": "interpolation:20",
	} {
		c := rundir.Config{Dataset: "boston", Split: split}
		moveTo(&c, map[string]string{rundir.DatasetField: "boston"})
		if c.Split != want {
			t.Errorf("%s becomes %q, want %q", split, c.Split, want)
		}
	}
}
