package view

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Views with a few wrong numbers and lengths are refused or can be shown, without a panic.
func TestDamagedViews(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 30))
	whole := full()
	whole.Blocks = &Blocks{Parts: []Part{{Size: 3, Cells: 2}, {Group: 1, Size: 1, Cells: 1}},
		Log10: make(Symmetric, 9), Free: [][2]int{{1, 0}}, Draws: 40}
	whole.Fit.Lines[0].Category = categories()
	whole.Fit.Lines[0].Coarse = whole.Fit.Lines[0].Coarse[:2]
	whole.Fit.Inputs = []string{"x", "y", "z"}
	whole.Fit.Categories = []int{1}
	whole.Plane.YCategory = categories()
	whole.Functions.Category = categories()
	text, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	var parts map[string]any
	if err := json.Unmarshal(text, &parts); err != nil {
		t.Fatal(err)
	}
	names := strings.Fields("blocks functions amortization quadrature prior network moment_matching maps " +
		"weights chains plane fit")
	for _, name := range names {
		for range 300 {
			part := parts[name]
			for range 1 + r.IntN(2) {
				part = damage(part, r)
			}
			text, err := json.Marshal(map[string]any{name: part})
			if err != nil {
				t.Fatal(err)
			}
			var v Views
			err = json.Unmarshal(text, &v)
			if err == nil {
				err = v.Check()
			}
			v.Empty()
			if v.Fit != nil && err == nil {
				v.Fit.HoldsNumbers(0)
				v.Fit.HoldsCategories(0)
			}
			if v.Functions != nil && err == nil {
				v.Functions.OfFirstLayer(1 + r.IntN(2))
				v.Functions.Lines()
			}
		}
	}
}

// damage returns a copy of a decoded JSON value with one change: an element of a list is missing or there
// twice, or a number is small or negative.
func damage(value any, r *rand.Rand) any {
	switch value := value.(type) {
	case map[string]any:
		out := map[string]any{}
		var names []string
		for name, v := range value {
			out[name] = v
			names = append(names, name)
		}
		if len(names) == 0 {
			return out
		}
		slices.Sort(names)
		name := names[r.IntN(len(names))]
		out[name] = damage(value[name], r)
		return out
	case []any:
		if len(value) == 0 {
			return value
		}
		at := r.IntN(len(value))
		switch r.IntN(4) {
		case 0:
			return slices.Delete(slices.Clone(value), at, at+1)
		case 1:
			return slices.Insert(slices.Clone(value), at, value[at])
		}
		out := slices.Clone(value)
		out[at] = damage(value[at], r)
		return out
	case float64:
		return float64(r.IntN(5) - 1)
	}
	return value
}
