package infer

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"dgplab/models/linalg"
)

// maxHalvings limits the halvings of a natural-gradient step.
const maxHalvings = 10

// panel is the width of the blocks of large triangular products and solves; with blocks, most of
// the work is in general matrix products.
const panel = 64

// NaturalGradient takes natural-gradient steps for Gaussians q = N(m, S), S = L L^T with L the
// lower Cholesky factor: several independent Gaussians (one per GP), each with its own dimension n,
// or a single joint one.
//
// With natural parameters theta1 = S^-1 m, theta2 = -S^-1/2, expectation parameters eta1 = m, eta2
// = S + m m^T, and g and G the gradients of the objective with respect to m and S (G symmetric, d
// objective = tr(G dS)), the step theta += gamma d objective/d eta is
//
//	S_new^-1 = S^-1 - 2 gamma G,    m_new = m + gamma S_new g.
//
// In coordinates that make q standard, Q = L^T G L and S_new = L (I - 2 gamma Q)^-1 L^T. Q follows
// from dL = d objective/dL by one triangular product: its lower triangle is half the lower triangle
// of L^T dL. S, its inverse and G are never computed. Steps do not depend on the coordinates of the
// inducing outputs, so m, L and the gradients may be whitened.
//
// Salimbeni, Eleftheriadis, Hensman, "Natural Gradients in Practice: Non-Conjugate Variational
// Inference in Gaussian Process Models", 2018, arXiv:1803.09151; for dL, Murray, "Differentiation
// of the Cholesky decomposition", 2016, arXiv:1602.07527.
type NaturalGradient struct {
	dims   []int
	curved []float64 // Q of one Gaussian, [n][n], lower triangle
	factor []float64 // factor of I - 2 gamma Q, [n][n], in reversed order
	newL   []float64 // [n][n] of each Gaussian
	newM   []float64 // [n] of each Gaussian
}

// NaturalReport describes the natural-gradient steps.
type NaturalReport struct {
	// Halvings is the number of times, over all Gaussians, that a step was halved because the new
	// precision was not positive definite.
	Halvings int
	// Gamma is the smallest step taken.
	Gamma float64
}

// PrecisionError reports a Gaussian whose new precision is not positive definite even for the
// shortest step.
type PrecisionError struct {
	Index int     // index of the Gaussian
	Gamma float64 // last step tried
}

func (e *PrecisionError) Error() string {
	return fmt.Sprintf("precision of Gaussian %d is not positive definite after a natural-gradient step, "+
		"even at step size %.1e", e.Index, e.Gamma)
}

// NewNaturalGradient returns a stepper for Gaussians with the given dimensions, at least one. It
// allocates the new factors of all Gaussians and two work matrices of the largest dimension, so steps
// allocate no matrix of that size.
func NewNaturalGradient(dims []int) *NaturalGradient {
	var means, factors int
	for _, n := range dims {
		means, factors = means+n, factors+n*n
	}
	most := slices.Max(dims)
	return &NaturalGradient{
		dims:   dims,
		curved: make([]float64, most*most), factor: make([]float64, most*most),
		newL: make([]float64, factors), newM: make([]float64, means),
	}
}

// Maximise takes a step of size gamma uphill. m [n] and L [n][n], lower triangular with zeros
// above, hold the Gaussians one after another; the gradients gradM and gradL have their shapes.
// Entries of gradL above the diagonal must be finite and are ignored. Maximise returns a
// *PrecisionError, or a *NonFiniteError for gradients that are not finite; in either case no
// Gaussian has moved.
func (s *NaturalGradient) Maximise(m, L, gradM, gradL []float64, gamma float64) (NaturalReport, error) {
	if len(m) != len(s.newM) || len(gradM) != len(m) || len(L) != len(s.newL) || len(gradL) != len(L) {
		panic(fmt.Sprintf("infer: natural gradients for Gaussians of dimensions %v got %d means and "+
			"%d factor entries",
			s.dims, len(m), len(L)))
	}
	report := NaturalReport{Gamma: gamma}
	if err := CheckFinite(gradM); err != nil {
		return report, err
	}
	mean, factor := 0, 0 // offsets of the current Gaussian
	for k, n := range s.dims {
		s.curvatureFromFactor(square(L[factor:], n), square(gradL[factor:], n))
		if err := s.checkCurvature(n); err != nil {
			return report, err
		}
		used, halvings, ok := s.factorise(n, gamma)
		report.Halvings += halvings
		report.Gamma = min(report.Gamma, used)
		if !ok {
			return report, &PrecisionError{Index: k, Gamma: used}
		}
		newL := square(s.newL[factor:], n)
		s.updateFactor(newL, square(L[factor:], n))
		updateMean(s.newM[mean:mean+n], m[mean:mean+n], gradM[mean:mean+n], newL, used)
		mean, factor = mean+n, factor+n*n
	}
	copy(m, s.newM)
	copy(L, s.newL)
	return report, nil
}

// curvatureFromFactor sets the lower triangle of s.curved to the lower triangle of Q, which is half
// the lower triangle of L^T dL. Since dS = dL L^T + L dL^T, d objective = tr(G dS) is the inner
// product of 2 G L with dL on the lower triangle. One product for each block of rows skips nearly
// all zeros of both factors.
func (s *NaturalGradient) curvatureFromFactor(l, gradL blas64.General) {
	n := l.Rows
	q := square(s.curved, n)
	for start := 0; start < n; start += panel {
		end := min(start+panel, n)
		blas64.Gemm(blas.Trans, blas.NoTrans, 0.5,
			part(l, start, n, start, end), part(gradL, start, n, 0, end),
			0, part(q, start, end, 0, end))
	}
}

// checkCurvature returns a *NonFiniteError if the lower triangle of Q [n][n] is not finite.
func (s *NaturalGradient) checkCurvature(n int) error {
	for i := range n {
		if err := CheckFinite(s.curved[i*n : i*n+i+1]); err != nil {
			err.(*NonFiniteError).Index += i * n
			return err
		}
	}
	return nil
}

// factorise factors A = I - 2 gamma Q = U U^T [n][n] with U upper triangular, halving gamma until
// it succeeds, at most maxHalvings times. It stores U in s.factor with rows and columns in reversed
// order, as an ordinary lower Cholesky factor.
func (s *NaturalGradient) factorise(n int, gamma float64) (used float64, halvings int, ok bool) {
	for ; halvings <= maxHalvings; halvings++ {
		for i := range n {
			for j := range i + 1 {
				// Entry (i, j) of the reversed matrix mirrors an entry below the diagonal of A.
				s.factor[i*n+j] = -2 * gamma * s.curved[(n-1-j)*n+n-1-i]
			}
			s.factor[i*n+i]++
		}
		if _, ok := lapack64.Potrf(blas64.Symmetric{N: n, Stride: n, Data: s.factor, Uplo: blas.Lower}); ok {
			return gamma, halvings, true
		}
		gamma /= 2
	}
	return 2 * gamma, halvings - 1, false
}

// updateFactor sets out, the new factor of a Gaussian, to L U^-T, which is lower triangular with a
// positive diagonal; old is L.
func (s *NaturalGradient) updateFactor(out, old blas64.General) {
	n := old.Rows
	// Restore the order of U, an upper triangle.
	for i := range (n*n + 1) / 2 {
		j := n*n - 1 - i
		s.factor[i], s.factor[j] = s.factor[j], s.factor[i]
	}
	u := square(s.factor, n)
	clear(out.Data)
	// Solve X U^T = L for blocks of columns, from the last to the first. Each block is solved from
	// its diagonal down, because X is zero above it.
	for start := (n - 1) / panel * panel; start >= 0; start -= panel {
		end := min(start+panel, n)
		x := part(out, start, n, start, end)
		for i := start; i < n; i++ {
			copy(out.Data[i*n+start:i*n+min(end, i+1)], old.Data[i*n+start:i*n+min(end, i+1)])
		}
		if end < n {
			blas64.Gemm(blas.NoTrans, blas.Trans, -1,
				part(out, end, n, end, n), part(u, start, end, end, n),
				1, part(out, end, n, start, end))
		}
		corner := part(u, start, end, start, end)
		blas64.Trsm(blas.Right, blas.Trans, 1,
			blas64.Triangular{
				N:      end - start,
				Stride: n,
				Data:   corner.Data,
				Uplo:   blas.Upper,
				Diag:   blas.NonUnit,
			}, x)
	}
}

// updateMean sets out to the new mean of a Gaussian, m + gamma S_new g, from its new factor l.
func updateMean(out, m, g []float64, l blas64.General, gamma float64) {
	copy(out, g)
	factor := linalg.Lower(l.Data, l.Rows, l.Stride)
	v := blas64.Vector{N: len(out), Inc: 1, Data: out}
	blas64.Trmv(blas.Trans, factor, v)
	blas64.Trmv(blas.NoTrans, factor, v)
	for i, old := range m {
		out[i] = old + gamma*out[i]
	}
}

// square returns the first n*n entries as a matrix.
func square(data []float64, n int) blas64.General {
	return blas64.General{Rows: n, Cols: n, Stride: n, Data: data[:n*n]}
}

// part returns rows [top, bottom) and columns [left, right) of g.
func part(g blas64.General, top, bottom, left, right int) blas64.General {
	return blas64.General{Rows: bottom - top, Cols: right - left, Stride: g.Stride,
		Data: g.Data[top*g.Stride+left : (bottom-1)*g.Stride+right]}
}
