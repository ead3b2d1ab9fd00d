package compare

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// Alpha is the significance level of all tests.
const Alpha = 0.05

// Test is the result of a two-sided test for differences centred at zero.
type Test struct {
	// N is the number of differences used.
	N int
	// Statistic is t for the t-test, and the smaller rank sum for Wilcoxon's test.
	Statistic float64
	// P is the p-value, or NaN if there are too few differences.
	P float64
}

// StandardError returns the mean of values and its standard error s/sqrt(n), where s is the sample
// standard deviation. The results are NaN if there are too few values.
func StandardError(values []float64) (mean, se float64) {
	n := float64(len(values))
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	for _, v := range values {
		mean += v / n
	}
	if n == 1 {
		return mean, math.NaN()
	}
	squares := 0.0
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(squares / (n - 1) / n)
}

// PairedT tests whether the mean of paired differences is zero, by Student's t-test with n-1
// degrees of freedom. If all differences are equal, P is 1 if they are zero and 0 otherwise.
func PairedT(differences []float64) Test {
	n := len(differences)
	mean, se := StandardError(differences)
	t := Test{N: n, Statistic: mean / se, P: math.NaN()}
	switch {
	case n < 2 || !finite(mean) || !finite(se):
		t.Statistic = math.NaN()
	case mean == 0:
		t.Statistic, t.P = 0, 1
	case se <= 1e-14*math.Abs(mean): // The standard error is due to rounding.
		t.Statistic, t.P = math.Copysign(math.Inf(1), mean), 0
	default:
		t.P = studentTails(t.Statistic, float64(n-1))
	}
	return t
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// studentTails returns the probability of |T| >= |t| for Student's T, computed with the incomplete
// beta function (Abramowitz and Stegun, 1964, 26.7.1 and 26.5.27).
func studentTails(t, degrees float64) float64 {
	return mathext.RegIncBeta(degrees/2, 0.5, degrees/(degrees+t*t))
}

// exactWilcoxon is the largest number of differences for which the exact distribution is used.
const exactWilcoxon = 100

// Wilcoxon is the signed-rank test for paired differences that are symmetric about zero (Wilcoxon,
// "Individual Comparisons by Ranking Methods", 1945, https://doi.org/10.2307/3001968). Differences of zero
// are dropped, and equal magnitudes share their average rank. For up to 100 differences P is exact given the
// ranks, even with ties. For more, P is a normal approximation with the variance of these ranks and a
// continuity correction.
func Wilcoxon(differences []float64) Test {
	var magnitude []float64
	var positive []bool
	for _, d := range differences {
		if math.IsNaN(d) {
			return Test{N: len(differences), Statistic: d, P: d}
		}
		if d != 0 {
			magnitude = append(magnitude, math.Abs(d))
			positive = append(positive, d > 0)
		}
	}
	n := len(magnitude)
	switch {
	case len(differences) == 0:
		return Test{P: math.NaN()}
	case n == 0:
		return Test{P: 1}
	}
	// Doubled ranks are integers.
	ranks := Ranks(magnitude, false)
	twice, total, above := make([]int, n), 0, 0
	for i, r := range ranks {
		twice[i] = int(math.Round(2 * r))
		total += twice[i]
		if positive[i] {
			above += twice[i]
		}
	}
	less := min(above, total-above)
	t := Test{N: n, Statistic: float64(less) / 2}
	if n <= exactWilcoxon {
		t.P = math.Min(1, 2*signedRankTail(twice, total, less))
		return t
	}
	variance := 0.0
	for _, r := range ranks {
		variance += r * r / 4
	}
	z := math.Max(0, float64(total)/4-t.Statistic-0.5) / math.Sqrt(variance)
	t.P = math.Erfc(z / math.Sqrt2)
	return t
}

// signedRankTail returns the probability that the sum of a random subset of twice does not exceed least,
// where the subset contains each element with probability 1/2. It builds the distribution rank by rank.
func signedRankTail(twice []int, total, least int) float64 {
	p := make([]float64, total+1)
	p[0] = 1
	sum := 0
	for _, r := range twice {
		sum += r
		for s := sum; s >= 0; s-- {
			if s >= r {
				p[s] = (p[s] + p[s-r]) / 2
			} else {
				p[s] /= 2
			}
		}
	}
	tail := 0.0
	for _, v := range p[:least+1] {
		tail += v
	}
	return tail
}

// Ranks returns the rank of each value: 1 for the smallest, or for the largest if higherIsBetter.
// Equal values share their average rank. NaN ranks last.
func Ranks(values []float64, higherIsBetter bool) []float64 {
	sign := 1.0
	if higherIsBetter {
		sign = -1
	}
	key := func(i int) float64 {
		if math.IsNaN(values[i]) {
			return math.Inf(1)
		}
		return sign * values[i]
	}
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(key(a), key(b)) })
	ranks := make([]float64, len(values))
	for first := 0; first < len(order); {
		last := first + 1
		for last < len(order) && key(order[last]) == key(order[first]) {
			last++
		}
		for _, i := range order[first:last] {
			ranks[i] = float64(first+1+last) / 2
		}
		first = last
	}
	return ranks
}
