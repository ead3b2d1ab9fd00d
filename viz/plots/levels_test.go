package plots

import (
	"math"
	"slices"
	"strings"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
	"dgplab/viz/golden"
)

// demoLevels returns the predictions of runs at the levels of a category, with points of each level.
func demoLevels(runs int, names ...string) Levels {
	l := Levels{Fits: Fits{XName: "fuel", YName: "price"}, Names: names}
	for k := range names {
		l.Counts = append(l.Counts, 10*(k+1))
	}
	for run := range runs {
		f := Fit{Run: run, MeanName: "predictive mean", DrawsName: "2 draws of f"}
		if runs > 1 {
			f.Label = "run " + string(rune('a'+run))
		}
		wide, narrow := chart.Range{Name: "95 %"}, chart.Range{Name: "50 %"}
		f.Draws = make([][]float64, 2)
		points := Observations{Name: "20 training points", Short: "training"}
		for k := range names {
			x := float64(k)
			y := 10*x + 3*float64(run)
			f.X = append(f.X, x)
			f.Mean = append(f.Mean, y)
			wide.Lo = append(wide.Lo, y-12)
			wide.Hi = append(wide.Hi, y+12)
			narrow.Lo = append(narrow.Lo, y-4)
			narrow.Hi = append(narrow.Hi, y+4)
			f.Draws[0] = append(f.Draws[0], y-2)
			f.Draws[1] = append(f.Draws[1], y+3)
			for m := range 5 {
				points.X = append(points.X, x)
				points.Y = append(points.Y, y+float64(4*m-8))
			}
		}
		points.X = append(points.X, math.NaN()) // a missing cell
		points.Y = append(points.Y, 1000)
		f.Ranges, f.Observations = []chart.Range{wide, narrow}, []Observations{points}
		l.List = append(l.List, f)
	}
	return l
}

// The rarest levels are omitted if there is no room, and their number is shown.
func TestLevelsWithoutRoom(t *testing.T) {
	l := demoLevels(2, "a1", "b2", "c3", "d4", "e5")
	l.Counts = []int{5, 90, 70, 3, 80}
	l.More = 2
	text := golden.Text(l, canvas.Style{}, 60, 12)
	for name, want := range map[string]bool{"a1": false, "b2": true, "c3": true, "d4": false, "e5": true,
		"… 4 rarer levels not shown": true} {
		if strings.Contains(text, name) != want {
			t.Errorf("%q is shown: %t\n%s", name, !want, text)
		}
	}
	if text := golden.Text(l, canvas.Style{}, 60, 30); !strings.Contains(text, "d4") ||
		!strings.Contains(text, "… 2 rarer levels not shown") {
		t.Errorf("levels are omitted:\n%s", text)
	}
	l.More = 1
	if text := golden.Text(l, canvas.Style{}, 60, 30); !strings.Contains(text, "… 1 rarer level not shown") {
		t.Errorf("one omitted level:\n%s", text)
	}
}

// Rows of runs are as thick as there is room. Then gaps between levels are left out, and then rare levels.
func TestRowsOfLevels(t *testing.T) {
	for _, c := range []struct {
		runs, more, lines           int
		thick, height, gap, note, n int
	}{
		{1, 0, 99, 5, 5, 1, -1, 3}, {1, 0, 17, 5, 5, 1, -1, 3}, {1, 0, 16, 4, 4, 1, -1, 3},
		{1, 0, 5, 1, 1, 1, -1, 3}, {1, 0, 4, 1, 1, 0, -1, 3}, {1, 0, 3, 1, 1, 0, -1, 3},
		{1, 0, 2, 1, 1, 0, 1, 1}, {1, 0, 1, 1, 1, 0, 0, 1}, {1, 2, 6, 1, 1, 1, 5, 3},
		{1, 2, 5, 1, 1, 0, 4, 3}, {1, 2, 3, 1, 1, 0, 2, 2}, {2, 0, 14, 2, 4, 1, -1, 3},
		{2, 0, 13, 1, 2, 1, -1, 3}, {2, 0, 6, 1, 2, 0, -1, 3}, {2, 0, 5, 1, 2, 0, 4, 2},
	} {
		l := demoLevels(c.runs, "a", "b", "c")
		l.More = c.more
		r := l.rows(c.lines)
		if r.thick != c.thick || r.height != c.height || r.gap != c.gap || r.note != c.note ||
			len(r.shown) != c.n || r.first(2) != 2*(c.height+c.gap) {
			t.Errorf("%+v: %+v", c, r)
		}
		if want := []int{0, 1, 2}[3-c.n:]; !slices.Equal(r.shown, want) { // The last ones are common.
			t.Errorf("%+v: levels %v, want %v", c, r.shown, want)
		}
	}
}

// Means, ends of ranges and points are in the row of their level and the column of their value.
func TestLevelsPlaces(t *testing.T) {
	l := demoLevels(1, "diesel", "petrol")
	l.List[0].Ranges, l.List[0].Draws = l.List[0].Ranges[:1], nil
	lines := strings.Split(golden.Text(l, canvas.Style{}, 80, 24), "\n")
	row := func(name string) string {
		for _, line := range lines {
			if strings.HasPrefix(line, name) {
				return line
			}
		}
		t.Fatalf("no row of %s:\n%s", name, strings.Join(lines, "\n"))
		return ""
	}
	column := func(text, glyph string) int {
		before, _, ok := strings.Cut(text, glyph)
		if !ok {
			t.Fatalf("no %s in %q", glyph, text)
		}
		return canvas.Width(before)
	}
	diesel := row("diesel")
	petrol := row("petrol")
	// The means differ by 10, and the ranges are 24 wide.
	moved := column(petrol, "●") - column(diesel, "●")
	wide := strings.Count(petrol, "░")
	if moved < 10 || math.Abs(float64(wide)+3-2.4*float64(moved)) > 6 {
		t.Errorf("means are %d columns apart, ranges %d wide:\n%s", moved, wide, strings.Join(lines, "\n"))
	}
}

func TestLevelsCSV(t *testing.T) {
	var b strings.Builder
	if err := demoLevels(1, "diesel", "petrol").CSV(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"run,label,what,fuel,price\n", "1,,predictive mean,petrol,10\n",
		"1,,95 % to,diesel,12\n", "1,,draw 2,petrol,13\n", "1,,20 training points,diesel,-8\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if err := (Levels{}).CSV(&b); err == nil {
		t.Error("an empty picture has a table")
	}
}

// In a figure, the points of a level are spread over half the height of the row of their run.
func TestLevelsSpreadPoints(t *testing.T) {
	l := demoLevels(2, "diesel", "petrol")
	height := levelShare / 2
	for run, above := range []float64{0.5, -0.5} {
		for _, m := range l.figureMarks(l.List[run], above, height) {
			points, ok := m.(chart.Points)
			if !ok || len(points.XY) != 10 {
				continue
			}
			for i, at := range points.XY {
				level := float64(i / 5)
				want := -level + above*height + height*(float64(i%5)/8-0.25)
				if math.Abs(at.Y-want) > 1e-12 {
					t.Errorf("point %d of run %d is at height %g, want %g", i, run, at.Y, want)
				}
			}
		}
	}
}

func TestLevelsFigure(t *testing.T) {
	drawn, err := demoLevels(2, "diesel", "petrol").Figure(figure.Options{Title: "Fit by fuel"})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := drawn.Write(&b, figure.SVG); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">diesel<", ">petrol<", ">fuel<", ">price<", ">run a, predictive mean<"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s", want)
		}
	}
}
