package viz_test

import (
	"bytes"
	"strings"
	"testing"

	"dgplab/viz/figure"
	"dgplab/viz/heatmap"
	"dgplab/viz/plots"
)

func TestReliability(t *testing.T) {
	line := plots.NewReliabilityLine([]float64{0.55, 0.95, 0.92, 0.9},
		[]bool{false, true, true, false}, 15)
	line.Label = "star"
	r := plots.Reliability{Lines: []plots.ReliabilityLine{line}}
	var svg, csv bytes.Buffer
	if err := export(&svg, figure.SVG, r, figure.Options{Title: "wine"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"star, calibration error", "4 test points", "accuracy", "wine"} {
		if !strings.Contains(svg.String(), want) {
			t.Errorf("no %q in the figure", want)
		}
	}
	if err := r.CSV(&csv); err != nil || strings.Count(csv.String(), "\n") != 4 ||
		!strings.Contains(csv.String(), "1,star,9,1,0.55,0,0,1\n") {
		t.Errorf("%v:\n%s", err, csv.String())
	}
}

// A map of classes names them and has no colour bar.
func TestPlaneOfClasses(t *testing.T) {
	m := heatmap.PlaneMap{X: []float64{0, 1}, Y: []float64{0, 1}, Values: []float64{0, 1, 2, 1},
		Name: "most probable kind", Classes: []string{"cat", "dog", "bird"},
		Points: []heatmap.Points{{Label: "cat", X: []float64{0.2}, Y: []float64{0.1}},
			{Label: "dog"},
			{Label: "bird", X: []float64{0.3}, Y: []float64{0.8}}}}
	var svg bytes.Buffer
	if err := export(&svg, figure.SVG, m, figure.Options{}); err != nil {
		t.Fatal(err)
	}
	var csv bytes.Buffer
	if err := m.CSV(&csv); err != nil || !strings.Contains(csv.String(), "\n1,0,dog\n0,1,bird\n") {
		t.Errorf("%v:\n%s", err, csv.String())
	}
	for _, class := range m.Classes {
		if n := strings.Count(svg.String(), ">"+class+"<"); n != 1 {
			t.Errorf("%s is named %d times in the figure", class, n)
		}
	}
}
