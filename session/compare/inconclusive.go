package compare

import (
	"slices"
	"strings"

	"dgplab/session/metric"
)

// countInconclusive counts the runs of each cell of a data set that had not settled when they
// ended: their scores depend on when training stopped, too.
func (s *Set) countInconclusive(m metric.Metric, dataset int, column []Cell) {
	if m.Within == metric.Anywhere {
		return // a time, say
	}
	for _, r := range s.Runs {
		if r.Dataset == dataset && !r.Summary.Conclusive() {
			column[r.Method].Inconclusive++
		}
	}
}

// undecided reports whether no verdict is possible, since some runs had not settled.
func undecided(column []Cell) bool {
	return slices.ContainsFunc(column, func(c Cell) bool { return c.N > 0 && c.Inconclusive > 0 })
}

// inconclusiveNote explains the mark of such numbers.
const inconclusiveNote = "^: had not settled when training ended; where one had not, no best is marked and " +
	"nothing is tested"

// verdictText is the verdict, with the methods that had not settled.
func (c Comparison) verdictText() string {
	if c.Inconclusive == "" {
		return c.Verdict
	}
	return c.Verdict + " ^" + c.Inconclusive
}

// Withhold takes the verdict back if runs of A or B had not settled, and names them.
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
