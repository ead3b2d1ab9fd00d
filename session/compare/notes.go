package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"dgplab/session/metric"
)

// Footnotes on the correction of tests.
const (
	resampledNote = "over splits, the t-test is corrected for shared rows (Nadeau and Bengio 2003)"
	unknownNote   = "over splits of unknown size, the t-test is not corrected for shared rows " +
		"and is optimistic"
	seedsNote = "with one split, tests reflect training noise only; another split may differ"
)

// Notes returns the footnotes that apply to the table.
func (t *Table) Notes() (list []string) {
	add := func(yes bool, text string) {
		if yes {
			list = append(list, text)
		}
	}
	var splits, unknown, seeds, single bool
	tests := 0 // per data set, at most
	for d := range t.Datasets {
		count := 0
		for i := range t.Cells {
			c := t.Cells[i][d]
			tested := !math.IsNaN(float64(c.P))
			if tested {
				count++
			}
			splits = splits || tested && c.Over == OverSplits && t.Ratios[d] > 0
			unknown = unknown || tested && c.Over == OverSplits && t.Ratios[d] == 0
			seeds = seeds || tested && c.Over == OverSeeds
			single = single || c.N == 1 && c.Best
		}
		tests = max(tests, count)
	}
	add(t.Unmatched, "the means are not all over the same test points")
	tied := fmt.Sprintf("tied: not significantly different from the best (paired t-test, level %g", Alpha)
	if tests > 1 {
		tied += ", Holm-corrected per data set"
	}
	add(tests > 0, tied+")")
	add(splits, resampledNote)
	add(unknown, unknownNote)
	add(seeds, seedsNote)
	add(single, "with single runs, the best is marked but not tested")
	add(t.Ranking != nil && t.Ranking.Are == BySplit,
		"ranks are over splits, which share rows within a data set, so rank tests are optimistic")
	unsettled := t.unsettledNote()
	add(unsettled != "", unsettled)
	add(unsettled != "" && t.Ranking != nil, "ranks include runs that had not settled")
	add(t.hasNaN(), "NaN: at least one run has a score of NaN, which ranks last")
	return append(list, t.Losses()...)
}

// Losses returns a note for each data set with methods that are worse than the baseline. Notes ends with
// these notes.
func (t *Table) Losses() (list []string) {
	for _, dataset := range t.Datasets {
		var names []string
		baseline := ""
		for _, b := range t.Below {
			if b.Dataset != dataset {
				continue
			}
			by, _ := metric.WithError(math.Abs(float64(b.Difference)), math.NaN())
			name := b.Method + " by " + by
			if !math.IsNaN(float64(b.P)) {
				name += " (p " + PText(b.P) + ")"
			}
			names, baseline = append(names, name), b.Baseline
		}
		if len(names) > 0 {
			list = append(list, fmt.Sprintf("worse than %s on %s: %s",
				baseline, dataset, strings.Join(names, ", ")))
		}
	}
	return list
}

// hasNaN reports whether the mean of any nonempty cell is NaN.
func (t *Table) hasNaN() bool {
	return slices.ContainsFunc(slices.Concat(t.Cells...), func(c Cell) bool {
		return c.N > 0 && math.IsNaN(float64(c.Mean))
	})
}
