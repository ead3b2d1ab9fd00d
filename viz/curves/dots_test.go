package curves

import (
	"math"
	"strings"
	"testing"

	"dgplab/viz/canvas"
)

// TestBrailleOnlyWhereAsked looks for patterns in plain and in ASCII pictures.
func TestBrailleOnlyWhereAsked(t *testing.T) {
	c := Curve{Series: []Series{elboSeries(500)}, Smoothing: 0.9}
	for style, want := range map[canvas.Style]bool{{}: false, {Braille: true}: true, {Braille: true, ASCII: true}: false} {
		got := strings.ContainsFunc(c.Render(style, 60, 12), func(r rune) bool { return r >= 0x2800 && r < 0x2900 })
		if got != want {
			t.Errorf("%+v: braille is %v", style, got)
		}
	}
}

// TestManyPointsAreALineOfMeans draws noise of so many points that a line through all of them
// would be a solid area: its dots are a line, and what is behind it is said. Few points are
// drawn as they are, and so are all of them if that is asked for.
func TestManyPointsAreALineOfMeans(t *testing.T) {
	const w, h = 60, 16
	values := func(n int) Series {
		s := Series{Label: "noise", Y: make([]float64, n)}
		for i := range s.Y {
			s.Y[i] = math.Sin(float64(i * i)) // in [-1, 1], without an order
		}
		return s
	}
	for _, c := range []struct {
		name        string
		n           int
		asked, want bool
	}{{"many", 4000, true, true}, {"few", 50, true, false}, {"all", 4000, false, false}} {
		lines := strings.Split(Curve{Series: []Series{values(c.n)}, Means: c.asked}.Render(canvas.Style{Mode: canvas.NoColor, Braille: true}, w, h), "\n")
		if got := strings.Contains(lines[0], "means"); got != c.want {
			t.Errorf("%s: the legend is %q", c.name, lines[0])
		}
		full := strings.Count(strings.Join(lines, ""), "⣿")
		if solid := full > w; solid != (c.name == "all") {
			t.Errorf("%s: %d solid cells", c.name, full)
		}
	}
	// The mean of a column is that of its points, whether they come as blocks or one by one.
	p := Prepare(nil, values(4000).Y, 0)
	for _, w := range []int{3, 50, 200} {
		c := p.bin(0, 3999, w)
		c.condense()
		sum := 0.0
		for i := range c.mean {
			sum += c.mean[i].last * float64(c.mean[i].n)
		}
		want := 0.0
		for _, v := range p.y {
			want += v
		}
		if math.Abs(sum-want) > 1e-9 {
			t.Errorf("%d columns: the means add up to %g, want %g", w, sum, want)
		}
	}
}

// TestRawValuesAreFainterThanLines looks for the colours of a smooth line and of what is
// behind it where there are no tints.
func TestRawValuesAreFainterThanLines(t *testing.T) {
	style := canvas.Style{Mode: canvas.ANSI16, Dark: true, Braille: true}
	got := Curve{Series: []Series{elboSeries(500)}, Smoothing: 0.9}.Render(style, 60, 12)
	plot := got[strings.Index(got, "\n"):]
	if !strings.Contains(plot, "\x1b[1;96m") || strings.Contains(plot, "\x1b[96m") {
		t.Errorf("the line is not bright, or more is:\n%q", plot)
	}
}
