package curves

import (
	"math"
	"strings"
	"testing"
)

// With more columns than points, means have about the reported number of points.
func TestMeansOfFewPointsToAColumn(t *testing.T) {
	const n, w = 500, 800
	y := make([]float64, n)
	for i := range n {
		y[i] = float64(i)
	}
	c := Prepare(nil, y, 0).bin(0, n-1, w)
	c.condense(figureMeans)
	if c.meanOf < meanPoints-1 || c.meanOf > meanPoints+1 {
		t.Errorf("means of about %d points", c.meanOf)
	}
	first := c.mean[0].last // the mean of half the points and one
	if of := 2*first + 1; math.Abs(of-float64(c.meanOf)/2) > 1.5 {
		t.Errorf("the first mean has %g points, others are reported with %d", of, c.meanOf)
	}
}

// In a figure, the line through many noisy points is a line of means, which vary less than the raw values.
func TestChartOfManyPointsIsMeans(t *testing.T) {
	for n, want := range map[int]bool{500: true, 100: false} {
		y := make([]float64, n)
		for i := range y {
			y[i] = math.Sin(float64(i * i))
		}
		for _, means := range []bool{true, false} {
			out := Curve{Series: []Series{{Label: "a", Y: y}}, Means: means}.Chart(800, 5, 5)
			lines := linesOf(marksOf(t, out))
			if got := len(lines) == 2; got != (want && means) {
				t.Errorf("%d points, means %v: a line of means is %v", n, means, got)
			}
			for _, line := range lines[1:] {
				if !strings.HasPrefix(line.Name, "a, means of about ") {
					t.Errorf("the line is named %q", line.Name)
				}
				for _, p := range line.XY {
					if math.Abs(p.Y) > 0.9 {
						t.Errorf("a mean of noise is %g", p.Y)
					}
				}
			}
		}
	}
}
