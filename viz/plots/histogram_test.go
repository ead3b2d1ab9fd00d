package plots

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/golden"
)

// dark is a terminal with all colours and braille.
var dark = canvas.Style{Mode: canvas.TrueColor, Dark: true, Braille: true}

// barRows counts, for each row of a picture, the cells in the colour of the first run, as a
// block or behind a line.
func barRows(picture string) (rows []int) {
	cell := regexp.MustCompile("\x1b\\[([0-9;]*)m([^\x1b]*)")
	for _, line := range strings.Split(picture, "\n") {
		n := 0
		for _, m := range cell.FindAllStringSubmatch(line, -1) {
			if strings.Contains(m[1], "48;2;86;180;233") ||
				strings.Contains(m[1], "38;2;86;180;233") && strings.Contains(m[2], "█") {
				n += len([]rune(strings.ReplaceAll(m[2], " ", "")))
			}
		}
		rows = append(rows, n)
	}
	return rows
}

// A line does not cut a bar in two: every row of a bar below the top is filled.
func TestLinesDoNotCutBars(t *testing.T) {
	bars := NewHistogram([]float64{0, 0, 0, 0, 1, 1, 1, 1}, 2, 0.5, 0.4)
	if len(bars.Density) == 0 {
		t.Fatal("no line")
	}
	picture := golden.Text(bars, dark, 40, 16)
	if !strings.ContainsFunc(picture, func(r rune) bool { return r > 0x2800 && r < 0x2900 }) {
		t.Fatal("no line in the picture")
	}
	rows := barRows(picture)
	most := 0
	for y, n := range rows[:14] {
		if n < most {
			t.Errorf("row %d of the bars has %d cells of %d:\n%s", y, n, most, picture)
		}
		most = max(most, n)
	}
}

// With fewer columns than bars, a bar is drawn over another.
func TestMoreBarsThanColumns(t *testing.T) {
	counts := make([]int, 30)
	for i := range counts {
		counts[i] = 10
	}
	picture := golden.Text(NewRankHistogram(counts), dark, 18, 10)
	if strings.Contains(picture, "\x1b[38;2;0;0;0;48;2;86;180;233m█") {
		t.Errorf("a bar is drawn as if it were a line:\n%s", picture)
	}
}

// The points of bins are counted below all bins with points, or below none.
func TestCountsOfBinsAreWhole(t *testing.T) {
	line := ReliabilityLine{Label: "star", Bins: make([]ReliabilityBin, 10)}
	for i, n := range []int{7, 1234} {
		line.Bins[5+4*i] = ReliabilityBin{N: n, Confidence: 0.55 + 0.4*float64(i), Right: 0.6}
	}
	r := Reliability{Lines: []ReliabilityLine{line}}
	const said = "points per bin below"
	for width, counted := range map[int]bool{100: true, 40: false} {
		picture := golden.Text(r, canvas.Style{}, width, 16)
		below := strings.Split(picture, "\n")[12]
		if got := strings.Contains(below, "1234"); got != counted ||
			strings.Contains(below, "7") != counted || width == 100 && !strings.Contains(picture, said) ||
			!counted && strings.Contains(picture, said) {
			t.Errorf("at %d columns the bins are counted: %v\n%s", width, got, picture)
		}
	}
}

// Two histograms are side by side. Three have two rows if these are high enough.
func TestRowsOfHistograms(t *testing.T) {
	h := Histogram{Values: []float64{1, 3}, Hi: 2, Label: "draws"}
	for _, c := range []struct{ n, h, rows int }{{2, 8, 1}, {3, 7, 1}, {3, 8, 2}, {4, 20, 2}} {
		text := golden.Text(Histograms(slices.Repeat([]Histogram{h}, c.n)), canvas.Style{}, 120, c.h)
		rows := 0
		for line := range strings.Lines(text) {
			if strings.Contains(line, "draws") {
				rows++
			}
		}
		if rows != c.rows {
			t.Errorf("%d histograms in %d lines have %d rows, want %d:\n%s", c.n, c.h, rows, c.rows, text)
		}
	}
}
