package config

import (
	"fmt"
	"testing"

	"dgplab/models"
	"dgplab/session/rundir"
)

// resolved resolves a configuration of a family on the data set steps.
func resolved(t *testing.T, family, preset string, set map[string]string) *Resolved {
	t.Helper()
	c := rundir.Config{Dataset: "steps", Family: family, Preset: preset, Set: set}
	r, err := DefaultRegistry().Resolve(c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The default number of inducing points is limited to half of the training points. Values set by users or
// named presets are not adapted.
func TestAdaptToData(t *testing.T) {
	for _, c := range []struct {
		family, preset string
		set            map[string]string
		n              int
		want           string
	}{
		{"star", "", nil, 1000, "128"},
		{"star", "", nil, 256, "128"},
		{"star", "", nil, 101, "50"},
		{"star", "", nil, 1, "1"},
		{"star", rundir.DefaultPreset, nil, 101, "50"},
		{"star", "paper", nil, 101, "128"},
		{"star", "", map[string]string{"inducing": "128"}, 101, "128"},
		{"svgp", "", nil, 40, "20"},
		{"sgpr", "", nil, 40, "20"},
		{"gp", "", nil, 40, ""},
	} {
		r := resolved(t, c.family, c.preset, c.set)
		before := r.Values["inducing"]
		list := r.AdaptToData(c.n)
		if got := r.Values["inducing"]; got != c.want || (len(list) > 0) != (got != before) {
			t.Errorf("%s, %d points: %s with %v, want %s", c.family, c.n, got, list, c.want)
		}
		if len(list) == 0 {
			continue
		}
		file := rundir.ConfigFile{Values: r.Values}
		file.Adapt(list)
		if file.Chosen("inducing") != before {
			t.Errorf("%s chose %s", c.family, file.Chosen("inducing"))
		}
	}
}

// After a warm start the learning rate rises slowly, unless the user or a preset chose otherwise.
func TestAdaptToWarmStart(t *testing.T) {
	for _, c := range []struct {
		family, preset string
		set            map[string]string
		want           string
	}{
		{"star", "", nil, "100"},
		{"star", "", map[string]string{"warm_up": "7"}, "7"},
		{"star", "lindinger2020-warm", nil, "0"},
		{"dspp", "", nil, "200"},
		{"gp", "", nil, ""},
	} {
		r := resolved(t, c.family, c.preset, c.set)
		before := r.Values["warm_up"]
		list := r.AdaptToWarmStart(50)
		if got := r.Values["warm_up"]; got != c.want || (len(list) > 0) != (got != before) {
			t.Errorf("%s, preset %q: a warm-up of %q with %v, want %q", c.family, c.preset, got, list, c.want)
		}
	}
}

// A budget shortens runs whose length is given in steps or epochs, with the stairs of the learning rate. It
// may halve the default number of inducing points.
func TestAdaptToSteps(t *testing.T) {
	for _, c := range []struct {
		family string
		set    map[string]string
		want   string
	}{
		{"star", map[string]string{"steps": "10000"}, "[steps 1000, decay_steps 100]"},
		{"star", map[string]string{"steps": "10000", "decay_steps": "700"}, "[steps 1000]"},
		{"star", map[string]string{"epochs": "10000", "batch": "100"},
			"[steps 1000, epochs 0, decay_steps 100]"},
	} {
		r := resolved(t, c.family, "", c.set)
		r.SetNumData(50)
		got := "["
		for i, a := range r.AdaptToSteps(r.Steps/10, 50) {
			if i > 0 {
				got += ", "
			}
			got += a.Name + " " + a.To
		}
		got += "]"
		if got != c.want || r.Steps != 1000 {
			t.Errorf("%v: %s and %d steps, want %s", c.set, got, r.Steps, c.want)
		}
	}
	r := resolved(t, "star", "", nil)
	var counts []string
	for r.HalveInducing(1000) != nil {
		counts = append(counts, r.Values["inducing"])
	}
	if fmt.Sprint(counts) != "[64 32 16]" {
		t.Errorf("halved to %v", counts)
	}
	r = resolved(t, "star", "", map[string]string{"inducing": "100"})
	if list := r.HalveInducing(1000); list != nil {
		t.Errorf("a value set by the user is halved: %v", list)
	}
}

// Budgets are durations. Samplers have none, and the value may be missing in a recorded run.
func TestBudgetValues(t *testing.T) {
	for text, valid := range map[string]bool{
		"": true, "5m": true, "1h30m": true, "90s": true, "1s": true, "10000h": true,
		"999ms": false, "10001h": false,
		"5": false, "0s": false, "-5m": false, "20000h": false,
	} {
		c := rundir.Config{Dataset: "steps", Family: "star", Set: map[string]string{"budget": text}}
		if err := Validate(c); (err == nil) != valid {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, spec := range models.Families() {
		c := rundir.Config{Dataset: "steps", Family: spec.Name, Set: map[string]string{"budget": "5m"}}
		if err := Validate(c); (err == nil) == spec.Objective.Sampled() {
			t.Errorf("%s: %v", spec.Name, err)
		}
	}
	spec, err := models.Lookup("star")
	if err != nil {
		t.Fatal(err)
	}
	values := resolved(t, "star", "", nil).Values
	delete(values, rundir.BudgetSetting)
	if _, err := RecordedValues("run", spec, values); err != nil {
		t.Error(err)
	}
}
