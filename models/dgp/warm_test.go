package dgp_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"dgplab/models/dgp"
	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/train"
)

// newModel returns a model of the named family.
func newModel(t *testing.T, name string, set map[string]string) family.Model {
	t.Helper()
	for _, spec := range dgp.Families() {
		if spec.Name == name {
			m, err := spec.New(familytest.Values(t, spec, set), familytest.Wave(40, 1), 7)
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
	}
	t.Fatalf("no family %s", name)
	return nil
}

// A trained posterior does not change when it starts a larger family: with the same draws, the
// bound over all points is equal, for every optimiser, whitened or not.
func TestSmallerFamiliesStartLargerOnes(t *testing.T) {
	common := map[string]string{
		"layers": "3", "width": "2", "inducing": "6", "samples": "3", "batch": "16", "learning_rate": "0.02",
	}
	with := func(more ...string) map[string]string {
		set := map[string]string{}
		for k, v := range common {
			set[k] = v
		}
		for _, pair := range more {
			name, value, _ := strings.Cut(pair, "=")
			set[name] = value
		}
		return set
	}
	bound := func(m family.Model) float64 {
		value, known, err := m.(family.Evaluator).EvaluateObjective(context.Background(), 3)
		if err != nil || !known {
			t.Fatal(known, err)
		}
		return value
	}
	for _, c := range []struct {
		from, to       string
		source, target []string
	}{
		{"mean-field", "star", nil, nil},
		{"star", "fully-coupled", nil, nil},
		{"mean-field", "fully-coupled", nil, nil},
		{"mean-field", "chain", nil, nil},
		{"chain", "mask", nil, []string{"mask=fully-coupled"}},
		{"mean-field", "fully-coupled", []string{"optimizer=natgrad"}, []string{"optimizer=natgrad"}},
		{"mean-field", "star", []string{"optimizer=natgrad"}, nil},
		{"mean-field", "fully-coupled", nil, []string{"optimizer=natgrad"}},
		{"mean-field", "fully-coupled", []string{"whiten=off"}, []string{"whiten=off"}},
	} {
		name := fmt.Sprint(c.from, c.source, " to ", c.to, c.target)
		src := newModel(t, c.from, with(c.source...))
		familytest.Steps(t, src, 30)
		dst := newModel(t, c.to, with(c.target...))
		report, err := train.WarmStart(dst, src, false)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		a := bound(src)
		b := bound(dst)
		if math.Abs(a-b) > 1e-9*math.Abs(a) {
			t.Errorf("%s: bound %v changed to %v", name, a, b)
		}
		if slices.ContainsFunc(report.Own, func(n string) bool { return !strings.HasPrefix(n, "q_sqrt.") }) ||
			len(report.Unused) > 0 {
			t.Errorf("%s: %s", name, report)
		}
		before := bound(dst)
		familytest.Steps(t, dst, 60)
		if after := bound(dst); !(after > before) {
			t.Errorf("%s: 60 steps changed the bound from %v to %v", name, before, after)
		}
		if dst.StepsDone() != 60 {
			t.Errorf("%s: %d steps done", name, dst.StepsDone())
		}
	}
}

// Given the optimiser's state, a model of the same family continues exactly, except for the
// minibatches. Parameters whose shape differs keep their initial values and are listed.
func TestWarmStartReport(t *testing.T) {
	set := map[string]string{"layers": "2", "width": "2", "inducing": "6", "batch": "40"}
	src := newModel(t, "star", set)
	dst := newModel(t, "star", set)
	familytest.Steps(t, src, 5)
	report, err := train.WarmStart(dst, src, true)
	if err != nil || len(report.Own)+len(report.Unused) > 0 || !report.Optimiser {
		t.Fatalf("%s, %v", report, err)
	}
	for k, a := range dst.State() {
		if a.Name != "step" && !slices.Equal(a.Data, src.State()[k].Data) {
			t.Errorf("%s differs", a.Name)
		}
	}
	set["width"] = "3"
	wide := newModel(t, "star", set)
	report, err = train.WarmStart(wide, src, false)
	if err != nil || !slices.Contains(report.Own, "layer.0.q_mu") ||
		!slices.Contains(report.Copied, "layer.0.Z") ||
		!strings.Contains(report.String(), "kept at initial values: ") {
		t.Errorf("%s, %v", report, err)
	}
	familytest.Steps(t, wide, 2)
}
