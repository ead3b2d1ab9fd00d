package plots

import (
	"math"
	"strings"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/viztest"
)

// TestErrorBarsReachOneStandardError checks the ends of bars in rows that are one unit high.
func TestErrorBarsReachOneStandardError(t *testing.T) {
	b := ErrorBars{
		Series: []ErrorSeries{{Points: []ErrorPoint{{X: 0, Mean: 0, SE: 0, N: 2}, {X: 1, Mean: 5, SE: 3,
			N: 4}, {X: 2, Mean: 10, SE: 2, N: 1}}}},
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

func TestErrorBarsCountMissingPoints(t *testing.T) {
	b := ErrorBars{LogX: true, Best: chart.Lowest, YName: "rmse", Series: []ErrorSeries{
		{"a", 0, []ErrorPoint{{0, 1, 0.1, 3}, {10, 2, 0.1, 3}, {100, math.NaN(), 0, 3}}},
		{"b", 1, []ErrorPoint{{10, 1.5, 0.1, 5}, {100, 3, math.NaN(), 5}}},
	}}
	got := viztest.Text(b, canvas.Style{}, 120, 14)
	for _, text := range []string{"rmse", "● a", "▲ b", "n = 3–5", "★ 1.5 at 10", "1 not positive",
		"× 1 not finite", "log x"} {
		if !strings.Contains(got, text) {
			t.Errorf("no %q in\n%s", text, got)
		}
	}
}
