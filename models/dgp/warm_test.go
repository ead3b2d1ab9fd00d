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

// warm returns a model of one of the families here.
func warm(t *testing.T, name string, set map[string]string) family.Model {
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

// A trained posterior is the same one in a larger family: with the same draws the bound
// over all points is the same, whatever moves the parameters, whitened or not.
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
		src := warm(t, c.from, with(c.source...))
		familytest.Steps(t, src, 30)
		dst := warm(t, c.to, with(c.target...))
		said, err := train.WarmStart(dst, src, false)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		a := bound(src)
		b := bound(dst)
		if math.Abs(a-b) > 1e-9*math.Abs(a) {
			t.Errorf("%s: %v becomes %v", name, a, b)
		}
		if slices.ContainsFunc(said.Own, func(n string) bool { return !strings.HasPrefix(n, "q_sqrt.") }) ||
			len(said.Unused) > 0 {
			t.Errorf("%s: %s", name, said)
		}
		before := bound(dst)
		familytest.Steps(t, dst, 60)
		if after := bound(dst); !(after > before) {
			t.Errorf("%s: 60 steps bring it from %v to %v", name, before, after)
		}
		if dst.StepsDone() != 60 {
			t.Errorf("%s: %d steps done", name, dst.StepsDone())
		}
	}
}

// With the optimiser's state a model of the same family goes on as if it had not stopped,
// but for the minibatches; other shapes keep their own start, and are named.
func TestWarmStartsSayWhatTheyCopied(t *testing.T) {
	set := map[string]string{"layers": "2", "width": "2", "inducing": "6", "batch": "40"}
	src := warm(t, "star", set)
	dst := warm(t, "star", set)
	familytest.Steps(t, src, 5)
	said, err := train.WarmStart(dst, src, true)
	if err != nil || len(said.Own)+len(said.Unused) > 0 || !said.Optimiser {
		t.Fatalf("%s, %v", said, err)
	}
	for k, a := range dst.State() {
		if a.Name != "step" && !slices.Equal(a.Data, src.State()[k].Data) {
			t.Errorf("%s differs", a.Name)
		}
	}
	set["width"] = "3"
	wide := warm(t, "star", set)
	said, err = train.WarmStart(wide, src, false)
	if err != nil || !slices.Contains(said.Own, "layer.0.q_mu") ||
		!slices.Contains(said.Copied, "layer.0.Z") ||
		!strings.Contains(said.String(), "as at their own start: ") {
		t.Errorf("%s, %v", said, err)
	}
	familytest.Steps(t, wide, 2)
}
