package viz

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// TestBinomialBand checks the definition of a quantile with the distribution
// function of gonum.
func TestBinomialBand(t *testing.T) {
	for _, n := range []int{1, 2, 10, 400, 20_000, 300_000} {
		for _, p := range []float64{1e-9, 0.001, 0.05, 0.1, 0.5, 0.8, 0.999} {
			lo, hi := binomialBand(n, p)
			b := distuv.Binomial{N: float64(n), P: p}
			for k, q := range map[int]float64{lo: 0.025, hi: 0.975} {
				if lo == hi {
					q = 0.5 // one value has more than 95 %
				}
				if b.CDF(float64(k)) < q-1e-9 || k > 0 && lo != hi && b.CDF(float64(k-1)) >= q+1e-9 {
					t.Errorf("n %d, p %g: band %d to %d", n, p, lo, hi)
				}
			}
		}
	}
	for _, c := range []struct {
		p      float64
		lo, hi int
	}{{0, 0, 0}, {1, 9, 9}, {-1, 0, 0}, {math.NaN(), 0, 0}} {
		if lo, hi := binomialBand(9, c.p); lo != c.lo || hi != c.hi {
			t.Errorf("p %g: band %d to %d", c.p, lo, hi)
		}
	}
}

func TestPITBars(t *testing.T) {
	b := PITBars([]float64{0, 0.1, 0.25, 0.6, 1, math.NaN(), -0.1, 1.1}, 4)
	want := []float64{2, 1, 1, 1}
	for i, v := range b.Values {
		if v != want[i] {
			t.Errorf("bin %d holds %g, want %g", i, v, want[i])
		}
	}
	if b.Left != 3 || b.Expected != 1.25 {
		t.Errorf("%d left, %g expected", b.Left, b.Expected)
	}
	sure := PITBars(demoPIT(2000, 0.5), 10)
	if n := sure.outside(); n < 6 {
		t.Errorf("of an over-confident model only %d bins are outside", n)
	}
	if got := sure.Render(Style{}, 90, 12); !strings.Contains(got, "of 10 bins outside") {
		t.Errorf("the bins outside are not counted:\n%s", got)
	}
}

func TestCovered(t *testing.T) {
	l := Covered([]float64{0.5, 0.25, 0.75, 0.05, 1, math.NaN(), 2}, 5)
	want := []float64{0.2, 0.2, 0.6, 0.6, 1} // distances 0, 0.5, 0.5, 0.9, 1
	if l.N != 5 {
		t.Errorf("%d targets", l.N)
	}
	for i, v := range l.Observed {
		if v != want[i] || l.Nominal[i] != float64(i)/4 {
			t.Errorf("at %g the coverage is %g, want %g", l.Nominal[i], v, want[i])
		}
	}
	for nominal, want := range map[float64]float64{0: 0.2, 0.375: 0.4, 0.95: 0.92, 1: 1} {
		if got := l.At(nominal); math.Abs(got-want) > 1e-12 {
			t.Errorf("at %g: %g, want %g", nominal, got, want)
		}
	}
	if !math.IsNaN(l.At(1.1)) || !math.IsNaN(l.At(-0.1)) || !math.IsNaN(Covered(nil, 5).At(0.5)) {
		t.Error("there is coverage where there are no levels or targets")
	}
}

func TestTrends(t *testing.T) {
	var x, y []float64
	for i := range 40 {
		x, y = append(x, float64(i)), append(y, float64(i%5)) // every bin of 5 holds 0 to 4
	}
	y[4] = 104
	for trend, first := range map[Trend]float64{RunningMean: 22, RunningMedian: 2} {
		got := trend.through(x, y)
		if len(got) != 8 || got[0] != (XY{2, first}) || got[7] != (XY{37, 2}) {
			t.Errorf("%v: %v", trend, got)
		}
	}
	if NoTrend.through(x, y) != nil || RunningMean.through(x[:9], y[:9]) != nil {
		t.Error("a trend through too few points")
	}
}

func TestScatterSaysWhatIsLeftOut(t *testing.T) {
	c := Cloud{Label: "star", Of: 900, X: []float64{1, 2, 3, -1, math.NaN()}, Y: []float64{1, 2, 0, 5, 1}}
	for range 300 {
		c.X, c.Y = append(c.X, 2), append(c.Y, 2)
	}
	c.Y[0] = 1e-9
	s := Scatter{Clouds: []Cloud{c}, LogX: true, LogY: true, Diagonal: true}
	got := s.Render(Style{}, 130, 14)
	for _, text := range []string{"302 of 900 points", "2 not positive", "× 1 not finite", "╱ y = x", "█ 301 in a cell"} {
		if !strings.Contains(got, text) {
			t.Errorf("no %q in\n%s", text, got)
		}
	}
	many := demoScatter(5000)
	many.Clouds[0].Y[0] = 1e-30
	l, _ := many.measure()
	if l.below != 50 || !strings.Contains(many.Render(Style{}, 130, 14), "50 on the lower edge") {
		t.Errorf("%d of 5000 points are on the lower edge", l.below)
	}
	cv := newCanvas(Style{}, 80, 20)
	total := 0
	for _, n := range l.count(0, cv) {
		total += n
	}
	if total != 5000 {
		t.Errorf("%d of 5000 points are in a cell", total)
	}
}
