package models

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/param"
)

// withControls runs a test for every family whose parameters can be controlled, and for every learned
// quantity of a small model that is a parameter. start holds the initial values of all quantities.
func withControls(
	t *testing.T, run func(t *testing.T, spec Spec, set map[string]string, name string, start quantities),
) {
	for _, spec := range Families() {
		if spec.Uncontrolled != "" {
			continue
		}
		set := familytest.Applicable(spec, map[string]string{"layers": "2", "width": "2", "inducing": "5",
			"orthogonal": "3", "samples": "3", "batch": "10", "burn_in": "8", "kept": "2", "thinning": "1",
			"hidden_width": "3", "restarts": "1", "hyper_every": "2", "hyper_after": "1",
			"learning_rate": "0.05", "noise_variance": "0.1"})
		m, err := controlled(t, spec, set)
		if err != nil {
			t.Fatal(err)
		}
		start := quantitiesOf(m)
		count := 0
		for _, q := range m.Hyper() {
			var unknown *param.UnknownNameError
			_, err := controlled(t, spec, set, family.FixSetting, q.Name)
			if errors.As(err, &unknown) || slices.ContainsFunc(m.Hyper(), func(other Quantity) bool {
				return strings.HasPrefix(other.Name, q.Name+".")
			}) {
				continue // It follows from parameters, or has parts.
			}
			count++
			t.Run(spec.Name+" "+q.Name, func(t *testing.T) { run(t, spec, set, q.Name, start) })
		}
		if count == 0 {
			t.Errorf("%s: no learned quantity can be held", spec.Name)
		}
	}
}

// controlled returns a small model of a family with more values.
func controlled(t *testing.T, spec Spec, set map[string]string, more ...string) (Model, error) {
	t.Helper()
	values := familytest.Values(t, spec, familytest.Setting{Set: set}.With(more...).Set)
	return spec.New(values, familytest.Wave(24, 1), 7)
}

// trained returns the learned quantities of such a model after some steps.
func trained(t *testing.T, spec Spec, set map[string]string, more ...string) quantities {
	t.Helper()
	m, err := controlled(t, spec, set, more...)
	if err != nil {
		t.Fatal(err)
	}
	familytest.Steps(t, m, 8)
	return quantitiesOf(m)
}

// quantities holds the learned quantities of a model by name.
type quantities map[string][]float64

func quantitiesOf(m Model) quantities {
	all := quantities{}
	for _, q := range m.Hyper() {
		all[q.Name] = slices.Clone(q.Value)
	}
	return all
}

// moved reports whether every value differs from its start.
func (q quantities) moved(name string, start quantities) bool {
	return !slices.ContainsFunc(q[name], func(v float64) bool { return slices.Contains(start[name], v) })
}

// A held parameter keeps its value to the last bit, and all parameters that move without it move with it.
func TestHeldParametersStay(t *testing.T) {
	withControls(t, func(t *testing.T, spec Spec, set map[string]string, name string, start quantities) {
		free := trained(t, spec, set)
		held := trained(t, spec, set, family.FixSetting, name)
		if !slices.Equal(held[name], start[name]) {
			t.Errorf("it was held at %v and became %v", start[name], held[name])
		}
		if !free.moved(name, start) {
			t.Errorf("it stays at %v without being held", start[name])
		}
		for other := range free {
			if other != name && free.moved(other, start) && !held.moved(other, start) {
				t.Errorf("%s does not move any more", other)
			}
		}
	})
}

// Parameters never leave their bounds, also from starts at a bound, and can leave the bound itself.
func TestParametersStayWithinBounds(t *testing.T) {
	withControls(t, func(t *testing.T, spec Spec, set map[string]string, name string, start quantities) {
		least := slices.Min(start[name])
		most := slices.Max(start[name])
		width := 0.1 * math.Max(math.Abs(least), math.Abs(most))
		if width == 0 {
			width = 1
		}
		for _, bound := range []param.Interval{{Lower: least, Upper: most + width},
			{Lower: least - width, Upper: most}, {Lower: least - width, Upper: most + width}} {
			text := fmt.Sprintf("%s=%v..%v", name, bound.Lower, bound.Upper)
			for _, v := range trained(t, spec, set, family.BoundSetting, text)[name] {
				if !(v >= bound.Lower && v <= bound.Upper) {
					t.Errorf("%s: it became %v", text, v)
				}
				if v == bound.Lower || v == bound.Upper {
					t.Errorf("%s: it stays at the bound %v", text, v)
				}
			}
		}
		outside := param.Interval{Lower: most + width, Upper: most + 2*width}
		_, err := controlled(t, spec, set, family.BoundSetting,
			fmt.Sprintf("%s=%v..%v", name, outside.Lower, outside.Upper))
		want := fmt.Sprintf("starts at %g, outside of its bound %v", start[name][0], outside)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a start outside of a bound: %v, want %q", err, want)
		}
	})
}

// A narrow prior moves a parameter towards its mode, with every method, and the objective has one more term.
func TestPriorsMoveParameters(t *testing.T) {
	withControls(t, func(t *testing.T, spec Spec, set map[string]string, name string, start quantities) {
		least := slices.Min(start[name])
		most := slices.Max(start[name])
		if least <= 0 {
			t.Skip("log-normal priors are for positive parameters")
		}
		for _, mode := range []float64{0.5 * least, 2 * most} {
			prior := fmt.Sprintf("%s=lognormal(%v,1e-3)", name, math.Log(mode))
			for i, v := range trained(t, spec, set, family.PriorSetting, prior)[name] {
				if before := start[name][i]; (v > before) != (mode > before) {
					t.Errorf("%s: it moved from %v to %v", prior, before, v)
				}
			}
		}
		prior := name + "=gamma(2,1)"
		m, err := controlled(t, spec, set, family.PriorSetting, prior)
		if err != nil {
			t.Fatal(err)
		}
		objective := spec.With(Values{family.PriorSetting: prior}).Objective
		if terms := familytest.Steps(t, m, 1).Terms; len(terms) != len(objective.Terms) {
			t.Errorf("a step reports %d terms, the objective has %v", len(terms), objective.Terms)
		}
		if objective.Comparable(spec.Objective) {
			t.Errorf("%s is comparable with %s", objective.Name, spec.Objective.Name)
		}
	})
}

// Training with controls resumes bit for bit.
func TestControlledTrainingResumes(t *testing.T) {
	for _, spec := range Families() {
		if spec.Uncontrolled != "" {
			continue
		}
		set := familytest.Applicable(spec, map[string]string{"layers": "2", "width": "2", "inducing": "5",
			"orthogonal": "3", "samples": "3", "batch": "10", "burn_in": "3", "kept": "2", "thinning": "1",
			"hidden_width": "3", "restarts": "1", "hyper_every": "2", "hyper_after": "1"})
		data := familytest.Wave(24, 1)
		name := "noise_variance"
		if _, err := controlled(t, spec, set, family.FixSetting, name); err != nil {
			name = "variance"
		}
		build := func() family.Model {
			m, err := controlled(t, spec, set, family.BoundSetting, name+"=1e-3..5",
				family.PriorSetting, name+"=gamma(2,1)")
			if err != nil {
				t.Fatalf("%s: %v", spec.Name, err)
			}
			return m
		}
		familytest.Resumes(t, spec.Name, build, data.X, 6, 2)
	}
}

// A GP whose kernel is white noise of a held variance w has independent targets of variance v + w. With an
// inverse-gamma prior of the noise variance v, the derivative of the log posterior is
//
//	-N/(2(v+w)) + sum y^2/(2(v+w)^2) - (shape+1)/v + scale/v^2,
//
// and its root is the MAP estimate.
func TestMAPInClosedForm(t *testing.T) {
	const w, shape, scale = 0.01, 30, 4
	spec, err := Lookup("gp")
	if err != nil {
		t.Fatal(err)
	}
	data := familytest.Wave(24, 1)
	var squares float64
	for _, y := range data.Y.RawMatrix().Data {
		squares += y * y
	}
	slope := func(v float64) float64 {
		s := v + w
		return -12/s + 0.5*squares/(s*s) - (shape+1)/v + scale/(v*v)
	}
	low, high := 1e-3, 10.0
	for range 200 {
		middle := 0.5 * (low + high)
		if slope(middle) > 0 {
			low = middle
		} else {
			high = middle
		}
	}
	set := map[string]string{"kernel": "white(variance=0.01!)", "tolerance": "1e-9", "ftol": "0"}
	m, err := controlled(t, spec, set,
		family.PriorSetting, fmt.Sprintf("noise_variance=inversegamma(%d,%d)", shape, scale))
	if err != nil {
		t.Fatal(err)
	}
	familytest.Steps(t, m, 40)
	got := quantitiesOf(m)
	if v := got["likelihood.variance"][0]; math.Abs(v-low) > 1e-6*low {
		t.Errorf("the MAP estimate of the noise variance is %v, want %v", v, low)
	}
	for name, v := range got {
		if strings.HasPrefix(name, "kernel") && v[0] != w {
			t.Errorf("%s was held at %v and became %v", name, w, v[0])
		}
	}
}

// Every family without control of parameters says why, for every control setting.
func TestFamiliesWithoutControls(t *testing.T) {
	for _, spec := range Families() {
		names := family.Names(spec.Hyperparameters)
		for _, name := range family.ControlSettings {
			has := slices.Contains(names, name)
			if why := spec.Absent[name]; has == (why != "") {
				t.Errorf("%s: has %s: %v, reason why not: %q", spec.Name, name, has, why)
			}
		}
	}
}

// The protocol of Lindinger et al. can be written down: the kernels of hidden layers have a held variance and
// learned white noise.
func TestHiddenLayersOfTheAuthors(t *testing.T) {
	const hidden = "rbf(variance=1!) + white(variance=1e-3)"
	withKernels(t, "rbf", func(t *testing.T, spec Spec, set map[string]string) {
		if spec.Uncontrolled != "" || set["layers"] == "" {
			t.Skip("no layers, or no gradients")
		}
		set = familytest.Merged(set, map[string]string{"kernel": hidden + "|rbf"})
		m, err := controlled(t, spec, set)
		if err != nil {
			t.Skip(err) // It has kernels of other parts.
		}
		start := quantitiesOf(m)
		familytest.Steps(t, m, 5)
		end := quantitiesOf(m)
		if v := end["layer.0.kernel.rbf.variance"]; v == nil || slices.ContainsFunc(v, func(x float64) bool {
			return x != 1
		}) {
			t.Errorf("the variance of the hidden layer is %v, want 1", v)
		}
		if !end.moved("layer.0.kernel.white.variance", start) || end["layer.1.kernel.white.variance"] != nil {
			t.Errorf("from %v to %v: only the hidden layer learns white noise", start, end)
		}
	})
}
