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

// withhold resets the verdict if compared runs of A or B had not settled, and records the methods.
func (c *Comparison) withhold(pairs [][2]Run) {
	var who []string
	for i, name := range []string{"A", "B"} {
		if slices.ContainsFunc(pairs, func(p [2]Run) bool { return !p[i].Summary.Conclusive() }) {
			who = append(who, name)
		}
	}
	if len(who) > 0 {
		c.Inconclusive = strings.Join(who, " and ")
		c.Verdict = "~"
	}
}
