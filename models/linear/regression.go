package linear

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"dgplab/models/family"
	"dgplab/models/infer"
	"dgplab/models/linalg"
	"dgplab/models/param"
	"dgplab/models/predictive"
)

// regression is the log evidence of y = X w + noise, separate for every target, with weights w ~
// N(0, I/alpha) and noise variance s,
//
//	log N(y; 0, X X^T/alpha + s I),
//
// as a function of alpha and s. With weights, the log-likelihood of a point counts as often as its weight
// says, so N is the sum of the weights, and sums over points are weighted. It is a deterministic
// train.Problem. In the eigenbasis of X^T X it is a sum of D terms: MacKay, "Bayesian Interpolation", Neural
// Computation 4, 1992, section 4, doi:10.1162/neco.1992.4.3.415; Bishop, "Pattern Recognition and Machine
// Learning", 2006, section 3.5.
type regression struct {
	outputs          []*output
	precision, noise []float64   // [P]
	grads            [][]float64 // with respect to precision and noise, [2][P]
	set              *param.Set
	terms            []float64 // data fit and complexity
}

// output holds sufficient statistics of one target.
type output struct {
	n float64 // the number of points, or the sum of their weights
	*spectrum
	// u is V^T X^T y, and residual is the residual sum of squares of the least-squares fit.
	u        []float64
	residual float64
}

// spectrum is X^T X = V diag(values) V^T. Eigenvalues at rounding level are zero.
type spectrum struct {
	d       int
	values  []float64 // [D]
	vectors []float64 // V^T, [D][D]: eigenvectors are rows
}

// flat is the share of the largest eigenvalue below which an eigenvalue is rounded to zero.
const flat = 1e-13

// newRegression returns the problem for data with initial parameters.
func newRegression(data family.Data, intercept bool, precision, noise float64) (*regression, error) {
	_, targets := data.Y.Dims()
	r := &regression{terms: make([]float64, 2)}
	var shared *spectrum // spectrum of all points
	for k := range targets {
		p := newPoints(data.X, observed(data.Y, k), intercept)
		p.weigh(data.Weights)
		if p.n() == 0 {
			return nil, errors.New("a target without any value cannot be fitted")
		}
		s := shared
		if n, _ := data.X.Dims(); s == nil || p.n() < n {
			var err error
			s, err = newSpectrum(p)
			if err != nil {
				return nil, err
			}
			if p.n() == n {
				shared = s
			}
		}
		r.outputs = append(r.outputs, newOutput(p, s, p.column(data.Y, k)))
		r.precision = append(r.precision, precision)
		r.noise = append(r.noise, noise)
	}
	r.grads = [][]float64{make([]float64, targets), make([]float64, targets)}
	var err error
	r.set, err = param.NewSet(precisions(r.precision),
		&param.Parameter{
			Name:      "likelihood.variance",
			Shape:     []int{targets},
			Value:     r.noise,
			Transform: param.Exponential{Lower: positiveFloor},
		})
	return r, err
}

// newSpectrum returns the eigenvalues and eigenvectors of X^T X.
func newSpectrum(p *points) (*spectrum, error) {
	d := p.d
	gram := make([]float64, d*d)
	p.tiles(func(x []float64, from, to int) { linalg.Gemm(true, false, d, d, to-from, 1, x, x, 1, gram) })
	var e mat.EigenSym
	if infer.CheckFinite(gram) != nil || !e.Factorize(mat.NewSymDense(d, gram), true) {
		return nil, errors.New("X^T X of the inputs is not finite and cannot be diagonalised")
	}
	s := &spectrum{d: d, values: e.Values(nil), vectors: make([]float64, d*d)}
	var v mat.Dense
	e.VectorsTo(&v)
	mat.NewDense(d, d, s.vectors).Copy(v.T())
	for i, value := range s.values {
		if value < flat*float64(d)*s.values[d-1] {
			s.values[i] = 0
		}
	}
	return s, nil
}

// newOutput returns the statistics of the targets y.
func newOutput(p *points, s *spectrum, y []float64) *output {
	o := &output{n: p.total(), spectrum: s, u: make([]float64, s.d)}
	products := make([]float64, s.d)
	p.tiles(func(x []float64, from, to int) {
		linalg.Gemm(true, false, s.d, 1, to-from, 1, x, y[from:to], 1, products)
	})
	linalg.Gemm(false, false, s.d, 1, s.d, 1, s.vectors, products, 0, o.u)
	least := make([]float64, s.d) // least-squares weights in the coordinates of V
	for i, value := range s.values {
		if value > 0 {
			least[i] = o.u[i] / value
		} else {
			o.u[i] = 0
		}
	}
	fitted := make([]float64, len(y))
	p.times(fitted, s.weights(least))
	for i, f := range fitted {
		o.residual += (y[i] - f) * (y[i] - f)
	}
	return o
}

// weights returns V m, [D].
func (s *spectrum) weights(m []float64) []float64 {
	w := make([]float64, s.d)
	linalg.Gemm(true, false, s.d, 1, s.d, 1, s.vectors, m, 0, w)
	return w
}

// evidence returns the two terms of the log evidence and the derivatives of their sum. With r =
// alpha s + lambda_i and u_i^2/lambda_i, the part of the squares that a least-squares fit explains
// along eigenvector i, the terms are free of cancellation:
//
//	data fit    -1/2 (residual/s + sum u_i^2/lambda_i alpha/r)
//	complexity  -1/2 (N log 2 pi s + sum log(1 + lambda_i/(alpha s)))
func (o *output) evidence(alpha, s float64) (fit, complexity, dAlpha, dNoise float64) {
	n := o.n
	fit, complexity = o.residual/s, n*math.Log(2*math.Pi*s)
	dNoise = n/s - o.residual/(s*s)
	for i, lambda := range o.values {
		if lambda == 0 {
			continue
		}
		r, explained := alpha*s+lambda, o.u[i]*o.u[i]/lambda
		fit += explained * alpha / r
		complexity += math.Log1p(lambda / (alpha * s))
		dAlpha += lambda/r*explained/r - lambda/(alpha*r)
		dNoise -= explained*(alpha/r)*(alpha/r) + lambda/(s*r)
	}
	return -fit / 2, -complexity / 2, -dAlpha / 2, -dNoise / 2
}

// Parameters implements infer.Problem.
func (r *regression) Parameters() *param.Set { return r.set }

// Draw implements infer.Problem. The problem is deterministic.
func (r *regression) Draw(uint64) {}

// Evaluate implements infer.Problem.
func (r *regression) Evaluate(dFree []float64) (float64, error) {
	clear(r.terms)
	for k, o := range r.outputs {
		fit, complexity, dAlpha, dNoise := o.evidence(r.precision[k], r.noise[k])
		r.terms[0] += fit
		r.terms[1] += complexity
		r.grads[0][k], r.grads[1][k] = dAlpha, dNoise
	}
	if dFree != nil {
		r.set.Pullback(dFree, r.grads)
	}
	return r.terms[0] + r.terms[1], nil
}

// Terms implements train.Problem.
func (r *regression) Terms() []float64 { return r.terms }

// Rescues implements train.Problem. Nothing is factorised.
func (r *regression) Rescues() int { return 0 }

// State implements train.Problem. Training changes only the parameters.
func (r *regression) State() []param.Array { return nil }

// posterior returns the mean of the weights of an output, [D], and their variances along the
// eigenvectors, [D].
func (r *regression) posterior(k int) (mean, along []float64) {
	o := r.outputs[k]
	m := make([]float64, o.d)
	along = make([]float64, o.d)
	for i, lambda := range o.values {
		scale := r.precision[k]*r.noise[k] + lambda
		m[i], along[i] = o.u[i]/scale, r.noise[k]/scale
	}
	return o.weights(m), along
}

// weights implements problem.
func (r *regression) weights() (list []float64, err error) {
	for k := range r.outputs {
		mean, _ := r.posterior(k)
		list = append(list, mean...)
	}
	return list, nil
}

// latent implements problem.
func (r *regression) latent(x *points) (mean, vr []float64, err error) {
	mean, vr = r.moments(x)
	return mean, vr, nil
}

// moments returns the means and variances of the functions at x, [n][L] each.
func (r *regression) moments(x *points) (mean, vr []float64) {
	p := len(r.outputs)
	mean = make([]float64, x.n()*p)
	vr = make([]float64, x.n()*p)
	for k, o := range r.outputs {
		m, along := r.posterior(k)
		turned := make([]float64, min(tile, x.n())*o.d)
		x.tiles(func(rows []float64, from, to int) {
			linalg.Gemm(false, true, to-from, o.d, o.d, 1, rows, o.vectors, 0, turned)
			for i := range to - from {
				at := (from+i)*p + k
				for j, v := range rows[i*o.d : (i+1)*o.d] {
					mean[at] += v * m[j]
				}
				for j, v := range turned[i*o.d : (i+1)*o.d] {
					vr[at] += v * v * along[j]
				}
			}
		})
	}
	return mean, vr
}

// predict implements problem. It returns one Gaussian and ignores the number of samples.
func (r *regression) predict(x *points, _ int, _ uint64) (predictive.Predictive, error) {
	out := predictive.NewGaussians([]float64{1}, x.n(), len(r.outputs))
	out.Mean, out.Var = r.moments(x)
	out.Noise = append(out.Noise, r.noise...)
	return out, nil
}

// precisions implements problem.
func (r *regression) precisions() []float64 { return r.precision }

// hyper implements problem.
func (r *regression) hyper() []family.Quantity {
	return []family.Quantity{{Name: "likelihood.variance", Value: r.noise},
		{Name: "weights.precision", Value: r.precision}}
}
