package gprn

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/linalg"
)

// tile is the number of points predicted per block.
const tile = 256

// moments holds the means and variances of all functions at n points, without noise: the latent
// functions [Q][n], then the weight functions [P][Q][n].
type moments struct {
	n              int
	mean, variance []float64
}

func newMoments(functions, n int) *moments {
	return &moments{n: n, mean: make([]float64, functions*n), variance: make([]float64, functions*n)}
}

// of returns the mean and variance of function k.
func (a *moments) of(k int) (mean, variance []float64) {
	return a.mean[k*a.n : (k+1)*a.n], a.variance[k*a.n : (k+1)*a.n]
}

// number returns the index of a function in moments.
func (m *network) number(f *function) int { return (f.output+1)*m.q + f.latent }

// predict returns the moments at x [n][D],
//
//	mean      k_* K^-1 mean
//	variance  k_** - k_* root B^-1 root k_*
//
// where the variance equals k_** - k_* K^-1 k_* + k_* K^-1 Sigma K^-1 k_*.
func (m *network) predict(x []float64) (*moments, error) {
	out := newMoments(m.q*(m.p+1), len(x)/m.d)
	err := m.runQuietly(func(_ *network, g *group, w *work) { m.predictGroup(out, g, w, x) })
	return out, err
}

// runQuietly applies body to all groups without counting rescues.
func (m *network) runQuietly(body func(*network, *group, *work)) error {
	rescues := make([]int, len(m.groups))
	for k, g := range m.groups {
		rescues[k] = g.rescues
	}
	err := m.run(m.groups, body)
	for k, g := range m.groups {
		g.rescues = rescues[k]
	}
	return err
}

// predictGroup computes the moments of the members of a group.
func (m *network) predictGroup(out *moments, g *group, w *work, x []float64) {
	w.err = g.factorise(w, m.noise[0])
	if w.err != nil {
		return
	}
	g.invert(w)
	inverse := linalg.Lower(w.b, m.n, m.n)
	width := min(tile, out.n)
	k := make([]float64, m.n*width)
	for start := 0; start < out.n; start += width {
		points := min(width, out.n-start)
		columns := blas64.General{Rows: m.n, Cols: points, Stride: points, Data: k[:m.n*points]}
		g.prior.cross(columns.Data, x[start*m.d:(start+points)*m.d])
		for _, f := range g.members {
			mean, _ := out.of(m.number(f))
			blas64.Gemv(blas.Trans, 1, columns, vector(f.alpha), 0, vector(mean[start:start+points]))
		}
		_, variance := out.of(m.number(g.members[0]))
		variance = variance[start : start+points]
		g.prior.reduce(variance, x[start*m.d:(start+points)*m.d], columns, w.root, inverse)
		for _, f := range g.members[1:] {
			_, same := out.of(m.number(f))
			copy(same[start:], variance)
		}
	}
}

// reduce sets variance to the posterior variances at x, [n][D]: k_** minus the squared norms of the
// columns of the inverse factor times root k_*. It overwrites columns, which hold k_*.
func (p *prior) reduce(
	variance, x []float64, columns blas64.General, root []float64, inverse blas64.Triangular,
) {
	points := columns.Cols
	for i, r := range root {
		scale(columns.Data[i*points:(i+1)*points], r)
	}
	blas64.Trmm(blas.Left, blas.NoTrans, 1, inverse, columns)
	p.kernel.Diagonal(variance, 0, columnsOf(x, p.data.d))
	for i := range root {
		for c, v := range columns.Data[i*points : (i+1)*points] {
			variance[c] -= v * v
		}
	}
	for c, v := range variance {
		variance[c] = max(v, 0) // rounding can make a variance negative
	}
}

// cross sets dst [N][n] to the covariances of the training points with x [n][D].
func (p *prior) cross(dst, x []float64) {
	p.kernel.Kuf(dst, 0, p.data.x, columnsOf(x, p.data.d))
}

// columnsOf returns points x [n][D] transposed, as [D][n].
func columnsOf(x []float64, d int) []float64 {
	n := len(x) / d
	columns := make([]float64, len(x))
	for k := range n {
		for i := range d {
			columns[i*n+k] = x[k*d+i]
		}
	}
	return columns
}
