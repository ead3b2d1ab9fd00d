package family

import (
	"slices"
	"testing"
)

func TestCanonical(t *testing.T) {
	tests := []struct {
		kind       Kind
		text, want string
	}{
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
