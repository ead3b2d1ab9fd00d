package plots

import (
	"fmt"
	"strings"
	"testing"

	"dgplab/viz/canvas"
)

// If not all GPs have room, the tiles begin with the selected GP, or earlier to fill all places.
func TestTilesOfSelectedGP(t *testing.T) {
	const count = 12
	p := Layer{Layers: 1, Grid: []float64{0, 1, 2}, XName: "input"}
	for range count {
		p.GPs = append(p.GPs, LayerGP{Curves: [][]float64{{0, 1, 0}}})
	}
	tiles := 0
	for selected := range count {
		p.Selected = selected
		cv := canvas.New(canvas.Style{}, 110, 20)
		p.drawCurves(cv, 0, 20)
		text := strings.Join(cv.Lines(), "\n")
		var shown []int
		for gp := range count {
			if strings.Contains(text, fmt.Sprintf("GP %d ", gp+1)) {
				shown = append(shown, gp)
			}
		}
		if selected == 0 {
			tiles = len(shown)
		}
		first := min(selected, count-tiles)
		if len(shown) != tiles || tiles != 6 || shown[0] != first {
			t.Errorf("with GP %d selected, GPs %v are shown, want 6 from %d", selected, shown, first)
		}
	}
}

// Only collapsed GPs are called collapsed.
func TestTitlesOfGPs(t *testing.T) {
	for want, g := range map[string]LayerGP{
		"GP 3, sd 1.2": {SD: 1.2}, "GP 3, sd 0.1, collapsed": {SD: 0.1, Collapsed: true},
	} {
		if got := gpTitle(2, g); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func BenchmarkLayerPanel(b *testing.B) {
	p := demoLayer(8)
	b.ReportAllocs()
	for b.Loop() {
		p.Render(canvas.Style{Mode: canvas.TrueColor, Dark: true}, 120, 40)
	}
}
