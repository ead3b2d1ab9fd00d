package gp

import (
	"math"

	"dgplab/models/autodiff"
)

// Matrix names in rescue counts and errors.
const (
	placeKuu = "K_MM"
	placeB   = "I + A A^T"
)

// recordSGPR records Titsias' collapsed bound for each output: log N(y; 0, Q + noise I) minus
// trace(K - Q)/(2 noise), with Q = K_NM K_MM^-1 K_MN. If the noise differs between points, the trace is
// that of (K - Q) D^-1 / 2.
//
// Titsias, "Variational Learning of Inducing Variables in Sparse Gaussian Processes", 2009, eq. 9,
// https://proceedings.mlr.press/v5/titsias09a.html.
func (g *graph) recordSGPR() {
	t, n := g.tape, g.x.Cols
	whitened, explained := g.recordFeatures()
	noise, constant := g.weighted(g.recordVariances())
	fit, complexity := g.recordLowRank(whitened, noise)
	total := g.kernel.RecordDiagonal(t, g.x)
	if noise.Cols > 1 {
		ratios := t.Div(t.Sub(total, explained), noise)
		trace := t.Scale(t.Sum(ratios), -0.5*float64(g.y.Rows))
		g.finish(fit, g.withConstant(complexity, constant), trace)
		return
	}
	if total.Cols == 1 {
		total = t.Scale(total, float64(n))
	} else {
		total = t.Sum(total)
	}
	residual := t.Sub(total, t.Sum(explained))
	trace := t.Scale(t.Div(residual, g.noise), -0.5*float64(g.y.Rows))
	g.finish(fit, complexity, trace)
}

// recordFITC records, for each output, the log marginal likelihood under the fully independent
// training conditional: log N(y; 0, Q + diag(K - Q) + noise I).
//
// Snelson and Ghahramani, "Sparse Gaussian Processes using Pseudo-inputs", 2006, eq. 9,
// https://papers.nips.cc/paper/2857. The name comes from Quinonero-Candela and Rasmussen, "A
// Unifying View of Sparse Approximate Gaussian Process Regression", 2005,
// https://www.jmlr.org/papers/v6/quinonero-candela05a.html.
func (g *graph) recordFITC() {
	t := g.tape
	whitened, explained := g.recordFeatures()
	variances := t.Add(t.Sub(g.kernel.RecordDiagonal(t, g.x), explained), g.recordVariances())
	diagonal, constant := g.weighted(variances)
	fit, complexity := g.recordLowRank(whitened, diagonal)
	g.finish(fit, g.withConstant(complexity, constant))
}

// recordFeatures records the whitened kernel columns L_K^-1 K_MN, [1][M][N], and the diagonal of Q,
// [1][1][N].
func (g *graph) recordFeatures() (whitened, explained *autodiff.Node) {
	t := g.tape
	kuu := g.kernel.RecordKuu(t, g.z, g.jitter)
	root := t.Cholesky(kuu, placeKuu)
	whitened = t.SolveLower(root, g.kernel.RecordKuf(t, g.z, g.x))
	g.root = root.Value
	return whitened, t.ColDots(whitened, whitened)
}

// recordLowRank records the data fit and the complexity term of log N(y; 0, W^T W + diag(d)),
// summed over outputs, where W is whitened [1][M][N] and d is diagonal, [1][1][N], or [1][1][1] if it is
// the same for all points. With A = W diag(d)^-1/2 and the M x M matrix B = I + A A^T, the Woodbury and
// Sylvester identities give
//
//	y^T C^-1 y = y^T diag(d)^-1 y - |L_B^-1 A diag(d)^-1/2 y|^2
//	log|C|     = log|diag(d)| + log|B|
func (g *graph) recordLowRank(whitened, diagonal *autodiff.Node) (fit, complexity *autodiff.Node) {
	t, n, p := g.tape, g.x.Cols, g.y.Rows
	scale := t.Reciprocal(t.Sqrt(diagonal))
	y := t.Mul(g.y, scale)
	var square, projected *autodiff.Node // A A^T and A diag(d)^-1/2 y
	if diagonal.Cols == 1 {              // Products are smaller than their factors.
		precision := t.Reciprocal(diagonal)
		square = t.Mul(t.MatMul(whitened, whitened, autodiff.TransB), precision)
		projected = t.Mul(t.MatMul(whitened, g.y, autodiff.TransB), precision)
	} else {
		a := t.Mul(whitened, scale)
		square = t.MatMul(a, a, autodiff.TransB)
		projected = t.MatMul(a, y, autodiff.TransB)
	}
	inner := t.Cholesky(t.AddDiagConstant(square, 1), placeB)
	weights := t.SolveLower(inner, projected)
	g.inner, g.solution = inner.Value, weights.Value
	g.features, g.diagonal = whitened, diagonal
	fit = t.Scale(t.Sub(t.Sum(t.Square(y)), t.Sum(t.Square(weights))), -0.5)
	points := float64(n / diagonal.Cols) // that share an entry of d
	halfLogs := t.Add(t.Scale(t.Sum(t.Log(diagonal)), 0.5*points), t.LogDiag(inner))
	complexity = t.Scale(t.AddScalar(halfLogs, 0.5*float64(n)*math.Log(2*math.Pi)), -float64(p))
	return fit, complexity
}
