package plots

import (
	"math"
	"slices"
	"strings"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/golden"
)

func TestTrends(t *testing.T) {
	var x, y []float64
	for i := range 40 {
		x = append(x, float64(i))
		y = append(y, float64(i%5)) // every bin of 5 has the values 0 to 4
	}
	y[4] = 104
	for trend, first := range map[Trend]float64{RunningMean: 22, RunningMedian: 2} {
		got := trend.through(x, y)
		if len(got) != 8 || got[0] != (chart.XY{X: 2, Y: first}) || got[7] != (chart.XY{X: 37, Y: 2}) {
			t.Errorf("%v: %v", trend, got)
		}
	}
	if NoTrend.through(x, y) != nil || RunningMean.through(x[:9], y[:9]) != nil {
		t.Error("a trend through too few points")
	}
}

func TestScatterCountsMissingPoints(t *testing.T) {
	c := Cloud{Label: "star", Of: 900, X: []float64{1, 2, 3, -1, math.NaN()}, Y: []float64{1, 2, 0, 5, 1}}
	for range 300 {
		c.X = append(c.X, 2)
		c.Y = append(c.Y, 2)
	}
	c.Y[0] = 1e-9
	s := Scatter{Clouds: []Cloud{c}, LogX: true, LogY: true, Diagonal: true}
	got := golden.Text(s, canvas.Style{}, 130, 14)
	for _, text := range []string{"302 of 900 points", "2 not positive", "× 1 not finite",
		"╱ y = x", "█ 301 in a cell"} {
		if !strings.Contains(got, text) {
			t.Errorf("no %q in\n%s", text, got)
		}
	}
	many := demoScatter(5000)
	many.Clouds[0].Y[0] = 1e-30
	// layout returns the mark of the clouds.
	layout := func(s Scatter) *scatterLayout { return s.chart().Marks[0].(*scatterLayout) }
	l := layout(many)
	if l.below != 50 || !strings.Contains(golden.Text(many, canvas.Style{}, 130, 14),
		"50 on the lower edge") {
		t.Errorf("%d of 5000 points are on the lower edge", l.below)
	}
	// With few points the floor is raised above two points that would fill much of the axis.
	few := demoScatter(50)
	for i := range few.Clouds[0].Y {
		few.Clouds[0].Y[i] = math.Pow(10, float64(i)/50)
	}
	if l := layout(few); l.below != 0 {
		t.Errorf("%d of 50 points are on the lower edge", l.below)
	}
	few.Clouds[0].Y[0] = 1e-30
	if l := layout(few); l.below == 0 || l.below > 2 {
		t.Errorf("with an error of almost 0, %d of 50 points are on the lower edge", l.below)
	}
}

// The glyphs of cells change with factors of 2 of the counts, or with larger factors for large counts.
func TestDensitySteps(t *testing.T) {
	for most, steps := range map[int]map[int]int{
		1: {1: 0}, 2: {1: 0, 2: 1}, 16: {1: 0, 2: 1, 3: 1, 4: 2, 7: 2, 8: 3, 15: 3, 16: 4},
		256: {1: 0, 3: 0, 4: 1, 15: 1, 16: 2, 63: 2, 64: 3, 255: 3, 256: 4},
	} {
		for count, want := range steps {
			if got := density(count, most); got != want {
				t.Errorf("%d of at most %d: step %d, want %d", count, most, got, want)
			}
		}
	}
}

// The smallest hundredth of the values is on the lower edge, or two of a few values far below the others.
func TestRaisedFloor(t *testing.T) {
	for _, c := range []struct {
		n     int
		least float64 // replaces the first of 0, 1, 2...
		lo    float64
		below int
	}{
		{19, -100, -100, 0}, {20, -100, 1, 1}, {39, -100, 1, 1}, {40, -100, 2, 2}, {99, -100, 2, 2},
		{40, 0, 0, 0}, {99, 0, 0, 0}, {100, 0, 1, 1}, {199, 0, 1, 1}, {200, 0, 2, 2}, {300, -100, 3, 3},
		{40, -9, -9, 0}, {40, -11, 2, 2}, // 11 of 48 and 13 of 50
	} {
		values := make([]float64, c.n)
		for i := range values {
			values[i] = float64(i)
		}
		values[0] = c.least
		y := chart.Scale{Lo: c.least, Hi: float64(c.n - 1)}
		l := new(scatterLayout)
		l.raiseFloor(&y, [][]float64{values[5:], values[:5]})
		if y.Lo != c.lo || l.below != c.below {
			t.Errorf("%d values from %g: the floor is %g with %d below, want %g and %d", c.n, c.least, y.Lo,
				l.below, c.lo, c.below)
		}
	}
	y, l := chart.Scale{Lo: 1, Hi: 3}, new(scatterLayout)
	if l.raiseFloor(&y, [][]float64{slices.Repeat([]float64{2}, 200)}); y.Lo != 1 || l.below != 0 {
		t.Errorf("equal values raise the floor to %g, %d below", y.Lo, l.below)
	}
}

// The legend has an entry for the line y = x only if the line is in the picture.
func TestDiagonalHasAnEntryIfDrawn(t *testing.T) {
	for _, c := range []struct {
		y    float64
		want bool
	}{{0.5, true}, {7, false}} {
		s := Scatter{Clouds: []Cloud{{X: []float64{0, 1}, Y: []float64{c.y, c.y + 1}}}, Diagonal: true}
		text := golden.Text(s, canvas.Style{}, 60, 16)
		drawn := strings.Count(text, "╱") > 1
		if named := strings.Contains(text, "y = x"); drawn != c.want || named != c.want {
			t.Errorf("y from %g: drawn %v, named %v, want both %v:\n%s", c.y, drawn, named, c.want, text)
		}
	}
}

// An axis keeps its name while the names of runs lose their details.
func TestAxesKeepTheirNames(t *testing.T) {
	s := Scatter{YName: "squared error", Clouds: []Cloud{
		{Label: "stripes-and-arrow", X: []float64{0, 1}, Y: []float64{0, 1}},
		{Label: "mean-field", Run: 1, X: []float64{0, 1}, Y: []float64{0, 1}},
	}}
	for _, w := range []int{100, 56} {
		if text := golden.Text(s, canvas.Style{}, w, 16); !strings.Contains(text, "squared error") ||
			!strings.Contains(text, "mean-field") {
			t.Errorf("at %d columns the axis or a run has no name:\n%s", w, text)
		}
	}
}
