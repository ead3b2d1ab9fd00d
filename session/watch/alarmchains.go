package watch

import (
	"fmt"
	"strconv"

	"dgplab/models/view"
)

// mixing checks that Markov chains have mixed and that their effective sample sizes suffice (view.MaxRhat,
// view.MinESS).
type mixing struct {
	streak
	last view.ChainsSummary
}

// add adds the diagnostics of chains at a step. It ignores incomplete chains with fewer draws than the
// minimum effective sample size. For complete chains a single result raises or clears the alarm.
func (m *mixing) add(step int, c *view.Chains) {
	if c.Draws == 0 || !c.Complete && c.Chains*c.Draws < view.MinESS {
		return
	}
	m.last = *c.Summary()
	if c.Complete {
		m.streak.add(step, m.last.Unmixed != 0, 1, 1)
		return
	}
	m.streak.add(step, m.last.Unmixed != 0, collapsePatience, recoverPatience)
}

func (m *mixing) text() string {
	s := m.last
	return fmt.Sprintf("%d of %d quantities have R-hat above %g or effective sample size below %d: "+
		"maximum R-hat %.3f (%s), minimum effective sample size %s",
		s.Unmixed, s.Tested, view.MaxRhat, view.MinESS, float64(s.Rhat), s.Worst,
		strconv.Itoa(int(min(s.ESSBulk, s.ESSTail))))
}
