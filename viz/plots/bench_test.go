package plots

import (
	"testing"

	"dgplab/viz/canvas"
)

func BenchmarkLayerPanel(b *testing.B) {
	p := demoLayer(8)
	b.ReportAllocs()
	for b.Loop() {
		p.Render(canvas.Style{Mode: canvas.TrueColor, Dark: true}, 120, 40)
	}
}
