package plots

import (
	"math"
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
