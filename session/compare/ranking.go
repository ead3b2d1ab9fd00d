package compare

import (
	"cmp"
	"math"
	"slices"

	"dgplab/session/metric"
	"dgplab/session/rundir"
)

// CriticalDifference returns by how much the average ranks of two of k methods
// over n blocks must differ at least for the Nemenyi test to tell the methods
// apart at the level alpha, q sqrt(k(k+1)/(6n)), with q the upper alpha point of
// the studentised range with infinite degrees of freedom, over sqrt 2 (Demsar,
// 2006, section 3.2.2). NaN for fewer than two methods or no block.
func CriticalDifference(k, n int, alpha float64) float64 {
	if k < 2 || n < 1 {
		return math.NaN()
	}
	q := studentisedRange(k, 1-alpha) / math.Sqrt2
	return q * math.Sqrt(float64(k)*float64(k+1)/(6*float64(n)))
}

// studentisedRange returns the p quantile of the range of k independent standard
// normal numbers, by bisection.
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

// rangeCDF returns the probability that the range of k independent standard
// normal numbers is at most q,
//
//	k * integral of phi(z) (Phi(z) - Phi(z-q))^(k-1) over the largest, z,
//
// by the trapezoidal rule, which for such smooth functions that vanish at both
// ends is exact to rounding.
func rangeCDF(k int, q float64) float64 {
	const step, edge = 0.0625, 9.0
	sum := 0.0
	for z := -edge; z <= edge; z += step {
		// The difference of distribution functions, from the nearer tails.
		inside := 0.5 * (math.Erfc((z-q)/math.Sqrt2) - math.Erfc(z/math.Sqrt2))
		if z < 0 {
			inside = 0.5 * (math.Erfc(-z/math.Sqrt2) - math.Erfc((q-z)/math.Sqrt2))
		}
		sum += math.Exp(-z*z/2) * math.Pow(inside, float64(k-1))
	}
	return float64(k) * step / math.Sqrt(2*math.Pi) * sum
}

// Cliques returns the largest groups of at least two methods whose average ranks
// all differ by less than cd: those that the test does not tell apart. Each group
// has the indices of its methods by ascending rank, and the groups are in that
// order. A cd that is NaN gives none.
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

// Blocks is what methods are ranked in, before their ranks are averaged.
type Blocks string

const (
	// ByDataset takes each data set as a block, with the splits and seeds that all methods
	// have averaged, as Demsar (2006) means it: blocks are independent.
	ByDataset Blocks = "data sets"
	// BySplit takes each split of each data set as a block, with its seeds averaged. Those
	// of one data set share rows, so that tests over them find differences too easily.
	BySplit Blocks = "splits"
)

// Ranking is how all methods rank over the blocks that all of them have.
type Ranking struct {
	Friedman
	// Are says what the blocks are.
	Are Blocks `json:"blocks_are"`
	// CD is the critical difference at the level Alpha, and Groups are the Cliques
	// that it leaves, as indices of methods.
	CD     rundir.Number `json:"critical_difference"`
	Alpha  float64       `json:"alpha"`
	Groups [][]int       `json:"groups"`
	// W is Wilcoxon's test over blocks where there are just two methods.
	W Test `json:"-"`
}

// newRanking ranks rows of scores, one for each block; nil with fewer than two
// methods or blocks.
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

// rankRows returns the scores of all methods on a data set, one row for each shared split,
// or, by data set, one with their means; none where a method has no runs.
func rankRows(m metric.Metric, all []values, shared []string, blocks Blocks) (rows [][]float64) {
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
