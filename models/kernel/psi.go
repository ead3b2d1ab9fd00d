package kernel

import "dgplab/models/autodiff"

// RBFNodes holds the nodes of a squared exponential kernel and its inducing inputs.
type RBFNodes struct {
	Z            *autodiff.Node // [1][M][D]
	Lengthscales *autodiff.Node // [1][1][D]
	Variance     *autodiff.Node // [1][1][1]
}

// Bumps represents a weighted sum over inducing inputs of expectations of squared exponential kernels
// under Gaussian inputs.
//
// With k_i(h, a) = v_i exp(-1/2 sum_d (h_d - a_d)^2 / l_id^2) and independent h_d ~ N(mu_d, s_d),
// the expectations
//
//	psi_1 = E k_i(h, a),  psi_2 = E k_i(h, a) k_j(h, b)
//
// and their weighted sums over inducing inputs a and b have a common form: a sum of bumps with
// weights w_k, centres c_k and squared widths r_d, which are increased by the variance of the
// input,
//
//	sum_k w_k prod_d sqrt(r_d/(r_d + s_d)) exp(-(mu_d - c_kd)^2 / (2 (r_d + s_d))).
//
// For psi_1 the bumps are the kernel itself. The product of two kernels, with p = l_i^2 and q =
// l_j^2 in a dimension, is
//
//	w = v_i v_j exp(-(a-b)^2 / (2 (p+q))),  c = (q a + p b)/(p + q),  r = p q/(p + q).
//
// The expectations themselves, M x M for each point, are never stored: they are computed tile by
// tile, and recomputed for the gradients.
//
// Titsias, Lawrence, "Bayesian Gaussian Process Latent Variable Model", AISTATS 2010, section 3,
// https://proceedings.mlr.press/v9/titsias10a.html.
type Bumps struct {
	Weights *autodiff.Node // [1][1][K]
	Centres *autodiff.Node // [1][D][K]
	Widths  *autodiff.Node // squared, [1][1][D]
}
