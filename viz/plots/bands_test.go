package plots

import (
	"math"
	"strings"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/golden"
)

// demoBands returns n waves with less uncertainty in the middle.
func demoBands(n int) Bands {
	b := Bands{XName: "input 1, standardised", YName: "f"}
	for i := range 81 {
		b.X = append(b.X, float64(i-40)/20)
	}
	for run, label := range []string{"f 1", "f 2", "f 3"}[:n] {
		band := Band{Label: label, Run: run}
		for _, x := range b.X {
			band.Mean = append(band.Mean, math.Sin(2*x)+float64(run))
			band.SD = append(band.SD, 0.05+0.1*x*x)
		}
		b.Bands = append(b.Bands, band)
	}
	return b
}

// The band of a flat function spans two standard deviations on both sides.
func TestBandsAreTwoStandardDeviations(t *testing.T) {
	b := Bands{X: []float64{0, 1}, Bands: []Band{{Label: "f", Mean: []float64{0, 0}, SD: []float64{1, 1}}}}
	lines := b.Render(canvas.Style{}, 40, 13)
	shaded := 0
	for _, line := range lines[1:] {
		if strings.Contains(line, "░") {
			shaded++
		}
	}
	if shaded < 8 || !strings.Contains(lines[0], "mean ± 2 sd") {
		t.Errorf("%d lines are shaded:\n%s", shaded, strings.Join(lines, "\n"))
	}
	b.Bands[0].SD = nil
	if strings.Contains(golden.Text(b, canvas.Style{}, 40, 13)[60:], "░░") {
		t.Error("there is a band without standard deviations")
	}
}
