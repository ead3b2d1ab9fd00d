package report

import (
	"slices"
	"testing"

	"dgplab/models/view"
	"dgplab/viz/heatmap"
)

// Parts of different sizes keep their sizes in a map.
func TestPartsKeepTheirSizes(t *testing.T) {
	b := &view.Blocks{
		Parts: []view.Part{{Group: 0, Size: 100, Cells: 2},
			{Group: 0, Index: 1, Size: 10, Cells: 1},
			{Group: 1, Size: 7, Cells: 1}},
		Log10: make(view.Symmetric, 16),
	}
	m := Blocks(b)
	want := []heatmap.Part{{Group: 0, Size: 100, Cells: 2}, {Group: 0, Size: 10, Cells: 1},
		{Group: 1, Size: 7, Cells: 1}}
	if !slices.Equal(m.Parts, want) || m.Side() != b.Side() {
		t.Errorf("parts %v of %d cells", m.Parts, m.Side())
	}
}
