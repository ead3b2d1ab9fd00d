package family

import "testing"

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
