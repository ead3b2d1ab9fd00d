package curves

import (
	"math"
	"strings"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/golden"
)

// Only styles with braille draw braille.
func TestBrailleOnlyWithStyle(t *testing.T) {
	c := Curve{Series: []Series{elboSeries(500)}, Smoothing: 0.9}
	for style, want := range map[canvas.Style]bool{
		{}: false, {Braille: true}: true, {Braille: true, ASCII: true}: false,
	} {
		got := strings.ContainsFunc(golden.Text(c, style, 60, 12), func(r rune) bool {
			return r >= 0x2800 && r < 0x2900
		})
		if got != want {
			t.Errorf("%+v: braille is %v", style, got)
		}
	}
}

// With many points, a line through all of them would be a solid area. The picture has a line of means
// instead, and the legend explains the dots behind it. Few points, and many points without Means, are drawn
// unchanged.
func TestManyPointsBecomeMeans(t *testing.T) {
	const w, h = 60, 16
	values := func(n int) Series {
		s := Series{Label: "noise", Y: make([]float64, n)}
		for i := range s.Y {
			s.Y[i] = math.Sin(float64(i * i)) // in [-1, 1], without order
		}
		return s
	}
	for _, c := range []struct {
		name        string
		n           int
		asked, want bool
	}{{"many", 4000, true, true}, {"few", 50, true, false}, {"all", 4000, false, false}} {
		lines := strings.Split(golden.Text(Curve{
			Series: []Series{values(c.n)},
			Means:  c.asked,
		}, canvas.Style{Mode: canvas.NoColor, Braille: true}, w, h), "\n")
		if got := strings.Contains(lines[0], "means"); got != c.want {
			t.Errorf("%s: the legend is %q", c.name, lines[0])
		}
		full := strings.Count(strings.Join(lines, ""), "⣿")
		if solid := full > w; solid != (c.name == "all") {
			t.Errorf("%s: %d solid cells", c.name, full)
		}
	}
}

// Means computed from blocks agree with means of single points, also at the ends.
func TestMeansOfNeighbours(t *testing.T) {
	const n = 4000
	x := make([]float64, n)
	y := make([]float64, n)
	for i := range y {
		x[i] = float64(i)
		y[i] = math.Sin(float64(i * i))
	}
	p := Prepare(x, y, 0)
	for w, c := range map[int]struct{ reach, of int }{
		50: {0, 80}, 400: {0, 10}, 1000: {1, 12}, 2000: {2, 10},
	} {
		got := p.bin(0, n-1, w)
		got.condense(0)
		if got.meanOf != c.of {
			t.Errorf("%d columns: means of about %d points, want %d", w, got.meanOf, c.of)
		}
		at := newBinner(0, n-1, w)
		for i := range got.mean {
			sum, around := 0.0, 0
			for k := range y {
				if d := at.column(x[k]) - i; -c.reach <= d && d <= c.reach {
					sum, around = sum+y[k], around+1
				}
			}
			if want := sum / float64(around); math.Abs(got.mean[i].last-want) > 1e-12 {
				t.Fatalf("%d columns: the mean around column %d is %g, want %g", w, i, got.mean[i].last, want)
			}
		}
	}
}

// Values outside the axis have no dots at its edge.
func TestRawDotsWithinAxis(t *testing.T) {
	const w, h = 60, 16
	s := Series{Label: "noise"}
	for i := range 400 {
		s.Y = append(s.Y, math.Sin(float64(i*i)))
	}
	for i := 100; i < 400; i += 40 {
		s.Y[i] = -50
	}
	lines := strings.Split(golden.Text(Curve{
		Series:    []Series{s},
		Smoothing: 0.995,
		Range:     Inner,
	}, canvas.Style{Mode: canvas.NoColor, Braille: true}, w, h), "\n")
	if !strings.Contains(lines[0], "▾8 raw below") {
		t.Fatalf("the legend is %q", lines[0])
	}
	lowest := lines[h-3] // above the axis and its labels
	if strings.ContainsAny(lowest, "⡀⢀⣀") {
		t.Errorf("there are dots at the edge of the axis: %q", lowest)
	}
}

// Without tints, a smooth line is brighter than the raw values.
func TestRawValuesAreFainterThanLines(t *testing.T) {
	style := canvas.Style{Mode: canvas.ANSI16, Dark: true, Braille: true}
	got := golden.Text(Curve{Series: []Series{elboSeries(500)}, Smoothing: 0.9}, style, 60, 12)
	plot := got[strings.Index(got, "\n"):]
	if !strings.Contains(plot, "\x1b[1;96m") || strings.Contains(plot, "\x1b[96m") {
		t.Errorf("the line is not bright, or something else is bright:\n%q", plot)
	}
}

// Markers are in cells with a dot of their line.
func TestMarkersAreOnTheirLines(t *testing.T) {
	style := canvas.Style{Mode: canvas.NoColor, Braille: true}
	for h := 8; h < 30; h++ {
		c := Curve{}
		for run := range 3 {
			s := Series{Label: "s", Run: run}
			for i := range 100 {
				s.Y = append(s.Y, float64(i*(run+1)))
			}
			c.Series = append(c.Series, s)
		}
		plot := func(bare bool) *canvas.Canvas {
			c.Bare = bare // without markers
			ch := c.measure()
			cv := canvas.New(style, 80, h)
			p := ch.chart(0).Plane
			content{ch, 0}.Text(cv, &p)
			return cv
		}
		marked := plot(false)
		plain := plot(true)
		for y := range h {
			for x := range 80 {
				if r := marked.At(x, y); strings.ContainsRune("●▲■", r) && plain.At(x, y) == ' ' {
					t.Errorf("%d lines: the marker %c at %d, %d is off its line", h, r, x, y)
				}
			}
		}
	}
}

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
				if line.Name != "a" {
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
