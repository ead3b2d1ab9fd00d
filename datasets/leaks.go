package datasets

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
)

const (
	// leakRows is the minimum number of training rows that can show that an input is a function of the
	// target.
	leakRows = 20
	// leakShare is the largest share of the ranks of such an input that the target does not explain.
	leakShare = 0.001
)

// leaks returns warnings about results that would be better than on new data: inputs that are functions of
// the target, and test rows that are also training rows. The inputs have their original units.
func (p *Prepared) leaks() (warnings []string) {
	n, d := p.Train.X.Dims()
	if _, targets := p.Train.Y.Dims(); targets == 1 && d > 1 && n >= leakRows {
		for j := range d {
			share := p.unexplained(j)
			// Twice the share of n ranks in ascending order, 6/n^2.
			if share < max(leakShare, 12/float64(n*n)) {
				warnings = append(warnings, fmt.Sprintf("the target alone explains %.4g %% of the ranks of "+
					"input %s, which may not be known for new rows", 100*(1-share), p.Inputs[j]))
			}
		}
	}
	seed := maphash.MakeSeed()
	known := make(map[uint64]bool, n)
	for i := range n {
		known[p.Train.hash(seed, i)] = true
	}
	again := 0
	for i := range p.Test.Rows {
		if known[p.Test.hash(seed, i)] {
			again++
		}
	}
	if again > 0 {
		warnings = append(warnings, fmt.Sprintf("%d of %d test rows are also in the training set",
			again, len(p.Test.Rows)))
	}
	return warnings
}

// unexplained returns the share of the variance of the ranks of an input that the single target does not
// explain, or 1 if the input or the target is constant: half the mean squared difference of rows with
// neighbouring targets, over the variance. This is the rank version of von Neumann's ratio: Bartels, "The
// Rank Version of von Neumann's Ratio Test for Randomness", 1982, doi:10.1080/01621459.1982.10477764. Rows
// with equal targets count with their variance, which is the mean over their orders. Jumps between classes do
// not count.
func (p *Prepared) unexplained(input int) float64 {
	var rows []int
	for i := range p.Train.Rows {
		if !math.IsNaN(p.Train.X.At(i, input)) && !math.IsNaN(p.Train.Y.At(i, 0)) {
			rows = append(rows, i)
		}
	}
	if len(rows) < leakRows {
		return 1
	}
	ranks := make([]float64, len(p.Train.Rows)) // the mean rank for equal inputs
	before := 0
	for _, equal := range tied(rows, func(i int) float64 { return p.Train.X.At(i, input) }) {
		for _, i := range equal {
			ranks[i] = float64(before) + float64(len(equal)-1)/2
		}
		before += len(equal)
	}
	total := scatter(ranks, rows)
	groups := tied(rows, func(i int) float64 { return p.Train.Y.At(i, 0) })
	if total == 0 || len(groups) == 1 {
		return 1
	}
	rest := 0.0
	for k, equal := range groups {
		rest += scatter(ranks, equal)
		if k > 0 && !p.Task.Classes() {
			jump := meanOf(ranks, equal) - meanOf(ranks, groups[k-1])
			rest += jump * jump / 2
		}
	}
	return rest / total
}

// tied returns the rows in groups of equal values, by ascending value.
func tied(rows []int, value func(row int) float64) (groups [][]int) {
	order := slices.Clone(rows)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(value(a), value(b)) })
	from := 0
	for k := range order {
		if k+1 == len(order) || value(order[k+1]) != value(order[k]) {
			groups = append(groups, order[from:k+1])
			from = k + 1
		}
	}
	return groups
}

// meanOf returns the mean of the values of the rows.
func meanOf(values []float64, rows []int) float64 {
	sum := 0.0
	for _, i := range rows {
		sum += values[i]
	}
	return sum / float64(len(rows))
}

// scatter returns the sum of the squared differences of the values of the rows from their mean.
func scatter(values []float64, rows []int) float64 {
	mean, sum := meanOf(values, rows), 0.0
	for _, i := range rows {
		sum += (values[i] - mean) * (values[i] - mean)
	}
	return sum
}

// hash returns a hash of the inputs and the targets of a row.
func (p Part) hash(seed maphash.Seed, row int) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	var word [8]byte
	for _, values := range [][]float64{p.X.RawRowView(row), p.Y.RawRowView(row)} {
		for _, v := range values {
			binary.LittleEndian.PutUint64(word[:], math.Float64bits(v))
			_, _ = h.Write(word[:])
		}
	}
	return h.Sum64()
}
