package family

import (
	"errors"
	"slices"
	"testing"
)

func TestCanonical(t *testing.T) {
	tests := []struct {
		kind       Kind
		text, want string
	}{
		{Int, "1000000", "1000000"},
		{Int, "1e6", "1000000"},
		{Int, " 064", "64"},
		{Int, "many", "many"},
		{Float, "0.10", "0.1"},
		{Float, "1e-3", "0.001"},
		{Bool, "True", "on"},
		{Bool, "0", "off"},
		{Bool, "perhaps", "perhaps"},
		{IntList, "2, 3", "2,3"},
		{IntList, "5", "5"},
		{IntList, "2,x", "2,x"},
		{FloatList, "1.0, 2e-3", "1,0.002"},
		{FloatList, "1,x", "1,x"},
		{Choice, "rbf ", "rbf"},
		{Text, "1.0", "1.0"},
	}
	for _, tt := range tests {
		h := Hyperparameter{Kind: tt.kind}
		got := h.Canonical(tt.text)
		if got != tt.want || h.Canonical(got) != got {
			t.Errorf("kind %d, %q: %q, again %q; want %q", tt.kind, tt.text, got, h.Canonical(got), tt.want)
		}
	}
}

func TestApplying(t *testing.T) {
	list := []Hyperparameter{
		{Name: "optimizer", Kind: Choice},
		{Name: "momentum", Kind: Bool, When: &Condition{Name: "optimizer", Is: []string{"adam", "sgd"}}},
		{Name: "decay", Kind: Float, When: &Condition{Name: "momentum", Is: []string{"on"}}},
	}
	for _, tt := range []struct {
		optimizer, momentum string
		want                []string
	}{
		{"adam", "on", []string{"optimizer", "momentum", "decay"}},
		{"sgd", "true", []string{"optimizer", "momentum", "decay"}},
		{"sgd", "off", []string{"optimizer", "momentum"}},
		{"newton", "on", []string{"optimizer"}}, // momentum does not apply, so decay does not either
	} {
		applying := Applicable(list, Values{"optimizer": tt.optimizer, "momentum": tt.momentum})
		for _, h := range list {
			if applying[h.Name] != slices.Contains(tt.want, h.Name) {
				t.Errorf("%s, %s: %s applies: %v", tt.optimizer, tt.momentum, h.Name, applying[h.Name])
			}
		}
	}
}

func TestFloats(t *testing.T) {
	h := Hyperparameter{Name: "lengthscale", Kind: FloatList, Max: 10, MinOpen: true}
	for text, ok := range map[string]bool{
		"1": true, "0.5, 2": true, "": false, "0,1": false, "11": false, "1,": false,
	} {
		if err := h.Validate(text); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
	if got := (Values{"lengthscale": "0.5, 2"}).Floats("lengthscale"); len(got) != 2 ||
		got[0] != 0.5 || got[1] != 2 {
		t.Errorf("%v", got)
	}
}

func TestEach(t *testing.T) {
	for _, c := range []struct {
		list []int
		n    int
		want []int // nil for an error
	}{
		{[]int{5}, 3, []int{5, 5, 5}}, {[]int{5}, 0, []int{}}, {[]int{1, 2}, 2, []int{1, 2}},
		{[]int{1, 2}, 3, nil}, {[]int{1, 2}, 1, nil},
	} {
		got, err := Expand("width", c.list, c.n, "layers")
		if (err != nil) != (c.want == nil) || !slices.Equal(got, c.want) {
			t.Errorf("%v for %d: %v, %v", c.list, c.n, got, err)
		}
	}
}

// TestValidate checks the allowed values of every kind, and that errors name the allowed values.
func TestValidate(t *testing.T) {
	odd := func(text string) error {
		if text == "even" {
			return errors.New("want an odd one")
		}
		return nil
	}
	for _, c := range []struct {
		h     Hyperparameter
		good  []string
		wrong []string
		want  string
	}{
		{Hyperparameter{Kind: Int, Min: 1, Max: 10}, []string{"1", "10"}, []string{"0", "11", "1.5", "x", ""},
			"want a whole number from 1 to 10"},
		{Hyperparameter{Kind: Float, Max: 1, MinOpen: true}, []string{"1", "1e-9", "0.5"},
			[]string{"0", "-0", "1.01", "NaN", "Inf", "x", ""}, "want a number above 0, at most 1"},
		{Hyperparameter{Kind: Float, Max: 1}, []string{"0", "1"}, []string{"-1e-9", "NaN"},
			"want a number from 0 to 1"},
		{Hyperparameter{Kind: Bool}, []string{"on", "off"}, []string{"", "maybe"}, "want on or off"},
		{Hyperparameter{Kind: Choice, Choices: []string{"a", "b"}},
			[]string{"a", "b"}, []string{"", "c", "A"},
			"want one of a, b"},
		{Hyperparameter{Kind: IntList, Min: 1, Max: 10}, []string{"1", "2,10"},
			[]string{"", "0", "1,11", "1.5", "1,,2"},
			"want whole numbers from 1 to 10, separated by commas"},
		{Hyperparameter{Kind: FloatList, Min: 1, Max: 10}, []string{"1.5", "2,9.5"},
			[]string{"", "0.5", "x", "1,NaN"},
			"want numbers from 1 to 10, separated by commas"},
		{Hyperparameter{Kind: Text, Check: odd}, []string{"", "x"}, []string{"even"}, "want an odd one"},
	} {
		c.h.Name = "h"
		for _, text := range c.good {
			if err := c.h.Validate(text); err != nil {
				t.Errorf("%q: %v", text, err)
			}
		}
		for _, text := range c.wrong {
			var wrong *ValueError
			if err := c.h.Validate(text); !errors.As(err, &wrong) ||
				wrong.Name != "h" || wrong.Value != text ||
				wrong.Want != c.want {
				t.Errorf("%q: error %v, want %s", text, err, c.want)
			}
		}
	}
	if got := (&ValueError{"h", "", "want a number"}).Error(); got != "h: want a number" {
		t.Errorf("an empty value: %q", got)
	}
	if got := (&ValueError{"h", "x", "want a number"}).Error(); got != "h=x: want a number" {
		t.Errorf("%q", got)
	}
}

// TestResolve completes settings with defaults. Invalid values and unknown names are errors.
// Defaults that are lists of the layers follow the number of layers; given lists do not.
func TestDefaultsForLayers(t *testing.T) {
	list := []Hyperparameter{
		{Name: "layers", Kind: Int, Default: "3", Min: 1, Max: 10},
		{Name: "width", Kind: IntList, Default: "16,4", Min: 1, Max: 64, PerHiddenLayer: true},
		{Name: "inducing", Kind: IntList, Default: "256,128,128", Min: 1, Max: 512, PerLayer: true},
		{Name: "other", Kind: IntList, Default: "1,2", Min: 1, Max: 9},
	}
	for layers, want := range map[string][2]string{
		"1": {"16,4", "256"}, // without hidden layers, the width does not apply
		"2": {"16", "256,128"},
		"3": {"16,4", "256,128,128"},
		"5": {"16,4,4,4", "256,128,128,128,128"},
	} {
		v, err := Resolve(list, map[string]string{"layers": layers})
		if err != nil || v["width"] != want[0] || v["inducing"] != want[1] || v["other"] != "1,2" {
			t.Errorf("%s layers: %v (%v)", layers, v, err)
		}
	}
	v, err := Resolve(list, map[string]string{"layers": "2", "inducing": "7,8,9"})
	if err != nil || v["inducing"] != "7,8,9" {
		t.Errorf("a given list became %v (%v)", v, err)
	}
}

func TestResolve(t *testing.T) {
	list := []Hyperparameter{
		{Name: "layers", Kind: Int, Default: "2", Min: 1, Max: 10},
		{Name: "rate", Kind: Float, Default: "0.5", Max: 1},
		{Name: "warm", Kind: Bool, Default: "off"}, {Name: "widths", Kind: IntList, Default: "5", Min: 1,
			Max: 9},
	}
	v, err := Resolve(list, map[string]string{"layers": " 3 ", "warm": "on", "widths": "2,3"})
	if err != nil || v.Int("layers") != 3 || v.Float("rate") != 0.5 || !v.Bool("warm") || len(v) != 4 ||
		!slices.Equal(v.Ints("widths"), []int{2, 3}) || v.Text("widths") != "2,3" {
		t.Errorf("%v, %v", v, err)
	}
	for want, set := range map[string]map[string]string{
		"layers=11: want a whole number from 1 to 10":                            {"layers": "11"},
		"a=1: unknown hyperparameter; known ones are layers, rate, warm, widths": {"b": "2", "a": "1"},
	} {
		if v, err := Resolve(list, set); v != nil || err == nil || err.Error() != want {
			t.Errorf("%v: %v, error %v, want %s", set, v, err, want)
		}
	}
	for name, get := range map[string]func(){
		"unknown": func() { v.Int("depth") }, "not validated": func() { Values{"rate": "x"}.Float("rate") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			get()
		}()
	}
}

// TestNonFiniteErrors checks that the advice names the setting that the method has.
func TestNonFiniteErrors(t *testing.T) {
	e := &NonFiniteError{Where: "the ELBO", Step: 7}
	if got, want := e.Error(),
		"step 7: the ELBO is not finite; lower the learning rate or check the data"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	e.Lower = "step size"
	if got, want := e.Error(),
		"step 7: the ELBO is not finite; lower the step size or check the data"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A kernel for all layers and GPs is a single expression.
func TestOneKernel(t *testing.T) {
	h := KernelHyperparameter("kernel", "", OneKernel)
	for text, want := range map[string]string{
		"rbf":       "",
		"rbf | rbf": "want one kernel",
		"rbf & rbf": "want one kernel for all GPs of a layer, because they share it",
	} {
		got := ""
		if err := h.Check(text); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
