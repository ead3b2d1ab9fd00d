package deep

import (
	"math"
	"testing"

	"dgplab/models/family"
	"dgplab/models/familytest"
)

// TestOneLayerEqualsSparseGP compares a one-layer deep GP with the sparse GP that has the same
// inference functions.
func TestOneLayerEqualsSparseGP(t *testing.T) {
	data := familytest.Wave(60, 2)
	one := familytest.New(t, avdgpSpec(), data, map[string]string{
		"layers": "1", "width": "2", "inducing": "6", "learning_rate": "0.005", "beta": "1",
	}, 1)
	sparse := familytest.New(t, idsgpSpec(), data, map[string]string{
		"inference": "affine", "covariance": "diagonal", "inducing": "6",
		"learning_rate": "0.005", "beta": "1",
	}, 1)
	a := familytest.Steps(t, one, 5)
	b := familytest.Steps(t, sparse, 5)
	if a.Objective != b.Objective {
		t.Errorf("the deep GP has %v, the sparse GP %v", a.Objective, b.Objective)
	}
}

// settings lists the variants of both families that are tested.
var settings = []struct {
	name string
	spec family.Spec
	set  map[string]string
}{
	{"ar1", avdgpSpec(), map[string]string{"rule": "ar1", "ar1_samples": "2", "trend": "none"}},
	{"ar2", avdgpSpec(), map[string]string{"rule": "ar2", "mean_function": "linear"}},
	{"unwhitened", avdgpSpec(),
		map[string]string{"rule": "ar2p", "mean_function": "linear", "whiten": "off"}},
	{"ar2p", avdgpSpec(), map[string]string{"rule": "ar2p", "ard": "on"}},
	{"ar2pp", avdgpSpec(), map[string]string{"rule": "ar2pp"}},
	{"network", idsgpSpec(), map[string]string{}},
	{"affine", idsgpSpec(), map[string]string{"inference": "affine", "covariance": "diagonal"}},
}

func with(set map[string]string) map[string]string {
	return familytest.Merged(map[string]string{"inducing": "4", "batch": "50", "learning_rate": "0.02",
		"warm_up": "0"}, set)
}

func deepOnly(spec family.Spec, set map[string]string) map[string]string {
	if spec.Name == "avdgp" {
		set["layers"], set["width"] = "2", "3"
		if set["rule"] != "ar1" {
			set["samples"] = "4"
		}
	}
	return set
}

// TestModelsLearn fits every variant to two functions at once and to classes.
func TestModelsLearn(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of steps")
	}
	for _, c := range settings {
		t.Run(c.name, func(t *testing.T) {
			data := familytest.Wave(100, 2)
			set := deepOnly(c.spec, with(c.set))
			familytest.Learns(t, familytest.New(t, c.spec, data, set, 1), data, 400, 8, 0.3)
			labels := familytest.Signs(familytest.Wave(100, 1))
			familytest.Learns(t, familytest.New(t, c.spec, labels, set, 1), labels, 300, 8, 12)
		})
	}
}

func TestListsOfWrongLength(t *testing.T) {
	for name, set := range map[string]map[string]string{
		"width": {"width": "2,2"}, "inducing": {"inducing": "4,4,4"}, "spread": {"spread": "1,1,1"},
		"lengthscale": {"lengthscale": "1,2,3,4"},
	} {
		var refused *family.ValueError
		if _, err := avdgpSpec().New(familytest.Values(t, avdgpSpec(), set),
			familytest.Wave(20, 1), 1); err == nil {
			t.Errorf("%v was accepted", set)
		} else if ok := asValue(err, &refused); !ok || refused.Name != name {
			t.Errorf("%v: %v", set, err)
		}
	}
}

func asValue(err error, to **family.ValueError) bool {
	v, ok := err.(*family.ValueError)
	*to = v
	return ok
}

// TestBetaScalesOnlyTheKL checks that beta scales the KL term of the objective and no other.
func TestBetaScalesOnlyTheKL(t *testing.T) {
	for _, spec := range amortizedFamilies() {
		data := familytest.Wave(60, 2)
		one := familytest.Steps(t,
			familytest.New(t, spec, data, map[string]string{"spread": "0.5", "beta": "1"}, 1), 1).Terms
		three := familytest.Steps(t,
			familytest.New(t, spec, data, map[string]string{"spread": "0.5", "beta": "3"}, 1), 1).Terms
		if !(one[1] > 0) || !(math.Abs(three[1]-3*one[1]) < 1e-9*three[1]) || three[0] != one[0] {
			t.Errorf("%s: terms %v with beta=1, %v with beta=3", spec.Name, one, three)
		}
	}
}

// A lengthscale of 0 means the square root of the number of inputs of its layer.
func TestDefaultLengthscales(t *testing.T) {
	m := familytest.New(t, avdgpSpec(), familytest.Wave(60, 1),
		map[string]string{"layers": "2", "width": "3", "lengthscale": "0"}, 1)
	want := map[string]float64{
		"layer.0.kernel.lengthscale": math.Sqrt(2), "layer.1.kernel.lengthscale": math.Sqrt(3),
	}
	found := 0
	for _, q := range m.Hyper() {
		value, ok := want[q.Name]
		if !ok {
			continue
		}
		found++
		if math.Abs(q.Value[0]-value) > 1e-9 {
			t.Errorf("%s is %v, want %v", q.Name, q.Value[0], value)
		}
	}
	if found != len(want) {
		t.Errorf("%d of %d lengthscales in %v", found, len(want), m.Hyper())
	}
}
