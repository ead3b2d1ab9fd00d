package session

import (
	"fmt"
	"math"

	"dgplab/models/family"
	"dgplab/session/rundir"
)

// A posterior has collapsed to its prior when the noise is at least priorNoise of the
// variance of the targets, which is 1 in standardised units, and the divergence below
// priorKL nats for each training point, what the remaining 3 % are worth (-log(0.97)/2), and
// within the bounds of all points together. Without noise, as with classes, it has when the
// divergence is below classesKL. Noisy gradients keep it from 0. It takes 2 strips of report
// lines in a row that say so after step collapseAfter, and 1 strip that does not to clear it.
const (
	priorNoise                         = 0.97
	priorKL, leastPriorKL, mostPriorKL = 0.015, 2, 50
	classesKL                          = 1
	priorPatience                      = 2
)

// priorCollapse watches whether all that a model has is its prior.
type priorCollapse struct {
	most      float64 // nats that count as none, with noise
	on        bool
	since     int
	down, up  int // report lines in a row
	rowFrom   int
	kl, noise float64 // at the last line; noise is NaN where there is none
}

// setData says that there are n training points.
func (c *priorCollapse) setData(n int) {
	c.most = math.Min(math.Max(priorKL*float64(n), leastPriorKL), mostPriorKL)
}

// add takes a report line. One without a divergence says nothing.
func (c *priorCollapse) add(p rundir.Point) {
	kl := p.Reading(family.KL.Key)
	noise := p.Reading(noiseReading)
	if notFinite(kl) {
		return
	}
	most := c.most
	if math.IsNaN(noise) {
		most = classesKL
	}
	if kl >= most || noise < priorNoise || p.Step < collapseAfter {
		c.down = 0
		c.up++
		if c.up >= alarmStrip {
			c.on = false
		}
		return
	}
	c.kl, c.noise, c.up = kl, noise, 0
	c.down++
	if c.down == 1 {
		c.rowFrom = p.Step
	}
	if !c.on && c.down >= priorPatience*alarmStrip {
		c.on, c.since = true, c.rowFrom
	}
}

func (c *priorCollapse) text() string {
	noise := ""
	if !math.IsNaN(c.noise) {
		noise = fmt.Sprintf(", noise %.0f %% of the variance", 100*math.Min(c.noise, 1))
	}
	return fmt.Sprintf("the posterior has collapsed to the prior (KL %.2g nats%s): nothing is learned",
		c.kl, noise)
}
