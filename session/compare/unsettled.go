package compare

import (
	"slices"
	"strings"

	"dgplab/session/rundir"
)

// unsettled reports whether the score of the cell depends on the step at which training stopped, because some
// of its runs had not settled. Such a cell is neither the best nor tied, and takes part in no test of ties.
func (c Cell) unsettled() bool { return c.N > 0 && c.Inconclusive > 0 }

// unsettledNote explains the mark ^ and names the methods that have it. It returns "" if there are none.
func (t *Table) unsettledNote() string {
	var names []string
	for i, row := range t.Cells {
		if slices.ContainsFunc(row, Cell.unsettled) {
			names = append(names, t.Methods[i])
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "^ had not settled when training ended, so neither best nor tied: " + strings.Join(names, ", ")
}

// verdictText returns the verdict, followed by the methods that had not settled.
func (c Comparison) verdictText() string {
	if c.Inconclusive == "" {
		return c.Verdict
	}
	return c.Verdict + " ^" + c.Inconclusive
}

// withhold resets the verdict if compared runs of A or B had not settled, and records the methods.
func (c *Comparison) withhold(pairs [][2]Run) {
	methods := func(is func(s *rundir.Summary) bool) string {
		var who []string
		for i, name := range []string{"A", "B"} {
			if slices.ContainsFunc(pairs, func(p [2]Run) bool { return is(p[i].Results) }) {
				who = append(who, name)
			}
		}
		return strings.Join(who, " and ")
	}
	c.Decaying = methods((*rundir.Summary).Decays)
	c.Inconclusive = methods(func(s *rundir.Summary) bool { return !s.Conclusive() })
	if c.Inconclusive != "" {
		c.Verdict = "~"
	}
}
