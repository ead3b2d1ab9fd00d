package train

import (
	"context"
	"math/rand/v2"

	"dgplab/models/random"
)

// Windowed is a Problem whose objective is a sum over training points, and something
// beside it, of which it can show a window of points as well as a minibatch.
type Windowed interface {
	Problem
	// Points returns how many training points there are, and the most that fit a window.
	Points() (n, window int)
	// Window evaluates the training points [start, end) with draws of a stream. It
	// returns the sum of what they contribute, not scaled to all points, and what the
	// objective has beside that sum; where that depends on the points, its mean over them.
	Window(start, end int, draws *rand.Rand) (sum, beside float64, err error)
}

// EvaluateObjective implements family.Evaluator for problems that are Windowed; known is
// false for others.
func (m *Model) EvaluateObjective(ctx context.Context, seed uint64) (value float64, known bool, err error) {
	p, ok := m.problem.(Windowed)
	if !ok {
		return 0, false, nil
	}
	// Rescues are those of steps.
	defer func() { m.rescued = p.Rescues() }()
	n, window := p.Points()
	for k, start := 0, 0; start < n; k, start = k+1, start+window {
		if err := ctx.Err(); err != nil {
			return 0, true, err
		}
		end := min(start+window, n)
		sum, beside, err := p.Window(start, end, random.Stream(seed, "evaluation", uint64(k)))
		if err != nil {
			return 0, true, m.At(err)
		}
		value += sum + beside*float64(end-start)/float64(n)
	}
	return value, true, nil
}

// SumOfWindow returns the sum of terms of samples of points, [S][B] in one list, of which
// the first count points of each sample are meant.
func SumOfWindow(terms []float64, window, count int) (total float64) {
	for start := 0; start < len(terms); start += window {
		for _, x := range terms[start : start+count] {
			total += x
		}
	}
	return total
}
