// Package predictive is what a model predicts, one distribution of the targets
// for each test point, and the scores of such predictions: log-likelihood, RMSE,
// MAE, CRPS, the probability integral transform, coverage; error rate and log-loss for
// classes.
//
// Predictions and targets are in the standardised units of the training targets;
// scores are in original units; see Units. A target that is NaN was not observed: it contributes
// nothing.
package predictive

import (
	"fmt"
	"math"
)

// Predictive is the distribution of P targets at each of N points.
type Predictive interface {
	Dims() (n, p int)
	// LogDensity sets dst [N] to the logarithm of the density, or for classes of
	// the probability, of the observed ones of the targets y [N][P] of a point, 0
	// where there is none.
	LogDensity(dst, y []float64)
}

// Regression is a prediction of real targets. Scores of targets that were not
// observed are NaN.
type Regression interface {
	Predictive
	// Moments sets mean and vr, each [N][P], to the mean and variance of each
	// target, noise included.
	Moments(mean, vr []float64)
	// PIT sets dst [N][P] to the probability integral transform of the targets
	// y [N][P]: the predictive distribution function of each output at its target.
	PIT(dst, y []float64)
	// CRPS sets dst [N][P] to the continuous ranked probability score of each of
	// the targets y [N][P], in standardised units.
	CRPS(dst, y []float64)
	// LogDensityByOutput sets dst [N][P] to the logarithm of the density of each of the
	// targets y [N][P] by itself.
	LogDensityByOutput(dst, y []float64)
	// Quantile sets dst [N][P] to the quantile of each target at a level between 0 and 1:
	// the median at 1/2.
	Quantile(dst []float64, level float64)
	// ExpMoments and ExpCRPS are Moments and CRPS of targets whose logarithms are
	// predicted, in the original units u: of exp(Mean + SD y).
	ExpMoments(u Units, mean, vr []float64)
	ExpCRPS(u Units, dst, y []float64)
}

// Exact is implemented by predictions that may have exact moments although they are
// mixtures of draws.
type Exact interface {
	// ExactMoments says whether Moments are exact.
	ExactMoments() bool
}

// Classification is a prediction of one class for each point; P is 1. Classes are
// counted from 0, and the target is the number of the class, except that it is
// -1 and +1 where there are two.
type Classification interface {
	Predictive
	// Classes returns the number K of classes.
	Classes() int
	// Probabilities sets dst [N][K] to the probability of each class.
	Probabilities(dst []float64)
}

// classOf returns the number of the class that a target says.
func classOf(target float64, classes int) int {
	if classes > 2 {
		return int(target)
	}
	if target > 0 {
		return 1
	}
	return 0
}

// check panics unless there are as many targets as m has places for them, and
// returns their number.
func check(m Predictive, targets []float64) int {
	n, p := m.Dims()
	if len(targets) != n*p {
		panic(fmt.Sprintf("predictive: %d targets for %d points of %d outputs", len(targets), n, p))
	}
	return n * p
}

// observed returns whether a point has any target.
func observed(targets []float64) bool {
	for _, y := range targets {
		if !math.IsNaN(y) {
			return true
		}
	}
	return false
}

// mix sets dst[n] to the logarithm of the mixture's density of point n, given
// that of every component, and to 0 where y [N][P] has no target.
func mix(dst, y, weights []float64, component func(s, n int) float64) {
	p := len(y) / max(1, len(dst))
	logWeights := logsOf(weights)
	logs := make([]float64, len(weights))
	for n := range dst {
		dst[n] = 0
		if !observed(y[n*p : (n+1)*p]) {
			continue
		}
		for s, w := range logWeights {
			logs[s] = w + component(s, n)
		}
		dst[n] = logSumExp(logs)
	}
}

// logsOf returns the logarithms of weights.
func logsOf(weights []float64) []float64 {
	logs := make([]float64, len(weights))
	for s, w := range weights {
		logs[s] = math.Log(w)
	}
	return logs
}

// logSumExp returns log sum exp(v) without overflow or underflow; -Inf when all
// of v is, and NaN when one of v is.
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
