package plots

import (
	"math"
	"strings"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/golden"
)

// Bars end one standard error from the mean. Rows are one unit high.
func TestErrorBarsReachOneStandardError(t *testing.T) {
	b := ErrorBars{
		Series: []ErrorSeries{{Points: []ErrorPoint{{X: 0, Mean: 0, SE: 0, N: 2},
			{X: 1, Mean: 5, SE: 3, N: 4}, {X: 2, Mean: 10, SE: 2, N: 1}}}},
		Categories: []string{"a", "b", "c"},
	}
	c := b.chart()
	c.Y.Lo, c.Y.Hi = 0, 10
	cv := canvas.New(canvas.Style{}, 30, 11)
	for _, m := range c.Marks {
		m.Text(cv, &c.Plane)
	}
	column := func(x int) (s string) {
		for y := range cv.H {
			s += string(cv.At(x, y))
		}
		return s
	}
	for x, want := range map[int]string{
		5:  "          ●",
		15: "  ┬││●││┴  ",
		24: "●          ",
	} {
		if got := column(x); got != want {
			t.Errorf("column %d is %q, want %q in\n%s", x, got, want, cv)
		}
	}
}

// With dots, a bar that is shorter than a cell has its caps next to the mean.
func TestShortErrorBarsAreDrawnWithDots(t *testing.T) {
	b := ErrorBars{Categories: []string{"a", "b"}, Series: []ErrorSeries{{Points: []ErrorPoint{
		{X: 0, Mean: 5, SE: 0.2, N: 2}, {X: 1, Mean: 5, SE: 0.2, N: 1}}}}}
	c := b.chart()
	c.Y.Lo, c.Y.Hi = 0, 10
	cv := canvas.New(canvas.Style{Braille: true}, 20, 11)
	for _, m := range c.Marks {
		m.Text(cv, &c.Plane)
	}
	if got := string([]rune{cv.At(4, 5), cv.At(5, 5), cv.At(6, 5)}); got != "⠰●⠆" {
		t.Errorf("the short bar is %q in\n%s", got, cv)
	}
	if got := string([]rune{cv.At(13, 5), cv.At(14, 5), cv.At(15, 5)}); got != " ● " {
		t.Errorf("a mean without standard error is %q in\n%s", got, cv)
	}
}

// A point that is excluded from the range is marked at the edge, unless all points are excluded.
func TestErrorBarsLeavePointsOut(t *testing.T) {
	b := ErrorBars{OffName: "linear", Series: []ErrorSeries{
		{"star", 0, []ErrorPoint{{X: 1, Mean: 1, SE: 0.1, N: 2}, {X: 2, Mean: 2, SE: 0.1, N: 2}}},
		{"linear", 1, []ErrorPoint{{X: 1, Mean: -90, SE: 0.1, N: 2, Off: true}}},
	}}
	text := golden.Text(b, canvas.Style{}, 60, 14)
	if !strings.Contains(text, "▾▴ linear at -90") || !strings.Contains(text, "1.0┤") {
		t.Errorf("the axis does not have the range of star, or linear is not mentioned:\n%s", text)
	}
	if lines := strings.Split(text, "\n"); !strings.Contains(lines[11], "▾") {
		t.Errorf("no mark at the lower edge of\n%s", text)
	}
	b.Series[1].Points[0].Mean = 90
	text = golden.Text(b, canvas.Style{}, 60, 14)
	if lines := strings.Split(text, "\n"); !strings.Contains(lines[1], "▴") {
		t.Errorf("no mark at the upper edge of\n%s", text)
	}
	b.Series[1].Points[0].Mean = -90
	b.Series = b.Series[1:]
	if text := golden.Text(b, canvas.Style{}, 60, 14); !strings.Contains(text, "-90") ||
		strings.Contains(text, "▾") {
		t.Errorf("the only series is not drawn:\n%s", text)
	}
}

func TestErrorBarsCountMissingPoints(t *testing.T) {
	b := ErrorBars{LogX: true, Best: chart.Lowest, YName: "rmse", Series: []ErrorSeries{
		{"a", 0, []ErrorPoint{{X: 0, Mean: 1, SE: 0.1, N: 3}, {X: 10, Mean: 2, SE: 0.1, N: 3},
			{X: 100, Mean: math.NaN(), N: 3}}},
		{"b", 1, []ErrorPoint{{X: 10, Mean: 1.5, SE: 0.1, N: 5}, {X: 100, Mean: 3, SE: math.NaN(), N: 5}}},
	}}
	got := golden.Text(b, canvas.Style{}, 120, 14)
	for _, text := range []string{"rmse", "● a", "▲ b", "n = 3–5", "★ 1.5 at 10", "1 not positive",
		"× 1 not finite", "log x"} {
		if !strings.Contains(got, text) {
			t.Errorf("no %q in\n%s", text, got)
		}
	}
}

// With categories, the legend names the category of the best mean.
func TestBestCategory(t *testing.T) {
	b := ErrorBars{Best: chart.Lowest, Categories: []string{"star", "linear"}, Series: []ErrorSeries{
		{Points: []ErrorPoint{{X: 0, Mean: 2, SE: 0.1, N: 3}, {X: 1, Mean: 1.5, SE: 0.1, N: 3}}}}}
	if text := golden.Text(b, canvas.Style{}, 80, 14); !strings.Contains(text, "★ 1.5 at linear") {
		t.Errorf("the best category is not named:\n%s", text)
	}
}
