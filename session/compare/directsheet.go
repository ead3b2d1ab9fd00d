package compare

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"dgplab/session/rundir"
)

// DirectSheet returns a sheet of direct comparisons of a method A, one per row: with one method on several
// data sets, or with several methods.
func DirectSheet(list []Comparison) Sheet {
	s := Sheet{
		Title: fmt.Sprintf("direct comparison of A (%s) and B (%s): mean (standard error)",
			list[0].A, list[0].B),
		Names: 1,
	}
	several := slices.ContainsFunc(list, func(c Comparison) bool {
		return len(c.Pairs) > 0 && c.B != list[0].B
	})
	if several {
		s.Title = fmt.Sprintf("direct comparison of A (%s) with each other method (B): mean (standard error)",
			list[0].A)
		s.Names = 2
	}
	many := len(list) > 1
	real := slices.ContainsFunc(list, func(c Comparison) bool { return !math.IsNaN(float64(c.KL)) })
	kept := map[string]bool{"B": several, "p (Holm)": many, "KL A:B": real, "W1": real}
	omitted := func(k int) bool {
		keep, optional := kept[directColumns[k]]
		return optional && !keep
	}
	for k, name := range directColumns {
		if !omitted(k) {
			s.Columns = append(s.Columns, name)
		}
	}
	for _, c := range list {
		if len(c.Pairs) == 0 {
			continue
		}
		var row []Entry
		for k, entry := range c.row() {
			if !omitted(k) {
				row = append(row, entry)
			}
		}
		s.Rows = append(s.Rows, row)
	}
	s.Notes = directNotes(list, several, many)
	if real {
		s.Notes = append(s.Notes, "KL A:B, W1: Kullback-Leibler divergence (nats) and 1-Wasserstein "+
			"distance between the predictions of A and B, taken as Gaussians; means over test points")
	}
	return s
}

// directColumns lists all columns of a sheet of direct comparisons.
var directColumns = []string{"data set", "B", "A better, %", "log-lik A-B", "KL A:B", "W1", "p (t)",
	"p (Holm)", "p (Wilcoxon)", "verdict", "over"}

// row returns the entries of all columns.
func (c Comparison) row() []Entry {
	share := 100 * float64(c.Share)
	shareSE := 100 * float64(c.ShareSE)
	difference := float64(c.Difference)
	differenceSE := float64(c.DifferenceSE)
	return []Entry{
		name(c.Dataset), name(c.B), measured(share, shareSE),
		measured(difference, differenceSE),
		number(distanceText(c.KL)), number(distanceText(c.Wasserstein)),
		number(PText(c.TP)), number(PText(c.HolmP)), number(PText(c.WilcoxonP)), name(c.verdictText()),
		number(fmt.Sprintf("%d %s", c.N, c.Over)),
	}
}

// distanceText returns a distance with three digits.
func distanceText(d rundir.Number) string {
	if math.IsNaN(float64(d)) {
		return absent
	}
	return strconv.FormatFloat(float64(d), 'g', 3, 64)
}

// directNotes returns the footnotes that apply to the comparisons.
func directNotes(list []Comparison, several, many bool) []string {
	some := func(is func(Comparison) bool) bool {
		return slices.ContainsFunc(list, func(c Comparison) bool { return len(c.Pairs) > 0 && is(c) })
	}
	test := fmt.Sprintf("paired t-test, level %g", Alpha)
	switch {
	case several:
		test += ", Holm-corrected over all comparisons"
	case many:
		test += ", Holm-corrected over data sets"
	}
	verdict := "verdict: method with the significantly higher log-likelihood (" + test + ")"
	if some(func(c Comparison) bool { return c.Verdict == "~" }) {
		verdict += ", or ~"
	}
	notes := []string{"A better: share of test points at which A has the higher log-likelihood", verdict}
	for _, note := range []struct {
		holds bool
		text  string
	}{
		{some(func(c Comparison) bool { return c.Ratio > 0 }), resampledNote + ", Wilcoxon's test is not"},
		{some(func(c Comparison) bool { return c.Over == OverSplits && c.Ratio == 0 }), unknownNote},
		{some(func(c Comparison) bool { return c.Over == OverSeeds }), seedsNote},
		{some(func(c Comparison) bool { return c.Single }),
			"over test points: one split and one seed, so the verdict is always ~"},
		{some(func(c Comparison) bool { return c.Inconclusive != "" }),
			"^ had not settled when training ended, so there is no verdict"},
		{some(func(c Comparison) bool { return c.Decaying != "" }),
			"the learning rate of some runs has yet to fall: their final values are expected to be higher"},
	} {
		if note.holds {
			notes = append(notes, note.text)
		}
	}
	return notes
}
