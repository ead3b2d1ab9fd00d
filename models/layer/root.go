package layer

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/autodiff"
	"dgplab/models/kernel"
	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
)

// maxGroups is the number of groups that the outputs of a layer fall into, which run
// at the same time. Sums over groups are taken in their order.
const maxGroups = 8

// kernels is T stationary kernels over the same points: functions of distances that
// they share, where each has one lengthscale, or of scaled distances of their own.
type kernels struct {
	kernel   kernel.Kernel
	variance *autodiff.Node // [1][T][1]
	// lengthscales, [1][T][1], scale shared distances; nil where distances are scaled.
	lengthscales *autodiff.Node
}

// inverse returns what the shared distances are divided by the lengthscale of output
// t in, and the reciprocal of that lengthscale.
func (k kernels) inverse(t int) (square, reciprocal float64) {
	if k.lengthscales == nil {
		return 1, 0
	}
	reciprocal = 1 / k.lengthscales.Value[t]
	return reciprocal * reciprocal, reciprocal
}

// distancesOf returns those that the kernel of output t is a function of, and their
// place among the matrices of r, [1 or T][M][P].
func distancesOf(r *autodiff.Node, t int) (values []float64, at int) {
	if r.Batch == 1 {
		t = 0
	}
	return r.At(t), t * r.Rows * r.Cols
}

// root is the lower Cholesky factors L of K_uu + jitter I of T outputs as one
// operation, [T][M][M].
//
// What is kept as the gradient of its result is not that with respect to L, dL, but
// the lower triangle N of L^T dL: what is solved with L, X = L^-1 B, contributes
// -dX X^T to it, without a solve of its own. With Q the symmetric matrix of which N
// is the lower triangle, the gradient with respect to K_uu is 1/2 L^-T Q L^-1 (Murray,
// "Differentiation of the Cholesky decomposition", 2016, eq. 10, arXiv:1602.07527).
// Operations on L deliver it in this form; they are those of this package.
type root struct {
	kernels
	tape   *autodiff.Tape
	r      *autodiff.Node // squared distances, [1 or T][M][M]
	jitter float64
	place  string
	out    *autodiff.Node

	groups           int
	rescues          []int
	errs             []error
	scratch, rows    [][]float64 // of each group, [M][M] and [Tile]
	grad, dVariance  []float64
	dLengthscales    []float64
	dR               [][]float64 // of each group, [M][M], where distances are shared
	forward, reverse linalg.Loop
}

// recordRoot records L for the distances r of the inducing inputs among themselves.
// Errors carry place.
func recordRoot(t *autodiff.Tape, k kernels, r *autodiff.Node, jitter float64, place string) *autodiff.Node {
	outputs := k.variance.Rows
	c := &root{kernels: k, tape: t, r: r, jitter: jitter, place: place, groups: min(outputs, maxGroups)}
	inputs := []*autodiff.Node{r, k.variance}
	if k.lengthscales != nil {
		inputs = append(inputs, k.lengthscales)
	}
	c.out = t.Output(outputs, r.Rows, r.Rows, inputs...)
	c.rescues = make([]int, outputs)
	c.errs = make([]error, outputs)
	c.scratch = make([][]float64, c.groups)
	c.rows = make([][]float64, c.groups)
	c.dR = make([][]float64, c.groups)
	for g := range c.scratch {
		c.scratch[g] = make([]float64, r.Rows*r.Rows)
		c.rows[g] = make([]float64, kernel.Tile)
	}
	factorise, differentiate := c.factorise, c.differentiate
	c.forward.Body = func(group int) { c.each(group, factorise) }
	c.reverse.Body = func(group int) { c.each(group, differentiate) }
	return t.Record(c.out, c.evaluate, c.backward)
}

// each visits the outputs of a group.
func (c *root) each(group int, visit func(group, t int)) {
	for t := group; t < c.out.Batch; t += c.groups {
		visit(group, t)
	}
}

func (c *root) evaluate() error {
	c.forward.Run(c.groups)
	for t, err := range c.errs {
		c.tape.CountRescues(c.place, c.rescues[t])
		if err != nil {
			return err
		}
	}
	return nil
}

// factorise makes K_uu of output t, its lower triangle, and factorises it.
func (c *root) factorise(group, t int) {
	m, v := c.out.Rows, c.variance.Value[t]
	covariance := c.scratch[group]
	distances, _ := distancesOf(c.r, t)
	square, _ := c.inverse(t)
	for i := range m {
		row := covariance[i*m : i*m+i+1]
		vec.Scaled(row, distances[i*m:i*m+i+1], square)
		c.kernel.Form().Covariance(row, v)
		row[i] += c.jitter
	}
	c.rescues[t], c.errs[t] = linalg.Cholesky(c.out.At(t), covariance, m, c.place)
}

func (c *root) backward() {
	m := c.out.Rows
	c.grad = c.out.Grad()
	c.dVariance = c.variance.Grad()
	if c.lengthscales != nil {
		c.dLengthscales = c.lengthscales.Grad()
	}
	dR := c.r.Grad()
	shared := c.r.Batch == 1
	for g := range c.dR {
		if shared {
			c.dR[g] = cleared(c.dR[g], m*m)
		}
	}
	c.reverse.Run(c.groups)
	if shared {
		for _, part := range c.dR {
			addTo(dR, part)
		}
	}
}

// differentiate passes on the gradient of one output. The distances get the lower
// triangle, for both of two equal entries.
func (c *root) differentiate(group, t int) {
	m := c.out.Rows
	l := c.out.At(t)
	d := c.scratch[group]
	rescued := l[0]*l[0] - c.variance.Value[t] // the jitter that was added in the end
	trace := c.spread(d, l, c.grad[t*m*m:(t+1)*m*m])
	distances, at := distancesOf(c.r, t)
	dR := c.dR[group]
	if c.r.Batch > 1 {
		dR = c.r.Grad()[at : at+m*m]
	}
	square, reciprocal := c.inverse(t)
	var diagonal, stretched float64
	row := c.rows[group]
	for i := range m {
		d[i*m+i] *= 0.5
		diagonal += d[i*m+i]
		for start := 0; start <= i; start += kernel.Tile {
			end := min(start+kernel.Tile, i+1)
			w := row[:end-start]
			vec.Scaled(w, distances[i*m+start:i*m+end], square)
			c.kernel.Form().Slope(w, c.variance.Value[t])
			from, to := i*m+start, i*m+end
			stretched += vec.PullProduct(dR[from:to], w, d[from:to], distances[from:to], -0.5*square)
		}
	}
	// What all entries of the gradient with respect to K_uu are worth times those of
	// K_uu = L L^T without its jitter is half of the trace of Q less that jitter's.
	c.dVariance[t] += (0.5*trace - rescued*diagonal) / c.variance.Value[t]
	if c.lengthscales != nil {
		c.dLengthscales[t] += stretched * square * reciprocal
	}
}

// columnBlock is the number of columns that triangular solves of a square go by.
const columnBlock = 64

// spread sets the lower triangle of d to that of L^-T Q L^-1, where n holds the lower
// triangle of the symmetric Q, and returns the trace of Q. Only what the lower
// triangle needs is solved for.
func (c *root) spread(d, l, n []float64) (trace float64) {
	m := c.out.Rows
	for i := range m {
		copy(d[i*m:i*m+i+1], n[i*m:])
		for j := range i {
			d[j*m+i] = d[i*m+j]
		}
		trace += d[i*m+i]
	}
	factor := lower(l, m, m)
	blas64.Trsm(blas.Right, blas.NoTrans, 1, factor, blas64.General{Rows: m, Cols: m, Stride: m, Data: d})
	for j := 0; j < m; j += columnBlock {
		corner := j*m + j
		columns := blas64.General{Rows: m - j, Cols: min(columnBlock, m-j), Stride: m, Data: d[corner:]}
		blas64.Trsm(blas.Left, blas.Trans, 1, lower(l[corner:], m-j, m), columns)
	}
	return trace
}

// lower returns the lower triangular matrix at the start of l, n x n, with rows ld
// apart.
func lower(l []float64, n, ld int) blas64.Triangular {
	return blas64.Triangular{Uplo: blas.Lower, Diag: blas.NonUnit, N: n, Stride: ld, Data: l}
}

// cleared returns n zeros, in v if it is there.
func cleared(v []float64, n int) []float64 {
	if v == nil {
		return make([]float64, n)
	}
	clear(v)
	return v
}

func addTo(dst, src []float64) {
	for i, v := range src {
		dst[i] += v
	}
}
