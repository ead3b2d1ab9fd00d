package session

import (
	"runtime"
	"slices"
	"sync"

	"dgplab/models/linalg"
)

// Cores returns the number of cores for training.
func Cores() int { return linalg.Processors() }

// ForScreen keeps a processor for the screen of this process until the caller releases it. While several
// runs train, Go then has a processor more than training uses, so that the operating system switches to the
// screen as soon as it has something to do. Otherwise a key waits for several of the 10 ms after which Go
// interrupts a computation. The switches take a few percent of the speed, and more from a single run on all
// cores, which lets other goroutines run often enough.
func ForScreen() (release func()) {
	shares.setScreen(true)
	return func() { shares.setScreen(false) }
}

// coreShares divides the cores among the runs that this process trains. Each run has an equal share, of which
// it may use less. Products cannot tell the runs apart, so the run with the largest use decides for all.
// Results do not depend on the number of cores.
type coreShares struct {
	mu   sync.Mutex
	uses map[*trainer]int // cores in use; 0 for the whole share
	// screen is set by ForScreen, and reserved while the screen has a processor.
	screen, reserved bool
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
func (c *coreShares) each() int { return max(1, Cores()/max(1, len(c.uses))) }

func (c *coreShares) setScreen(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.screen = on
	c.apply()
}

// reserve adds the processor of the screen, or removes it.
func (c *coreShares) reserve(on bool) {
	switch {
	case on == c.reserved:
		return
	case on:
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1)
		linalg.SpareProcessors(1)
	default:
		linalg.SpareProcessors(0)
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) - 1)
	}
	c.reserved = on
}

// apply limits the cores. The caller must hold the lock.
func (c *coreShares) apply() {
	c.reserve(c.screen && len(c.uses) > 1)
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

// coreRounds is the number of times that two numbers of cores are compared, coreSteps steps of each at a
// time.
const coreRounds, coreSteps = 3, 4

// coreTrial finds the number of cores with the fastest steps, by measurement in the first steps of a run. It
// compares the whole share with half of it, and goes on to fewer cores as long as they are faster.
type coreTrial struct {
	share       int // the share that the trial is for
	best, rival int // the numbers of cores that are compared
	// seconds holds the measured steps with each of them.
	seconds [2][]float64
	steps   int // steps of the comparison so far
	chosen  int // 0 before the end of the trial
}

// next returns the number of cores for the next step, given the share of the run, or 0 for the whole share.
func (c *coreTrial) next(share int) int {
	if share == 1 {
		return 0
	}
	if share != c.share {
		*c = coreTrial{share: share, best: share, rival: share / 2}
	}
	switch {
	case c.chosen > 0:
		return c.chosen
	case c.tried() == 0:
		return c.best
	}
	return c.rival
}

// tried returns the index in seconds of the current step.
func (c *coreTrial) tried() int { return c.steps / coreSteps % 2 }

// add adds the duration of a step that was taken with the cores of the last next. The first step of several
// with equal cores does not count, because the workers may sleep or have work left.
func (c *coreTrial) add(seconds float64) {
	if c.chosen > 0 || c.share < 2 {
		return
	}
	if c.steps%coreSteps > 0 {
		at := c.tried()
		c.seconds[at] = append(c.seconds[at], seconds)
	}
	c.steps++
	if c.steps < 2*coreRounds*coreSteps {
		return
	}
	if median(c.seconds[0]) <= median(c.seconds[1]) {
		c.chosen = c.best
		return
	}
	c.best, c.rival = c.rival, c.rival/2
	c.steps, c.seconds = 0, [2][]float64{}
	if c.rival == 0 {
		c.chosen = c.best
	}
}

// median returns the middle of values, which it sorts.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
