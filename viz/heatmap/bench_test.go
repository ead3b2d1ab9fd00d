package heatmap

import (
	"testing"

	"dgplab/viz/canvas"
)

// BenchmarkBlockMap draws a map of 400 x 400 cells in 24-bit colour.
func BenchmarkBlockMap(b *testing.B) {
	m := demoMap([]int{8, 8, 1}, 24, starBlocks(8, 16))
	b.ReportAllocs()
	for b.Loop() {
		m.Render(canvas.Style{Mode: canvas.TrueColor, Dark: true}, 120, 40)
	}
}
