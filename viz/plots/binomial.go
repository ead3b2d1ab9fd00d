package plots

import (
	"math"
)

// binomialBand returns the 2.5 % and the 97.5 % quantiles of the number of successes in n trials of
// probability p: the smallest k whose cumulative probability reaches the level. Probabilities are
// summed over ten standard deviations on both sides of the mean; less than 1e-14 lies outside.
// outside is the probability of a number below lo or above hi, at most 5 %.
func binomialBand(n int, p float64) (lo, hi int, outside float64) {
	if n < 1 || !(p > 0) {
		return 0, 0, 0
	}
	if p >= 1 {
		return n, n, 0
	}
	mean := float64(n) * p
	reach := 10*math.Sqrt(mean*(1-p)) + 10
	k := max(0, int(mean-reach))
	choose := lgamma(n) - lgamma(k) - lgamma(n-k)
	mass := math.Exp(choose + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
	sum, below, lo := mass, 0.0, -1
	for ; k < n && sum < 0.975; k++ {
		if lo < 0 && sum >= 0.025 {
			lo, below = k, sum-mass
		}
		mass *= float64(n-k) / float64(k+1) * p / (1 - p)
		sum += mass
	}
	if lo < 0 {
		lo, below = k, sum-mass
	}
	return lo, k, math.Max(0, 1-(sum-below))
}

// lgamma returns the logarithm of k!.
func lgamma(k int) float64 {
	v, _ := math.Lgamma(float64(k) + 1)
	return v
}
