package deep_test

import (
	"maps"
	"math"
	"slices"
	"testing"

	"dgplab/models/deep"
	"dgplab/models/family"
	"dgplab/models/familytest"
)

// specs lists the families with shared inducing inputs.
var specs = slices.DeleteFunc(deep.Families(), func(s family.Spec) bool {
	return s.Name == "avdgp" || s.Name == "idsgp"
})

// forms lists the settings that each family is tested with.
var forms = []struct {
	family string
	set    map[string]string
}{
	{"solve-gp", map[string]string{"inducing": "8", "orthogonal": "7"}},
	{"solve-gp", map[string]string{"inducing": "8", "orthogonal": "7", "whiten": "off", "ard": "on"}},
	{"solve-gp", map[string]string{"inducing": "12", "orthogonal": "0"}},
	{"ppgpr", map[string]string{"inducing": "12"}},
	{"dspp", map[string]string{"inducing": "12,8", "samples": "4", "beta": "0.1"}},
	{"dspp", map[string]string{"inducing": "12,8", "samples": "4", "whiten": "off", "beta": "0.1"}},
	{"dsdgp", map[string]string{"inducing": "12,8", "samples": "4"}},
	{"dsdgp", map[string]string{"inducing": "12,8", "samples": "4", "covariance": "full",
		"mean_function": "zero", "ard": "on"}},
	{"dsdgp", map[string]string{"inducing": "12,8", "samples": "4", "covariance": "full", "whiten": "off"}},
	{"dgp-iw", map[string]string{"inducing": "12,8", "samples": "3", "kernel": "matern52+linear(0)"}},
	{"dgp-iw", map[string]string{"inducing": "12,8", "samples": "1", "whiten": "off"}},
}

// each runs a subtest for every form.
func each(t *testing.T, run func(t *testing.T, spec family.Spec, set map[string]string)) {
	for _, f := range forms {
		for _, spec := range specs {
			if spec.Name != f.family {
				continue
			}
			set := maps.Clone(f.set)
			set["batch"], set["learning_rate"] = "50", "0.03"
			name := spec.Name
			if _, deep := familytest.Values(t, spec, nil)["layers"]; deep {
				set["layers"], set["width"] = "2", "3"
			}
			for _, k := range []string{"orthogonal", "whiten", "covariance"} {
				if v, ok := f.set[k]; ok {
					name += " " + k + "=" + v
				}
			}
			t.Run(name, func(t *testing.T) { run(t, spec, set) })
		}
	}
}

// TestModelsLearn fits every form to two functions at once and to classes.
func TestModelsLearn(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of steps")
	}
	each(t, func(t *testing.T, spec family.Spec, set map[string]string) {
		data := familytest.Wave(100, 2)
		familytest.Learns(t, familytest.New(t, spec, data, set, 1), data, 300, 8, 0.3)
		if !spec.Accepts.Binary {
			return
		}
		labels := familytest.Signs(familytest.Wave(100, 1))
		familytest.Learns(t, familytest.New(t, spec, labels, set, 1), labels, 200, 8, 20) // half by chance
	})
}

// A model restored from the state of another must continue bit for bit like the original, on any
// number of processors.
func TestResume(t *testing.T) {
	data := familytest.Wave(60, 2)
	each(t, func(t *testing.T, spec family.Spec, set map[string]string) {
		build := func() family.Model { return familytest.New(t, spec, data, set, 1) }
		familytest.Resumes(t, spec.Name, build, data.X, 10, 5)
	})
}

// With one layer, a deep sigma point process must equal the parametric predictive GP, and a doubly
// stochastic deep GP must equal SOLVE-GP without a second set of inducing inputs.
func TestOneLayer(t *testing.T) {
	same := map[string]string{"inducing": "9", "batch": "20", "learning_rate": "0.02"}
	one := map[string]string{
		"inducing": "9", "batch": "20", "layers": "1", "width": "1",
		"covariance": "full", "learning_rate": "0.02",
	}
	none := map[string]string{"inducing": "9", "batch": "20", "orthogonal": "0"}
	by := map[string]family.Spec{}
	for _, spec := range specs {
		by[spec.Name] = spec
	}
	data := familytest.Wave(50, 2)
	for _, c := range []struct {
		deep, shallow string
		set           map[string]string
	}{{"dspp", "ppgpr", same}, {"dsdgp", "solve-gp", none}} {
		a := familytest.Steps(t, familytest.New(t, by[c.deep], data, one, 1), 4)
		b := familytest.Steps(t, familytest.New(t, by[c.shallow], data, c.set, 1), 4)
		if a.Objective != b.Objective {
			t.Errorf("%s has %v, %s has %v", c.deep, a.Objective, c.shallow, b.Objective)
		}
	}
}

func TestNoteOnTooManyInducingPoints(t *testing.T) {
	for _, spec := range specs {
		m := familytest.New(t, spec, familytest.Wave(10, 2),
			map[string]string{"inducing": "20", "batch": "5"}, 1)
		if notes := m.(family.Annotator).Notes(); len(notes) == 0 {
			t.Errorf("%s: no note", spec.Name)
		}
		familytest.Steps(t, m, 1)
	}
}

// TestViews checks that the views of a model are consistent.
func TestViews(t *testing.T) {
	each(t, func(t *testing.T, spec family.Spec, set map[string]string) {
		m := familytest.New(t, spec, familytest.Wave(60, 2), set, 1)
		familytest.Steps(t, m, 3)
		v, err := m.(family.Viewer).Views(1)
		if err == nil {
			err = v.Check()
		}
		if err != nil {
			t.Fatal(err)
		}
		layers, gps := 1, 2
		if set["layers"] == "2" {
			layers, gps = 2, 5
		}
		if len(v.Blocks.Parts) != gps || len(v.Units) != layers ||
			len(v.Matrices.Matrices) != layers || v.Amortization != nil {
			t.Errorf("%d parts, %d layers, %d matrices",
				len(v.Blocks.Parts), len(v.Units), len(v.Matrices.Matrices))
		}
		if (v.Quadrature != nil) != (spec.Name == "dspp") {
			t.Errorf("quadrature %v", v.Quadrature)
		}
		side := v.Blocks.Side()
		if !(v.Blocks.At(0, 0) > -12) || !math.IsInf(v.Blocks.At(side-1, 0), -1) {
			t.Errorf("covariances %v and %v", v.Blocks.At(0, 0), v.Blocks.At(side-1, 0))
		}
		for _, e := range v.Matrices.Matrices {
			if !(e.Condition > 1) || !(e.SmallestPivot > 0) {
				t.Errorf("%+v", e)
			}
		}
	})
}

// beta scales the KL in the objective, and nothing else.
func TestBetaScalesTheKL(t *testing.T) {
	data := familytest.Wave(40, 1)
	for _, name := range []string{"ppgpr", "dspp"} {
		for _, spec := range deep.Families() {
			if spec.Name != name {
				continue
			}
			first := func(beta string) family.Report {
				set := map[string]string{"inducing": "8", "batch": "40", "beta": beta}
				m := familytest.New(t, spec, data, set, 1)
				return familytest.Steps(t, m, 1)
			}
			whole := first("1")
			half := first("0.5")
			got := half.Objective - whole.Objective
			want := 0.5 * whole.Terms[1]
			if !(want > 0) || math.Abs(got-want) > 1e-12*math.Abs(whole.Objective) {
				t.Errorf("%s: half of beta changes the objective by %v, want %v", name, got, want)
			}
		}
	}
}
