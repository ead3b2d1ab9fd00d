package gprn

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
)

// function is a latent or a weight function g with its posterior q(g) = N(mean, Sigma) at the
// training inputs.
type function struct {
	output, latent int // i and j, from 0; output is -1 for a latent function
	// linear is the linear term of the data: mean = Sigma linear / noise, [N].
	linear         []float64
	mean, variance []float64 // variance is the diagonal of Sigma, shared by a group
	alpha          []float64 // K^-1 mean
	quadratic      float64   // mean^T K^-1 mean
	gradient       []float64 // of the objective with respect to the mean
}

// group holds functions whose posteriors share a covariance,
//
//	Sigma = (K^-1 + S)^-1,  S = diag(precision) / noise
//
// (eqs. 20 and 26): either one latent function, or the weight functions w_ij of the same j for all
// outputs i that are observed at the same points. Sigma is never computed. With root = S^1/2 and B
// = I + root K root,
//
//	Sigma = K - K root B^-1 root K,  K^-1 mean = root B^-1 root^-1 linear / noise
//
// as in Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006, section 3.4.3. K
// is never factorised, so the precisions may be zero.
type group struct {
	matrix    string
	prior     *prior
	precision []float64 // [N]
	members   []*function
	variance  []float64 // the diagonal of Sigma, [N]
	trace     float64   // tr(K^-1 Sigma) = tr(B^-1)
	logDet    float64   // log|B| = log|K| - log|Sigma|
	rescues   int       // of the factor of B, in training
	change    []float64 // the gradient with respect to the diagonal of Sigma, [N]
}

// work is the scratch memory for one group at a time.
type work struct {
	a, b, c []float64 // [N][N]
	root    []float64 // square roots of the precisions divided by the noise, [N]
	x, y    []float64 // [N]
	weak    []int     // points with little information from the data
	sum     []float64 // sum of the gradients with respect to K, [N][N]
	dNoise  float64
	err     error

	// inverted is the group whose inverse factor is in b and whose precisions are in root, or nil.
	inverted *group
}

func newWork(n int, sum []float64) *work {
	square := func() []float64 { return make([]float64, n*n) }
	return &work{
		sum:  sum,
		a:    square(),
		b:    square(),
		c:    square(),
		root: make([]float64, n),
		x:    make([]float64, n),
		y:    make([]float64, n),
		weak: make([]int, 0, n),
	}
}

// factorise computes w.root and w.b, the lower Cholesky factor of B.
func (g *group) factorise(w *work, noise float64) error {
	n := len(g.precision)
	w.inverted = nil
	for i, p := range g.precision {
		w.root[i] = math.Sqrt(p / noise)
	}
	for i, r := range w.root {
		row := w.a[i*n : i*n+i+1]
		vec.Mul(row, g.prior.k[i*n:i*n+i+1], w.root[:i+1])
		scale(row, r)
		row[i]++
	}
	rescues, err := linalg.Cholesky(w.b, w.a, n, g.matrix)
	g.rescues += rescues
	g.logDet = 2 * linalg.LogDiag(w.b, n)
	return err
}

// minShare is the smallest 1 - (B^-1)_nn used as a numerator. Smaller values have lost too many
// digits.
const minShare = 1e-4

// invert replaces the factor of g in w.b by its inverse.
func (g *group) invert(w *work) {
	n := len(g.precision)
	linalg.InvertLower(w.b, n)
	w.inverted = g
}

// covariance computes the diagonal of Sigma, (1 - (B^-1)_nn) / S_nn, and tr(K^-1 Sigma) from the
// factor in w.b, and replaces that factor with its inverse.
func (g *group) covariance(w *work) {
	n := len(g.precision)
	g.invert(w)
	clear(w.x)
	for i := range n {
		row := w.b[i*n : i*n+i+1]
		vec.AddMul(w.x[:i+1], row, row)
	}
	g.trace, w.weak = 0, w.weak[:0]
	for i, q := range w.x {
		g.trace += q
		if 1-q > minShare {
			r := w.root[i]
			g.variance[i] = (1 - q) / (r * r)
		} else {
			w.weak = append(w.weak, i)
		}
	}
	if len(w.weak) > 0 {
		g.setWeakVariances(w)
	}
}

// setWeakVariances sets the variances at the points w.weak, which have little or no information from the
// data, from K - K root B^-1 root K.
func (g *group) setWeakVariances(w *work) {
	n := len(g.precision)
	m := len(w.weak)
	rows := blas64.General{Rows: m, Cols: n, Stride: n, Data: w.a[:m*n]} // K is symmetric
	for c, p := range w.weak {
		vec.Mul(rows.Data[c*n:(c+1)*n], w.root, g.prior.k[p*n:(p+1)*n])
	}
	blas64.Trmm(blas.Right, blas.Trans, 1, linalg.Lower(w.b, n, n), rows)
	for c, p := range w.weak {
		row := rows.Data[c*n : (c+1)*n]
		g.variance[p] = g.prior.k[p*n+p] - vec.Dot(row, row)
	}
}

// solve computes the mean of a member, given root and the inverse of the factor in w.b.
func (g *group) solve(w *work, f *function, noise float64) {
	n := len(g.precision)
	for i, r := range w.root {
		w.x[i] = 0
		if r > 0 {
			w.x[i] = f.linear[i] / (noise * r)
		}
	}
	x := vector(w.x)
	inverse := linalg.Lower(w.b, n, n)
	blas64.Trmv(blas.NoTrans, inverse, x)
	blas64.Trmv(blas.Trans, inverse, x)
	vec.Mul(f.alpha, w.root, w.x)
	blas64.Gemv(blas.NoTrans, 1, square(g.prior.k, n), vector(f.alpha), 0, vector(f.mean))
	f.quadratic = blas64.Dot(vector(f.alpha), vector(f.mean))
}

// divergence returns KL(q(g) || p(g)) of a member.
func (g *group) divergence(f *function) float64 {
	return 0.5 * (g.trace + f.quadratic - float64(len(g.precision)) + g.logDet)
}

func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }

func square(a []float64, n int) blas64.General {
	return blas64.General{Rows: n, Cols: n, Stride: n, Data: a}
}

func scale(x []float64, c float64) { vec.Scaled(x, x, c) }
