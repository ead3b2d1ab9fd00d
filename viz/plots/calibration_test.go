package plots

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"dgplab/viz/canvas"
	"dgplab/viz/golden"
)

// TestBinomialBand checks the quantiles with the distribution function of gonum.
func TestBinomialBand(t *testing.T) {
	for _, n := range []int{1, 2, 10, 400, 20_000, 300_000} {
		for _, p := range []float64{1e-9, 0.001, 0.05, 0.1, 0.5, 0.8, 0.999} {
			lo, hi, _ := binomialBand(n, p)
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
		if lo, hi, _ := binomialBand(9, c.p); lo != c.lo || hi != c.hi {
			t.Errorf("p %g: band %d to %d", c.p, lo, hi)
		}
	}
}

func TestPITBars(t *testing.T) {
	b := NewPITHistogram([]float64{0, 0.1, 0.25, 0.6, 1, math.NaN(), -0.1, 1.1}, 4)
	want := []float64{2, 1, 1, 1}
	for i, v := range b.Values {
		if v != want[i] {
			t.Errorf("bin %d holds %g, want %g", i, v, want[i])
		}
	}
	if b.Left != 3 || b.Expected != 1.25 {
		t.Errorf("%d left, %g expected", b.Left, b.Expected)
	}
	sure := NewPITHistogram(demoPIT(2000, 0.5), 10)
	if n := sure.Outside(); n < 6 {
		t.Errorf("of an over-confident model only %d bins are outside", n)
	}
	if got := golden.Text(sure, canvas.Style{}, 90,
		12); !strings.Contains(got, "of 10 bins outside  0.4 expected") {
		t.Errorf("the bins outside are not counted:\n%s", got)
	}
}

// Four points in two bins: a bin has 0 or 4 points with probability 1/16, within the band from 0 to
// 4. Six points: probability 1/64 each, outside the band, so 2 x 2/64.
func TestChanceOfBins(t *testing.T) {
	for n, want := range map[int]float64{4: 0, 6: 0.0625} {
		b := NewPITHistogram(demoPIT(n, 1), 2)
		if math.Abs(b.Chance-want) > 1e-12 {
			t.Errorf("of %d points %v bins are expected outside %v, want %v", n, b.Chance, b.Band, want)
		}
	}
	if b := NewPITHistogram(nil, 5); b.Chance != 0 {
		t.Errorf("of no point: %v", b.Chance)
	}
	if b := NewPITHistogram(demoPIT(5000, 1), 20); b.Chance < 0.8 || b.Chance > 1 {
		t.Errorf("of 20 bins %v are expected outside, want nearly one", b.Chance)
	}
}

func TestNewCoverageLine(t *testing.T) {
	l := NewCoverageLine([]float64{0.5, 0.25, 0.75, 0.05, 1, math.NaN(), 2}, 5)
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
		if got := l.at(nominal); math.Abs(got-want) > 1e-12 {
			t.Errorf("at %g: %g, want %g", nominal, got, want)
		}
	}
	if !math.IsNaN(l.at(1.1)) || !math.IsNaN(l.at(-0.1)) || !math.IsNaN(NewCoverageLine(nil, 5).at(0.5)) {
		t.Error("coverage without levels or targets is not NaN")
	}
}

func TestNewReliabilityLine(t *testing.T) {
	l := NewReliabilityLine([]float64{0.5, 0.45, 0.9, 1, 0, math.NaN(), 2},
		[]bool{true, false, true, true, false, true, true}, 10)
	for i, want := range map[int]ReliabilityBin{
		0: {N: 1}, 4: {N: 2, Confidence: 0.475, Right: 0.5}, 8: {N: 1, Confidence: 0.9, Right: 1},
		9: {N: 1, Confidence: 1, Right: 1},
	} {
		if l.Bins[i] != want {
			t.Errorf("bin %d: %+v, want %+v", i, l.Bins[i], want)
		}
	}
	if want := (2*0.025 + 0.1) / 5; l.points() != 5 || math.Abs(l.calibrationError()-want) > 1e-12 {
		t.Errorf("%d points, error %v, want %v", l.points(), l.calibrationError(), want)
	}
	if lo, hi := (ReliabilityBin{N: 10, Confidence: 0.5}).band(); lo != 0.2 || hi != 0.8 {
		t.Errorf("band %v to %v", lo, hi)
	}
	if lo, hi := (ReliabilityBin{}).band(); lo != 0 || hi != 1 ||
		!math.IsNaN(NewReliabilityLine(nil, nil, 3).calibrationError()) {
		t.Errorf("without points: %v to %v", lo, hi)
	}
}

// The observed coverage is interpolated between the levels, and unknown outside of them.
func TestCoverageBetweenLevels(t *testing.T) {
	l := CoverageLine{N: 4, Nominal: []float64{0.2, 0.4, 0.8}, Observed: []float64{0.1, 0.5, 0.9}}
	for nominal, want := range map[float64]float64{0.2: 0.1, 0.3: 0.3, 0.4: 0.5, 0.5: 0.6, 0.8: 0.9} {
		if got := l.at(nominal); math.Abs(got-want) > 1e-12 {
			t.Errorf("at %g: %g, want %g", nominal, got, want)
		}
	}
	for _, outside := range []float64{0.1, 0.9} {
		if got := l.at(outside); !math.IsNaN(got) {
			t.Errorf("at %g: %g", outside, got)
		}
	}
	l.N = 0
	if got := l.at(0.4); !math.IsNaN(got) {
		t.Errorf("without targets: %g", got)
	}
}
