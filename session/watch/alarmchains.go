package watch

import (
	"fmt"
	"strconv"

	"dgplab/models/view"
)

// mixing watches Markov chains: whether they have mixed, and whether their effective sample sizes
// suffice (view.MostRhat, view.LeastESS).
type mixing struct {
	on        bool
	since     int
	bad, good int // diagnostics in a row
	rowFrom   int
	last      view.ChainsSummary
}

// add adds the diagnostics of chains at a step. It ignores chains that are incomplete and have kept
// fewer draws than the minimum effective sample size. For complete chains one bad result raises the
// alarm.
func (m *mixing) add(step int, c *view.Chains) {
	if c.Draws == 0 || !c.Complete && c.Chains*c.Draws < view.MinESS {
		return
	}
	m.last = *c.Summary()
	if m.last.Unmixed == 0 {
		m.bad = 0
		m.good++
		if m.good >= recoverPatience || c.Complete {
			m.on = false
		}
		return
	}
	m.good = 0
	m.bad++
	if m.bad == 1 {
		m.rowFrom = step
	}
	if !m.on && (m.bad >= collapsePatience || c.Complete) {
		m.on, m.since = true, m.rowFrom
	}
}

func (m *mixing) text() string {
	s := m.last
	return fmt.Sprintf("%d of %d quantities have R-hat above %g or effective sample size below %d: "+
		"maximum R-hat %.3f (%s), minimum effective sample size %s",
		s.Unmixed, s.Tested, view.MaxRhat, view.MinESS, float64(s.Rhat), s.Worst,
		strconv.Itoa(int(min(s.ESSBulk, s.ESSTail))))
}
