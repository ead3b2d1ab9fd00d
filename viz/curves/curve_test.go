package curves

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"dgplab/viz/canvas"
	"dgplab/viz/chart"
	"dgplab/viz/figure"
	"dgplab/viz/golden"
)

// smooth returns the moving average of y.
func smooth(y []float64, strength float64) []float64 {
	out := make([]float64, len(y))
	a := newAverage(strength)
	for i, v := range y {
		out[i] = a.next(v)
	}
	return out
}

// The moving average equals a weighted mean by definition.
func TestSmooth(t *testing.T) {
	y := []float64{3, -1, math.NaN(), 4, 1, math.Inf(1), -5, 9, 2, 6}
	for _, s := range []float64{0, 0.3, 0.9, 0.999} {
		got := smooth(y, s)
		for i := range y {
			if !canvas.Finite(y[i]) {
				if !math.IsNaN(got[i]) {
					t.Errorf("strength %g: entry %d is %g, want NaN", s, i, got[i])
				}
				continue
			}
			sum, weight, power := 0.0, 0.0, 1.0
			for j := i; j >= 0; j-- {
				if canvas.Finite(y[j]) {
					sum, weight, power = sum+power*y[j], weight+power, power*s
				}
			}
			if want := sum / weight; math.Abs(got[i]-want) > 1e-12*math.Max(1, math.Abs(want)) {
				t.Errorf("strength %g: entry %d is %g, want %g", s, i, got[i], want)
			}
		}
	}
	long := make([]float64, 5000)
	for i := range long {
		long[i] = 7
	}
	for i, v := range smooth(long, 0.95) {
		if math.Abs(v-7) > 1e-12 {
			t.Fatalf("the mean of a constant drifts: entry %d is %g", i, v)
		}
	}
	huge := smooth([]float64{math.MaxFloat64, -math.MaxFloat64, math.MaxFloat64}, 0.5)
	for i, want := range []float64{1, -1. / 3, 3. / 7} {
		if share := huge[i] / math.MaxFloat64; !(math.Abs(share-want) < 1e-12) {
			t.Errorf("entry %d of huge values is %g of the largest, want %g", i, share, want)
		}
	}
	for _, s := range []float64{-1, math.NaN(), 1, 2, math.Inf(1)} {
		if got := smooth([]float64{1, 2}, s); !canvas.Finite(got[1]) {
			t.Errorf("strength %g gives %g", s, got[1])
		}
	}
}

// plotRows returns the lines of a curve without legend and axes.
func plotRows(c Curve, w, h int) []string {
	cv := canvas.New(canvas.Style{}, w, h)
	ch := c.measure()
	p := ch.chart(0).Plane
	content{ch, 0}.Text(cv, &p)
	return strings.Split(cv.String(), "\n")
}

// A single spike among 100,000 points is drawn.
func TestOneSpikeSurvives(t *testing.T) {
	y := make([]float64, 100_000)
	y[54_321] = -1
	for _, smoothing := range []float64{0, 0.99} {
		rows := plotRows(Curve{Series: []Series{{Y: y}}, Smoothing: smoothing}, 80, 10)
		bottom := []rune(rows[9])
		if at := bottom[43]; at == ' ' {
			t.Errorf("smoothing %g: the spike is not in the last row:\n%s",
				smoothing, strings.Join(rows, "\n"))
		}
		if strings.TrimSpace(string(bottom[:43])+string(bottom[44:])) != "" {
			t.Errorf("smoothing %g: more than the spike reaches the last row", smoothing)
		}
	}
}

func TestNotFiniteIsMarkedAndCounted(t *testing.T) {
	y := make([]float64, 1000)
	for i := range y {
		y[i] = float64(i % 7)
	}
	y[100] = math.NaN()
	y[500] = math.Inf(1)
	y[900] = math.Inf(-1)
	got := golden.Text(Curve{Series: []Series{{Label: "s", Y: y}}}, canvas.Style{}, 60, 12)
	for _, mark := range []string{"×", "↑", "↓", "3 not finite"} {
		if !strings.Contains(got, mark) {
			t.Errorf("no %s in\n%s", mark, got)
		}
	}
	if strings.Contains(got, "NaN") || strings.Contains(got, "Inf") {
		t.Errorf("a range was set by a value that is not finite:\n%s", got)
	}
}

// A line is interrupted where a column has no finite value.
func TestLineHasAGapAtNaN(t *testing.T) {
	rows := plotRows(Curve{Series: []Series{{Y: []float64{1, 1, math.NaN(), 1, 1}}}}, 21, 3)
	if want := "──────         ──────"; rows[1] != want {
		t.Errorf("the line is %q, want %q", rows[1], want)
	}
}

func TestBestIsTheRawExtreme(t *testing.T) {
	c := Curve{
		Series:    []Series{{Label: "v", X: []float64{0, 100, 200, 300}, Y: []float64{-3, -2.25, -4, -2.5}}},
		Smoothing: 0.9,
	}
	for best, want := range map[chart.Best]string{
		chart.Highest: "★ -2.25 at step 100", chart.Lowest: "★ -4 at step 200",
	} {
		c.Best = best
		if got := golden.Text(c, canvas.Style{}, 70, 10); !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	c.Best = chart.Lowest
	if got := golden.Text(c, canvas.Style{ASCII: true}, 70, 10); !strings.Contains(got, "* -4 at step 200") {
		t.Errorf("no best value in ASCII:\n%s", got)
	}
}

func TestClippingIsMentioned(t *testing.T) {
	y := make([]float64, 200)
	for i := range y {
		y[i] = math.Sin(float64(i))
	}
	y[0], y[1] = -1e6, -1e5
	got := golden.Text(Curve{Series: []Series{{Label: "s", Y: y}}, Range: Inner}, canvas.Style{}, 60, 10)
	if !strings.Contains(got, "▾2 below") || strings.Contains(got, "00k") {
		t.Errorf("two outliers should be clipped:\n%s", got)
	}
	// The smoothed line is outside for more columns, and therefore has more marks.
	got = golden.Text(Curve{Series: []Series{{Label: "s", Y: y}}, Range: Inner, Smoothing: 0.9},
		canvas.Style{},
		60, 10)
	if !strings.Contains(got, "▾2 raw below") {
		t.Errorf("the legend does not say that raw values are counted:\n%s", got)
	}
}

// For series of any length, the start does not flatten the rest. Values outside are counted and marked, and
// the best value is always visible.
func TestRecentValuesSetTheAxis(t *testing.T) {
	for _, n := range []int{5, 12, 200, 20_000} {
		y := make([]float64, n)
		for i := range y {
			y[i] = -900 + 20*math.Sin(30*float64(i)/float64(n)) - 50_000*math.Exp(-40*float64(i)/float64(n))
		}
		c := Curve{
			Series: []Series{{Label: "s", Y: y}, {Label: "late", Run: 1, X: []float64{0, 1},
				Y: []float64{-950, -940}}},
			Range: Recent,
		}
		ch := c.measure()
		lo, hi := ch.clip[0], ch.clip[1]
		if wide := hi-lo > 110; wide != (n < leastRecent) || lo > -940 || hi < -940 {
			t.Errorf("%d points: the axis is from %g to %g", n, lo, hi)
		}
		if n < leastRecent {
			continue
		}
		got := golden.Text(c, canvas.Style{}, 60, 10)
		below := fmt.Sprintf("▾%s below", canvas.Number(float64(ch.traces[0].below+ch.traces[1].below)))
		if !strings.Contains(got, below) || ch.traces[0].below < 1 || ch.traces[0].below > n/4 {
			t.Errorf("%d points: no %q in\n%s", n, below, got)
		}
		if lines := strings.Split(got, "\n"); n > 12 && !strings.Contains(lines[len(lines)-3], "▾") {
			t.Errorf("%d points: values outside are not marked:\n%s", n, got)
		}
		y[1] = 0
		c.Best = chart.Highest
		if ch := c.measure(); ch.clip[1] != 0 {
			t.Errorf("%d points: the best value 0 is above the axis, which ends at %g", n, ch.clip[1])
		}
	}
}

// A group that ends long before another series sets the axis by its own end.
func TestRecentValuesOfAnEndedGroup(t *testing.T) {
	var members []Series
	for k := range 3 {
		y := make([]float64, 40)
		for i := range y {
			y[i] = -10 + float64(k) - 1e4*math.Exp(-float64(i)/2)
		}
		members = append(members, Series{Y: y})
	}
	late := Series{X: []float64{0, 1000}, Y: []float64{-5, -5}}
	ch := Curve{
		Groups: []Group{{Label: "g", Members: members}},
		Series: []Series{late},
		Range:  Recent,
	}.measure()
	if ch.clip[0] < -30 || ch.clip[0] > -9 || ch.clip[1] < -5 {
		t.Errorf("the axis is from %g to %g", ch.clip[0], ch.clip[1])
	}
}

// On a scale with the lowest value on top, large raw values are below the axis.
func TestInvertedScaleCountsLargeValuesBelow(t *testing.T) {
	y := make([]float64, 200)
	for i := range y {
		y[i] = 2 + math.Sin(float64(i))
	}
	y[0], y[1] = 1e6, 1e5
	c := Curve{Series: []Series{{Label: "s", Y: y}}, Range: Inner, Scale: chart.Gap, Best: chart.Lowest,
		Smoothing: 0.5}
	lines := strings.Split(golden.Text(c, canvas.Style{}, 60, 12), "\n")
	if !strings.Contains(lines[0], "▾2 raw below") || !strings.Contains(lines[9], "▾") {
		t.Errorf("two large values should be counted and marked below:\n%s", strings.Join(lines, "\n"))
	}
	if raw := strings.Join(lines[1:], ""); !strings.Contains(raw, "┊") {
		t.Errorf("raw values are missing:\n%s", strings.Join(lines, "\n"))
	}
}

// marksOf returns the marks of the figure of a curve.
func marksOf(t *testing.T, c *chart.Chart) []chart.Mark {
	t.Helper()
	if _, err := c.Plot(figure.Options{}); err != nil {
		t.Fatal(err)
	}
	return c.Marks[0].(content).marks()
}

// linesOf returns the lines of a curve: raw values first, then the lines drawn over them.
func linesOf(marks []chart.Mark) (list []chart.Line) {
	for _, m := range marks {
		switch m := m.(type) {
		case chart.Spread:
			list = append(list, chart.Line(m))
		case chart.Line:
			list = append(list, m)
		}
	}
	return list
}

func TestChartKeepsExtremes(t *testing.T) {
	y := make([]float64, 10_000)
	y[1234], y[8000] = 5, math.NaN()
	out := Curve{Series: []Series{{Y: y}}, Best: chart.Highest}.Chart(100, 5, 5)
	if !strings.Contains(out.Page.XName, "1 not finite") || out.Y.Hi != 5 {
		t.Fatalf("%q, up to %g", out.Page.XName, out.Y.Hi)
	}
	marks := marksOf(t, out)
	if best := marks[len(marks)-1].(bestMark); best.at.X != 1234 || best.value != 5 {
		t.Errorf("the best is %+v", best)
	}
	most := 0.0
	for _, at := range linesOf(marks)[0].XY {
		if canvas.Finite(at.Y) {
			most = math.Max(most, at.Y)
		}
	}
	if most != 5 {
		t.Errorf("the greatest value in the lines is %g", most)
	}
	if (Curve{}).Chart(100, 5, 5).Empty == "" {
		t.Error("an empty curve has a figure")
	}
}

// The legend mentions common properties of groups once, and others for each group. Names are shortened last.
func TestLegendOfGroups(t *testing.T) {
	group := func(label string, run, n int) Group {
		g := Group{Label: label, Of: "seeds", Run: run}
		for i := range n {
			g.Members = append(g.Members, Series{X: []float64{0, 10, 20}, Y: []float64{1, float64(i + 2), 3}})
		}
		return g
	}
	same := []Group{group("mean-field", 0, 3), group("stripes-and-arrow", 1, 3)}
	for _, c := range []struct {
		groups []Group
		w      int
		want   string
	}{
		{same, 90, "● mean-field  ▲ stripes-and-arrow  mean ± s.e. of 3 seeds  smoothed 0.9"},
		{same, 64, "● mean-field  ▲ stripes-and-arrow  mean ± s.e. of 3 seeds  ~0.9"},
		{same, 48, "● mean-field  ▲ stripes-and-arrow  n=3  ~0.9"},
		{same, 36, "● mean-fie…  ▲ stripes-a…  n=3  ~0.9"},
		{[]Group{same[0], {Label: "none", Run: 1}}, 90, "● mean-field  mean ± s.e. of 3 seeds  smoothed 0.9"},
		{[]Group{group("", 0, 3), group("", 1, 2)}, 90, "mean ± s.e. of 2–3 seeds  smoothed 0.9"},
		{[]Group{same[0], group("chain", 1, 2)}, 90,
			"● mean-field  n=3  ▲ chain  n=2  mean ± s.e.  smoothed 0.9"},
	} {
		got, _, _ := strings.Cut(golden.Text(Curve{Groups: c.groups, Smoothing: 0.9},
			canvas.Style{}, c.w, 12),
			"\n")
		if strings.TrimSpace(got) != c.want {
			t.Errorf("in %d cells the legend is %q, want %q", c.w, strings.TrimSpace(got), c.want)
		}
	}
}
