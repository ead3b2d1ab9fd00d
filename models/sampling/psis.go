package sampling

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"dgplab/models/family"
	"dgplab/models/predictive"
)

// reliableK returns the largest tail shape of importance weights for which averages over the given
// number of draws are reliable: min(1 - 1/log10(draws), 0.7).
//
// Vehtari, Simpson, Gelman, Yao, Gabry, "Pareto Smoothed Importance Sampling", JMLR 25, 2024, section
// 3.2.4, arXiv:1507.02646.
func reliableK(draws int) float64 { return min(1-1/math.Log10(float64(max(draws, 2))), 0.7) }

// leastTail is the smallest length of a tail that is smoothed.
const leastTail = 5

// Smooth replaces the largest importance weights by quantiles of a generalised Pareto distribution
// fitted to them, and normalises all weights. logs are the logarithms of the weights and are
// overwritten by the logarithms of the smoothed weights, whose sum is 1. It returns the shape k of
// the distribution, which is -Inf if the largest weights are equal and +Inf if they are too few for
// a fit.
//
// Vehtari et al. 2024, algorithm 1, arXiv:1507.02646, for independent draws.
func Smooth(logs []float64) (k float64) {
	size := len(logs)
	top := slices.Max(logs)
	for i := range logs {
		logs[i] -= top
	}
	order := make([]int, size)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(logs[a], logs[b]) })
	tail := int(math.Ceil(min(0.2*float64(size), 3*math.Sqrt(float64(size)))))
	k = math.Inf(1)
	if tail >= leastTail && tail < size {
		k = smoothTail(logs, order[size-tail:], logs[order[size-tail-1]])
	}
	sum := 0.0
	for _, v := range logs {
		sum += math.Exp(v)
	}
	for i := range logs {
		logs[i] -= math.Log(sum)
	}
	return k
}

// smoothTail smooths the weights with the given indices, in ascending order, whose logarithms exceed
// cutoff and are at most 0. It returns the shape.
func smoothTail(logs []float64, tail []int, cutoff float64) float64 {
	low := math.Exp(cutoff)
	over := make([]float64, len(tail))
	for i, at := range tail {
		over[i] = math.Exp(logs[at]) - low
	}
	if over[len(over)-1]-over[0] < 1e-12 {
		return math.Inf(-1)
	}
	k, scale := fitPareto(over)
	for i, at := range tail {
		share := (float64(i) + 0.5) / float64(len(tail))
		logs[at] = min(math.Log(paretoQuantile(share, k, scale)+low), 0)
	}
	return k
}

// fitPareto returns the shape and the scale of a generalised Pareto distribution with values x,
// ascending and at least 0: the posterior mean of Zhang, Stephens, "A New and Efficient Estimation
// Method for the Generalized Pareto Distribution", Technometrics 51, 2009, with the shape shrunk
// towards 0.5 by ten observations as in Vehtari et al. 2024, appendix G.
func fitPareto(x []float64) (k, scale float64) {
	n := float64(len(x))
	grid := 30 + int(math.Sqrt(n))
	quarter := max(x[int(n/4+0.5)-1], 1e-300)
	thetas := make([]float64, grid)
	logLik := make([]float64, grid)
	shape := func(theta float64) (sum float64) {
		for _, v := range x {
			sum += math.Log1p(-theta * v)
		}
		return sum / n
	}
	for j := range thetas {
		thetas[j] = 1/x[len(x)-1] + (1-math.Sqrt(float64(grid)/(float64(j)+0.5)))/(3*quarter)
		own := shape(thetas[j])
		logLik[j] = n * (math.Log(-thetas[j]/own) - own - 1)
	}
	theta := 0.0
	for j, l := range logLik {
		sum := 0.0
		for _, other := range logLik {
			sum += math.Exp(other - l)
		}
		theta += thetas[j] / sum
	}
	k = shape(theta)
	return (n*k + 10*0.5) / (n + 10), -k / theta
}

// paretoQuantile returns the quantile of a generalised Pareto distribution at a level.
func paretoQuantile(level, k, scale float64) float64 {
	if math.Abs(k) < 1e-15 {
		return -scale * math.Log1p(-level)
	}
	return scale * math.Expm1(-k*math.Log1p(-level)) / k
}

// LeaveOneOut returns leave-one-out predictions from posterior draws by Pareto-smoothed importance
// sampling. mixture predicts the points given each draw, with the same number of consecutive
// components per draw. logDensities, [draws][n], holds the log density of the targets of each point
// given a draw and all other points.
//
// Vehtari, Gelman, Gabry, "Practical Bayesian Model Evaluation Using Leave-One-Out Cross-Validation and
// WAIC", Statistics and Computing 27, 2017, section 2.1, arXiv:1507.04544. If the targets depend on
// each other given a draw: Bürkner, Gabry, Vehtari, "Efficient Leave-One-Out Cross-Validation for
// Bayesian Non-Factorized Normal and Student-t Models", 2021, section 2, arXiv:1810.10559.
func LeaveOneOut(
	ctx context.Context, p predictive.Predictive, components int, logDensities []float64,
) (*family.LeftOut, error) {
	mixture, ok := p.(predictive.Mixture)
	if !ok {
		return nil, errors.New("only mixtures can be reweighted")
	}
	n, _ := p.Dims()
	draws := len(logDensities) / n
	each := components / draws
	out := &family.LeftOut{Draws: draws, ReliableK: reliableK(draws)}
	logs := make([]float64, draws)
	for i := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for s := range logs {
			logs[s] = -logDensities[s*n+i]
		}
		out.K = append(out.K, Smooth(logs))
		weights := make([]float64, 0, components)
		for _, v := range logs {
			for range each {
				weights = append(weights, math.Exp(v)/float64(each))
			}
		}
		out.Parts = append(out.Parts, mixture.Reweighted(i, weights))
	}
	return out, nil
}
