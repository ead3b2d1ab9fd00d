package gprn

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"dgplab/models/kernel"
	"dgplab/models/linalg"
	"dgplab/models/stats"
)

// draws holds draws of all functions at n new points, joint over the points.
type draws struct {
	n, p, q int
	// values and eps have one slice per draw, [functions][n], in the order of moments. eps holds
	// standard normal numbers.
	values, eps [][]float64
	streams     []*rand.Rand // by draw, positioned after eps
}

// newDraws returns draws with zero values and their standard normal numbers.
func newDraws(count, n, p, q int, seed uint64) *draws {
	d := &draws{n: n, p: p, q: q}
	for c := range count {
		stream, size := stats.Stream(seed, "functions", uint64(c)), q*(p+1)*n
		d.values = append(d.values, make([]float64, size))
		d.eps = append(d.eps, make([]float64, size))
		stats.Normals(d.eps[c], stream)
		d.streams = append(d.streams, stream)
	}
	return d
}

// of returns function k of draw c, [n].
func (d *draws) of(c, k int) []float64 { return d.values[c][k*d.n : (k+1)*d.n] }

// add adds Gaussian noise with covariance k, [n][n], to the given functions of the given draws.
// variance is the prior variance. It overwrites k.
func (d *draws) add(selected, functions []int, k []float64, variance float64) error {
	var values, eps []float64
	for _, c := range selected {
		for _, f := range functions {
			values = append(values, d.of(c, f)...)
			eps = append(eps, d.eps[c][f*d.n:(f+1)*d.n]...)
		}
	}
	if err := kernel.AddGPs(values, k, variance, eps, d.n); err != nil {
		return err
	}
	for _, c := range selected {
		for _, f := range functions {
			copy(d.of(c, f), values)
			values = values[d.n:]
		}
	}
	return nil
}

// outputs returns the outputs of each draw, [count][P][n]: sum_j w_ij(x) f_j(x), without noise.
func (d *draws) outputs() (list [][][]float64) {
	for c := range d.values {
		draw := make([][]float64, d.p)
		for i := range draw {
			draw[i] = make([]float64, d.n)
			for j := range d.q {
				f := d.of(c, j)
				w := d.of(c, d.q+i*d.q+j)
				for at := range draw[i] {
					draw[i][at] += w[at] * f[at]
				}
			}
		}
		list = append(list, draw)
	}
	return list
}

// upTo returns from, from + 1, ..., to - 1.
func upTo(from, to int) (list []int) {
	for k := from; k < to; k++ {
		list = append(list, k)
	}
	return list
}

// DrawFunctions implements family.FunctionSampler. It returns W(x) f(x) with all latent and weight
// functions drawn from q. They are independent Gaussians under q (Nguyen, Bonilla 2013, eqs. 20 and
// 26). With k_* the covariances of the points X with the training points, each function has
//
//	mean        k_*^T K^-1 mean
//	covariance  k(X, X) - k_*^T K^-1 k_* + k_*^T K^-1 Sigma K^-1 k_*
func (m *Model) DrawFunctions(X *mat.Dense, count int, seed uint64) ([][][]float64, error) {
	net, x := m.network, rows(X)
	d := newDraws(count, len(x)/net.d, net.p, net.q, seed)
	err := net.runQuietly(func(_ *network, g *group, w *work) { w.err = net.drawGroup(d, g, w, x) })
	if err != nil {
		return nil, m.WithStep(err)
	}
	return d.outputs(), nil
}

// drawGroup draws the members of a group. Their covariance is k(X, X) minus the inner products of
// the columns of B^-1/2 root k_*, as in predict.
func (m *network) drawGroup(d *draws, g *group, w *work, x []float64) error {
	if err := g.factorise(w, m.noise[0]); err != nil {
		return err
	}
	g.invert(w)
	inverse := linalg.Lower(w.b, m.n, m.n)
	columns := blas64.General{Rows: m.n, Cols: d.n, Stride: d.n, Data: make([]float64, m.n*d.n)}
	g.prior.cross(columns.Data, x)
	var members []int
	for _, f := range g.members {
		k := m.number(f)
		members = append(members, k)
		for c := range d.values {
			blas64.Gemv(blas.Trans, 1, columns, vector(f.alpha), 0, vector(d.of(c, k)))
		}
	}
	for i, r := range w.root {
		scale(columns.Data[i*d.n:(i+1)*d.n], r)
	}
	blas64.Trmm(blas.Left, blas.NoTrans, 1, inverse, columns)
	k := g.prior.among(x)
	blas64.Gemm(blas.Trans, blas.NoTrans, -1, columns, columns, 1, square(k, d.n))
	return d.add(upTo(0, len(d.values)), members, k, g.prior.kernel.Scale(0, columnsOf(x, m.d)))
}

// among returns the prior covariance of points x [n][D], [n][n].
func (p *prior) among(x []float64) []float64 {
	n := len(x) / p.data.d
	k := make([]float64, n*n)
	p.kernel.Kff(k, 0, columnsOf(x, p.data.d))
	return k
}

// DrawFunctions implements family.FunctionSampler. It returns W(x) f(x) with all functions drawn
// from q. Each draw selects one component of the mixture with equal probability (Nguyen, Bonilla
// 2013, eq. 31) and is Gaussian given the component: its functions at the training points have
// covariance variance I. At new points, with c = L^-1 k_* and L L^T = K, they have
//
//	mean        c^T L^-1 mean
//	covariance  k(X, X) - c^T c + variance (L^-T c)^T (L^-T c)
func (m *NPV) DrawFunctions(X *mat.Dense, count int, seed uint64) ([][][]float64, error) {
	net, x := m.npv, rows(X)
	if err := net.refreshQuietly(); err != nil {
		return nil, m.WithStep(err)
	}
	d := newDraws(count, len(x)/net.d, net.p, net.q, seed)
	byComponent := make([][]int, net.k) // the draws of each component
	for c, stream := range d.streams {
		k := stream.IntN(net.k)
		byComponent[k] = append(byComponent[k], c)
	}
	for kind, f := range net.kinds() {
		if err := f.draw(d, byComponent, kind*net.q, x, net.variances); err != nil {
			return nil, m.WithStep(err)
		}
	}
	return d.outputs(), nil
}

// draw draws the functions of one kind, starting at function index first. byComponent lists the
// draws of each component.
func (m *means) draw(d *draws, byComponent [][]int, first int, x, variances []float64) error {
	n := m.prior.data.n
	columns := make([]float64, n*d.n)
	m.prior.cross(columns, x)
	linalg.SolveLower(m.l, columns, n, d.n, d.n)
	left := m.prior.among(x)
	prior := m.prior.kernel.Scale(0, columnsOf(x, m.prior.data.d))
	spread := make([]float64, d.n*d.n)
	linalg.Gemm(true, false, d.n, d.n, n, -1, columns, columns, 1, left)
	mean := make([]float64, len(m.free)/n*d.n) // [K][count][n]
	linalg.Gemm(false, false, len(m.free)/n, d.n, n, 1, m.free, columns, 0, mean)
	linalg.SolveLowerTrans(m.l, columns, n, d.n, d.n)
	linalg.Gemm(true, false, d.n, d.n, n, 1, columns, columns, 0, spread)
	size := m.count * d.n
	for k, draws := range byComponent {
		if len(draws) == 0 {
			continue
		}
		for _, c := range draws {
			copy(d.values[c][first*d.n:first*d.n+size], mean[k*size:(k+1)*size])
		}
		covariance := make([]float64, len(left))
		for i, v := range left {
			covariance[i] = v + variances[k]*spread[i]
		}
		if err := d.add(draws, upTo(first, first+m.count), covariance, prior); err != nil {
			return err
		}
	}
	return nil
}
