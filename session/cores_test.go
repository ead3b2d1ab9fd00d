package session

import (
	"runtime"
	"testing"
)

// trialOf returns the number of cores chosen for a share, given the duration of a step with each number.
func trialOf(share int, seconds func(cores, step int) float64) (chosen, steps int) {
	var c coreTrial
	for ; c.chosen == 0 && steps < 1000; steps++ {
		c.add(seconds(c.next(share), steps))
	}
	return c.next(share), steps
}

func TestCoreTrial(t *testing.T) {
	small := func(cores, _ int) float64 { return 1e-4 * float64(cores) }
	for _, c := range []struct {
		share, chosen int
		seconds       func(cores, step int) float64
	}{
		{2, 1, small},
		{2, 2, func(cores, _ int) float64 { return 1e-2 / float64(cores) }},
		{6, 1, small},
		{8, 4, func(cores, _ int) float64 { return 1e-3/float64(cores) + 1e-4*float64(cores)/2 }},
		{2, 1, func(cores, step int) float64 { // other programs and the first step of a block
			if step%coreSteps == 0 || step == 5 {
				return 1
			}
			return small(cores, step)
		}},
	} {
		if chosen, _ := trialOf(c.share, c.seconds); chosen != c.chosen {
			t.Errorf("of %d cores %d are chosen, want %d", c.share, chosen, c.chosen)
		}
	}
	scaling := func(cores, _ int) float64 { return 1 / float64(cores) }
	if chosen, steps := trialOf(16, scaling); chosen != 16 || steps != 2*coreRounds*coreSteps {
		t.Errorf("steps that gain from every core use %d of 16 after %d steps", chosen, steps)
	}
}

// A change of the share begins a new trial, and a share of one core needs none.
func TestCoreTrialFollowsShare(t *testing.T) {
	var c coreTrial
	for range 100 {
		if n := c.next(1); n != 0 {
			t.Fatalf("the only core is limited to %d", n)
		}
		c.add(1e-4)
	}
	seen := map[int]bool{}
	for range 100 {
		n := c.next(4)
		seen[n] = true
		c.add(1e-4 / float64(n))
	}
	if !seen[2] || seen[1] || c.chosen != 4 {
		t.Errorf("tried %v, chose %d", seen, c.chosen)
	}
}

func TestCoreShares(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	c := coreShares{uses: map[*trainer]int{}}
	a := new(trainer)
	b := new(trainer)
	c.join(a)
	if n := c.share(); n != 4 {
		t.Errorf("a single run has %d cores", n)
	}
	c.join(b)
	if n := c.share(); n != 2 {
		t.Errorf("each of two runs has %d cores", n)
	}
	runtime.GOMAXPROCS(1)
	if n := c.share(); n != 1 {
		t.Errorf("each of two runs on one core has %d cores", n)
	}
	c.leave(a)
	c.leave(b)
}

// While several runs train, the screen has a processor of Go of its own, and training keeps its cores.
func TestForScreen(t *testing.T) {
	all, cores := runtime.GOMAXPROCS(0), Cores()
	check := func(when string, want int) {
		t.Helper()
		if got := runtime.GOMAXPROCS(0); got != want || Cores() != cores {
			t.Errorf("%s: %d processors and %d cores for training, want %d and %d", when, got, Cores(), want,
				cores)
		}
	}
	release := ForScreen()
	first, second := new(trainer), new(trainer)
	shares.join(first)
	check("one run", all)
	shares.join(second)
	check("two runs", all+1)
	shares.leave(first)
	check("one run is left", all)
	shares.join(first)
	release()
	check("without a screen", all)
	shares.leave(first)
	shares.leave(second)
}
