// Package gibbs implements fully Bayesian deep GPs for small data, sampled by Gibbs sweeps with
// elliptical slice sampling: Sauer, Gramacy, Higdon, "Active learning for deep Gaussian process
// surrogates", Technometrics 65, 2023, arXiv:2012.08015, and the authors' R package deepgp 1.2.3.
// The only approximation is the integral over the posterior, so the family is a reference for the
// variational families.
//
// With two layers, the model of n targets y at inputs x in [0, 1]^d is
//
//	y | W ~ N(0, tau2 (C_theta(W) + g I))
//	W_i   ~ N(0 or x_i, C_theta_i(X) + eps I),  i = 1, ..., D
//
// where W [n][D] holds the hidden values at the training inputs, g is the nugget and C_theta is an
// isotropic correlation whose theta divides the squared distance, or a kernel expression with all its
// parameters. With three layers, a layer Z of D
// functions of x lies below W; with one layer, y depends on x directly. The scale tau2 is
// integrated out under the density 1/tau2.
//
// A sweep updates the nugget and each kernel parameter by a Metropolis step and each column of the hidden
// layers by a step of elliptical slice sampling. It has no step size to tune and takes several n^3
// operations per hidden column.
package gibbs
