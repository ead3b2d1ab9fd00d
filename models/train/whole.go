package train

import (
	"context"
	"math/rand/v2"

	"dgplab/models/stats"
)

// WindowedProblem is a Problem whose objective is a sum over training points plus a remainder. It
// can evaluate a window of consecutive points instead of a minibatch.
type WindowedProblem interface {
	Problem
	// Points returns the number of training points and the maximum number of points of a window.
	Points() (n, window int)
	// Window evaluates the training points [start, end) with random draws from a stream. It returns
	// the unscaled sum over these points and the remainder of the objective. If the remainder
	// depends on the points, it is the mean over the window.
	Window(start, end int, draws *rand.Rand) (sum, remainder float64, err error)
}

// EvaluateObjective implements family.Evaluator. known is false if the problem is not a
// WindowedProblem.
func (m *Model) EvaluateObjective(ctx context.Context, seed uint64) (value float64, known bool, err error) {
	p, ok := m.problem.(WindowedProblem)
	if !ok {
		return 0, false, nil
	}
	// Rescues during an evaluation do not count as rescues of a step.
	defer func() { m.rescued = p.Rescues() }()
	n, window := p.Points()
	for k, start := 0, 0; start < n; k, start = k+1, start+window {
		if err := ctx.Err(); err != nil {
			return 0, true, err
		}
		end := min(start+window, n)
		sum, remainder, err := p.Window(start, end, stats.Stream(seed, "evaluation", uint64(k)))
		if err != nil {
			return 0, true, m.WithStep(err)
		}
		value += sum + remainder*float64(end-start)/float64(n)
	}
	return value + m.problem.Parameters().LogPrior(nil), true, nil
}

// SumOfWindow returns the sum of the first count terms of each sample. terms is [S][B], flattened,
// with B = window.
func SumOfWindow(terms []float64, window, count int) (total float64) {
	for start := 0; start < len(terms); start += window {
		for _, x := range terms[start : start+count] {
			total += x
		}
	}
	return total
}
