package compare

import (
	"cmp"
	"math"
	"slices"

	"dgplab/session/metric"
	"dgplab/session/rundir"
)

// CriticalDifference returns the critical difference of the Nemenyi test: the average ranks of two
// of k methods over n blocks differ significantly at level alpha if their difference is at least q
// sqrt(k(k+1)/(6n)), where q is the upper alpha point of the studentised range with infinite
// degrees of freedom, divided by sqrt 2 (Demsar, 2006, section 3.2.2). It returns NaN for fewer
// than two methods or no blocks.
func CriticalDifference(k, n int, alpha float64) float64 {
	if k < 2 || n < 1 {
		return math.NaN()
	}
	q := studentisedRange(k, 1-alpha) / math.Sqrt2
	return q * math.Sqrt(float64(k)*float64(k+1)/(6*float64(n)))
}

// studentisedRange returns the p quantile of the range of k independent standard normal variables,
// by bisection.
func studentisedRange(k int, p float64) float64 {
	low, high := 0.0, 1.0
	for rangeCDF(k, high) < p && high < 64 {
		low, high = high, 2*high
	}
	for range 60 {
		if middle := (low + high) / 2; rangeCDF(k, middle) < p {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}

// rangeCDF returns the probability that the range of k independent standard normal variables is at
// most q,
//
//	k * integral of phi(z) (Phi(z) - Phi(z-q))^(k-1) over the largest, z,
//
// by the trapezoidal rule, which is exact up to rounding for smooth functions that vanish at both
// ends.
func rangeCDF(k int, q float64) float64 {
	const step, edge = 0.0625, 9.0
	sum := 0.0
	for z := -edge; z <= edge; z += step {
		// Compute the difference of the distribution functions from the nearer tails.
		inside := 0.5 * (math.Erfc((z-q)/math.Sqrt2) - math.Erfc(z/math.Sqrt2))
		if z < 0 {
			inside = 0.5 * (math.Erfc(-z/math.Sqrt2) - math.Erfc((q-z)/math.Sqrt2))
		}
		sum += math.Exp(-z*z/2) * math.Pow(inside, float64(k-1))
	}
	return float64(k) * step / math.Sqrt(2*math.Pi) * sum
}

// Cliques returns the maximal groups of at least two methods with average ranks that all differ by
// less than cd, so that the test finds no significant difference among them. Each group lists the
// indices of its methods by ascending rank, and the groups are in that order. There are no groups
// if cd is NaN.
func Cliques(ranks []float64, cd float64) [][]int {
	order := make([]int, len(ranks))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ranks[a], ranks[b]) })
	groups := [][]int{}
	reached := 0
	for first := range order {
		last := first + 1
		for last < len(order) && ranks[order[last]]-ranks[order[first]] < cd {
			last++
		}
		if last-first > 1 && last > reached {
			groups = append(groups, slices.Clone(order[first:last]))
			reached = last
		}
	}
	return groups
}

// Blocks is the kind of blocks in which methods are ranked before the ranks are averaged.
type Blocks string

const (
	// ByDataset ranks methods on each data set by their scores averaged over the splits and seeds that all
	// methods have (Demsar, 2006). These blocks are independent.
	ByDataset Blocks = "data sets"
	// BySplit ranks methods on each split of each data set by their scores averaged over seeds. The splits of
	// a data set share rows, so tests over them find differences too easily.
	BySplit Blocks = "splits"
)

// Ranking is the ranking of all methods over the blocks that they have in common.
type Ranking struct {
	Friedman
	// Are is the kind of blocks.
	Are Blocks `json:"blocks_are"`
	// CD is the critical difference at level Alpha. Groups holds the resulting Cliques as indices
	// of methods.
	CD     rundir.Number `json:"critical_difference"`
	Alpha  float64       `json:"alpha"`
	Groups [][]int       `json:"groups"`
	// W is Wilcoxon's test over blocks. It is computed only for two methods.
	W Test `json:"-"`
}

// newRanking ranks rows of scores, one per block. It returns nil for fewer than two methods or
// blocks.
func newRanking(rows [][]float64, methods int, blocks Blocks) *Ranking {
	if methods < 2 || len(rows) < 2 {
		return nil
	}
	r := &Ranking{Friedman: FriedmanTest(rows, true), Are: blocks, Alpha: Alpha}
	cd := CriticalDifference(r.K, r.N, Alpha)
	r.CD = rundir.Number(cd)
	r.Groups = Cliques(r.Ranks, cd)
	if methods == 2 {
		var differences []float64
		for _, row := range rows {
			differences = append(differences, row[0]-row[1])
		}
		r.W = Wilcoxon(differences)
	}
	return r
}

// rankRows returns the scores of all methods on a data set: one row per shared split, or a single
// row with their means if blocks are data sets. It returns nil if a method has no runs.
func rankRows(m metric.Column, all []values, shared []string, blocks Blocks) (rows [][]float64) {
	for _, v := range all {
		if len(v) == 0 {
			return nil
		}
	}
	for _, block := range shared {
		var row []float64
		for _, v := range all {
			row = append(row, m.Goodness(average(v[block])))
		}
		rows = append(rows, row)
	}
	if blocks == BySplit || len(rows) == 0 {
		return rows
	}
	means := make([]float64, len(all))
	for i := range means {
		for _, row := range rows {
			means[i] += row[i] / float64(len(rows))
		}
	}
	return [][]float64{means}
}
