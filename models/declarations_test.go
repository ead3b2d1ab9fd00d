package models_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"dgplab/models"
	"dgplab/models/family"
	"dgplab/viz/golden"
)

// declarations lists the names that share a declaration.
type declarations map[string][]string

// add adds a name to a declaration, once.
func (d declarations) add(text, name string) {
	if !slices.Contains(d[text], name) {
		d[text] = append(d[text], name)
	}
}

// check compares the declarations with testdata/NAME.golden.
func (d declarations) check(t *testing.T, name string) {
	t.Helper()
	var text strings.Builder
	for _, declared := range slices.Sorted(maps.Keys(d)) {
		fmt.Fprintf(&text, "%s: %s\n", declared, strings.Join(d[declared], " "))
	}
	golden.Check(t, name, text.String())
}

// TestPresetsOfFamilies compares the presets of all families, as far as they differ from the defaults, and
// their defaults for training with recorded ones.
func TestPresetsOfFamilies(t *testing.T) {
	d := declarations{}
	for _, spec := range models.Families() {
		for _, p := range spec.Presets {
			changed := maps.Clone(p.Values)
			for _, h := range spec.Hyperparameters {
				if changed[h.Name] == h.Default {
					delete(changed, h.Name)
				}
			}
			d.add(fmt.Sprint(p.Name, " ", changed), spec.Name)
		}
		training := map[string]string{}
		for name, value := range spec.Training {
			training[name] = value.Value
		}
		d.add(fmt.Sprint("training ", training), spec.Name)
	}
	d.check(t, "presets")
}

// TestDeclarations compares the declarations of families that no page lists with recorded ones.
func TestDeclarations(t *testing.T) {
	d := declarations{}
	for _, spec := range models.Families() {
		o := spec.Objective
		d.add(fmt.Sprintf("objective %s, noisy %v, monotone %v", o.Kind, o.Noisy, o.Monotone), spec.Name)
		d.add(fmt.Sprintf("accepts %+v", spec.Accepts), spec.Name)
		d.add(fmt.Sprint("scaling ", spec.Scaling), spec.Name)
		for _, h := range spec.Hyperparameters {
			d.addFlags(h)
		}
	}
	d.check(t, "declarations")
}

// addFlags adds the settings of a hyperparameter that concern forms and defaults.
func (d declarations) addFlags(h family.Hyperparameter) {
	d.add("section "+string(h.Section), h.Name)
	for flag, set := range map[string]bool{"first": h.First, "at most half": h.AtMostHalf,
		"per layer": h.PerLayer, "per hidden layer": h.PerHiddenLayer} {
		if set {
			d.add(flag, h.Name)
		}
	}
	if h.When != nil {
		d.add("when "+h.When.String(), h.Name)
	}
}
