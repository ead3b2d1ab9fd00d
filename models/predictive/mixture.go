// Package predictive is what a model predicts, a mixture of Gaussians per test
// point, and the scores of such predictions: log-likelihood, RMSE, CRPS, the
// probability integral transform, coverage; error rate and log-loss for classes.
package predictive

// Mixture is, for each of N test points and P outputs, a mixture of S Gaussians
// over the latent function f.
type Mixture struct {
	S, N, P int
	// Mean and Var are [S][N][P], row-major; Var is of f, without noise.
	Mean, Var []float64
	// Weights sum to 1, [S].
	Weights []float64
	// NoiseVar is the Gaussian likelihood's variance; 0 for classifiers.
	NoiseVar float64
	// ProbPlus is [N], the probability of class +1; nil for regression.
	ProbPlus []float64
}
