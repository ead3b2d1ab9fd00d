package curves

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/golden"
)

// wildSeries returns n points with repeated, unsorted and non-finite x and non-finite values.
func wildSeries(n int, seed uint64) (x, y []float64) {
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range n {
		x = append(x, float64(i/3))
		y = append(y, math.Round(10*r.NormFloat64()))
		switch r.IntN(40) {
		case 0:
			x[i] = float64(r.IntN(n))
		case 1:
			y[i] = math.NaN()
		case 2:
			y[i] = math.Inf(1 - 2*r.IntN(2))
		case 3:
			x[i] = math.Inf(1)
		}
	}
	return x, y
}

// In several windows, a series that grows in uneven parts equals a series that is prepared at once.
func TestGrowMatchesPrepare(t *testing.T) {
	x, y := wildSeries(1000, 3)
	for _, smoothing := range []float64{0, 0.9} {
		p := Prepare(nil, nil, smoothing)
		for _, n := range []int{1, 63, 64, 65, 300, 300, 129, 999, 1000} {
			p = p.Grow(append([]float64(nil), x[:n]...), append([]float64(nil), y[:n]...))
		}
		for _, zoom := range [][2]float64{{}, {50, 51}, {100, 250.5}, {-10, 1000}} {
			c := Curve{Smoothing: smoothing, Best: chart.Highest, Range: Inner, Zoom: zoom, Cursor: &zoom[1]}
			grown, plain := c, c
			grown.Series = []Series{{Label: "s", Prepared: p}}
			plain.Series = []Series{{Label: "s", X: x, Y: y}}
			a := golden.Text(grown, canvas.Style{}, 90, 20)
			b := golden.Text(plain, canvas.Style{}, 90, 20)
			if a != b {
				t.Errorf("smoothing %g, zoom %v: grown\n%s\nat once\n%s", smoothing, zoom, a, b)
			}
		}
	}
}

// Columns made from blocks equal columns made from points.
func TestColumnsMatchPoints(t *testing.T) {
	x, y := wildSeries(3000, 4)
	smooth := smooth(y, 0.8)
	for _, window := range [][2]float64{{0, 1000}, {100, 107}, {-50, 400}, {500, 500}} {
		const w = 37
		got := Prepare(x, y, 0.8).bin(window[0], window[1], w)
		at := newBinner(window[0], window[1], w)
		raw := make([]column, w)
		average := make([]column, w)
		for i := range x {
			if !canvas.Finite(x[i]) || x[i] < window[0] || x[i] > window[1] {
				continue
			}
			raw[at.column(x[i])].add(y[i])
			average[at.column(x[i])].add(smooth[i])
		}
		for i := range w {
			if got.raw[i] != raw[i] {
				t.Fatalf("%v: column %d is %+v, want %+v", window, i, got.raw[i], raw[i])
			}
			if g, a := got.average[i],
				average[i]; g.n != a.n || g.first != a.first || g.last != a.last || g.nan != raw[i].broken() {
				t.Fatalf("%v: averaged column %d is %+v, want %+v", window, i, g, a)
			}
		}
	}
}

// The nearest point agrees with a search through all points.
func TestNearest(t *testing.T) {
	x, y := wildSeries(500, 5)
	p := Prepare(x, y, 0)
	for at := -20.0; at < 600; at += 3.7 {
		for _, window := range [][2]float64{{math.Inf(-1), math.Inf(1)}, {40, 60},
			{at, math.Inf(1)}, {1e6, 1e7}} {
			best := -1
			for i := range x {
				if !canvas.Finite(x[i]) || x[i] < window[0] || x[i] > window[1] {
					continue
				}
				if best < 0 || math.Abs(x[i]-at) < math.Abs(x[best]-at) {
					best = i
				}
			}
			if got := p.nearest(at, window[0], window[1]); got != best {
				t.Fatalf("nearest to %g in %v is %d, want %d", at, window, got, best)
			}
		}
	}
}

func TestNearestOfNoPoints(t *testing.T) {
	if got := Prepare(nil, nil, 0).nearest(0, -1, 1); got != -1 {
		t.Errorf("nearest of no points is %d", got)
	}
}

// An outlier, a NaN and the largest value outside the window do not affect the picture.
func TestZoomExcludesPoints(t *testing.T) {
	s := Series{Label: "s"}
	for i := range 100 {
		s.X = append(s.X, float64(i))
		s.Y = append(s.Y, float64(i%5))
	}
	s.Y[10], s.Y[20], s.Y[90] = -1e9, math.NaN(), 700
	got := golden.Text(Curve{Series: []Series{s}, Zoom: [2]float64{40, 60}, Best: chart.Highest},
		canvas.Style{},
		60, 12)
	for _, word := range []string{"G", "700", "finite", "×"} {
		if strings.Contains(got, word) {
			t.Errorf("%q is seen in the window:\n%s", word, got)
		}
	}
	for _, word := range []string{"★ 4 at step 44", "40", "60"} {
		if !strings.Contains(got, word) {
			t.Errorf("no %q in\n%s", word, got)
		}
	}
	for _, none := range [][2]float64{{}, {5, 5}, {6, 5}, {math.NaN(), 8}, {0, math.Inf(1)}} {
		if (Curve{Zoom: none}).zoomed() {
			t.Errorf("%v is a zoom", none)
		}
	}
}

// A straight line reaches both edges of a window between two of its points.
func TestLinesReachTheWindow(t *testing.T) {
	c := Curve{
		Series: []Series{{X: []float64{0, 50, 100}, Y: []float64{0, 50, 100}}},
		Zoom:   [2]float64{49, 51},
	}
	ends := Series{X: []float64{49, 50, 51}, Y: []float64{49, math.NaN(), 51}, Run: 1}
	c.Series = append(c.Series, ends)
	for y, row := range plotRows(c, 41, 41) {
		if x := strings.IndexFunc(row, func(r rune) bool { return r != ' ' }); x != max(40-y-1, 0) {
			t.Fatalf("row %d begins at column %d:\n%s", y, x, row)
		}
	}
}

func TestCursorReads(t *testing.T) {
	at := 105.0
	c := Curve{Cursor: &at, Series: []Series{
		{Label: "a", X: []float64{0, 100, 200}, Y: []float64{1, 2.5, 3}},
		{Label: "b", X: []float64{50, 105}, Y: []float64{7, math.NaN()}, Run: 1},
	}, Groups: []Group{{"g", "", 2,
		[]Series{{X: []float64{0, 200}, Y: []float64{0, 200}},
			{X: []float64{0, 200}, Y: []float64{10, 210}}}}}}
	got := golden.Text(c, canvas.Style{}, 90, 12)
	for _, text := range []string{"╎ step 105", "● a  2.5 at 100", "▲ b  NaN", "■ g  110 ±5"} {
		if !strings.Contains(got, text) {
			t.Errorf("no %q in\n%s", text, got)
		}
	}
	late := Curve{Cursor: &at, Series: []Series{
		{Label: "far", X: []float64{0, 10, 20}, Y: []float64{1, 2, 3.25}},
		{Label: "near", X: []float64{0, 50, 100}, Y: []float64{1, 2, 4.5}, Run: 1},
		{Label: "later", X: []float64{150, 160, 200}, Y: []float64{1.75, 2, 3}, Run: 2},
		{Label: "one", X: []float64{104}, Y: []float64{6.5}, Run: 3},
	}}
	for _, w := range []int{120, 60, 40} {
		got := golden.Text(late, canvas.Style{}, w, 12)
		for _, value := range []string{"3.25", "1.75", "6.5"} {
			if strings.Contains(strings.Split(got, "\n")[0], value) {
				t.Errorf("%d cells: %s is read at a step without a point in\n%s", w, value, got)
			}
		}
	}
	got = golden.Text(late, canvas.Style{}, 120, 12)
	for _, text := range []string{"far  – ends at 20", "4.5 at 100",
		"later  – begins at 150", "one  – ends at 104"} {
		if !strings.Contains(got, text) {
			t.Errorf("no %q in\n%s", text, got)
		}
	}
	for _, move := range []struct{ from, by, want float64 }{
		{105, 0, 105}, {105, 1, 200}, {105, -1, 100}, {105, -40, 50}, {105, -1e9, 0}, {105, 1e9, 200},
		{200, 1, 200}, {-50, -1, 0}, {7, 0, 0},
	} {
		if to, ok := c.MoveCursor(move.from, move.by); !ok || to != move.want {
			t.Errorf("from %g by %g the cursor goes to %g, want %g", move.from, move.by, to, move.want)
		}
	}
}

// A cursor at the x of a column is drawn in this column.
func TestXAtMatchesCursor(t *testing.T) {
	c := Curve{Series: []Series{{X: []float64{-3, 8}, Y: []float64{1, 1000}}}}
	found := 0
	for col := range 60 {
		x, ok := c.XAt(60, 12, col)
		if !ok {
			continue
		}
		found++
		c := c
		c.Cursor = &x
		line := []rune(c.Render(canvas.Style{}, 60, 12)[1])
		if line[col] == ' ' { // the cursor or the curve over it
			t.Errorf("x %g is not in column %d of %q", x, col, string(line))
		}
	}
	if found < 50 {
		t.Errorf("only %d columns have an x", found)
	}
}

func TestBandIsMeanAndStandardError(t *testing.T) {
	g := preparedGroup{Group: Group{Label: "g"}}
	for _, level := range []float64{1, 2, 6} {
		x := []float64{0, 100}
		if level == 6 {
			x[1] = 50
		}
		g.members = append(g.members, Prepare(x, []float64{level, level}, 0))
	}
	b := g.band(0, 100)
	// 1, 2, 6: mean 3, variance 7; 1, 2: mean 1.5, variance 1/2.
	for _, c := range []struct{ t, mean, se float64 }{{0, 3, math.Sqrt(7. / 3)}, {0.3, 3, math.Sqrt(7. / 3)},
		{0.8, 1.5, 0.5}, {1, 1.5, 0.5}} {
		if mean, se := b.at(c.t); math.Abs(mean-c.mean) > 1e-12 || math.Abs(se-c.se) > 1e-12 {
			t.Errorf("at %g: %g and %g, want %g and %g", c.t, mean, se, c.mean, c.se)
		}
	}
	b.mean[129] = math.NaN() // next to the middle, 127.5
	for at, want := range map[float64]bool{128.4: true, 128.6: false, 129: false, 129.6: true} {
		if mean, _ := b.at(at / (bandColumns - 1)); canvas.Finite(mean) != want {
			t.Errorf("at position %g the mean is %g", at, mean)
		}
	}
	if b.least != 2 || b.most != 3 {
		t.Errorf("from %d to %d members", b.least, b.most)
	}
	g.members = g.members[:1]
	if _, se := func() (float64, float64) { b := g.band(0, 100); return b.at(0.5) }(); canvas.Finite(se) {
		t.Errorf("one member has the standard error %g", se)
	}
}
