package linear

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
)

// mostIterations bounds the iterations of Fit; a dozen are enough.
const mostIterations = 200

// Fitted is a linear model of data after its training.
type Fitted struct {
	// Weights holds the weights of each latent function, [L, D+1], the intercept last.
	Weights *mat.Dense
	// Residual is the variance of the noise, averaged over the targets; of classes it is 1,
	// the variance of the noise of a probit.
	Residual float64
}

// FitMemory returns about the most bytes that Fit takes on n points of d inputs and p
// targets or classes.
func FitMemory(n, d, p int) (float64, error) {
	v, err := family.Resolve(hyperparameters(), nil)
	if err != nil {
		return 0, err
	}
	s, err := size(v, n, d, p)
	return s.Memory, err
}

// Fit trains the family linear with its defaults on data until it has converged.
func Fit(ctx context.Context, data family.Data) (*Fitted, error) {
	v, err := family.Resolve(hyperparameters(), nil)
	if err != nil {
		return nil, err
	}
	m, err := build(v, data)
	if err != nil {
		return nil, err
	}
	for range mostIterations {
		report, err := m.Step(ctx)
		if err != nil {
			return nil, err
		}
		if report.Converged {
			break
		}
	}
	w, err := m.meanWeights()
	if err != nil {
		return nil, err
	}
	out := &Fitted{Weights: mat.NewDense(len(w)/m.weights, m.weights, slices.Clone(w)), Residual: 1}
	if r, ok := m.problem.(*regression); ok {
		out.Residual = floats.Sum(r.noise) / float64(len(r.noise))
	}
	return out, nil
}
