package compare

import (
	"math"
	"strings"
	"testing"

	"dgplab/session/metric"
	"dgplab/session/rundir"
)

func TestResampledT(t *testing.T) {
	// Mean 2, sample variance 1, three splits: t = 2/sqrt(1/3 + 1/9) = 3 with two degrees of
	// freedom, so P = 1 - t/sqrt(2 + t^2).
	got := ResampledT([]float64{1, 2, 3}, 1.0/9)
	near(t, "t", got.Statistic, 3, 1e-14)
	near(t, "P", got.P, 1-3/math.Sqrt(11), 1e-14)
	// Ten differences with one test point per nine training points, as in tenfold random splits:
	// sqrt(1/10 + 1/9). P is scipy.stats.t.sf(t, 9)*2.
	got = ResampledT([]float64{0.02, 0.05, -0.01, 0.03, 0.04, 0.01, 0.06, 0.00, 0.02, 0.03}, 1.0/9)
	near(t, "t", got.Statistic, 2.5038669783359575, 1e-12)
	near(t, "P", got.P, 0.03364765706113092, 1e-12)
	for _, d := range [][]float64{nil, {1}, {1, math.NaN()}, {0, 0}, {-1, 1}, {2, 2}, {1, 2, 4}} {
		plain := PairedT(d)
		none := ResampledT(d, 0)
		if none.N != plain.N || math.Float64bits(none.P) != math.Float64bits(plain.P) &&
			!(math.IsNaN(none.P) && math.IsNaN(plain.P)) {
			t.Errorf("%v: %+v without a ratio, %+v plain", d, none, plain)
		}
		if more := ResampledT(d, 0.5); more.P < plain.P {
			t.Errorf("%v: the correction changes P from %v to %v", d, plain.P, more.P)
		}
	}
}

// The standard example gives 4 x 0.005, 3 x 0.01 and 2 x 0.03, but adjusted values never decrease.
func TestHolm(t *testing.T) {
	got := Holm([]float64{0.01, 0.04, math.NaN(), 0.03, 0.005})
	for i, want := range []float64{0.03, 0.06, math.NaN(), 0.06, 0.02} {
		near(t, "adjusted", got[i], want, 1e-15)
	}
	if got := Holm([]float64{0.7, 0.6}); got[0] != 1 || got[1] != 1 {
		t.Errorf("more than 1: %v", got)
	}
	if got := Holm([]float64{0.2}); got[0] != 0.2 {
		t.Errorf("one test: %v", got)
	}
}

// sized sets the sizes of the parts of each run.
func sized(runs []rundir.Info, n, validation, test int) []rundir.Info {
	for i := range runs {
		runs[i].Results.Data = rundir.DataFacts{
			N:          n,
			Validation: validation,
			Test:       test,
			TestSHA256: runs[i].Config.Split,
		}
	}
	return runs
}

// Over splits, the tests of tables and direct comparisons are corrected for the sizes of the parts.
func TestTablesAreCorrected(t *testing.T) {
	value := func(m, _, split int, _ uint64) float64 {
		return []float64{0, -0.1, -0.12}[m] + 0.06*noise(split, 3*m, 1)
	}
	s := Group(sized(grid([]string{"a", "b", "c"}, []string{"boston"}, 5, 1, value), 81, 9, 10))
	table := s.Table(logLik, Options{})
	var p []float64
	for m := 1; m < 3; m++ {
		var d []float64
		for split := range 5 {
			d = append(d, value(0, 0, split, 0)-value(m, 0, split, 0))
		}
		p = append(p, ResampledT(d, 1.0/9).P)
	}
	best := table.Cells[0][0]
	if !best.Best {
		t.Fatalf("the best is not a: %+v", table.Cells)
	}
	for m, adjusted := range Holm(p) {
		near(t, "P", table.Cells[m+1][0].P, p[m], 1e-12)
		near(t, "adjusted P", table.Cells[m+1][0].HolmP, adjusted, 1e-12)
	}
	notes := strings.Join(table.Notes(), "\n")
	for _, want := range []string{"Nadeau and Bengio 2003", "Holm-corrected"} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q is missing: %s", want, notes)
		}
	}
	pairs := []Pair{{Split: "0", Difference: 1, Ratio: 0.1},
		{Split: "1", Difference: 2, Ratio: 0.1},
		{Split: "2", Difference: 3, Ratio: 0.4 / 3}}
	c := Direct(pairs) // The mean of the ratios is 1/9.
	near(t, "t", c.T, 3, 1e-13)
	if c.Verdict != "~" || c.Remark != "" || c.HolmP != c.TP {
		t.Errorf("%+v", c)
	}
}

// Tests over the seeds of one split are not corrected, but a note explains their meaning.
func TestSeedsMeasureTraining(t *testing.T) {
	value := func(m, _, _ int, seed uint64) float64 { return float64(m) + 0.01*noise(int(seed), m, 1) }
	table := Group(sized(grid([]string{"a", "b"}, []string{"boston"}, 1, 4, value), 81, 9, 10)).Table(logLik,
		Options{})
	var d []float64
	for seed := range uint64(4) {
		d = append(d, value(1, 0, 0, seed)-value(0, 0, 0, seed))
	}
	near(t, "P", table.Cells[0][0].P, PairedT(d).P, 1e-9)
	if notes := table.Notes(); !strings.Contains(strings.Join(notes, ";"), "training noise") ||
		strings.Contains(strings.Join(notes, ";"), "Nadeau") {
		t.Errorf("notes %q", notes)
	}
	if c := Direct([]Pair{{Split: "0", Difference: 1}, {Split: "0", Difference: 1.1}}); c.Over != OverSeeds ||
		c.Remark != seedsRemark {
		t.Errorf("%+v", c)
	}
}

// Verdicts that are decided together are Holm-corrected.
func TestTogether(t *testing.T) {
	of := func(differences ...float64) *Comparison {
		var pairs []Pair
		for i, d := range differences {
			pairs = append(pairs, Pair{Split: string(rune('a' + i)), Difference: rundir.Number(d)})
		}
		c := Direct(pairs)
		return &c
	}
	weak := of(1, 2, 3, 2, 1, -0.6)
	none := of(-1, 1.01, -0.99, 1)
	single := of(5)
	if weak.Verdict != "A" || !(weak.TP < Alpha) || !(2*weak.TP > Alpha) {
		t.Fatalf("alone: %+v", weak)
	}
	Together([]*Comparison{weak, none, single})
	if weak.Verdict != "~" || weak.HolmP != 2*weak.TP || none.Verdict != "~" || single.Verdict != "~" ||
		single.Remark != singleRemark {
		t.Errorf("together: %+v, %+v, %+v", weak, none, single)
	}
	// Next to a clear comparison, the weak comparison is tested at the full level.
	weak = of(1, 2, 3, 2, 1, -0.6)
	strong := of(-1, -1.01, -0.99, -1)
	Together([]*Comparison{weak, strong})
	if weak.Verdict != "A" || weak.HolmP != weak.TP || strong.Verdict != "B" || strong.HolmP != 2*strong.TP {
		t.Errorf("together: %+v, %+v", weak, strong)
	}
}

// Methods worse than the baseline are reported. Only scores of predictions are compared with it.
func TestBelowTheBaseline(t *testing.T) {
	value := func(m, _, split int, _ uint64) float64 {
		return []float64{-1, -0.5, -0.8}[m] + 0.01*noise(split, m, 1)
	}
	s := Group(sized(grid([]string{"star", "svgp", "linear"}, []string{"boston"}, 4, 1, value), 81, 9, 10))
	table := s.Table(logLik, Options{})
	if len(table.Below) != 1 || !s.HasBaseline() {
		t.Fatalf("below: %+v", table.Below)
	}
	b := table.Below[0]
	if b.Method != "star" || b.Baseline != "linear" || b.Dataset != "boston" ||
		math.Abs(float64(b.Difference)+0.2) > 0.03 || !(b.P < Alpha) {
		t.Errorf("%+v", b)
	}
	if notes := strings.Join(table.Notes(),
		";"); !strings.Contains(notes, "worse than linear on boston: star by 0.") {
		t.Errorf("notes %q", notes)
	}
	if below := s.Table(metric.Get("seconds"), Options{}).Below; len(below) > 0 {
		t.Errorf("the time is compared with the baseline: %+v", below)
	}
	// Each data set has its own note.
	two := Group(sized(grid([]string{"star", "svgp", "linear"}, []string{"boston", "energy"}, 4, 1,
		func(m, d, split int, seed uint64) float64 {
			if m < 2 {
				m = (m + d) % 2 // On the second data set svgp and star are swapped.
			}
			return value(m, d, split, seed)
		}), 81, 9, 10))
	losses := two.Table(logLik, Options{}).Losses()
	if len(losses) != 2 || !strings.HasPrefix(losses[0], "worse than linear on boston: star by 0.2") ||
		!strings.HasPrefix(losses[1], "worse than linear on energy: svgp by 0.2") {
		t.Errorf("losses %q", losses)
	}
	// The best of several baselines counts.
	several := Group(grid([]string{"linear steps=1", "linear steps=2", "linear steps=3", "star", "svgp"},
		[]string{"boston"}, 4, 1, func(m, _, split int, _ uint64) float64 {
			return []float64{-1, -0.5, -0.8, -0.7, -0.4}[m] + 0.01*noise(split, m, 1)
		}))
	below := several.Table(logLik, Options{}).Below
	if len(below) != 1 || !strings.HasPrefix(below[0].Method, "star ") ||
		below[0].Baseline != "linear steps=2" {
		t.Errorf("below several baselines: %+v", below)
	}
	if Group(grid([]string{"star", "svgp"}, []string{"boston"}, 1, 1, value)).HasBaseline() {
		t.Error("HasBaseline without a baseline")
	}
}
