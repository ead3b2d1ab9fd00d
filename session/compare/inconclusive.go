package compare

import (
	"slices"
	"strings"

	"dgplab/session/metric"
)

// countInconclusive counts, for each cell of a data set, the runs that had not settled when they ended. Their
// scores depend on the step at which training stopped.
func (s *Set) countInconclusive(m metric.Column, dataset int, column []Cell) {
	if m.Within == metric.Anywhere {
		return // A time, for example, does not depend on convergence.
	}
	for _, r := range s.Runs {
		if r.Dataset == dataset && !r.Summary.Conclusive() {
			column[r.Method].Inconclusive++
		}
	}
}

// undecided reports whether some runs had not settled, which rules out a verdict.
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

// Withhold resets the verdict if runs of A or B had not settled, and records the methods.
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
