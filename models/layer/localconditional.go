package layer

import (
	"dgplab/models/autodiff"
	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
)

// localConditional is the operation that computes the moments at the points of each column and the
// KL of its inducing outputs, for sparse GPs with separate inducing points for every column. With P
// the inverse of the Cholesky factor of K_uu, d = mu - m(Z), S the factor of q's covariance and k
// the covariances with a point,
//
//	alpha = P d, C = P S, a = P k, u = C^T a
//	mean = a^T alpha, variance = k(x, x) - |a|^2 + |u|^2
//	KL = (|C|^2 + |alpha|^2 - M)/2 - sum_m log C_mm
//
// (Meng, Zhang, 2024, eqs. 4.4 and 4.9, whitened.) Every entry of these small matrices is a vector
// over the columns of a tile. P, C and alpha are kept for the backward pass; the values of points
// are recomputed.
type localConditional struct {
	// Inputs is D, Outputs is T, and Inducing is M; P is a multiple of G.
	Inputs, Outputs, Inducing int
	// Form is the form of the kernels; each output has its own kernel.
	Form vec.Form
	// Full is set if Spread holds factors.
	Full bool
	// Whiten is set if Delta and Spread describe the whitened inducing outputs P (u - m(Z)). In
	// this case Delta is alpha and Spread is C.
	Whiten bool
	// Jitter is added to the diagonal of K_uu. Matrix names K_uu in errors and counts of rescues.
	Jitter float64
	Matrix string

	In, Z *autodiff.Node // points [1][D][P], inducing points [1][M*D][G]
	// Delta is mu - m(Z), [1][T*M][G]. Spread holds standard deviations of q, [1][T*M][G], or lower
	// triangular factors of its covariance, packed row by row, [1][T*M(M+1)/2][G].
	Delta, Spread *autodiff.Node
	// Lengthscales is [1][T][D], or [1][T][1] if all inputs share one; Variance is [1][T][1].
	Lengthscales, Variance *autodiff.Node

	tape             *autodiff.Tape
	columns, samples int            // G, P/G
	mean, vr, kl     *autodiff.Node // [1][T][P], [1][T][P], [1][1][G]

	root, factor, alpha []float64 // P and C [T][M][M][G], alpha [T][M][G]
	tiles               linalg.Tiling
	chains              [linalg.MaxChains]localChain
	forward, reverse    linalg.Loop
}

// localChain is the workspace of a chain of tiles, with the sums that it accumulates.
type localChain struct {
	*localScratch
	*localGradients
	rescues int
	err     error
	// dLengthscales and dVariance are gradients of the kernel parameters, with the shapes of the
	// nodes.
	dLengthscales, dVariance []float64
}

// localTileColumns is the number of columns processed at a time: eight AVX-512 vectors. With 8
// inducing points, the data of one output fill 100 kB.
const localTileColumns = 64

// record records the means and variances of the outputs at the points, [1][T][P], and the KL of the
// inducing outputs of each column, summed over the outputs, [1][1][G]. If jitter does not make K_uu
// positive definite, Forward returns a *linalg.NotPositiveDefiniteError or *linalg.NaNError that
// names Matrix.
func (c *localConditional) record(t *autodiff.Tape) (mean, vr, kl *autodiff.Node) {
	c.tape, c.columns, c.samples = t, c.Z.Cols, c.In.Cols/c.Z.Cols
	inputs := []*autodiff.Node{c.In, c.Z, c.Delta, c.Spread, c.Lengthscales, c.Variance}
	c.mean = c.tape.Output(1, c.Outputs, c.In.Cols, inputs...)
	c.vr = c.tape.Output(1, c.Outputs, c.In.Cols, inputs...)
	c.kl = c.tape.Output(1, 1, c.columns, inputs...)
	c.root = make([]float64, c.Outputs*c.Inducing*c.Inducing*c.columns)
	c.factor = make([]float64, len(c.root))
	c.alpha = make([]float64, c.Outputs*c.Inducing*c.columns)
	count := (c.columns + localTileColumns - 1) / localTileColumns
	c.tiles = linalg.Tiling{
		Points: c.columns,
		Width:  (c.columns + count - 1) / count,
		Chains: min(count, linalg.MaxChains),
	}
	for k := range c.chains[:c.tiles.Chains] {
		c.chains[k].localScratch = newLocalScratch(c)
	}
	c.forward.Body, c.reverse.Body = c.evaluate, c.differentiate
	c.tape.RecordAll([]*autodiff.Node{c.mean, c.vr, c.kl}, c.run, c.backward)
	return c.mean, c.vr, c.kl
}

// isotropic reports whether each kernel has a single lengthscale for all inputs.
func (c *localConditional) isotropic() bool { return c.Lengthscales.Cols == 1 }

// run computes the outputs.
func (c *localConditional) run() error {
	c.forward.Run(c.tiles.Chains)
	for k := range c.chains[:c.tiles.Chains] {
		ch := &c.chains[k]
		if ch.err != nil {
			return ch.err
		}
		if ch.rescues > 0 {
			c.tape.CountRescues(c.Matrix, ch.rescues)
		}
	}
	return nil
}

// evaluate computes the tiles of a chain.
func (c *localConditional) evaluate(k int) {
	ch := &c.chains[k]
	ch.rescues, ch.err = 0, nil
	c.tiles.Each(k, func(start, end int) {
		if ch.err == nil {
			t := localTile{localConditional: c, localChain: ch, start: start, end: end}
			ch.err = t.forward()
		}
	})
}

// backward computes the gradients. It first clears all gradients that tiles add to.
func (c *localConditional) backward() {
	for _, n := range []*autodiff.Node{c.mean, c.vr, c.kl, c.Z, c.Delta, c.Spread,
		c.Lengthscales, c.Variance} {
		n.Grad()
	}
	if c.In.Wanted() {
		c.In.Grad()
	}
	for k := range c.chains[:c.tiles.Chains] {
		c.chains[k].prepare(c)
	}
	c.reverse.Run(c.tiles.Chains)
	dl := c.Lengthscales.Grad()
	dv := c.Variance.Grad()
	for k := range c.chains[:c.tiles.Chains] {
		ch := &c.chains[k]
		for i, v := range ch.dLengthscales {
			dl[i] += v
		}
		for i, v := range ch.dVariance {
			dv[i] += v
		}
	}
}

// prepare clears the sums of a chain.
func (ch *localChain) prepare(c *localConditional) {
	if ch.dVariance == nil {
		ch.dLengthscales = make([]float64, c.Lengthscales.Len())
		ch.dVariance = make([]float64, c.Variance.Len())
		ch.localGradients = newLocalGradients(c)
	}
	clear(ch.dLengthscales)
	clear(ch.dVariance)
}

// differentiate processes the tiles of a chain backward.
func (c *localConditional) differentiate(k int) {
	c.tiles.Each(k, func(start, end int) {
		t := localTile{localConditional: c, localChain: &c.chains[k], start: start, end: end}
		t.backward()
	})
}
