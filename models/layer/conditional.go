package layer

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/autodiff"
	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
)

// conditional is the operation that computes the marginals of T sparse GPs at P points, given
// whitened Gaussians over their inducing outputs. With k the covariances of inducing inputs and
// points, a = L^-1 k, means m and factors C (diagonal, or block diagonal with lower triangular
// blocks),
//
//	mean = a^T m,   variance = v - |a|² + |C^T a|²
//
// (Hensman, Matthews, Ghahramani, "Scalable Variational Gaussian Process Classification", AISTATS
// 2015, arXiv:1411.2005, in whitened form.)
//
// Points are processed in tiles of contiguous data. Parts are pairs of a group of outputs and a
// chain of tiles; each part accumulates its own sums.
type conditional struct {
	kernels
	root, r, mean    *autodiff.Node // [T][M][M], [1 or T][M][P], [1][T][M]
	prior            *autodiff.Node // k(x, x), [1][T][P] or [1][T][1]
	factors          []*autodiff.Node
	offsets          []int // first row of each factor among the M
	outMean, outVar  *autodiff.Node
	tiling           linalg.Tiling
	groups           int
	a, h             []float64 // [T][tiles][M][width]; h is C^T a unless C is diagonal
	joint            *joint    // nil if only marginals are computed
	gMean, gVar      []float64 // during backward
	sums             []sums    // of each output and chain
	dR               [][]float64
	scratch          [][2][]float64 // of each part, [M][width]
	forward, reverse linalg.Loop
}

// sums holds the sums over the tiles of a chain for one output.
type sums struct {
	mean    []float64   // [M]
	factors [][]float64 // with the shape of the factors of the output
	n       []float64   // [M][M], lower triangle: minus the gradient of the root
	// variance is the derivative through k(x, x); weightedDistances is the sum of the distances
	// times their gradients.
	variance, weightedDistances float64
}

// recordConditional records the marginals for the distances r between inducing inputs and points.
// The factors are consecutive blocks on the diagonals. If blocks is not nil, it holds the prior
// covariances of the samples of each point (kernel.RecordBlocks), and recordConditional also
// records their posterior covariances.
func recordConditional(
	t *autodiff.Tape, k kernels, root, r, prior, mean *autodiff.Node, factors []*autodiff.Node,
	blocks *autodiff.Node,
) (outMean, outVar, outBlocks *autodiff.Node) {
	outputs, points := k.covariance.Outputs, r.Cols
	c := &conditional{
		kernels: k,
		root:    root,
		r:       r,
		prior:   prior,
		mean:    mean,
		factors: factors,
		tiling:  linalg.NewTiling(points),
	}
	if blocks != nil {
		c.tiling = linalg.NewPeriodicTiling(points, points/blocks.Rows)
	}
	c.groups = min(outputs, max(1, maxGroups/c.tiling.Chains))
	inputs := append([]*autodiff.Node{root, r, mean, prior}, k.parameters()...)
	at := 0
	for _, f := range factors {
		inputs = append(inputs, f)
		c.offsets = append(c.offsets, at)
		at += f.Cols
	}
	c.outMean = t.Output(1, outputs, points, inputs...)
	c.outVar = t.Output(1, outputs, points, inputs...)
	c.a = make([]float64, outputs*root.Rows*points)
	if !c.diagonal() {
		c.h = make([]float64, len(c.a))
	}
	evaluate, differentiate := c.evaluate, c.differentiate
	c.forward.Body = func(part int) { c.tiles(part, evaluate) }
	c.reverse.Body = func(part int) { c.tiles(part, differentiate) }
	outs := []*autodiff.Node{c.outMean, c.outVar}
	if blocks != nil {
		outBlocks = c.newJoint(t, blocks, inputs)
		outs = append(outs, outBlocks)
	}
	t.RecordAll(outs, func() error {
		c.forward.Run(c.groups * c.tiling.Chains)
		if c.joint != nil {
			c.joint.forward.Run(outputs)
		}
		return nil
	}, c.backward)
	return c.outMean, c.outVar, outBlocks
}

// diagonal reports whether C is diagonal.
func (c *conditional) diagonal() bool {
	return c.factors[0].Batch != c.outMean.Rows || c.factors[0].Rows != c.factors[0].Cols
}

// tile is a range of columns of one output.
type tile struct {
	part, t, chain, start, end int
	first                      bool // first tile of its chain
}

// tiles calls visit for the tiles of a part, for all outputs of one range of columns before the
// next.
func (c *conditional) tiles(part int, visit func(tile)) {
	group, chain := part/c.tiling.Chains, part%c.tiling.Chains
	c.tiling.Each(chain, func(start, end int) {
		for t := group; t < c.outMean.Rows; t += c.groups {
			visit(tile{part, t, chain, start, end, c.tiling.First(chain, start)})
		}
	})
}

// of returns the section of v, [T][tiles][M][width], that belongs to the tile.
func (c *conditional) of(v []float64, w tile) []float64 {
	m, points := c.root.Rows, c.outMean.Cols
	return v[(w.t*points+w.start)*m : (w.t*points+w.end)*m]
}

// evaluate computes the marginals of a tile.
func (c *conditional) evaluate(w tile) {
	m, width, points := c.root.Rows, w.end-w.start, c.outMean.Cols
	a := c.of(c.a, w)
	distances, _ := distancesOf(c.r, w.t)
	square, _ := c.inverse(w.t)
	for i := range m {
		c.form.Scaled(a[i*width:(i+1)*width], distances[i*points+w.start:i*points+w.end], square,
			c.varianceOf(w.t))
	}
	linalg.SolveLower(c.root.At(w.t), a, m, width, width)
	at := w.t * points
	mean, variance := c.outMean.Value[at+w.start:at+w.end], c.outVar.Value[at+w.start:at+w.end]
	clear(mean)
	if own := c.prior.Row(w.t); len(own) > 1 {
		copy(variance, own[w.start:])
	} else {
		fill(variance, own[0])
	}
	spread := c.spreads(w)
	for i, mu := range c.mean.Row(w.t) {
		e := -1.0
		if spread != nil {
			e = spread[i]*spread[i] - 1
		}
		vec.AddMoments(mean, variance, a[i*width:(i+1)*width], mu, e)
	}
	if spread != nil {
		return
	}
	h := c.of(c.h, w)
	copy(h, a)
	for b := range c.factors {
		blas64.Trmm(blas.Left, blas.Trans, 1, c.factor(b, w.t), c.block(h, b, width))
	}
	for ; len(h) > 0; h = h[width:] {
		vec.AddMul(variance, h[:width], h[:width])
	}
}

// spreads returns the diagonal of C for the output of the tile, or nil if C is not diagonal.
func (c *conditional) spreads(w tile) []float64 {
	if !c.diagonal() {
		return nil
	}
	return c.factors[0].Row(w.t)
}

// factor returns factor b of output t, and block returns the corresponding rows of v.
func (c *conditional) factor(b, t int) blas64.Triangular {
	return linalg.Lower(c.factors[b].At(t), c.factors[b].Rows, c.factors[b].Rows)
}

func (c *conditional) block(v []float64, b, width int) blas64.General {
	return blas64.General{Rows: c.factors[b].Rows, Cols: width, Stride: width, Data: v[c.offsets[b]*width:]}
}

// backward processes all tiles backward, and adds the results of their chains in a fixed order.
func (c *conditional) backward() {
	c.prepare()
	if c.joint != nil {
		c.joint.prepare()
	}
	c.reverse.Run(c.groups * c.tiling.Chains)
	c.addGradients()
	if c.r.Batch == 1 && c.groups > 1 {
		dR := c.r.Grad()
		for _, part := range c.dR {
			addTo(dR, part)
		}
	}
}

// prepare clears the buffers of a sweep, and allocates them on first use.
func (c *conditional) prepare() {
	m, outputs := c.root.Rows, c.outMean.Rows
	c.gMean = c.outMean.Grad()
	c.gVar = c.outVar.Grad()
	c.r.Grad() // clear the gradients before the parts write to them in parallel
	c.prior.Grad()
	if c.sums == nil {
		c.sums = make([]sums, outputs*c.tiling.Chains)
		c.scratch = make([][2][]float64, c.groups*c.tiling.Chains)
		c.dR = make([][]float64, c.groups)
		for i := range c.sums {
			c.sums[i].n = make([]float64, m*m)
			c.sums[i].factors = make([][]float64, len(c.factors))
			for b, f := range c.factors {
				c.sums[i].factors[b] = make([]float64, f.Len()/outputs)
			}
		}
		for p := range c.scratch {
			for k := range c.scratch[p] {
				c.scratch[p][k] = make([]float64, m*c.tiling.Width)
			}
		}
	}
	for i := range c.sums {
		s := &c.sums[i]
		s.mean = cleared(s.mean, m)
		s.variance, s.weightedDistances = 0, 0
		if c.diagonal() {
			clear(s.factors[0])
		}
	}
	for g := range c.dR {
		if c.r.Batch == 1 && c.groups > 1 {
			c.dR[g] = cleared(c.dR[g], c.r.Len())
		}
	}
}

// differentiate accumulates the gradients of a tile.
func (c *conditional) differentiate(w tile) {
	m, width, points := c.root.Rows, w.end-w.start, c.outMean.Cols
	s := &c.sums[w.t*c.tiling.Chains+w.chain]
	scratch := &c.scratch[w.part]
	a, da := c.of(c.a, w), scratch[0][:m*width]
	at := w.t * points
	gMean, gVar := c.gMean[at+w.start:at+w.end], c.gVar[at+w.start:at+w.end]
	if c.prior.Cols == 1 {
		for _, g := range gVar {
			s.variance += g
		}
	} else {
		addTo(c.prior.Grad()[at+w.start:at+w.end], gVar)
	}
	if spread := c.spreads(w); spread != nil {
		for i, mu := range c.mean.Row(w.t) {
			e := 2 * (spread[i]*spread[i] - 1)
			row := i * width
			first, second := vec.PullMoments(da[row:row+width], a[row:row+width], gMean, gVar, mu, e)
			s.mean[i] += first
			s.factors[0][i] += 2 * spread[i] * second
		}
	} else {
		c.differentiateFactors(w, s, da, scratch[1][:m*width], gMean, gVar)
	}
	beta := 1.0
	if w.first {
		beta = 0
	}
	linalg.LowerProduct(m, width, 1, da, width, a, width, beta, s.n)
	linalg.SolveLowerTrans(c.root.At(w.t), da, m, width, width)
	c.differentiateKernel(w, s, da)
}

// differentiateFactors is the part of differentiate for lower triangular factors C. It sets da to m
// gMean^T + 2 (C h - a) gVar and adds the lower triangle of 2 a gVar h^T to the gradient of C.
func (c *conditional) differentiateFactors(w tile, s *sums, da, rest, gMean, gVar []float64) {
	width := w.end - w.start
	a := c.of(c.a, w)
	h := c.of(c.h, w)
	beta := 1.0
	if w.first {
		beta = 0
	}
	for at := 0; at < len(h); at += width {
		setDoubleProducts(da[at:at+width], h[at:at+width], gVar)
	}
	if c.joint != nil {
		c.joint.addGradient(w, da, c.h, 1)
	}
	for b, f := range c.factors {
		from := c.offsets[b] * width
		linalg.LowerProduct(f.Rows, width, 1, a[from:], width, da[from:], width, beta, s.factors[b])
		blas64.Trmm(blas.Left, blas.NoTrans, 1, c.factor(b, w.t), c.block(da, b, width))
	}
	rest = rest[:width]
	for i, mu := range c.mean.Row(w.t) {
		row := i * width
		first, _ := vec.PullMoments(rest, a[row:row+width], gMean, gVar, mu, -2)
		s.mean[i] += first
		addTo(da[row:row+width], rest)
	}
	if c.joint != nil {
		c.joint.addGradient(w, da, c.a, -1)
	}
}

// setDoubleProducts sets dst to 2 a b.
func setDoubleProducts(dst, a, b []float64) {
	dst = dst[:len(a)]
	b = b[:len(a)]
	for p, v := range a {
		dst[p] = 2 * v * b[p]
	}
}

// differentiateKernel propagates the gradient of k to distances and lengthscale.
func (c *conditional) differentiateKernel(w tile, s *sums, dK []float64) {
	width, points := w.end-w.start, c.outMean.Cols
	if c.given() {
		c.addCovariances(w, dK)
		return
	}
	distances, at := distancesOf(c.r, w.t)
	dR := c.r.Grad()[at:]
	if group := w.part / c.tiling.Chains; c.dR[group] != nil {
		dR = c.dR[group]
	}
	square, _ := c.inverse(w.t)
	for i := range c.root.Rows {
		from, to := i*points+w.start, i*points+w.end
		row := i * width
		s.weightedDistances += c.form.PullScaled(dR[from:to], distances[from:to], dK[row:row+width],
			square, c.variance.Value[w.t], -0.5*square)
	}
}

// addCovariances adds the gradient dK of a tile to the gradient of the covariances.
func (c *conditional) addCovariances(w tile, dK []float64) {
	_, at := distancesOf(c.r, w.t)
	dR := c.r.Grad()[at:]
	width := w.end - w.start
	for i := range c.root.Rows {
		addTo(dR[i*c.outMean.Cols+w.start:], dK[i*width:(i+1)*width])
	}
}

// addGradients adds the sums of all chains to the gradients. The variance of a kernel also scales k
// = L a: the sum of dk k equals the sum of da a, the trace of N.
func (c *conditional) addGradients() {
	m, outputs := c.root.Rows, c.outMean.Rows
	for t := range outputs {
		square, reciprocal := c.inverse(t)
		for k := range c.tiling.Chains {
			s := &c.sums[t*c.tiling.Chains+k]
			var trace float64
			for i := range m {
				trace += s.n[i*m+i]
			}
			switch {
			case !c.given():
				c.variance.Grad()[t] += s.variance + trace/c.variance.Value[t]
			case c.prior.Cols == 1:
				c.prior.Grad()[t] += s.variance
			}
			if c.lengthscales != nil {
				c.lengthscales.Grad()[t] += s.weightedDistances * square * reciprocal
			}
			addTo(c.mean.Grad()[t*m:(t+1)*m], s.mean)
			for b, f := range c.factors {
				addTo(f.Grad()[t*len(s.factors[b]):(t+1)*len(s.factors[b])], s.factors[b])
			}
			dRoot := c.root.Grad()[t*m*m : (t+1)*m*m]
			for i := range m {
				for j, v := range s.n[i*m : i*m+i+1] {
					dRoot[i*m+j] -= v
				}
			}
		}
	}
}
