package heatmap

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/golden"
)

func everywhere(int, int) bool { return true }

// Each kind of map is drawn once, with its names and the bar of its colours.
func TestPictures(t *testing.T) {
	star := demoMap([]int{3, 3, 1}, 16, starBlocks(3, 6))
	read := star
	read.Cursor = &Cursor{Place{1, 1, 17}, Place{1, 1, 40}}
	several := demoMaps(3)
	for i := range several {
		several[i].Cursor = &Cursor{Place{0, 1, 3}, Place{1, 2, 5}}
	}
	inside := demoPlane()
	inside.Title = "star"
	weaker := demoPlane()
	weaker.Title, weaker.Run = "mean-field", 1
	for i := range weaker.Values {
		weaker.Values[i] /= 2
	}
	inside.Marks = Points{Label: "inducing", X: []float64{-0.5, 1e9}, Y: []float64{0.2, 0}}
	for _, c := range []struct {
		name    string
		picture golden.Picture
		w, h    int
	}{
		{"map", star, 80, 24},
		{"map_of_named_parts", demoNamed(), 80, 24},
		{"map_of_unequal_parts", demoParts(), 80, 24},
		{"map_with_a_cursor", read, 80, 24},
		{"maps_with_a_cursor", several, 110, 24},
		{"matrices", demoMatrices(4, 2), 80, 14},
		{"matrix_of_counts", confused(5), 80, 12},
		{"plane", demoPlane(), 100, 24},
		{"plane_of_classes", classPlane(), 80, 16},
		{"plane_of_levels", levelPlane(), 80, 16},
		{"planes", PlaneMaps{inside, weaker}, 110, 20},
	} {
		t.Run(c.name, func(t *testing.T) { golden.CheckPicture(t, c.name, c.picture, c.w, c.h) })
	}
}

// An empty map shows a message, and so does a map whose values do not match its parts.
func TestMapsOfNothing(t *testing.T) {
	for _, c := range []struct {
		picture golden.Picture
		want    string
	}{
		{BlockMap{}, "no covariance yet"},
		{BlockMaps{}, "no covariance yet"},
		{BlockMap{Parts: parts([]int{2}, 0, 3), Log10: make([]float64, 7)},
			"covariance map has 7 values for 2 GPs"},
		{Matrices{}, "no matrices yet"},
		{PlaneMap{}, "no predictions yet"},
		{PlaneMap{X: []float64{1}, Values: []float64{1}}, "values do not match the grid"},
	} {
		golden.CheckMessage(t, c.picture, c.want)
	}
}

// Maps with unusual values explain them beside the picture, or draw a sign for them.
func TestUnusualMaps(t *testing.T) {
	broken := demoMap([]int{1, 1}, 8, everywhere)
	broken.Log10[3] = math.NaN()
	fixed := demoMap([]int{1, 1}, 8, everywhere)
	fixed.Lo, fixed.Hi, fixed.Title = -3, -1, "star, seed 2"
	chosen := demoMap([]int{3, 3, 1}, 16, starBlocks(3, 6))
	chosen.Chosen = 5
	matrices := demoMatrices(2, 1)
	matrices.Bands[0].Matrices[0].Values = [][]float64{{math.NaN()}, {math.Inf(1)}}
	matrices.Bands[1].Matrices[0].Values = [][]float64{{12345.6}}
	brokenPlane := demoPlane()
	brokenPlane.Values[7] = math.NaN()
	brokenPlane.Values[9] = math.Inf(1)
	flat := slope()
	clear(flat.Values)
	named := demoNamed()
	named.Cursor = named.Start(2)
	for _, c := range []struct {
		name    string
		picture golden.Picture
		want    []string
	}{
		{"zeros that may change", demoFree(), []string{"blank: always 0", "': 0 so far"}},
		{"only zeros", BlockMap{Parts: parts([]int{1}, 4, 1), Log10: []float64{math.Inf(-1)}},
			[]string{"@@ 0.0", "blank: always 0", "M = 4"}},
		{"one value", BlockMap{Parts: parts([]int{1}, 1, 1), Log10: []float64{0.3}}, []string{"@@ 0.3"}},
		{"a NaN", broken, []string{"?", "× 1 not finite"}},
		{"a fixed range", fixed, []string{"star, seed 2", "@@ ≥-1.0", ".. ≤-3.0"}},
		{"a chosen part", chosen, []string{"━2━", "2┃", "L2.2: 0.3, L3 -2.7"}},
		{"a wide map", demoMap([]int{8, 8, 1}, 8, starBlocks(8, 16)), []string{"log10|S_M|", "L3"}},
		{"a cursor on a named part", named, []string{"row w_11 at point 1", "X"}},
		{"four maps", demoMaps(4), []string{"● star M=64", "▲ star M=64", "■ star M=64", "◆ star M=64"}},
		{"a map and none", append(demoMaps(1), BlockMap{}), []string{"● star M=64", "no covariance yet"}},
		{"broken matrices", matrices, []string{"NaN", "Inf", "10k"}},
		{"many classes", confused(14), []string{"120", "N class"}},
		{"a broken plane", brokenPlane, []string{"× 2 not finite", "??"}},
		{"a flat plane", flat, []string{"mean of y 0", "∙ 2 of 3 training points", "speed", "height"}},
		{"a plane and none", PlaneMaps{demoPlane(), PlaneMap{}}, []string{"no predictions yet"}},
	} {
		text := golden.Text(c.picture, canvas.Style{}, 100, 24)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, text)
			}
		}
		golden.CheckBoxes(t, c.picture)
	}
}

// On every background, the greatest value has the last colour of the ramp: as half a cell of a map, and
// behind the number of a matrix.
func TestColorsOfValues(t *testing.T) {
	for _, style := range []canvas.Style{{Mode: canvas.TrueColor, Dark: true}, {Mode: canvas.TrueColor}} {
		r, g, b, _ := style.Heat(1).RGB()
		most := fmt.Sprintf("2;%d;%d;%dm", r, g, b)
		for name, c := range map[string]struct {
			picture golden.Picture
			want    string
		}{
			"map":    {BlockMap{Parts: parts([]int{1}, 1, 1), Log10: []float64{0.3}}, "38;" + most},
			"matrix": {demoMatrices(3, 2), "48;" + most + "  1.00"},
		} {
			if text := golden.Text(c.picture, style, 80, 20); !strings.Contains(text, c.want) {
				t.Errorf("%s, dark %v: no %q in %q", name, style.Dark, c.want, text)
			}
		}
		if text := golden.Text(demoFree(), style, 80, 20); !strings.Contains(text, "grey: 0 so far") {
			t.Errorf("dark %v: zeros that may change are not explained:\n%s", style.Dark, text)
		}
	}
}
