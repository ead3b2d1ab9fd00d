package layer

import (
	"dgplab/models/autodiff"
	"dgplab/models/kernel"
	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
)

// maxGroups is the largest number of groups into which the outputs of a layer are divided for
// parallel execution. Results of groups are added in a fixed order.
const maxGroups = 8

// kernels holds T kernels over the same points. Kernels with assembly are functions of distances.
// If each kernel has a single lengthscale, all kernels share unscaled distances; otherwise each
// kernel has its own scaled distances. The covariances of other kernels are recorded on the tape.
type kernels struct {
	covariance *kernel.Covariance
	// form is the function of the distances, or vec.Distance if covariances replace them.
	form vec.Form
	// variance, [1][T][1], is nil if covariances replace the distances.
	variance *autodiff.Node
	// lengthscales, [1][T][1], scales shared distances. It is nil if the distances are already
	// scaled.
	lengthscales *autodiff.Node
	// scaled, [1][T][D], scales the coordinates. It is nil if the kernels share distances.
	scaled *autodiff.Node
}

func newKernels(c *kernel.Covariance) kernels {
	k := kernels{covariance: c, form: vec.Distance}
	s, lengthscales, variance, is := c.Simple()
	if !is {
		return k
	}
	k.form, k.variance = s.Form(), variance
	if lengthscales.Cols == 1 {
		k.lengthscales = lengthscales
	} else {
		k.scaled = lengthscales
	}
	return k
}

// given reports whether covariances replace the distances.
func (k kernels) given() bool { return k.variance == nil }

// recordPairs records the distances, [1 or T][M][M], or covariances, [T][M][M], of inputs z, [1][M][D].
func (k kernels) recordPairs(t *autodiff.Tape, z *autodiff.Node) *autodiff.Node {
	if k.given() {
		return k.covariance.RecordKuu(t, z, 0)
	}
	return kernel.RecordDistances(t, z, nil, k.scaled)
}

// recordPoints records the distances, [1 or T][M][P], or covariances, [T][M][P], of inputs z and
// points x, [1][D][P], and the variances k(x, x), [1][T][P], or [1][T][1] for all points.
func (k kernels) recordPoints(t *autodiff.Tape, z, x *autodiff.Node) (r, diagonal *autodiff.Node) {
	if k.given() {
		return k.covariance.RecordKuf(t, z, x), k.covariance.RecordDiagonal(t, x)
	}
	return kernel.RecordDistances(t, z, x, k.scaled), k.variance
}

// parameters lists the parameters on which the distances do not depend.
func (k kernels) parameters() (list []*autodiff.Node) {
	if k.variance != nil {
		list = append(list, k.variance)
	}
	if k.lengthscales != nil {
		list = append(list, k.lengthscales)
	}
	return list
}

// inverse returns the factor for the shared squared distances of output t, 1/lengthscale², and the
// reciprocal of the lengthscale.
func (k kernels) inverse(t int) (square, reciprocal float64) {
	if k.lengthscales == nil {
		return 1, 0
	}
	reciprocal = 1 / k.lengthscales.Value[t]
	return reciprocal * reciprocal, reciprocal
}

// varianceOf returns the variance of output t, or 0 if covariances replace the distances.
func (k kernels) varianceOf(t int) float64 {
	if k.given() {
		return 0
	}
	return k.variance.Value[t]
}

// distancesOf returns the distances for the kernel of output t, and their offset in r, [1 or
// T][M][P].
func distancesOf(r *autodiff.Node, t int) (values []float64, at int) {
	if r.Batch == 1 {
		t = 0
	}
	return r.At(t), t * r.Rows * r.Cols
}

// root is the operation that computes the lower Cholesky factors L of K_uu + jitter I of T outputs,
// [T][M][M].
//
// The gradient stored for its result is not dL, the gradient with respect to L, but the lower
// triangle N of L^T dL. A solve X = L^-1 B contributes -dX X^T to N, without a further solve. With
// Q the symmetric matrix whose lower triangle is N, the gradient with respect to K_uu is 1/2 L^-T Q
// L^-1 (Murray, "Differentiation of the Cholesky decomposition", 2016, eq. 10, arXiv:1602.07527).
// All operations on L belong to this package and provide their gradients in this form.
type root struct {
	kernels
	tape   *autodiff.Tape
	r      *autodiff.Node // squared distances, [1 or T][M][M]
	jitter float64
	matrix string
	out    *autodiff.Node

	groups           int
	rescues          []int
	errs             []error
	scratch          [][]float64 // of each group, [M][M]
	products         [][]float64 // scratch memory of SolveBothSides for each group
	grad, dVariance  []float64
	dLengthscales    []float64
	dR               [][]float64 // of each group, [M][M], if distances are shared
	forward, reverse linalg.Loop
}

// recordRoot records L for the distances r between the inducing inputs. matrix names L in errors.
func recordRoot(t *autodiff.Tape, k kernels, r *autodiff.Node, jitter float64, matrix string) *autodiff.Node {
	outputs := k.covariance.Outputs
	c := &root{kernels: k, tape: t, r: r, jitter: jitter, matrix: matrix, groups: min(outputs, maxGroups)}
	inputs := append([]*autodiff.Node{r}, k.parameters()...)
	c.out = t.Output(outputs, r.Rows, r.Rows, inputs...)
	c.rescues = make([]int, outputs)
	c.errs = make([]error, outputs)
	c.scratch = make([][]float64, c.groups)
	c.products = make([][]float64, c.groups)
	c.dR = make([][]float64, c.groups)
	for g := range c.scratch {
		c.scratch[g] = make([]float64, r.Rows*r.Rows)
		c.products[g] = make([]float64, r.Rows*r.Rows/4)
	}
	factorise, differentiate := c.factorise, c.differentiate
	c.forward.Body = func(group int) { c.each(group, factorise) }
	c.reverse.Body = func(group int) { c.each(group, differentiate) }
	return t.Record(c.out, c.evaluate, c.backward)
}

// each calls visit for the outputs of a group.
func (c *root) each(group int, visit func(group, t int)) {
	for t := group; t < c.out.Batch; t += c.groups {
		visit(group, t)
	}
}

func (c *root) evaluate() error {
	c.forward.Run(c.groups)
	for t, err := range c.errs {
		c.tape.CountRescues(c.matrix, c.rescues[t])
		if err != nil {
			return err
		}
	}
	return nil
}

// factorise computes the lower triangle of K_uu of output t and factorises it.
func (c *root) factorise(group, t int) {
	m, v := c.out.Rows, c.varianceOf(t)
	covariance := c.scratch[group]
	distances, _ := distancesOf(c.r, t)
	square, _ := c.inverse(t)
	for i := range m {
		row := covariance[i*m : i*m+i+1]
		c.form.Scaled(row, distances[i*m:i*m+i+1], square, v)
		row[i] += c.jitter
	}
	c.rescues[t], c.errs[t] = linalg.Cholesky(c.out.At(t), covariance, m, c.matrix)
}

func (c *root) backward() {
	m := c.out.Rows
	c.grad = c.out.Grad()
	if !c.given() {
		c.dVariance = c.variance.Grad()
	}
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

// differentiate computes the gradients of one output. It sets the lower triangle of the gradient of
// the distances, where each entry stands for two equal entries.
func (c *root) differentiate(group, t int) {
	m := c.out.Rows
	l := c.out.At(t)
	d := c.scratch[group]
	rescued := l[0]*l[0] - c.varianceOf(t) // total jitter added
	trace := c.spread(d, l, c.grad[t*m*m:(t+1)*m*m], c.products[group])
	distances, at := distancesOf(c.r, t)
	dR := c.dR[group]
	if c.r.Batch > 1 {
		dR = c.r.Grad()[at : at+m*m]
	}
	square, reciprocal := c.inverse(t)
	if c.given() {
		for i := range m {
			d[i*m+i] *= 0.5
			addTo(dR[i*m:], d[i*m:i*m+i+1])
		}
		return
	}
	var diagonal, stretched float64
	for i := range m {
		d[i*m+i] *= 0.5
		diagonal += d[i*m+i]
		for start := 0; start <= i; start += kernel.Tile {
			end := min(start+kernel.Tile, i+1)
			from, to := i*m+start, i*m+end
			stretched += c.form.PullScaled(dR[from:to], distances[from:to], d[from:to], square,
				c.variance.Value[t], -0.5*square)
		}
	}
	// The sum over the entries of K_uu = L L^T without its jitter, weighted by the gradient with
	// respect to K_uu, is half the trace of Q minus the contribution of the jitter.
	c.dVariance[t] += (0.5*trace - rescued*diagonal) / c.variance.Value[t]
	if c.lengthscales != nil {
		c.dLengthscales[t] += stretched * square * reciprocal
	}
}

// spread sets the lower triangle of d to that of L^-T Q L^-1, where n holds the lower triangle of the
// symmetric Q, and returns the trace of Q.
func (c *root) spread(d, l, n, scratch []float64) (trace float64) {
	m := c.out.Rows
	for i := range m {
		copy(d[i*m:i*m+i+1], n[i*m:])
		trace += d[i*m+i]
	}
	linalg.SolveBothSides(d, l, scratch, m)
	return trace
}

// cleared returns n zeros, stored in v unless it is nil.
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
