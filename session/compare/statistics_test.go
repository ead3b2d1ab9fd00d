package compare

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"dgplab/models/oracletest"
)

// near fails the test unless result equals want up to a relative error, or an absolute error if want is below
// 1.
func near[F ~float64](t *testing.T, what string, result F, want, tolerance float64) {
	t.Helper()
	got := float64(result)
	if math.IsNaN(got) != math.IsNaN(want) || math.Abs(got-want) > tolerance*math.Max(1, math.Abs(want)) {
		t.Errorf("%s is %.15g, want %.15g", what, got, want)
	}
}

// ranksOracle is a golden case. models/testdata/oracles/README.md describes its keys.
type ranksOracle struct {
	Config struct {
		N, K   int
		Higher bool `json:"higher_is_better"`
		Alpha  float64
	}
	Data   struct{ Table [][]float64 }
	Expect struct {
		Ranks     [][]float64
		Average   []float64 `json:"average_ranks"`
		Chi2      float64   `json:"friedman_chi2"`
		P         float64   `json:"friedman_p"`
		Corrected float64   `json:"friedman_chi2_tie_corrected"`
		F         float64   `json:"iman_davenport_f"`
		FP        float64   `json:"iman_davenport_p"`
		Q         float64   `json:"q_alpha"`
		CD        float64   `json:"critical_difference"`
		Pairs     [][]any   `json:"pairs_first_second_gap_significant"`
	}
}

// TestRanksOracles checks the golden cases for ranks, with a subtest per file.
func TestRanksOracles(t *testing.T) {
	for _, c := range oracletest.Cases(t, "ranks") {
		t.Run(c.Name, func(t *testing.T) {
			var o ranksOracle
			oracletest.Decode(t, c.Text, &o)
			want := o.Expect
			for i, row := range o.Data.Table {
				if got := Ranks(row, o.Config.Higher); !slices.Equal(got, want.Ranks[i]) {
					t.Errorf("ranks of row %d are %v, want %v", i, got, want.Ranks[i])
				}
			}
			f := FriedmanTest(o.Data.Table, o.Config.Higher)
			for j, r := range want.Average {
				near(t, "average rank", f.Ranks[j], r, 1e-13)
			}
			near(t, "chi-square", f.ChiSquare, want.Chi2, 1e-12)
			near(t, "corrected chi-square", f.Corrected, want.Corrected, 1e-12)
			near(t, "F", f.F, want.F, 1e-12)
			near(t, "p / p", f.P/want.P, 1, 1e-9)
			near(t, "p / p of F", float64(f.FP)/want.FP, 1, 1e-9)
			cd := CriticalDifference(o.Config.K, o.Config.N, o.Config.Alpha)
			near(t, "q", studentisedRange(o.Config.K, 1-o.Config.Alpha)/math.Sqrt2, want.Q, 1e-12)
			near(t, "critical difference", cd, want.CD, 1e-12)
			checkCliques(t, f.Ranks, cd, want.Pairs)
		})
	}
}

// checkCliques checks that two methods share a group if and only if their ranks do not differ significantly.
func checkCliques(t *testing.T, ranks []float64, cd float64, pairs [][]any) {
	t.Helper()
	groups := Cliques(ranks, cd)
	for _, p := range pairs {
		i := int(p[0].(float64))
		j := int(p[1].(float64))
		together := slices.ContainsFunc(groups, func(g []int) bool {
			return slices.Contains(g, i) && slices.Contains(g, j)
		})
		if together == p[3].(bool) {
			t.Errorf("methods %d and %d: together %v in %v, but significant %v", i, j, together, groups, p[3])
		}
	}
}

// The critical values are from Demsar (2006), table 5a.
func TestCriticalValues(t *testing.T) {
	for alpha, values := range map[float64][]float64{
		0.05: {1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164},
		0.10: {1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920},
	} {
		for i, want := range values {
			near(t, "critical value", studentisedRange(i+2, 1-alpha)/math.Sqrt2, want, 6e-4)
		}
	}
	// The range of two variables is |a-b|, where a-b is normal with variance 2.
	for _, q := range []float64{0.1, 1, 2.77, 6} {
		near(t, "range of two", rangeCDF(2, q), math.Erf(q/2), 1e-14)
	}
	// For three variables the probability is simulated from the definition.
	rng, hits := rand.New(rand.NewPCG(1, 1)), 0
	const draws = 200000
	for range draws {
		a := rng.NormFloat64()
		b := rng.NormFloat64()
		c := rng.NormFloat64()
		if max(a, b, c)-min(a, b, c) <= 2 {
			hits++
		}
	}
	near(t, "range of three", rangeCDF(3, 2), float64(hits)/draws, 4*0.5/math.Sqrt(draws))
	for _, bad := range [][2]int{{1, 5}, {0, 5}, {3, 0}} {
		near(t, "critical difference", CriticalDifference(bad[0], bad[1], 0.05), math.NaN(), 0)
	}
}

func TestTails(t *testing.T) {
	for _, x := range []float64{0.1, 1, 5, 40} {
		near(t, "t with 1 degree", studentTails(x, 1)/(2/math.Pi*math.Atan(1/x)), 1, 1e-12)
		near(t, "t with 2 degrees", studentTails(x, 2), 1-x/math.Sqrt(2+x*x), 1e-13)
		near(t, "F with 2 and 9", fisherTail(x, 2, 9)/math.Pow(1+2*x/9, -4.5), 1, 1e-12)
		near(t, "F is t squared", fisherTail(x*x, 1, 7), studentTails(x, 7), 1e-13)
	}
	near(t, "t quantile", studentTails(2.2621572, 9), 0.05, 1e-8) // Tables list 2.262.
}

func TestPairedT(t *testing.T) {
	nan := math.NaN()
	inf := math.Inf(1)
	for _, c := range []struct {
		d    []float64
		stat float64
		p    float64
	}{
		{nil, nan, nan}, {[]float64{3}, nan, nan}, {[]float64{1, nan, 2}, nan, nan},
		{[]float64{inf, 1}, nan, nan}, {[]float64{1e300, 1, 2}, nan, nan},
		{[]float64{0, 0, 0}, 0, 1}, {[]float64{0.1, 0.1, 0.1}, inf, 0},
		{[]float64{-2, -2}, math.Inf(-1), 0}, {[]float64{-1, 1}, 0, 1},
		// Mean 2, sample variance 1, so t = 2 sqrt 3, with two degrees of freedom.
		{[]float64{1, 2, 3}, 2 * math.Sqrt(3), 1 - 2*math.Sqrt(3)/math.Sqrt(14)},
	} {
		got := PairedT(c.d)
		if got.N != len(c.d) || math.IsInf(c.stat, 0) && got.Statistic != c.stat {
			t.Errorf("%v: %+v, want statistic %v", c.d, got, c.stat)
		}
		if !math.IsInf(c.stat, 0) {
			near(t, "t", got.Statistic, c.stat, 1e-14)
		}
		near(t, "P", got.P, c.p, 1e-13)
		if (got.P < Alpha) != (c.p < 0.05) {
			t.Errorf("%v: significant %v", c.d, got.P < Alpha)
		}
	}
	mean, se := StandardError([]float64{1, 2, 3, 6})
	near(t, "mean", mean, 3, 1e-15)
	near(t, "standard error", se, math.Sqrt(14.0/3/4), 1e-15)
}

// bruteWilcoxon enumerates all signs.
func bruteWilcoxon(d []float64) float64 {
	var magnitude []float64
	for _, v := range d {
		if v != 0 {
			magnitude = append(magnitude, math.Abs(v))
		}
	}
	ranks := Ranks(magnitude, false)
	total, above := 0.0, 0.0
	k := 0
	for _, v := range d {
		if v == 0 {
			continue
		}
		total += ranks[k]
		if v > 0 {
			above += ranks[k]
		}
		k++
	}
	far, hits := math.Abs(above-total/2), 0
	for signs := range 1 << len(ranks) {
		sum := 0.0
		for i, r := range ranks {
			if signs>>i&1 == 1 {
				sum += r
			}
		}
		if math.Abs(sum-total/2) >= far-1e-9 {
			hits++
		}
	}
	return float64(hits) / float64(int(1)<<len(ranks))
}

func TestWilcoxon(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 60 {
		d := make([]float64, 1+rng.IntN(11))
		for i := range d {
			d[i] = float64(rng.IntN(13) - 4) // with ties and zeros
		}
		got := Wilcoxon(d)
		want := bruteWilcoxon(d)
		if math.Abs(got.P-want) > 1e-12 {
			t.Errorf("%v: P %v, want %v", d, got.P, want)
		}
	}
	// Five differences of the same sign give P = 2/32, so five splits never suffice.
	if got := Wilcoxon([]float64{1, 2, 3, 4, 5}); got.P != 0.0625 || got.Statistic != 0 ||
		got.N != 5 || got.P < Alpha {
		t.Errorf("five: %+v", got)
	}
	if got := Wilcoxon([]float64{0, 0}); got.P != 1 || got.N != 0 {
		t.Errorf("zeros: %+v", got)
	}
	for _, d := range [][]float64{nil, {1, math.NaN()}} {
		if got := Wilcoxon(d); !math.IsNaN(got.P) {
			t.Errorf("%v: %+v", d, got)
		}
	}
}

// For many differences the normal approximation is close to the exact distribution.
func TestWilcoxonOfMany(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, shift := range []float64{0, 0.1, 0.3} {
		d := make([]float64, 150)
		twice, total, above := make([]int, 150), 0, 0
		for i := range d {
			d[i] = rng.NormFloat64() + shift
		}
		magnitude := make([]float64, 150)
		for i, v := range d {
			magnitude[i] = math.Abs(v)
		}
		for i, r := range Ranks(magnitude, false) {
			twice[i] = int(2 * r)
			total += twice[i]
			if d[i] > 0 {
				above += twice[i]
			}
		}
		exact := math.Min(1, 2*signedRankTail(twice, total, min(above, total-above)))
		near(t, "P", Wilcoxon(d).P, exact, 2e-3)
	}
}

// Up to 100 differences P is exact. For more, it is the normal approximation with a continuity correction.
func TestWilcoxonLimit(t *testing.T) {
	for _, n := range []int{exactWilcoxon, exactWilcoxon + 1} {
		var d []float64
		twice, total, below := make([]int, n), 0, 0
		for i := range n {
			d = append(d, float64(i+1))
			twice[i] = 2 * (i + 1)
			total += twice[i]
			if i%3 == 0 {
				d[i] = -d[i]
				below += twice[i]
			}
		}
		size := float64(n)
		z := (size*(size+1)/4 - float64(below)/2 - 0.5) / math.Sqrt(size*(size+1)*(2*size+1)/24)
		want := math.Erfc(z / math.Sqrt2)
		if n <= exactWilcoxon {
			want = 2 * signedRankTail(twice, total, below)
		}
		got := Wilcoxon(d)
		near(t, "P / P", got.P/want, 1, 1e-12)
		near(t, "statistic", got.Statistic, float64(below)/2, 0)
	}
}

func TestRanks(t *testing.T) {
	nan := math.NaN()
	inf := math.Inf(1)
	for _, c := range []struct {
		values []float64
		higher bool
		want   []float64
	}{
		{nil, true, []float64{}}, {[]float64{5}, true, []float64{1}},
		{[]float64{3, 1, 2}, false, []float64{3, 1, 2}}, {[]float64{3, 1, 2}, true, []float64{1, 3, 2}},
		{[]float64{2, 2, 2, 1}, false, []float64{3, 3, 3, 1}},
		{[]float64{nan, 0, -inf}, true, []float64{2.5, 1, 2.5}},
		{[]float64{nan, 0, -inf}, false, []float64{3, 2, 1}},
		{[]float64{0, math.Copysign(0, -1)}, false, []float64{1.5, 1.5}},
	} {
		if got := Ranks(c.values, c.higher); !slices.Equal(got, c.want) {
			t.Errorf("ranks of %v (higher %v) are %v, want %v", c.values, c.higher, got, c.want)
		}
	}
}

func TestFriedmanEdges(t *testing.T) {
	if f := FriedmanTest(nil, true); f.N != 0 || !math.IsNaN(f.P) {
		t.Errorf("nothing: %+v", f)
	}
	if f := FriedmanTest([][]float64{{1, 2, 3}}, true); !slices.Equal(f.Ranks, []float64{3, 2, 1}) ||
		!math.IsNaN(float64(f.FP)) {
		t.Errorf("one block: %+v", f)
	}
	if f := FriedmanTest([][]float64{{1, 1}, {2, 2}, {3, 3}}, true); f.P != 1 ||
		f.CorrectedP != 1 || f.FP != 1 {
		t.Errorf("all equal: %+v", f)
	}
	if f := FriedmanTest([][]float64{{1, 2, 3}, {4, 5, 6}, {1, 2, 9}}, false); !math.IsInf(float64(f.F), 1) ||
		f.FP != 0 || math.Abs(f.P-math.Exp(-3)) > 1e-12 {
		t.Errorf("all agree: %+v", f)
	}
	// With two methods and no ties, chi-square is the statistic (a-b)^2/n of the sign test.
	f := FriedmanTest([][]float64{{1, 2}, {1, 2}, {2, 1}, {1, 2}, {1, 2}}, false)
	near(t, "chi-square", f.ChiSquare, 9.0/5, 1e-13)
	defer func() {
		if recover() == nil {
			t.Error("a ragged table was accepted")
		}
	}()
	FriedmanTest([][]float64{{1, 2}, {1}}, true)
}

func TestCliques(t *testing.T) {
	for _, c := range []struct {
		ranks []float64
		cd    float64
		want  [][]int
	}{
		{[]float64{1, 2, 3, 4}, 0.5, nil},
		{[]float64{1, 2, 3, 4}, 1.5, [][]int{{0, 1}, {1, 2}, {2, 3}}},
		{[]float64{4, 1, 2.5, 2}, 1.6, [][]int{{1, 3, 2}, {2, 0}}},
		{[]float64{1.5, 1.5, 3}, 9, [][]int{{0, 1, 2}}},
		{[]float64{1, 2}, math.NaN(), nil}, {nil, 1, nil}, {[]float64{1, 2}, 1, nil},
	} {
		got := Cliques(c.ranks, c.cd)
		if len(got) != len(c.want) || !slices.EqualFunc(got, c.want, slices.Equal) {
			t.Errorf("%v with %v: %v, want %v", c.ranks, c.cd, got, c.want)
		}
	}
}
