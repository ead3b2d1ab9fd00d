package sampling

import (
	"math"
	"slices"

	"dgplab/models/stats"
)

// Statistics holds diagnostics of the chains of one quantity. Undefined values are NaN. If the
// draws are constant, only Mean and SD are defined. If a chain has fewer than four draws or a draw
// is not finite, no statistic is defined.
type Statistics struct {
	// Rhat is the larger of RhatBulk, computed from rank-normalised draws, and RhatFolded, computed
	// from rank-normalised distances to the median, which detects chains of different scales. It is
	// close to 1 for chains that have mixed, and should be below 1.01.
	Rhat, RhatBulk, RhatFolded float64
	// RhatSplit is the split R-hat of the draws without rank normalisation.
	RhatSplit float64
	// ESSBulk is the effective sample size of rank-normalised draws. ESSTail is the smaller of
	// ESSQ05 and ESSQ95, the effective sample sizes of the 5 and 95 % quantiles. ESSMean is the
	// effective sample size of the mean.
	ESSBulk, ESSTail, ESSQ05, ESSQ95, ESSMean float64
	// Mean and SD are the moments of all draws. MCSEMean is the Monte Carlo standard error of the
	// mean.
	Mean, SD, MCSEMean float64
}

// Diagnose returns the statistics of draws, [chains][n]. It panics if there is no chain or if
// chains differ in length.
func Diagnose(draws [][]float64) Statistics {
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
	median := stats.SampleQuantile(sorted, 0.5)
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
	s.ESSQ05 = essQuantile(draws, stats.SampleQuantile(sorted, 0.05))
	s.ESSQ95 = essQuantile(draws, stats.SampleQuantile(sorted, 0.95))
	s.ESSTail = math.Min(s.ESSQ05, s.ESSQ95)
	s.MCSEMean = s.SD / math.Sqrt(s.ESSMean)
	return s
}

// undefined returns statistics that are NaN throughout.
func undefined() Statistics {
	x := math.NaN()
	return Statistics{Rhat: x, RhatBulk: x, RhatFolded: x, RhatSplit: x,
		ESSBulk: x, ESSTail: x, ESSQ05: x, ESSQ95: x, ESSMean: x, Mean: x, SD: x, MCSEMean: x}
}

// finite reports whether all values of v are finite.
func finite(v []float64) bool {
	return !slices.ContainsFunc(v, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}

// moments returns the mean and the standard deviation of v, with divisor len(v) - 1.
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

// splitChains applies f to all draws and splits each chain into halves. It drops the middle draw of
// a chain of odd length.
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

// ranked returns the indices of all draws, counted chain by chain, in ascending order of the draws.
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

// rankNormal returns the normal scores Phi^-1((rank - 3/8)/(S + 1/4)) of all draws, with average
// ranks for ties (eq. 14).
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
		rank := float64(from+to+1) / 2 // ties have the ranks from+1, ..., to
		score := math.Sqrt2 * math.Erfinv(2*(rank-0.375)/(float64(total)+0.25)-1)
		for _, i := range order[from:to] {
			out[i/n][i%n] = score
		}
		from = to
	}
	return out
}

// rhat returns sqrt((B/W + n - 1)/n), where B and W are the variances between and within chains of
// n draws (eqs. 1-4). It is NaN if all chains are constant.
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
