package gibbs

import (
	"math"

	"dgplab/models/autodiff"
	"dgplab/models/kernel"
	"dgplab/models/linalg"
)

// jitter is the variance added to the hidden functions, the square root of the machine precision as in
// deepgp.
const jitter = 1.4901161193847656e-08

// Places of factorisations, for errors and rescue counts.
const (
	placeOuter = "covariance of the targets"
	placeInner = "covariance of a hidden function"
)

// gamma is the density b^a/Gamma(a) x^(a-1) exp(-b x) of x - jitter, as in deepgp.
type gamma struct{ shape, rate float64 }

// logDensity returns the log density of x, -Inf below the support.
func (g gamma) logDensity(x float64) float64 {
	x -= jitter
	if !(x > 0) {
		return math.Inf(-1)
	}
	normaliser, _ := math.Lgamma(g.shape)
	return g.shape*math.Log(g.rate) - normaliser + (g.shape-1)*math.Log(x) - g.rate*x
}

// priors holds the priors of the nugget and of theta by layer, from the inputs to the targets.
type priors struct {
	nugget gamma
	theta  []gamma
}

// defaultPriors returns the priors of deepgp 1.2.3 for inputs in [0, 1]^d and standardised targets.
// One set of priors is for noisy targets and one for deterministic targets, for which the nugget is
// fixed. For three noisy layers, check_settings.R of deepgp appears to swap the shape and the rate
// of the last theta. This function uses the priors of two layers instead, for the last layer and
// for the hidden layers.
func defaultPriors(layers int, noisy bool) priors {
	const thirdRate = 3.9
	p := priors{nugget: gamma{1.01, 10}}
	switch {
	case noisy && layers == 1:
		p.theta = []gamma{{1.2, 4}}
	case noisy && layers == 2:
		p.theta = []gamma{{1.2, 2}, {1.2, 1}}
	case noisy:
		p.theta = []gamma{{1.2, 2}, {1.2, 2}, {1.2, 1}}
	case layers == 1:
		p.theta = []gamma{{1.5, thirdRate / 1.5}}
	case layers == 2:
		p.theta = []gamma{{1.5, thirdRate / 4}, {1.5, thirdRate / 6}}
	default:
		p.theta = []gamma{{1.5, thirdRate / 4}, {1.5, thirdRate / 12}, {1.5, thirdRate / 6}}
	}
	return p
}

// correlation is the correlation function of a layer. theta divides squared distances: exp(-d2/theta)
// for rbf, and the Matern functions of sqrt(2 nu d2/theta). In any other kernel, theta multiplies the
// squared lengthscales; the kernel has the total variance 1, and all other parameters keep their starts.
type correlation struct {
	fast  kernel.Stationary
	other *kernel.Kernel // nil for a function of all columns that has assembly
}

// newCorrelation returns the correlation of a bound kernel.
func newCorrelation(k kernel.Kernel) correlation {
	if s, is := k.Stationary(); is {
		return correlation{fast: s}
	}
	return correlation{other: &k}
}

// at returns the covariance of the other kernel.
func (c correlation) at(theta float64) *kernel.Covariance {
	out := kernel.NewCovariance(autodiff.NewTape(), *c.other, 1, false)
	out.Start(1, func(int) float64 { return 1 })
	out.ScaleLengths(math.Sqrt(theta))
	return out
}

// set sets dst [n][p] to the correlations of different points a and b, [width][n] and [width][p].
func (c correlation) set(dst, a, b []float64, width int, theta float64) {
	n := len(a) / width
	rows := make([]float64, len(a))
	linalg.Transpose(rows, a, width, n)
	if c.other != nil {
		c.at(theta).Kuf(dst, 0, rows, b)
		return
	}
	length := math.Sqrt(theta)
	if c.fast == kernel.RBF {
		length = math.Sqrt(theta / 2)
	}
	lengths := make([]float64, width)
	for i := range lengths {
		lengths[i] = length
	}
	c.fast.Kuf(dst, rows, b, lengths, 1, make([]float64, width), n, width, len(b)/width)
}

// among sets dst [n][n] to the correlations of points a, [width][n], with each other.
func (c correlation) among(dst, a []float64, width int, theta float64) {
	if c.other != nil {
		c.at(theta).Kff(dst, 0, a)
		return
	}
	c.set(dst, a, a, width, theta)
}

// diagonal sets dst [n] to the correlations of points a, [width][n], with themselves.
func (c correlation) diagonal(dst, a []float64, theta float64) {
	if c.other != nil {
		c.at(theta).Diagonal(dst, 0, a)
		return
	}
	for i := range dst {
		dst[i] = 1
	}
}

// factor sets root [n][n] to the lower factor of the correlations of inputs [width][n] plus nugget on
// the diagonal, and returns the number of rescues. It overwrites k [n][n].
func (c correlation) factor(
	root, k, inputs []float64, width int, theta, nugget float64, place string,
) (rescues int, err error) {
	n := len(inputs) / width
	c.among(k, inputs, width, theta)
	for i := range n {
		k[i*n+i] += nugget
	}
	return linalg.Cholesky(root, k, n, place)
}

// residual returns v' K^-1 v for the lower factor root of K. It overwrites v by root^-1 v.
func residual(root, v []float64) (sum float64) {
	linalg.SolveLower(root, v, len(v), 1, 1)
	for _, x := range v {
		sum += x * x
	}
	return sum
}

// minScale is the lower bound of tau2. It keeps the likelihood finite if all targets are equal,
// since they are then standardised to 0.
const minScale = 1e-10

// scale returns tau2 = v' K^-1 v/n for the lower factor root of K. It overwrites v by root^-1 v.
func scale(root, v []float64) float64 { return max(minScale, residual(root, v)/float64(len(v))) }

// outerLogLik returns -n/2 log(y' K^-1 y) - 1/2 log|K|, the log-likelihood with tau2 integrated out and
// without constants. It overwrites y.
func outerLogLik(root, y []float64) float64 {
	n := len(y)
	return -0.5*float64(n)*math.Log(float64(n)*scale(root, y)) - linalg.LogDiag(root, n)
}

// innerLogLik returns -1/2 log|S| - 1/2 v' S^-1 v, the log density of a hidden function minus its mean
// without constants. It overwrites v.
func innerLogLik(root, v []float64) float64 {
	return -0.5*residual(root, v) - linalg.LogDiag(root, len(v))
}
