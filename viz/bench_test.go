package viz

import (
	"math"
	"testing"
)

// BenchmarkCurve draws four series of 100,000 points each, smoothed, on a screen
// of 200 x 60 cells.
func BenchmarkCurve(b *testing.B) {
	c := Curve{Smoothing: 0.95, Best: Highest}
	for run := range 4 {
		s := Series{Label: "run", Run: run}
		for i := range 100_000 {
			s.X = append(s.X, float64(i))
			s.Y = append(s.Y, -1000*math.Exp(-float64(i)/2e4)+50*math.Sin(float64(i*(run+3))))
		}
		c.Series = append(c.Series, s)
	}
	b.ReportAllocs()
	for b.Loop() {
		c.Render(Style{Mode: TrueColor, Dark: true}, 200, 60)
	}
}

// BenchmarkBlockMap draws a map of 400 x 400 cells in 24-bit colour.
func BenchmarkBlockMap(b *testing.B) {
	m := demoMap([]int{8, 8, 1}, 24, starBlocks(8, 16))
	b.ReportAllocs()
	for b.Loop() {
		m.Render(Style{Mode: TrueColor, Dark: true}, 120, 40)
	}
}

func BenchmarkLayerPanel(b *testing.B) {
	p := demoLayer(8)
	b.ReportAllocs()
	for b.Loop() {
		p.Render(Style{Mode: TrueColor, Dark: true}, 120, 40)
	}
}
