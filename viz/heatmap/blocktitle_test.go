package heatmap

import (
	"strings"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/golden"
)

// A shortened title keeps the part that differs from other maps.
func TestLongTitlesStayDistinct(t *testing.T) {
	m := BlockMap{Mark: "●", Title: "mean-field seed 12", Step: "at step 290",
		Parts: []Part{{Size: 2, Cells: 2}}, Log10: make([]float64, 4)}
	title, _, _ := strings.Cut(golden.Text(m, canvas.Style{}, 15, 8), "\n")
	if !strings.Contains(title, "s12") {
		t.Errorf("the title is %q", title)
	}
}
