package linear

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"dgplab/models/family"
	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
	"dgplab/models/param"
)

// placeA names the negative Hessian of the log joint in errors and rescue counts.
const placeA = "second derivative with respect to the weights"

// classification is the Laplace approximation of the evidence of a linear classification model. Let
// the latent functions f = X w have weights w_l ~ N(0, I/alpha_l), let w^ be the mode of log p(y |
// X w) p(w), and let A be its negative Hessian at w^. The approximation is
//
//	log q(y) = log p(y | X w^) + 1/2 sum_l (D log alpha_l - alpha_l |w^_l|^2) - 1/2 log |A|,
//
// as a function of alpha: MacKay, "The Evidence Framework Applied to Classification Networks",
// Neural Computation 4, 1992, doi:10.1162/neco.1992.4.5.720; Bishop, "Pattern Recognition and
// Machine Learning", 2006, eq. 4.137. It is a deterministic train.Problem.
type classification struct {
	x       *points
	link    link
	d, l    int
	alpha   []float64   // [L]
	grads   [][]float64 // with respect to alpha, [1][L]
	set     *param.Set
	terms   []float64 // data fit and complexity
	rescues int
	known   []float64 // alpha for which w is the mode, or NaN if unknown

	f           []float64 // [N][L]
	w, trial    []float64 // the mode, [L][D]
	slope, step []float64 // gradient of the log joint, and Newton step, [L][D]
	a, root     []float64 // lower triangle of A and its lower Cholesky factor, [LD][LD]
	inverse     []float64 // of A, [LD][LD]
	scaled      []float64 // inputs of a tile times a weight, [tile][D]
	solved      []float64 // inputs of a tile times the inverse, [tile][LD]
	slopes      []float64 // derivatives of the terms of a tile, [tile][L]
	within      []float64 // x^T A^-1 x for pairs of latent functions of a tile, [tile][L][L]
}

// newClassification returns the classification problem with the given link at points x, with
// initial precision alpha.
func newClassification(x *points, of link, precision float64) (*classification, error) {
	l := of.latents()
	d := x.d
	n := x.n()
	size, rows := l*d, min(tile, n)
	c := &classification{
		x: x, link: of, d: d, l: l, alpha: make([]float64, l), grads: [][]float64{make([]float64, l)},
		terms: make([]float64, 2),
		f:     make([]float64, n*l), w: make([]float64, size), trial: make([]float64, size),
		slope: make([]float64, size), step: make([]float64, size),
		a: make([]float64, size*size), root: make([]float64, size*size), inverse: make([]float64, size*size),
		scaled: make([]float64, rows*d), solved: make([]float64, rows*size), slopes: make([]float64, rows*l),
		within: make([]float64, rows*l*l), known: []float64{math.NaN()},
	}
	for k := range c.alpha {
		c.alpha[k] = precision
	}
	var err error
	c.set, err = param.NewSet(precisions(c.alpha))
	return c, err
}

// part returns the entries of v, [L][D], that belong to latent function k.
func (c *classification) part(v []float64, k int) []float64 { return v[k*c.d : (k+1)*c.d] }

// logJoint returns log p(y | X w) as fit, and log p(y | X w) p(w), without the constant of the
// prior, as joint.
func (c *classification) logJoint(w []float64) (fit, joint float64) {
	c.x.times(c.f, w)
	fit = c.link.at(c.f)
	joint = fit
	for k, alpha := range c.alpha {
		own := c.part(w, k)
		joint -= alpha / 2 * vec.Dot(own, own)
	}
	return fit, joint
}

// maxNewton is the maximum number of Newton steps to the mode; about a dozen are typical.
// maxHalvings is the maximum number of halvings of a step.
const maxNewton, maxHalvings = 200, 60

// The mode is reached if Newton's method predicts a relative increase of the log joint below found.
// stuck is the relative rounding error of the log joint.
const found, stuck = 1e-20, 1e-13

// mode sets w to the mode, f and the link to the corresponding values, and a and root to A and its
// factor. It returns log p(y | X w). Newton's method starts at zero, so the result depends only on
// alpha.
func (c *classification) mode() (fit float64, err error) {
	c.known = append(c.known[:0], math.NaN())
	fit, err = c.climb()
	if err == nil {
		c.known = append(c.known[:0], c.alpha...)
	}
	return fit, err
}

// climb finds the mode by Newton's method.
func (c *classification) climb() (fit float64, err error) {
	clear(c.w)
	fit, joint := c.logJoint(c.w)
	for range maxNewton {
		if err := c.differentiate(); err != nil {
			return 0, err
		}
		copy(c.step, c.slope)
		c.solve(c.step)
		var rise float64
		for i, s := range c.slope {
			rise += s * c.step[i]
		}
		level := math.Max(1, math.Abs(joint))
		if math.IsNaN(rise) || rise <= found*level {
			return fit, nil
		}
		next, moved := c.search(joint, level)
		if !moved { // the remaining change is rounding error
			fit, _ = c.logJoint(c.w)
			return fit, nil
		}
		fit, joint = next[0], next[1]
	}
	return 0, errors.New("the mode of the weights was not found: Newton's method did not converge")
}

// search moves w along the step and returns the values of logJoint. It halves the step until the
// log joint does not fall. If the log joint falls for every step length, w is unchanged and moved
// is false.
func (c *classification) search(joint, level float64) (next [2]float64, moved bool) {
	length := 1.0
	for range maxHalvings {
		for i, s := range c.step {
			c.trial[i] = c.w[i] + length*s
		}
		next[0], next[1] = c.logJoint(c.trial)
		if next[1] >= joint-stuck*level {
			copy(c.w, c.trial)
			return next, true
		}
		length /= 2
	}
	return next, false
}

// differentiate sets slope, a and root at w, where the link was last evaluated.
func (c *classification) differentiate() error {
	size := c.l * c.d
	clear(c.a)
	clear(c.slope)
	c.x.tiles(func(x []float64, from, to int) {
		rows := to - from
		for i := range rows {
			c.link.slope(c.slopes[i*c.l:(i+1)*c.l], from+i)
		}
		linalg.Gemm(true, false, c.l, c.d, rows, 1, c.slopes, x, 1, c.slope)
		for a := range c.l {
			for b := range a + 1 {
				c.addBlock(x, from, rows, a, b)
			}
		}
	})
	for k, alpha := range c.alpha {
		w := c.part(c.w, k)
		slope := c.part(c.slope, k)
		for i := range w {
			slope[i] -= alpha * w[i]
			at := k*c.d + i
			c.a[at*size+at] += alpha
		}
	}
	rescues, err := linalg.Cholesky(c.root, c.a, size, placeA)
	c.rescues += rescues
	return err
}

// addBlock adds X^T W_ab X for the points of a tile to block (a, b) of A.
func (c *classification) addBlock(x []float64, from, rows, a, b int) {
	for i := range rows {
		weight := c.link.weight(from+i, a, b)
		for j, v := range x[i*c.d : (i+1)*c.d] {
			c.scaled[i*c.d+j] = weight * v
		}
	}
	size := c.l * c.d
	general := func(data []float64, rows, stride int) blas64.General {
		return blas64.General{Rows: rows, Cols: c.d, Stride: stride, Data: data}
	}
	blas64.Gemm(blas.Trans, blas.NoTrans, 1, general(c.scaled, rows, c.d), general(x, rows, c.d), 1,
		general(c.a[a*c.d*size+b*c.d:], c.d, size))
}

// solve replaces v, [LD], by A^-1 v.
func (c *classification) solve(v []float64) {
	size := c.l * c.d
	linalg.SolveLower(c.root, v, size, 1, 1)
	linalg.SolveLowerTrans(c.root, v, size, 1, 1)
}

// Parameters implements infer.Problem.
func (c *classification) Parameters() *param.Set { return c.set }

// Draw implements infer.Problem. The problem is deterministic.
func (c *classification) Draw(uint64) {}

// Evaluate implements infer.Problem.
func (c *classification) Evaluate(dFree []float64) (float64, error) {
	fit, err := c.mode()
	if err != nil {
		return math.NaN(), err
	}
	complexity := -linalg.LogDiag(c.root, c.l*c.d)
	for k, alpha := range c.alpha {
		own := c.part(c.w, k)
		complexity += 0.5 * (float64(c.d)*math.Log(alpha) - alpha*vec.Dot(own, own))
	}
	c.terms[0], c.terms[1] = fit, complexity
	if dFree != nil {
		c.gradient()
		c.set.Pullback(dFree, c.grads)
	}
	return fit + complexity, nil
}

// gradient sets grads at the mode, where the log joint is stationary in w. A also depends on alpha
// through the mode: dw^/dalpha_l is -A^-1 times the vector that is w^_l for latent function l and 0
// elsewhere (Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006, section
// 5.5.1, in weight space).
func (c *classification) gradient() {
	size := c.l * c.d
	clear(c.inverse)
	for i := range size {
		c.inverse[i*size+i] = 1
	}
	linalg.SolveLower(c.root, c.inverse, size, size, size)
	linalg.SolveLowerTrans(c.root, c.inverse, size, size, size)
	c.drifts()
	c.solve(c.step)
	for k, alpha := range c.alpha {
		w := c.part(c.w, k)
		step := c.part(c.step, k)
		var trace, through float64
		for i, v := range w {
			at := k*c.d + i
			trace += c.inverse[at*size+at]
			through += v * step[i]
		}
		c.grads[0][k] = 0.5 * (float64(c.d)/alpha - vec.Dot(w, w) - trace + through)
	}
}

// drifts sets step, [L][D], to the derivative of log |A| with respect to the weights.
func (c *classification) drifts() {
	size := c.l * c.d
	clear(c.step)
	c.x.tiles(func(x []float64, from, to int) {
		rows := to - from
		for a := range c.l {
			linalg.Gemm(false, false, rows, size, c.d, 1, x,
				c.inverse[a*c.d*size:(a+1)*c.d*size], 0, c.solved)
			for i := range rows {
				for b := range c.l {
					c.withinOf(i)[a*c.l+b] = vec.Dot(x[i*c.d:(i+1)*c.d], c.solved[i*size+b*c.d:][:c.d])
				}
			}
		}
		for i := range rows {
			c.link.drift(c.slopes[i*c.l:(i+1)*c.l], c.withinOf(i), from+i)
		}
		linalg.Gemm(true, false, c.l, c.d, rows, 1, c.slopes, x, 1, c.step)
	})
}

// withinOf returns x^T A^-1 x of point i of a tile, [L][L].
func (c *classification) withinOf(i int) []float64 { return c.within[i*c.l*c.l : (i+1)*c.l*c.l] }

// Terms implements train.Problem.
func (c *classification) Terms() []float64 { return c.terms }

// Rescues implements train.Problem.
func (c *classification) Rescues() int { return c.rescues }

// State implements train.Problem. Training changes only the parameters.
func (c *classification) State() []param.Array { return nil }

// precisions implements problem.
func (c *classification) precisions() []float64 { return c.alpha }

// hyper implements problem.
func (c *classification) hyper() []family.Quantity {
	return []family.Quantity{{Name: "weights.precision", Value: c.alpha}}
}
