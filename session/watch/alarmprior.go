package watch

import (
	"fmt"
	"math"

	"dgplab/models/family"
	"dgplab/session/rundir"
)

// The posterior has collapsed to the prior if the noise variance is at least priorNoise and the KL divergence
// is below priorKL nats per training point, where leastPriorKL and mostPriorKL bound the limit for all points
// together. In standardised units the variance of the targets is 1; priorKL is the gain from explaining the
// remaining 3 % of it, -log(0.97)/2. For models without noise, such as classifiers, the divergence must be
// below classesKL, because noisy gradients keep it above 0. After step collapseAfter the alarm is raised by
// priorPatience strips of such report lines in a row. It is cleared by 1 strip of other lines.
const (
	priorNoise                         = 0.97
	priorKL, leastPriorKL, mostPriorKL = 0.015, 2, 50
	classesKL                          = 1
	priorPatience                      = 2
)

// priorCollapse detects that the posterior has collapsed to the prior.
type priorCollapse struct {
	streak            // of report lines
	most      float64 // limit of the KL divergence in nats for models with noise
	kl, noise float64 // at the last collapsed line; noise is NaN if the model has none
}

// setData sets the number of training points.
func (c *priorCollapse) setData(n int) {
	c.most = math.Min(math.Max(priorKL*float64(n), leastPriorKL), mostPriorKL)
}

// add adds a report line. Lines without a KL divergence are ignored.
func (c *priorCollapse) add(p rundir.Point) {
	kl := p.Reading(family.KL.Key)
	noise := p.Reading(NoiseReading)
	if notFinite(kl) {
		return
	}
	most := c.most
	if math.IsNaN(noise) {
		most = classesKL
	}
	collapsed := kl < most && !(noise < priorNoise) && p.Step >= collapseAfter
	if collapsed {
		c.kl, c.noise = kl, noise
	}
	c.streak.add(p.Step, collapsed, priorPatience*alarmStrip, alarmStrip)
}

func (c *priorCollapse) text() string {
	noise := ""
	if !math.IsNaN(c.noise) {
		noise = fmt.Sprintf(", noise %.0f %% of the variance", 100*math.Min(c.noise, 1))
	}
	return fmt.Sprintf("the posterior has collapsed to the prior (KL %.2g nats%s): the model learns nothing",
		c.kl, noise)
}
