package compare

import (
	"slices"
	"strings"

	"dgplab/session/metric"
)

// countImproving notes how many runs of each cell of a data set still improved when they
// ended: what such runs show is how fast methods train too.
func (s *Set) countImproving(m metric.Metric, dataset int, column []Cell) {
	if m.Within == metric.Anywhere {
		return // a time, say
	}
	for _, r := range s.Runs {
		if r.Dataset == dataset && r.Summary.StillImproving() != "" {
			column[r.Method].Improving++
		}
	}
}

// undecided says whether no verdict can be plain, since some of the runs still improved.
func undecided(column []Cell) bool {
	return slices.ContainsFunc(column, func(c Cell) bool { return c.N > 0 && c.Improving > 0 })
}

// improvingNote is what a sheet says below such numbers.
const improvingNote = "^: still improved when training ended; where one did, no best is marked and nothing is tested"

// verdictText is the verdict with who still improved.
func (c Comparison) verdictText() string {
	if c.Improving == "" {
		return c.Verdict
	}
	return c.Verdict + " ^" + c.Improving
}

// Withhold takes the verdict back if runs of A or B still improved, and says which.
func (c *Comparison) Withhold(a, b bool) {
	var who []string
	if a {
		who = append(who, "A")
	}
	if b {
		who = append(who, "B")
	}
	if len(who) > 0 {
		c.Improving, c.Verdict = strings.Join(who, " and "), "~"
	}
}
