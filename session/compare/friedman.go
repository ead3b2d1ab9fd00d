package compare

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"dgplab/session/rundir"
)

// Friedman holds the Friedman test, which compares K methods by their ranks in each of N blocks
// (Demsar, "Statistical Comparisons of Classifiers over Multiple Data Sets", JMLR 7, 2006, section
// 3.2.2, https://jmlr.org/papers/v7/demsar06a.html).
type Friedman struct {
	N int `json:"blocks"`
	K int `json:"-"`
	// Ranks are the average ranks of the methods, [K]. Rank 1 is the best.
	Ranks []float64 `json:"average_ranks"`
	// ChiSquare is Demsar's statistic without correction for ties, and P is its p-value from the
	// chi-square distribution with K-1 degrees of freedom.
	ChiSquare float64 `json:"-"`
	P         float64 `json:"-"`
	// Corrected and CorrectedP correct for ties by dividing the statistic by 1 - sum(c^3-c)/(N K
	// (K^2-1)) over groups of c equal values in a block.
	Corrected  rundir.Number `json:"friedman_chi2"`
	CorrectedP rundir.Number `json:"friedman_p"`
	// F is the less conservative statistic of Iman and Davenport (1980), derived from ChiSquare,
	// and FP is its p-value from the F distribution with K-1 and (K-1)(N-1) degrees of freedom.
	F  rundir.Number `json:"iman_davenport_f"`
	FP rundir.Number `json:"iman_davenport_p"`
}

// FriedmanTest ranks a table of values [N][K] with one row per block. It panics if the rows differ
// in length. The statistics are NaN if there are fewer than two blocks or methods.
func FriedmanTest(table [][]float64, higherIsBetter bool) Friedman {
	f := Friedman{
		N:          len(table),
		ChiSquare:  math.NaN(),
		P:          math.NaN(),
		Corrected:  nan,
		CorrectedP: nan,
		F:          nan,
		FP:         nan,
	}
	if f.N == 0 {
		return f
	}
	f.K = len(table[0])
	f.Ranks = make([]float64, f.K)
	ties := 0.0
	for _, row := range table {
		if len(row) != f.K {
			panic("compare: blocks with different numbers of methods")
		}
		ranks := Ranks(row, higherIsBetter)
		for j, r := range ranks {
			f.Ranks[j] += r / float64(f.N)
		}
		ties += tieSum(ranks)
	}
	if f.N < 2 || f.K < 2 {
		return f
	}
	f.statistics(ties)
	return f
}

// statistics computes the tests from the average ranks and the sum of c^3-c over groups of ties.
func (f *Friedman) statistics(ties float64) {
	n := float64(f.N)
	k := float64(f.K)
	squares := 0.0
	for _, r := range f.Ranks {
		squares += r * r
	}
	// Without differences, rounding may give a negative value.
	f.ChiSquare = math.Max(0, 12*n/(k*(k+1))*(squares-k*(k+1)*(k+1)/4))
	f.P = mathext.GammaIncRegComp((k-1)/2, f.ChiSquare/2)
	corrected := 0.0 // the value if all methods are equal in every block
	if rest := 1 - ties/(n*k*(k*k-1)); rest > 1e-12 {
		corrected = f.ChiSquare / rest
	}
	f.Corrected = rundir.Number(corrected)
	f.CorrectedP = rundir.Number(mathext.GammaIncRegComp((k-1)/2, corrected/2))
	davenport := math.Inf(1) // the value if all blocks agree
	if rest := n*(k-1) - f.ChiSquare; rest > 1e-9*n*k {
		davenport = (n - 1) * f.ChiSquare / rest
	}
	f.F = rundir.Number(davenport)
	f.FP = rundir.Number(fisherTail(davenport, k-1, (k-1)*(n-1)))
}

// tieSum returns the sum of c^3-c over groups of c equal ranks.
func tieSum(ranks []float64) (sum float64) {
	sorted := slices.Sorted(slices.Values(ranks))
	for first := 0; first < len(sorted); {
		last := first + 1
		for last < len(sorted) && sorted[last] == sorted[first] {
			last++
		}
		c := float64(last - first)
		sum += c*c*c - c
		first = last
	}
	return sum
}

// fisherTail returns the probability that an F-distributed variable is at least x (Abramowitz and
// Stegun, 1964, 26.6.2).
func fisherTail(x, d1, d2 float64) float64 {
	return mathext.RegIncBeta(d2/2, d1/2, d2/(d2+d1*x))
}
