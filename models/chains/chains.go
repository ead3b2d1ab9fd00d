// Package chains is statistics of Markov chains that sample one quantity: whether they
// have mixed, and how many independent draws they are worth.
//
// Definitions and letters are those of Vehtari, Gelman, Simpson, Carpenter, Bürkner,
// "Rank-Normalization, Folding, and Localization: An Improved R-hat for Assessing
// Convergence of MCMC", Bayesian Analysis 16(2), 2021, arXiv:1903.08008, as its authors'
// R package posterior has them. All takes O(S log S) for S draws.
package chains

import (
	"math"
	"slices"

	"dgplab/models/quantile"
)

// Statistics says how well chains have sampled a quantity. What is not defined is NaN:
// all but Mean and SD where draws are constant, and everything where there are fewer than
// four draws of a chain or one is not finite.
type Statistics struct {
	// Rhat is the larger of RhatBulk, of rank-normalised draws, and RhatFolded, of their
	// rank-normalised distances to the median, which sees chains of different scales. It
	// is 1 for chains that have mixed, and should be below 1.01.
	Rhat, RhatBulk, RhatFolded float64
	// RhatSplit is that of the draws as they are.
	RhatSplit float64
	// ESSBulk is the effective sample size of rank-normalised draws; ESSTail the smaller of
	// ESSQ05 and ESSQ95, those of the quantiles 5 and 95 %; ESSMean that of the mean.
	ESSBulk, ESSTail, ESSQ05, ESSQ95, ESSMean float64
	// Mean and SD are of all draws, and MCSEMean is the Monte Carlo error of the mean.
	Mean, SD, MCSEMean float64
}

// Of returns the statistics of draws, [chains][n]. It panics unless there is a chain and
// all are of one length.
func Of(draws [][]float64) Statistics {
	for _, c := range draws {
		if len(c) != len(draws[0]) {
			panic("chains: chains of different lengths")
		}
	}
	s := undefined()
	all := slices.Concat(draws...)
	if len(draws[0]) < 4 || !finite(all) {
		return s
	}
	s.Mean, s.SD = moments(all)
	if slices.Min(all) == slices.Max(all) {
		return s
	}
	sorted := slices.Sorted(slices.Values(all))
	median := quantile.Of(sorted, 0.5)
	split := splitChains(draws, func(x float64) float64 { return x })
	bulk := rankNormal(split)
	s.RhatSplit = rhat(split)
	s.RhatBulk = rhat(bulk)
	s.RhatFolded = rhat(rankNormal(splitChains(draws, func(x float64) float64 {
		return math.Abs(x - median)
	})))
	s.Rhat = math.Max(s.RhatBulk, s.RhatFolded)
	s.ESSBulk = ess(bulk)
	s.ESSMean = ess(split)
	s.ESSQ05 = essQuantile(draws, quantile.Of(sorted, 0.05))
	s.ESSQ95 = essQuantile(draws, quantile.Of(sorted, 0.95))
	s.ESSTail = math.Min(s.ESSQ05, s.ESSQ95)
	s.MCSEMean = s.SD / math.Sqrt(s.ESSMean)
	return s
}

// undefined returns statistics of which none is defined.
func undefined() Statistics {
	x := math.NaN()
	return Statistics{Rhat: x, RhatBulk: x, RhatFolded: x, RhatSplit: x,
		ESSBulk: x, ESSTail: x, ESSQ05: x, ESSQ95: x, ESSMean: x, Mean: x, SD: x, MCSEMean: x}
}

// finite says whether all of v is.
func finite(v []float64) bool {
	return !slices.ContainsFunc(v, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}

// moments returns the mean of v and the standard deviation with the divisor len(v) - 1.
func moments(v []float64) (mean, sd float64) {
	for _, x := range v {
		mean += x
	}
	mean /= float64(len(v))
	var squares float64
	for _, x := range v {
		squares += (x - mean) * (x - mean)
	}
	return mean, math.Sqrt(squares / float64(len(v)-1))
}

// splitChains returns the halves of all chains, of what f makes of their draws; of an odd
// number the middle one is left out.
func splitChains(draws [][]float64, f func(float64) float64) [][]float64 {
	var out [][]float64
	for _, c := range draws {
		n := len(c) / 2
		for _, half := range [][]float64{c[:n], c[len(c)-n:]} {
			values := make([]float64, n)
			for i, x := range half {
				values[i] = f(x)
			}
			out = append(out, values)
		}
	}
	return out
}

// ranked returns the places of all draws, chain by chain, by their size.
func ranked(chains [][]float64) []int {
	type draw struct {
		value float64
		place int
	}
	sorted := make([]draw, 0, len(chains)*len(chains[0]))
	for _, c := range chains {
		for _, x := range c {
			sorted = append(sorted, draw{x, len(sorted)})
		}
	}
	slices.SortFunc(sorted, func(a, b draw) int {
		switch {
		case a.value < b.value:
			return -1
		case a.value > b.value:
			return 1
		}
		return a.place - b.place
	})
	order := make([]int, len(sorted))
	for k, d := range sorted {
		order[k] = d.place
	}
	return order
}

// rankNormal returns the normal scores of draws among all: Phi^-1((rank - 3/8)/(S + 1/4)),
// with the average rank of equal ones (eq. 14).
func rankNormal(chains [][]float64) [][]float64 {
	n := len(chains[0])
	total := n * len(chains)
	order := ranked(chains)
	at := func(i int) float64 { return chains[i/n][i%n] }
	out := make([][]float64, len(chains))
	for c := range out {
		out[c] = make([]float64, n)
	}
	for from := 0; from < total; {
		to := from + 1
		for to < total && at(order[to]) == at(order[from]) {
			to++
		}
		rank := float64(from+to+1) / 2 // ranks from+1 to to
		score := math.Sqrt2 * math.Erfinv(2*(rank-0.375)/(float64(total)+0.25)-1)
		for _, i := range order[from:to] {
			out[i/n][i%n] = score
		}
		from = to
	}
	return out
}

// rhat returns sqrt((B/W + n - 1)/n), B and W the variances between and within chains of n
// draws (eqs. 1-4); NaN where no chain moves.
func rhat(chains [][]float64) float64 {
	n := float64(len(chains[0]))
	means := make([]float64, len(chains))
	var within float64
	for c, draws := range chains {
		mean, sd := moments(draws)
		means[c] = mean
		within += sd * sd / float64(len(chains))
	}
	_, sd := moments(means)
	return math.Sqrt((n*sd*sd/within + n - 1) / n)
}
