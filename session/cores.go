package session

import (
	"runtime"
	"slices"
	"sync"

	"dgplab/models/linalg"
)

// coreShares divides the cores among the runs that this process trains. Each run has an equal share, of which
// it may use less. Products cannot tell the runs apart, so the run with the largest use decides for all.
// Results do not depend on the number of cores.
type coreShares struct {
	mu   sync.Mutex
	uses map[*trainer]int // cores in use; 0 for the whole share
}

var shares = coreShares{uses: map[*trainer]int{}}

// join adds a run, and leave removes it.
func (c *coreShares) join(t *trainer) { c.use(t, 0) }

func (c *coreShares) leave(t *trainer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.uses, t)
	c.apply()
}

// use sets the number of cores that a run uses, or 0 for its whole share.
func (c *coreShares) use(t *trainer, cores int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.uses[t] = cores
	c.apply()
}

// share returns the number of cores of each run.
func (c *coreShares) share() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.each()
}

// each returns the number of cores of each run. The caller must hold the lock.
func (c *coreShares) each() int { return max(1, runtime.GOMAXPROCS(0)/max(1, len(c.uses))) }

// apply limits the cores. The caller must hold the lock.
func (c *coreShares) apply() {
	if len(c.uses) == 0 {
		linalg.LimitProcessors(0)
		return
	}
	share := c.each()
	most := 1
	for _, cores := range c.uses {
		if cores == 0 {
			cores = share
		}
		most = max(most, cores)
	}
	linalg.LimitProcessors(min(most, share))
}

const (
	// coreRounds is the number of times that each number of cores is tried, coreSteps steps at a time.
	coreRounds, coreSteps = 3, 4
	// longForTrial is the duration in seconds of steps that use all cores well and are not tried with fewer.
	longForTrial = 0.02
)

// coreTrial finds the number of cores with the fastest steps, by measurement in the first steps of a run:
// the whole share, one core, two, four and so on.
type coreTrial struct {
	share   int // the share that the candidates are for
	numbers []int
	seconds [][]float64 // measured steps, for each candidate
	steps   int         // steps in the trial so far
	chosen  int         // 0 before the end of the trial
}

// next returns the number of cores for the next step, given the share of the run, or 0 for the whole share.
func (c *coreTrial) next(share int) int {
	if share == 1 {
		return 0
	}
	if share != c.share {
		*c = coreTrial{share: share}
		c.numbers = []int{share}
		for n := 1; n < share; n *= 2 {
			c.numbers = append(c.numbers, n)
		}
		c.seconds = make([][]float64, len(c.numbers))
	}
	if c.chosen > 0 {
		return c.chosen
	}
	return c.numbers[c.candidate()]
}

// candidate returns the index of the candidate of the current step.
func (c *coreTrial) candidate() int { return c.steps / coreSteps % len(c.numbers) }

// add adds the duration of a step that was taken with the cores of the last next. The first step of several
// with equal cores does not count, because the workers may sleep or have work left.
func (c *coreTrial) add(seconds float64) {
	if c.chosen > 0 || c.share < 2 {
		return
	}
	if c.steps%coreSteps > 0 {
		at := c.candidate()
		c.seconds[at] = append(c.seconds[at], seconds)
	}
	c.steps++
	if c.steps == coreSteps && slices.Min(c.seconds[0]) > longForTrial {
		c.chosen = c.share
	}
	if c.steps < coreRounds*coreSteps*len(c.numbers) {
		return
	}
	fastest := 0
	for at := range c.seconds {
		slices.Sort(c.seconds[at])
		if median(c.seconds[at]) < median(c.seconds[fastest]) {
			fastest = at
		}
	}
	c.chosen = c.numbers[fastest]
}

// median returns the middle of sorted values.
func median(sorted []float64) float64 { return sorted[len(sorted)/2] }
