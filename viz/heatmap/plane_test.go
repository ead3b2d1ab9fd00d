package heatmap

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/figure"
	"dgplab/viz/golden"
)

// demo returns the probability of being inside a ring, with points of both classes.
func demoPlane() PlaneMap {
	const across, up = 48, 32
	m := PlaneMap{
		XName:  "x",
		YName:  "y",
		Name:   "P(inside=+1)",
		Lo:     0,
		Hi:     1,
		Level:  0.5,
		Of:     40000,
		Points: []Points{{Label: "+1"}, {Label: "-1"}},
	}
	for i := range across {
		m.X = append(m.X, -1+2*float64(i)/(across-1))
	}
	for j := range up {
		m.Y = append(m.Y, -1+2*float64(j)/(up-1))
	}
	inside := func(x, y float64) float64 {
		r := math.Hypot(x, y) - 0.6
		return math.Exp(-r * r / 0.03)
	}
	for _, y := range m.Y {
		for _, x := range m.X {
			m.Values = append(m.Values, inside(x, y))
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		x := 2*rng.Float64() - 1
		y := 2*rng.Float64() - 1
		p := &m.Points[1]
		if inside(x, y) > 0.5 {
			p = &m.Points[0]
		}
		p.X = append(p.X, x)
		p.Y = append(p.Y, y)
	}
	return m
}

// slope returns a plane of real values with one kind of points.
func slope() PlaneMap {
	m := PlaneMap{X: []float64{0, 1, 4}, Y: []float64{-2, 3}, Values: []float64{0, 1, 4, 5, 6, 9},
		XName: "speed", YName: "height", Name: "mean of y", Of: 3,
		Level: math.NaN(), Points: []Points{{X: []float64{0, 2, 9}, Y: []float64{0, 1, 1}}}}
	return m
}

// TestInterpolation compares with a linear function.
func TestInterpolation(t *testing.T) {
	m := slope()
	for _, c := range [][3]float64{{0, -2, 0}, {1, -2, 1}, {4, 3, 9}, {2.5, -2, 2.5},
		{0.5, 0.5, 3}, {-7, 3, 5}, {9, 99, 9}} {
		if got := m.at(c[0], c[1]); math.Abs(got-c[2]) > 1e-12 {
			t.Errorf("at %g, %g it is %g, want %g", c[0], c[1], got, c[2])
		}
	}
}

func FuzzPlaneMap(f *testing.F) {
	golden.Seeds(f)
	f.Fuzz(func(t *testing.T, data []byte, w, h uint8) {
		d := &golden.Decoder{Data: data}
		m := PlaneMap{
			X:     d.Floats(6),
			Y:     d.Floats(6),
			XName: d.Text(),
			YName: d.Text(),
			Name:  d.Text(),
			Lo:    d.Float(),
			Hi:    d.Float(),
			Level: d.Float(),
			Of:    int(d.Byte()),
		}
		if d.Byte()%4 > 0 { // few random grids rise
			m.X, m.Y = []float64{-1, 0, 3}, []float64{0, 1e300}
		}
		m.Values = d.Floats(36)
		for len(m.Values) < len(m.X)*len(m.Y) {
			m.Values = append(m.Values, d.Float())
		}
		m.Values = m.Values[:len(m.X)*len(m.Y)]
		for range d.Byte() % 4 {
			m.Points = append(m.Points, Points{d.Text(), d.Floats(9), d.Floats(9)})
		}
		for _, style := range golden.Styles {
			golden.CheckBox(t, m.Render(style, int(w), int(h)), style, int(w), int(h))
		}
	})
}

// classPlane returns the most probable of three classes, and a point of one class.
func classPlane() PlaneMap {
	return PlaneMap{X: []float64{0, 1}, Y: []float64{0, 1}, Values: []float64{0, 1, 2, 1},
		XName: "weight", YName: "height", Name: "most probable kind", Level: math.NaN(), Of: 1,
		Classes: []string{"cat", "dog", "bird"},
		Points: []Points{{Label: "cat"}, {Label: "dog", X: []float64{0.9}, Y: []float64{0.5}},
			{Label: "bird"}}}
}

// Every cell has the letter of the class at the nearest grid point, and every point the letter of
// its class.
func TestMapOfClasses(t *testing.T) {
	m := classPlane()
	if got := m.at(0.4, 0.6); got != 2 {
		t.Errorf("class %v, want 2", got)
	}
	text := golden.Text(m, canvas.Style{}, 80, 16)
	for _, want := range []string{"A cat", "B dog", "C bird", "aaaa", "bbbb", "cccc",
		"bBb", "most probable kind"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// The table names classes, and other values are numbers.
func TestTableOfClasses(t *testing.T) {
	m := PlaneMap{X: []float64{0, 1}, Y: []float64{0, 1}, XName: "x", YName: "y", Name: "kind",
		Values: []float64{1, math.Inf(1), 2, math.NaN()}, Classes: []string{"cat", "dog"}}
	var b strings.Builder
	err := m.CSV(&b)
	if want := "x,y,kind\n0,0,dog\n1,0,+Inf\n0,1,2\n1,1,NaN\n"; err != nil || b.String() != want {
		t.Errorf("%v, %q, want %q", err, b.String(), want)
	}
}

// Maps of several runs share a colour scale and have marks.
func TestMapsOfRuns(t *testing.T) {
	a := demoPlane()
	b := demoPlane()
	a.Title, b.Title, b.Run = "star", "mean-field", 1
	b.Values = append([]float64(nil), b.Values...)
	for i := range b.Values {
		b.Values[i] *= 3
	}
	a.Lo = 0
	a.Hi = 0
	b.Lo = 0
	b.Hi = 0
	a.Marks = Points{Label: "inducing", X: []float64{a.X[1], 1e9}, Y: []float64{a.Y[1], 0}}
	maps := PlaneMaps{a, b, PlaneMap{}}
	ranged := maps.Ranged()
	lo, _, _ := a.colorRange()
	_, hi, _ := b.colorRange()
	for _, m := range ranged[:2] {
		if l, h, _ := m.colorRange(); l != lo || h != hi || a.Hi != 0 {
			t.Errorf("the range is %g to %g, want %g to %g", l, h, lo, hi)
		}
	}
	if text := golden.Text(maps[:1], canvas.Style{}, 100, 24); !strings.Contains(text, "◆ inducing") {
		t.Errorf("the marks are not named:\n%s", text)
	}
	text := golden.Text(PlaneMaps{b, a}, canvas.Style{}, 100, 24)
	if !strings.Contains(text, "◆ inducing") {
		t.Errorf("the marks of the second map are not named:\n%s", text)
	}
}

// levelPlane returns a plane of a category of three levels and a number.
func levelPlane() PlaneMap {
	m := PlaneMap{X: []float64{0, 1, 2}, Y: []float64{0, 10, 20, 30}, XName: "fuel", YName: "distance",
		XLevels: []string{"diesel", "electric", "petrol"}, Name: "P(sold=yes)", Hi: 1, Level: 0.5, Of: 3,
		Points: []Points{{X: []float64{-0.3, 1.2, math.NaN()}, Y: []float64{5, 25, 5}}}}
	for range m.Y {
		m.Values = append(m.Values, 0, 1, 0.2)
	}
	return m
}

// Between levels there are no other values: every column of the picture has the value of a level, and
// all levels have the same width.
func TestLevelsAreNotInterpolated(t *testing.T) {
	m := levelPlane()
	content := &planeContent{PlaneMap: m}
	count := map[float64]int{}
	const w, h = 60, 9
	for x := range w {
		count[content.valueAt(float64(x), 3, w, h)]++
	}
	if len(count) != 3 || count[0] != 20 || count[1] != 20 || count[0.2] != 20 {
		t.Errorf("columns by value: %v", count)
	}
	turned := PlaneMap{X: m.Y, Y: m.X, YLevels: m.XLevels,
		Values: []float64{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}}
	if v := turned.at(13, 0.6); v != 1 {
		t.Errorf("between two levels the value is %g", v)
	}
	text := golden.Text(m, canvas.Style{}, 70, 16)
	for _, want := range []string{"diesel", "electric", "petrol", "∙"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	golden.CheckBoxes(t, turned)
	var b strings.Builder
	if err := m.CSV(&b); err != nil || !strings.Contains(b.String(), "\nelectric,10,1\n") {
		t.Errorf("%v, %s", err, b.String())
	}
	drawn, err := m.Figure(figure.Options{Title: "a"})
	if err == nil {
		b.Reset()
		err = drawn.Write(&b, figure.SVG)
	}
	if err != nil || !strings.Contains(b.String(), ">electric<") {
		t.Errorf("the figure has no level: %v", err)
	}
	m.XLevels = m.XLevels[:2]
	if m.problem() == "" {
		t.Error("two levels of three values are accepted")
	}
}

func TestPlacesOnAGrid(t *testing.T) {
	grid := []float64{0, 1, 3}
	for v, want := range map[float64]gridPlace{-1: {0, 0}, 0: {0, 0}, 0.5: {0, 0.5}, 1: {1, 0}, 2: {1, 0.5},
		3: {1, 1}, 9: {1, 1}} {
		if got := placeOn(grid, v); got != want {
			t.Errorf("%g is at %+v, want %+v", v, got, want)
		}
	}
}
