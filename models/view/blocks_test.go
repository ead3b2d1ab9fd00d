package view

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
)

// A map with parts of different sizes survives a JSON round trip, up to rounding.
func TestBlocksRoundTrip(t *testing.T) {
	inf := math.Inf(-1)
	b := Blocks{
		Parts: []Part{{Size: 9, Cells: 1}, {Group: 1, Size: 40, Cells: 2}},
		Log10: Symmetric{-3.14159, inf, 0.5, inf, 1, 2, 0.5, 2, 3.001},
	}
	text, err := json.Marshal(&b)
	if err != nil {
		t.Fatal(err)
	}
	var back Blocks
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if want := (Symmetric{-3.14, inf, 0.5, inf, 1, 2, 0.5, 2, 3}); !slices.Equal(back.Log10, want) ||
		!slices.Equal(back.Parts, b.Parts) {
		t.Errorf("%s reads as %+v", text, back)
	}
	if err := back.Check(); err != nil || back.Side() != 3 || back.At(1, 2) != 2 {
		t.Errorf("side %d, cell %v, %v", back.Side(), back.At(1, 2), err)
	}
}

func TestInconsistentBlocks(t *testing.T) {
	for text, want := range map[string]string{`{"a": 1}`: "cannot unmarshal object", `[[1], [2]]`: "row 1"} {
		var s Symmetric
		if err := s.UnmarshalJSON([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for want, b := range map[string]Blocks{
		"has 2 cells":         {Parts: []Part{{Size: 1, Cells: 2}}, Log10: make(Symmetric, 4)},
		"has 0 cells":         {Parts: []Part{{Size: 1}}},
		"4 cells, want 3":     {Parts: []Part{{Size: 3, Cells: 3}}, Log10: make(Symmetric, 4)},
		"0 cells, want 1 squ": {Parts: []Part{{Size: 3, Cells: 1}}},
	} {
		if err := b.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", b, err, want)
		}
	}
}

// Pairs of free parts must exist, with the larger index first.
func TestFreeBlocks(t *testing.T) {
	b := Blocks{Parts: []Part{{Size: 1, Cells: 1}, {Size: 1, Cells: 1}}, Log10: make(Symmetric, 4)}
	for pair, good := range map[[2]int]bool{
		{0, 0}: true, {1, 0}: true, {1, 1}: true,
		{0, 1}: false, {2, 0}: false, {2, 2}: false, {0, -1}: false, {-1, -1}: false,
	} {
		b.Free = [][2]int{{1, 0}, pair}
		err := b.Check()
		if good != (err == nil) ||
			err != nil && !strings.Contains(err.Error(), "invalid pair of free parts") {
			t.Errorf("%v: %v", pair, err)
		}
	}
}
