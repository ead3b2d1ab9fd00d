package likelihood

import "dgplab/models/autodiff"

// Rows holds the known noise variances and the weights of the B points of a minibatch, [1][1][B] each. The
// nodes are not differentiated.
type Rows struct {
	// Noise holds the known noise variances, or is nil if the whole noise is learned. Then the likelihood is
	// Gaussian.
	Noise *autodiff.Node
	// Weights holds the factors of the points' log-likelihoods, or is nil if all are 1.
	Weights *autodiff.Node
}

// NewRows returns the rows of b points on t, with the values noise and weights of N points, which are nil if
// there are none. Gather and Window set the points.
func NewRows(t *autodiff.Tape, b int, noise, weights []float64) (r Rows) {
	if noise != nil {
		r.Noise = t.Constant(1, 1, b)
	}
	if weights != nil {
		r.Weights = t.Constant(1, 1, b)
	}
	return r
}

// Any reports whether the points have known noise or weights.
func (r Rows) Any() bool { return r.Noise != nil || r.Weights != nil }

// Gather copies the values of the given points, out of N.
func (r Rows) Gather(noise, weights []float64, points []int) {
	r.set(noise, weights, func(i int) int { return points[i] })
}

// Window copies the values of B consecutive points from start on, and repeats the last of N points beyond the
// end.
func (r Rows) Window(noise, weights []float64, start int) {
	r.set(noise, weights, func(i int) int { return min(start+i, max(len(noise), len(weights))-1) })
}

func (r Rows) set(noise, weights []float64, point func(i int) int) {
	if r.Noise != nil {
		for i := range r.Noise.Value {
			r.Noise.Value[i] = noise[point(i)]
		}
	}
	if r.Weights != nil {
		for i := range r.Weights.Value {
			r.Weights.Value[i] = weights[point(i)]
		}
	}
}

// variances sets dst [n] to the noise variances of rows, row i being that of point i mod B: the known ones
// plus the learned one in params, which is empty if there is none.
func (r Rows) variances(dst, params []float64) {
	learned := 0.0
	if len(params) > 0 {
		learned = params[0]
	}
	for i := range dst {
		dst[i] = learned
		if r.Noise != nil {
			dst[i] += r.Noise.Value[i%r.Noise.Cols]
		}
	}
}

// Evaluator evaluates a Gaussian likelihood of n rows with known noise and weights, row i being that of point
// i mod B.
type Evaluator struct {
	Rows
	of                    Expectation
	variances, dVariances []float64 // of the rows, [n]
}

// NewEvaluator returns an evaluator of n rows for an expectation of a Gaussian.
func (r Rows) NewEvaluator(of Expectation, n int) *Evaluator {
	return &Evaluator{Rows: r, of: of, variances: make([]float64, n), dVariances: make([]float64, n)}
}

// Evaluate is like the expectation, with the terms and their derivatives multiplied by the weights. dParams
// has an entry for the learned variance, or none.
func (e *Evaluator) Evaluate(terms, dMean, dVar, dParams, y, mean, vr, params []float64) {
	e.Rows.variances(e.variances, params)
	e.of(terms, dMean, dVar, e.dVariances, y, mean, vr, e.variances)
	if e.Weights != nil {
		for i := range terms {
			w := e.Weights.Value[i%e.Weights.Cols]
			terms[i] *= w
			dMean[i] *= w
			dVar[i] *= w
			e.dVariances[i] *= w
		}
	}
	clear(dParams)
	for _, d := range e.dVariances {
		for q := range dParams {
			dParams[q] += d
		}
	}
}
