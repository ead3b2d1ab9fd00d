package dgp

import (
	"math"
	"math/rand/v2"

	"dgplab/models/likelihood"
	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
	"dgplab/models/stats"
)

// lastLayer computes, for Gaussian noise, the posterior of the whitened inducing outputs v of the last layer
// given the hidden layers, and the likelihood of the targets with v integrated out. With the whitened
// kernel columns A [M][N] of the points, the residual variances plus the noise D, W = A D^-1/2 and B = I +
// W W^T = L L^T, each target column y has
//
//	p(y)     = N(0, A^T A + D),  |A^T A + D| = |B| |D|
//	p(v | y) = N(B^-1 b, B^-1),  b = W D^-1/2 y
type lastLayer struct {
	*bound
	gp, m, n   int // number of the first GP, M, N
	w          []float64
	square, l  []float64 // B and its factor, [M][M]
	scales     []float64 // D^-1/2, [N]
	scaled     []float64 // D^-1/2 y, [N]
	projection []float64 // L^-1 b of each GP, [T][M]
}

// newLastLayer returns the last layer of a bound on all data, or nil unless the noise is Gaussian and the
// mean function of the layer is 0.
func newLastLayer(b *bound) *lastLayer {
	last := len(b.post.layers) - 1
	_, gaussian := b.post.arch.Likelihood.(likelihood.Gaussian)
	if !gaussian || !b.post.arch.Layers[last].Mean.zero() {
		return nil
	}
	m := b.post.inducing[last]
	n := b.columns[last].Points
	return &lastLayer{bound: b, gp: b.post.first[last], m: m, n: n, w: make([]float64, m*n),
		square: make([]float64, m*m), l: make([]float64, m*m), scales: make([]float64, n),
		scaled: make([]float64, n), projection: make([]float64, b.post.widths[last]*m)}
}

// logLik returns the log-likelihood of the targets with v integrated out. The tape must be up to date.
func (c *lastLayer) logLik() (sum float64, err error) {
	last := len(c.post.layers) - 1
	noise := c.post.observation.Value[0]
	logDet := 0.0 // of D
	for i, residual := range c.residual[last].Value {
		d := residual + noise
		c.scales[i] = 1 / math.Sqrt(d)
		logDet += math.Log(d)
	}
	c.columns[last].unpack(c.w)
	for r := range c.m {
		row := c.w[r*c.n : (r+1)*c.n]
		vec.Mul(row, row, c.scales)
	}
	linalg.LowerProduct(c.m, c.n, 1, c.w, c.n, c.w, c.n, 0, c.square)
	for r := range c.m {
		c.square[r*c.m+r]++
	}
	if _, err := linalg.Cholesky(c.l, c.square, c.m, "precision of the last layer"); err != nil {
		return 0, err
	}
	logDet += 2 * linalg.LogDiag(c.l, c.m)
	for t := range len(c.projection) / c.m {
		own := c.projection[t*c.m : (t+1)*c.m]
		var squares float64
		for i, y := range c.y.Row(t) {
			c.scaled[i] = y * c.scales[i]
			squares += c.scaled[i] * c.scaled[i]
		}
		linalg.Gemm(false, false, c.m, 1, c.n, 1, c.w, c.scaled, 0, own)
		linalg.SolveLower(c.l, own, c.m, 1, 1)
		sum -= 0.5 * (squares - sumSquares(own) + logDet + float64(c.n)*math.Log(2*math.Pi))
	}
	return sum, nil
}

// draw draws v from its posterior into the inducing outputs of all GPs, [outputs]. It continues the last
// call of logLik.
func (c *lastLayer) draw(outputs []float64, random *rand.Rand) {
	v := outputs[c.post.starts[c.gp]:]
	v = v[:len(c.projection)]
	stats.Normals(v, random)
	for i, p := range c.projection {
		v[i] += p
	}
	for at := 0; at < len(v); at += c.m {
		linalg.SolveLowerTrans(c.l, v[at:at+c.m], c.m, 1, 1)
	}
}
