package watch

import (
	"math/rand/v2"
	"testing"
)

// keptOf returns the step that a Keeper keeps of 40 validations at steps 10, 20, ... of n points. value
// returns the log-likelihood of a point.
func keptOf(n int, value func(step, point int) float64) int {
	var k Keeper
	for step := 10; step <= 400; step += 10 {
		logLik := make([]float64, n)
		for i := range logLik {
			logLik[i] = value(step, i)
		}
		k.Add(step, logLik)
	}
	return k.Step
}

// The last state is kept unless its validation is worse than the best by more than a quarter of the standard
// error of the difference, paired by points.
func TestLuckIsNotKept(t *testing.T) {
	luck := make([]float64, 19) // of mean 1/19
	for i := range luck {
		luck[i] = float64(1 - i%2*2)
	}
	for _, c := range []struct {
		name     string
		points   int
		value    func(step, point int) float64
		from, to int // the kept step
	}{
		{"a lucky stretch on 19 points, some better and some worse", 19, func(step, i int) float64 {
			if step >= 100 && step <= 150 {
				return luck[i]
			}
			return 0
		}, 400, 400},
		{"all points agree that step 200 was better", 19, func(step, i int) float64 {
			return luck[i] - 0.002*float64(max(step-200, 0))
		}, 200, 210},
		{"most of 1,000 points agree", 1000, func(step, i int) float64 {
			return 0.001 * float64(i%7-2) * float64(min(step, 200)-max(step-200, 0))
		}, 200, 230},
		{"all points improve to the end", 19, func(step, i int) float64 { return luck[i] + float64(step) },
			400, 400},
		{"a single point has no standard error", 1, func(step, _ int) float64 {
			return -float64(max(step-200, 0))
		}, 200, 200},
	} {
		if got := keptOf(c.points, c.value); got < c.from || got > c.to {
			t.Errorf("%s: step %d is kept, want a step from %d to %d", c.name, got, c.from, c.to)
		}
	}
}

// The standard error of a paired difference equals the textbook's if every point is its own group, and
// counts groups by their sizes if there are more points.
func TestPairedError(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	// n independent standard normal differences have a mean with the standard error 1/sqrt(n).
	for _, n := range []int{19, 64, 65, 100, 1000} {
		const repetitions = 2000
		sum := 0.0
		for range repetitions {
			a := make([]float64, min(n, keptGroups))
			for i := range n {
				a[i%len(a)] += random.NormFloat64() / float64(n)
			}
			se := pairedError(a, make([]float64, len(a)), n)
			sum += se * se * float64(n) / repetitions
		}
		if sum < 0.97 || sum > 1.03 {
			t.Errorf("%d points: the mean squared standard error is %.3f times the variance of the mean, want 1",
				n, sum)
		}
	}
}
