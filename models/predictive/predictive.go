// Package predictive provides predictive distributions of targets at test points, and their scores:
// log-likelihood, RMSE, MAE, CRPS, probability integral transform and coverage; error rate and
// log-loss for classes.
//
// Predictions and targets are in the standardised units of the training targets; scores are in
// original units, see Units. A NaN target is missing and does not contribute.
package predictive

import (
	"fmt"
	"math"
)

// Predictive is the distribution of P targets at each of N points.
type Predictive interface {
	Dims() (n, p int)
	// LogDensity sets dst [N] to the joint log density, or for classes the log probability, of the
	// observed targets y [N][P] of each point. It is 0 for points without observed targets.
	LogDensity(dst, y []float64)
}

// Regression is a prediction of real targets. The scores of missing targets are NaN.
type Regression interface {
	Predictive
	// Moments sets mean and vr, each [N][P], to the mean and variance of each target, including
	// noise.
	Moments(mean, vr []float64)
	// PIT sets dst [N][P] to the probability integral transform of the targets y [N][P]: the
	// predictive distribution function of each output at its target.
	PIT(dst, y []float64)
	// CRPS sets dst [N][P] to the continuous ranked probability score of each target of y [N][P],
	// in standardised units.
	CRPS(dst, y []float64)
	// LogDensityByOutput sets dst [N][P] to the marginal log density of each target of y [N][P].
	LogDensityByOutput(dst, y []float64)
	// Above sets dst [N][P] to the probability that each target exceeds its limit in y [N][P], which may be
	// infinite.
	Above(dst, y []float64)
	// Quantiles sets dst [levels][N][P] to the quantiles of each target at ascending levels between 0 and 1.
	Quantiles(dst, levels []float64)
}

// Exponential is a prediction of the logarithms of targets.
type Exponential interface {
	// ExpMoments and ExpCRPS are Moments and CRPS of exp(Mean + SD y), in the original units u.
	ExpMoments(u Units, mean, vr []float64)
	ExpCRPS(u Units, dst, y []float64)
}

// Exact is implemented by mixtures of draws whose moments may be exact.
type Exact interface {
	// ExactMoments reports whether Moments is exact.
	ExactMoments() bool
}

// Classification is a prediction of one class for each point; P is 1. Classes are counted from 0.
// The target is -1 or +1 for two classes, and the class number for more.
type Classification interface {
	Predictive
	// Classes returns the number K of classes.
	Classes() int
	// Probabilities sets dst [N][K] to the probability of each class.
	Probabilities(dst []float64)
}

// classOf returns the class number of a target.
func classOf(target float64, classes int) int {
	if classes > 2 {
		return int(target)
	}
	if target > 0 {
		return 1
	}
	return 0
}

// check returns the number of targets. It panics if this number does not match the dimensions of m.
func check(m Predictive, targets []float64) int {
	n, p := m.Dims()
	if len(targets) != n*p {
		panic(fmt.Sprintf("predictive: %d targets for %d points of %d outputs", len(targets), n, p))
	}
	return n * p
}

// observed reports whether any target of a point is observed.
func observed(targets []float64) bool {
	for _, y := range targets {
		if !math.IsNaN(y) {
			return true
		}
	}
	return false
}

// mix sets dst[n] to the log density of the mixture at point n, or to 0 if no target of the point is
// observed in y [N][P]. Each goroutine calls components for a function that computes the log density under
// component s.
func mix(dst, y, weights []float64, components func() func(s, n int) float64) {
	p := len(y) / max(1, len(dst))
	logWeights := logsOf(weights)
	inPieces(len(dst), len(weights), func(from, to int) {
		component := components()
		logs := make([]float64, len(weights))
		for n := from; n < to; n++ {
			dst[n] = 0
			if !observed(y[n*p : (n+1)*p]) {
				continue
			}
			for s, w := range logWeights {
				logs[s] = w + component(s, n)
			}
			dst[n] = logSumExp(logs)
		}
	})
}

// logsOf returns the logarithms of weights.
func logsOf(weights []float64) []float64 {
	logs := make([]float64, len(weights))
	for s, w := range weights {
		logs[s] = math.Log(w)
	}
	return logs
}

// logSumExp returns log sum exp(v) without overflow or underflow. It returns -Inf if all entries
// are -Inf, and NaN if an entry is NaN.
func logSumExp(v []float64) float64 {
	top := math.Inf(-1)
	for _, x := range v {
		if math.IsNaN(x) {
			return x
		}
		top = math.Max(top, x)
	}
	if math.IsInf(top, 0) {
		return top
	}
	var sum float64
	for _, x := range v {
		sum += math.Exp(x - top)
	}
	return top + math.Log(sum)
}
