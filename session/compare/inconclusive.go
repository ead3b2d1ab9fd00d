package compare

import (
	"slices"
	"strings"

	"dgplab/session/metric"
)

// countInconclusive counts, for each cell of a data set, the runs that had not settled when they
// ended. Their scores also depend on when training stopped.
func (s *Set) countInconclusive(m metric.Column, dataset int, column []Cell) {
	if m.Within == metric.Anywhere {
		return // for example a time
	}
	for _, r := range s.Runs {
		if r.Dataset == dataset && !r.Summary.Conclusive() {
			column[r.Method].Inconclusive++
		}
	}
}

// undecided reports whether there can be no verdict because some runs had not settled.
func undecided(column []Cell) bool {
	return slices.ContainsFunc(column, func(c Cell) bool { return c.N > 0 && c.Inconclusive > 0 })
}

// inconclusiveNote explains the mark ^.
const inconclusiveNote = "^ had not settled when training ended; no best or ties are marked on that data set"

// verdictText returns the verdict, followed by the methods that had not settled.
func (c Comparison) verdictText() string {
	if c.Inconclusive == "" {
		return c.Verdict
	}
	return c.Verdict + " ^" + c.Inconclusive
}

// Withhold resets the verdict if runs of A or B had not settled, and records which.
func (c *Comparison) Withhold(a, b bool) {
	var who []string
	if a {
		who = append(who, "A")
	}
	if b {
		who = append(who, "B")
	}
	if len(who) > 0 {
		c.Inconclusive = strings.Join(who, " and ")
		c.Verdict = "~"
	}
}
