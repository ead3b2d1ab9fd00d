package report

import (
	"fmt"
	"slices"
	"strings"

	"dgplab/session/compare"
)

// Conclusion returns three sentences on a comparison: what the direct comparisons of the leading method with
// each other method support, the best mean score, and how the methods compare with the baseline.
func Conclusion(r *compare.Report, direct []compare.Comparison) []string {
	if len(r.Tables) == 0 {
		return []string{"No conclusion is supported: no run has test scores."}
	}
	return []string{verdictSentence(r, direct), scoreSentence(r.Tables[0]), baselineSentence(r)}
}

// verdictSentence states the verdicts of direct comparisons of a method A.
func verdictSentence(r *compare.Report, direct []compare.Comparison) string {
	const none = "No conclusion is supported: "
	switch {
	case len(r.Methods) < 2:
		return none + "there is only one method."
	case len(direct) == 0:
		return none + "no methods have predictions of the same test points."
	}
	others := map[string][]string{} // the other methods by verdict
	var reasons []string
	for _, c := range direct {
		name := Printable(c.B)
		if len(r.Datasets) > 1 {
			name += " on " + Printable(c.Dataset)
		}
		others[c.Verdict] = append(others[c.Verdict], name)
		if why := undecided(c); c.Verdict == "~" && !slices.Contains(reasons, why) {
			reasons = append(reasons, why)
		}
	}
	var clauses []string
	for _, verdict := range []struct{ mark, words string }{{"A", "better than "}, {"B", "worse than "}} {
		if list := others[verdict.mark]; len(list) > 0 {
			clauses = append(clauses, "significantly "+verdict.words+listed(list))
		}
	}
	why := strings.Join(reasons, "; ")
	if len(clauses) == 0 {
		return none + why + "."
	}
	first := direct[0]
	text := fmt.Sprintf("On the same test points, %s is %s by log-likelihood", Printable(first.A),
		strings.Join(clauses, " and "))
	text += fmt.Sprintf(" (paired t-test over %d %s, level %g", first.N, first.Over, compare.Alpha)
	if len(direct) > 1 {
		text += ", Holm-corrected"
	}
	if first.Remark != "" {
		text += "; " + first.Remark
	}
	text += ")"
	if list := others["~"]; len(list) > 0 {
		text += "; no conclusion is supported about " + listed(list) + ": " + why
	}
	return text + "."
}

// undecided returns the reason why a direct comparison has no verdict.
func undecided(c compare.Comparison) string {
	switch {
	case c.Inconclusive != "":
		return "runs had not settled when training ended"
	case c.Single:
		return "there is one split and one seed"
	}
	return "the differences are within noise"
}

// scoreSentence states the best mean of a table.
func scoreSentence(t *compare.Table) string {
	lead := t.Leading()
	if lead < 0 {
		return "No method has a mean " + t.Metric.Name + "."
	}
	name := Printable(t.Methods[lead])
	if len(t.Datasets) > 1 {
		n := 0
		for d := range t.Datasets {
			if t.LeadingOn(d) == lead {
				n++
			}
		}
		return fmt.Sprintf("%s has the best mean %s on %d of %d data sets.", name, t.Metric.Name, n,
			len(t.Datasets))
	}
	c := t.Cells[lead][0]
	text := fmt.Sprintf("%s has the best mean %s on %s, %s", name, t.Metric.Name, Printable(t.Datasets[0]),
		WithError(float64(c.Mean), float64(c.SE)))
	if c.N > 1 {
		text += fmt.Sprintf(" over %d %s", c.N, c.Over)
	}
	var tied []string
	for i, row := range t.Cells {
		if row[0].Tied {
			tied = append(tied, Printable(t.Methods[i]))
		}
	}
	switch {
	case c.Inconclusive > 0:
		text += ", but its runs had not settled"
	case len(tied) > 0:
		text += ", not significantly better than " + listed(tied)
	}
	return text + "."
}

// baselineSentence states which methods have a worse mean than the baseline in the first table.
func baselineSentence(r *compare.Report) string {
	t := r.Tables[0]
	if !r.HasBaseline() {
		return "There is no baseline: it is unknown whether the methods beat a linear model."
	}
	var below []string
	for _, b := range t.Below {
		if !slices.Contains(below, Printable(b.Method)) {
			below = append(below, Printable(b.Method))
		}
	}
	if len(below) == 0 {
		return fmt.Sprintf("No method has a worse mean %s than the linear baseline.", t.Metric.Name)
	}
	return fmt.Sprintf("Worse than the linear baseline in mean %s: %s.", t.Metric.Name, listed(below))
}

// listed joins names as in a sentence.
func listed(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
