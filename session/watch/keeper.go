package watch

import (
	"math"
	"slices"

	"dgplab/session/rundir"
)

const (
	// keptWindow is the number of steps over which validation log-likelihoods are averaged before
	// comparison, because the best single value is often due to chance.
	keptWindow = EarlyStrip
	// keptErrors is the number of standard errors below the best within which a later state is kept. A whole
	// standard error, as in the rule of Breiman et al. ("Classification and Regression Trees", 1984, section
	// 3.4.3), keeps states that overfit: with few validation points the errors are large.
	keptErrors = 0.25
	// keptGroups is the maximum number of groups of validation points. The standard error is computed from
	// the scatter of groups, because checkpoints contain their values for all validations of the window.
	keptGroups = 64
)

// Keeper chooses the state to keep: the last one whose validation is close to the best. The best has the
// highest mean of the validation log-likelihoods of the last 50 steps. With few validation points, the
// highest of many such means is partly luck. A later state therefore replaces it unless it is worse by more
// than keptErrors standard errors of the difference, which is paired by points. The fields of Keeper are
// stored in checkpoints.
type Keeper rundir.Kept

// Add adds the log-likelihoods of the validation points at a step and reports whether the state of
// this step is kept. Steps must ascend. The points of two steps need not be the same. A validation with a
// value that is not finite is ignored.
func (k *Keeper) Add(step int, logLik []float64) (keep bool) {
	shares := make([]float64, min(len(logLik), keptGroups))
	for i, l := range logLik {
		shares[i%len(shares)] += l / float64(len(logLik))
	}
	if notFinite(total(shares)) {
		return false
	}
	k.Recent = append(k.Recent, rundir.KeptValidation{Step: step, Shares: shares})
	k.Recent = slices.DeleteFunc(k.Recent, func(v rundir.KeptValidation) bool {
		return v.Step <= step-keptWindow
	})
	now := make([]float64, len(shares))
	for _, v := range k.Recent {
		for g, share := range v.Shares {
			now[g] += share / float64(len(k.Recent))
		}
	}
	mean := total(now)
	highest := total(k.Best)
	if k.Best == nil {
		highest = k.ValLogLik // of a checkpoint of an earlier version
	}
	switch {
	case k.Step == 0 || mean >= highest:
		k.Best = now
	case highest-mean > keptErrors*pairedError(k.Best, now, len(logLik)):
		return false
	}
	k.Step = step
	k.ValLogLik = mean
	return true
}

// Mean returns the mean of the validation log-likelihoods of the last 50 steps, or 0 if there are none.
func (k *Keeper) Mean() float64 {
	mean := 0.0
	for _, v := range k.Recent {
		mean += total(v.Shares) / float64(len(k.Recent))
	}
	return mean
}

// pairedError returns the standard error of the difference between two mean log-likelihoods of n points. a
// and b hold the shares of the groups of points in these means. Groups of different sizes count by their
// sizes (Cochran, "Sampling Techniques", 1977, section 9A.1: ratio to size). The result is 0 for a single
// group.
func pairedError(a, b []float64, n int) float64 {
	count := len(a)
	if count < 2 {
		return 0
	}
	mean := total(a) - total(b)
	sum := 0.0
	for g := range a {
		size := (n - g + count - 1) / count // points g, g+count, ...
		d := a[g] - b[g] - mean*float64(size)/float64(n)
		sum += d * d
	}
	return math.Sqrt(sum * float64(count) / float64(count-1))
}

func total(values []float64) (sum float64) {
	for _, v := range values {
		sum += v
	}
	return sum
}
