package gp

import (
	"context"
	"slices"

	"dgplab/models/family"
	"dgplab/models/linalg"
	"dgplab/models/predictive"
)

// rounding is the lower bound of (d_n - |c|^2)/d_n. It limits the effect of rounding errors.
const rounding = 1e-12

// LeaveOneOut implements family.LeaveOneOuter. With C the covariance of the targets under the model
// and alpha = C^-1 y, the mean of a target is y_n - alpha_n/[C^-1]_nn and its variance, including
// noise, is 1/[C^-1]_nn: Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006,
// eqs. 5.10 to 5.12.
func (m *Model) LeaveOneOut(_ context.Context, rows []int, _ uint64) (*family.LeftOut, error) {
	if err := m.refresh(); err != nil {
		return nil, err
	}
	return &family.LeftOut{Parts: []predictive.Predictive{m.graph.leftOut(rows)}}, nil
}

// leftOut returns the leave-one-out predictions of the given training points.
func (g *graph) leftOut(rows []int) *predictive.Gaussians {
	moments := g.leaveOutExact
	if g.inner != nil {
		moments = g.leaveOutSparse
	}
	mean, variance := moments()
	n, p := g.x.Cols, g.y.Rows
	out := predictive.NewGaussians([]float64{1}, len(rows), p)
	out.Noise = predictive.SharedNoise(g.noise.Value[0], 1, p)
	for i, row := range rows {
		for k := range p {
			out.Mean[i*p+k] = mean[k*n+row]
			out.Var[i*p+k] = variance[row]
		}
	}
	if g.known != nil {
		known := make([]float64, len(rows))
		for i, row := range rows {
			known[i] = g.known.Value[row]
		}
		out.AddNoise(known)
	}
	return out
}

// leaveOutExact returns the leave-one-out means, [P][N], and the variances of f, [N], of the exact GP: with
// C = K + D, the variance of the observation y_n = f_n + N(0, d_n) is 1/[C^-1]_nn.
func (g *graph) leaveOutExact() (mean, variance []float64) {
	n, p := g.x.Cols, g.y.Rows
	alpha := slices.Clone(g.solution)
	linalg.SolveLowerTrans(g.root, alpha, n, p, p)
	c := inverse(g.root, n)
	mean = slices.Clone(g.y.Value)
	variance = make([]float64, n)
	for i := range variance {
		observed := 1 / c[i*n+i]
		for k := range p {
			mean[k*n+i] -= alpha[i*p+k] * observed
		}
		variance[i] = max(observed-g.diagonal.Value[i%g.diagonal.Cols], 0)
	}
	return mean, variance
}

// leaveOutSparse is like leaveOutExact for the sparse GPs, where C = Q + D with a diagonal D: the noise
// of SGPR, and diag(K - Q) plus the noise of FITC. With c the kernel column solved by the factors
// of K_MM and B, [C^-1]_nn = (d_n - |c|^2)/d_n^2, and alpha_n = (y_n - m_n)/d_n, where m_n is the
// prediction from all targets. SGPR predicts with the full prior variance, so diag(K - Q) is added
// to the variance: q(f_M) is then optimal for the other targets. The returned variances are those of f.
func (g *graph) leaveOutSparse() (mean, variance []float64) {
	n, p, m := g.x.Cols, g.y.Rows, g.z.Rows
	solved := slices.Clone(g.features.Value)
	linalg.SolveLower(g.inner, solved, m, n, n)
	explained := make([]float64, n)
	addSquares(explained, 1, g.features.Value)
	squares := make([]float64, n)
	addSquares(squares, 1, solved)
	variance = make([]float64, n)
	g.kernel.Diagonal(variance, 0, g.x.Value)
	fitted := make([]float64, p*n)
	linalg.Gemm(true, false, p, n, m, 1, g.solution, solved, 0, fitted)
	mean = slices.Clone(g.y.Value)
	for i := range variance {
		d := g.diagonal.Value[i%g.diagonal.Cols]
		share := 1 / max(1-squares[i]/d, rounding)
		for k := range p {
			mean[k*n+i] -= (mean[k*n+i] - fitted[k*n+i]) * share
		}
		variance[i] = max(d*share+max(variance[i]-explained[i], 0)-d, 0)
	}
	return mean, variance
}
