package param

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// Values of an interval stay within it whatever the free entry, and a value on a bound starts inside.
func TestIntervalIsNeverLeft(t *testing.T) {
	for _, of := range []Interval{{0.1, 10}, {1e-6, 1e8}, {-3, -1}, {0.1, 0.3}, {1, 1 + 1e-15}} {
		free := []float64{-1e300, -800, -40, -1, 0, 1, 40, 800, 1e300, math.Inf(1), math.Inf(-1)}
		value := make([]float64, len(free))
		of.Forward(value, free)
		for i, v := range value {
			if !(v >= of.Lower && v <= of.Upper) {
				t.Errorf("%v at %v: %v", of, free[i], v)
			}
		}
		slope := make([]float64, len(free))
		ones := slices.Repeat([]float64{1}, len(free))
		of.Pullback(slope, ones, free)
		if i := slices.IndexFunc(slope, func(g float64) bool { return !(g >= 0) }); i >= 0 {
			t.Errorf("%v at %v: slope %v", of, free[i], slope[i])
		}
	}
	of := Interval{0.1, 10}
	value := []float64{0.1, 10}
	free := make([]float64, 2)
	if err := of.Inverse(free, value); err != nil {
		t.Fatal(err)
	}
	of.Forward(value, free)
	if math.Abs(value[0]-0.1099) > 1e-12 || math.Abs(value[1]-9.9901) > 1e-12 {
		t.Errorf("starts at the bounds became %v, want a thousandth of the width inside", value)
	}
}

// Densities integrate to one, and their slopes are derivatives.
func TestDensities(t *testing.T) {
	for _, text := range []string{"lognormal(-0.5,0.4)", "gamma(2.5,3)", "inversegamma(5,2)", "normal(1,0.5)",
		"halfnormal(0.7)"} {
		d, err := ParseDensity(text)
		if err != nil {
			t.Fatal(err)
		}
		if d.String() != text {
			t.Errorf("%s reads as %s", text, d)
		}
		const h = 1e-4
		var mass float64
		for x := -10 + h/2; x < 40; x += h {
			value, _ := d.LogDensity(x)
			mass += h * math.Exp(value)
		}
		if math.Abs(mass-1) > 1e-5 {
			t.Errorf("%s has mass %v", text, mass)
		}
		for _, x := range []float64{0.05, 0.3, 1, 2.5} {
			above, _ := d.LogDensity(x * (1 + 1e-6))
			below, _ := d.LogDensity(x * (1 - 1e-6))
			want := (above - below) / (2e-6 * x)
			if _, slope := d.LogDensity(x); math.Abs(slope-want) > 1e-6*math.Max(1, math.Abs(want)) {
				t.Errorf("%s at %v: slope %v, central difference %v", text, x, slope, want)
			}
		}
	}
	for _, text := range []string{"", "gamma", "gamma(1)", "gamma(1,2", "gamma(0,1)", "gamma(1,NaN)",
		"normal(0,-1)", "cauchy(1)", "halfnormal(1,2)", "lognormal(0,1)x"} {
		if d, err := ParseDensity(text); err == nil {
			t.Errorf("%q reads as %v", text, d)
		}
	}
}

// twoLayers returns the parameters of a model with two layers, as models name them.
func twoLayers(t *testing.T) *Set {
	t.Helper()
	positive := Positive{Lower: 1e-6}
	s, err := NewSet(
		&Parameter{Name: "layer.0.Z", Shape: []int{2}, Value: []float64{-1, 1}, Transform: Identity{}},
		&Parameter{Name: "layer.0.kernel.lengthscales", Shape: []int{2}, Value: []float64{1, 2},
			Transform: positive},
		&Parameter{Name: "layer.0.kernel.rbf2.variance", Shape: []int{1}, Value: []float64{1},
			Transform: positive},
		&Parameter{Name: "layer.1.kernel.lengthscales", Shape: []int{1}, Value: []float64{3},
			Transform: Exponential{Lower: 1e-6}},
		&Parameter{Name: "q_sqrt.0.0", Shape: []int{2, 2}, Value: []float64{1, 0, 0.5, 1},
			Transform: NewTriangular(2, []bool{false})},
		&Parameter{Name: "likelihood.variance", Shape: []int{1}, Value: []float64{0.1}, Transform: positive})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSelect(t *testing.T) {
	s := twoLayers(t)
	for name, want := range map[string]string{
		"lengthscale":                 "layer.0.kernel.lengthscales layer.1.kernel.lengthscales",
		"lengthscales":                "layer.0.kernel.lengthscales layer.1.kernel.lengthscales",
		"layer2.lengthscale":          "layer.1.kernel.lengthscales",
		"layer.1.kernel.lengthscales": "layer.1.kernel.lengthscales",
		"layer.1.lengthscales":        "layer.1.kernel.lengthscales",
		"variance":                    "layer.0.kernel.rbf2.variance",
		"rbf2.variance":               "layer.0.kernel.rbf2.variance",
		"layer1_variance":             "layer.0.kernel.rbf2.variance",
		"noise_variance":              "likelihood.variance",
		"likelihood.variance":         "likelihood.variance",
		"layer1": "layer.0.Z layer.0.kernel.lengthscales " +
			"layer.0.kernel.rbf2.variance",
		"q_sqrt": "q_sqrt.0.0",
		"layer3": "", "lengthscale.layer1": "", "noise": "", "": "", ".": "", "length": "",
	} {
		var names []string
		for _, p := range s.Select(name) {
			names = append(names, p.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%q selects %q, want %q", name, got, want)
		}
	}
	want := "Z, lengthscale, rbf2.variance, q_sqrt, noise_variance"
	if got := strings.Join(s.Names(), ", "); got != want {
		t.Errorf("the names are %s, want %s", got, want)
	}
	for _, name := range s.Names() {
		if s.Select(name) == nil {
			t.Errorf("%q is among the names and selects nothing", name)
		}
	}
}

// The gradient of held parameters is zero, with all of their free entries, and their values stay exact.
func TestHold(t *testing.T) {
	s := twoLayers(t)
	size := s.Size()
	before := slices.Clone(s.Free)
	err := s.Control([]Control{{Name: "noise_variance", Held: true}, {Name: "q_sqrt", Held: true}})
	if err != nil {
		t.Fatal(err)
	}
	if s.Size() != size {
		t.Errorf("%d free entries, want %d as before", s.Size(), size)
	}
	var ones [][]float64
	for _, p := range s.Params() {
		ones = append(ones, slices.Repeat([]float64{1}, len(p.Value)))
	}
	grad := make([]float64, size)
	s.Pullback(grad, ones)
	for k, g := range grad {
		held := s.NameAt(k) == "likelihood.variance" || s.NameAt(k) == "q_sqrt.0.0"
		if held != (g == 0) {
			t.Errorf("the gradient of %s is %v", s.NameAt(k), g)
		}
		if !held && s.Free[k] != before[k] {
			t.Errorf("a free entry of %s changed from %v to %v", s.NameAt(k), before[k], s.Free[k])
		}
	}
	s.Forward()
	if v := s.Lookup("likelihood.variance").Value[0]; v != 0.1 {
		t.Errorf("the held value 0.1 became %v", v)
	}
}

func TestRefusedControls(t *testing.T) {
	density, err := ParseDensity("gamma(1,1)")
	if err != nil {
		t.Fatal(err)
	}
	for want, list := range map[string][]Control{
		`no parameter is called "noise"; the model has Z, lengthscale, rbf2.variance, q_sqrt, ` +
			"noise_variance": {{Name: "noise", Held: true}},
		"layer.1.kernel.lengthscales starts at 3, outside of its bound 0.1..2; change the start or " +
			"the bound": {{Name: "lengthscale", Bound: &Interval{0.1, 2}}},
		"lengthscale and layer1.lengthscale give two bounds to layer.0.kernel.lengthscales": {
			{Name: "lengthscale", Bound: &Interval{0.1, 4}},
			{Name: "layer1.lengthscale", Bound: &Interval{0.1, 4}}},
		"variance and layer1.variance give two priors to layer.0.kernel.rbf2.variance": {
			{Name: "variance", Prior: &density}, {Name: "layer1.variance", Prior: &density}},
		"layer.0.Z starts at -1, where its prior gamma(1,1) has no density": {{Name: "Z", Prior: &density}},
		"the bound -2..-1 of likelihood.variance has no value above 1e-06": {
			{Name: "noise_variance", Bound: &Interval{-2, -1}}},
		"q_sqrt.0.0 cannot be bounded, because its entries depend on each other": {
			{Name: "q_sqrt", Bound: &Interval{0, 2}}},
		// A held parameter must also start within its bound.
		"likelihood.variance starts at 0.1, outside of its bound 1..2; change the start or the bound": {
			{Name: "noise_variance", Held: true}, {Name: "noise_variance", Bound: &Interval{1, 2}}},
	} {
		err := twoLayers(t).Control(list)
		var refused *ControlError
		if !errors.As(err, &refused) || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
