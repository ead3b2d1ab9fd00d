package models

import (
	"math"
	"slices"
	"strings"
	"testing"

	"dgplab/models/family"
	"dgplab/models/familytest"
	"dgplab/models/kernel"
)

// withKernels runs a test for every family with a choice of kernels. The settings are small and use
// the given kernel everywhere.
func withKernels(t *testing.T, text string, run func(t *testing.T, spec Spec, set map[string]string)) {
	for _, spec := range Families() {
		set := familytest.Applicable(spec, map[string]string{"layers": "2", "width": "2", "inducing": "5",
			"orthogonal": "3", "samples": "3", "batch": "10", "burn_in": "3", "kept": "2", "thinning": "1"})
		chosen := false
		for _, h := range spec.Hyperparameters {
			if h.Kind == family.Expression {
				set[h.Name], chosen = text, true
			}
		}
		if chosen && spec.Name != "avdgp" && spec.Name != "idsgp" {
			t.Run(spec.Name, func(t *testing.T) { run(t, spec, set) })
		}
	}
}

// Every family with a choice of kernels trains with any expression: it accepts column names,
// reports the parameters of every function, predicts and draws finite numbers, and resumes bit for
// bit.
func TestFamiliesTakeAnyKernel(t *testing.T) {
	const text = "rbf(0) + periodic(1)*linear + white + constant"
	withKernels(t, text, func(t *testing.T, spec Spec, set map[string]string) {
		data := familytest.Wave(16, 1)
		m := familytest.New(t, spec, data, set, 1)
		familytest.Steps(t, m, 3)
		var names []string
		for _, q := range m.Hyper() {
			names = append(names, q.Name)
		}
		for _, want := range []string{"rbf.lengthscales", "periodic.period", "linear.offset"} {
			if !strings.Contains(strings.Join(names, " "), "kernel."+want) {
				t.Errorf("the parameters %v lack %s", names, want)
			}
		}
		x := familytest.Wave(5, 1).X
		draws, err := m.(family.FunctionSampler).DrawFunctions(x, 2, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range draws {
			for _, v := range f[0] {
				if math.IsNaN(v) {
					t.Error("a draw is NaN")
				}
			}
		}
		build := func() family.Model { return familytest.New(t, spec, data, set, 1) }
		familytest.Resumes(t, spec.Name, build, x, 4, 2)
	})
}

// Every covariance function trains in a family with one layer and in a family with two.
func TestFunctionsInFamilies(t *testing.T) {
	for _, name := range kernel.Names() {
		for _, family := range []string{"gp", "star"} {
			spec, err := Lookup(family)
			if err != nil {
				t.Fatal(err)
			}
			set := familytest.Applicable(spec, map[string]string{"layers": "2", "width": "1", "inducing": "4",
				"samples": "2", "batch": "6", "kernel": name + " + rbf"})
			m := familytest.New(t, spec, familytest.Wave(8, 1), set, 1)
			familytest.Steps(t, m, 2)
		}
	}
}

// The GPs of a layer can have different kernels in families whose GPs do not share one. Runs resume bit for
// bit.
func TestKernelsOfGPs(t *testing.T) {
	const hidden = "rbf & periodic(0) + linear"
	for _, spec := range Families() {
		at := slices.Index(family.Names(spec.Hyperparameters), "kernel")
		if at < 0 {
			continue
		}
		h := spec.Hyperparameters[at]
		families := []string{"solve-gp", "ppgpr", "dspp", "dsdgp", "dgp-iw", "dgp-ess"}
		perGP := slices.Contains(families, spec.Name)
		layers := slices.Contains(family.Names(spec.Hyperparameters), "layers")
		text := hidden + " | matern52"
		data := familytest.Wave(16, 1)
		if !layers {
			text, data = hidden, familytest.Wave(16, 2)
		}
		if err := h.Check(text); (err == nil) != perGP {
			t.Errorf("%s: %v", spec.Name, err)
		}
		if !perGP {
			continue
		}
		t.Run(spec.Name, func(t *testing.T) {
			set := familytest.Applicable(spec, map[string]string{"layers": "2", "width": "2", "inducing": "5",
				"orthogonal": "3", "samples": "3", "batch": "10", "burn_in": "3", "kept": "2",
				"thinning": "1", "kernel": text})
			m := familytest.New(t, spec, data, set, 1)
			familytest.Steps(t, m, 3)
			var names []string
			for _, q := range m.Hyper() {
				names = append(names, q.Name)
			}
			for _, want := range []string{"periodic.period", "linear.offset"} {
				if !slices.Contains(names, "layer.0.kernel.gp1."+want) {
					t.Errorf("the parameters %v lack %s", names, want)
				}
			}
			build := func() family.Model { return familytest.New(t, spec, data, set, 1) }
			familytest.Resumes(t, spec.Name, build, familytest.Wave(5, 1).X, 4, 2)

			set["kernel"] = "rbf & rbf & rbf"
			_, err := spec.New(familytest.Values(t, spec, set), data, 1)
			if err == nil || !strings.Contains(err.Error(), "want one kernel, or 2 for the GPs") {
				t.Errorf("three kernels for two GPs: %v", err)
			}
		})
	}
}

// Layers can have different kernels, and the first layer finds columns by name.
func TestKernelsOfLayers(t *testing.T) {
	data := familytest.Wave(12, 1)
	data.Inputs = []string{"age", "mass"}
	for text, want := range map[string]string{
		"linear(mass) | matern52(1)": "layer.0.kernel.linear.variance layer.0.kernel.linear.offset",
		"rbf(mass)":                  `kernel=rbf(mass): at character 5, "mass)": there is no column`,
		"rbf | rbf | rbf":            "kernel=rbf | rbf | rbf: want one kernel, or 2 for the layers",
		"linear(height)":             `kernel=linear(height): at character 8, "height)": there is no col`,
	} {
		for _, name := range []string{"mean-field", "dsdgp"} {
			spec, err := Lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			set := familytest.Applicable(spec, map[string]string{"layers": "2", "width": "2", "inducing": "4",
				"batch": "6", "kernel": text})
			got := ""
			m, err := spec.New(familytest.Values(t, spec, set), data, 1)
			if err != nil {
				got = err.Error()
			} else {
				for _, q := range m.Hyper() {
					if strings.Contains(q.Name, "kernel") {
						got += q.Name + " "
					}
				}
			}
			if !strings.HasPrefix(got, want) {
				t.Errorf("%s, %s: %s, want %s", name, text, got, want)
			}
		}
	}
}
