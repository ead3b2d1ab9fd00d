package linear

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
)

// mostIterations is the maximum number of iterations of Fit; about a dozen are typical.
const mostIterations = 200

// Fitted is a trained linear model.
type Fitted struct {
	// Weights holds the weights of each latent function, [L, D+1], the intercept last.
	Weights *mat.Dense
	// Residual is the noise variance, averaged over the targets. For classes it is 1, the variance
	// of probit noise.
	Residual float64
}

// FitMemory returns the approximate peak memory of Fit in bytes, for n points of d inputs and p
// targets or classes.
func FitMemory(n, d, p int) float64 { return sizeOf(n, d, p).Memory }

// Fit trains the linear family with its defaults until convergence.
func Fit(ctx context.Context, data family.Data) (*Fitted, error) {
	v, err := family.Resolve(hyperparameters(), nil)
	if err != nil {
		panic(err) // a default is invalid
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
