package gibbs

import (
	"math"
	"math/rand/v2"

	"dgplab/models/autodiff"
	"dgplab/models/kernel"
	"dgplab/models/linalg"
	"dgplab/models/linalg/vec"
)

// jitter is the variance added to the hidden functions, the square root of the machine precision as in
// deepgp.
const jitter = 1.4901161193847656e-08

// Places of factorisations, for errors and rescue counts.
const (
	placeOuter = "covariance of the targets"
	placeInner = "covariance of a hidden function"
)

// density is the prior of a sampled value.
type density interface {
	// LogDensity returns the log density at x, -Inf outside the support.
	LogDensity(x float64) float64
	Draw(r *rand.Rand) float64
}

// gamma is the density b^a/Gamma(a) x^(a-1) exp(-b x) of x - jitter, as in deepgp.
type gamma struct{ shape, rate float64 }

// LogDensity implements density.
func (g gamma) LogDensity(x float64) float64 {
	x -= jitter
	if !(x > 0) {
		return math.Inf(-1)
	}
	normaliser, _ := math.Lgamma(g.shape)
	return g.shape*math.Log(g.rate) - normaliser + (g.shape-1)*math.Log(x) - g.rate*x
}

// Draw implements density for shapes of at least 1: Marsaglia, Tsang, "A simple method for generating
// gamma variables", ACM Transactions on Mathematical Software 26(3), 2000.
func (g gamma) Draw(r *rand.Rand) float64 {
	d := g.shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := r.NormFloat64()
		v := math.Pow(1+c*x, 3)
		if v > 0 && math.Log(r.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
			return jitter + d*v/g.rate
		}
	}
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

// correlation is the covariance of a hidden function, or of the targets divided by tau2. Its values are
// sampled. A kernel with assembly has one value, theta, which divides squared distances: exp(-d2/theta) for
// rbf, and the Matern functions of sqrt(2 nu d2/theta). Any other kernel has all its parameters, with
// squared lengthscales as theta, except the variance that scales the whole kernel.
type correlation struct {
	fast   kernel.Stationary
	other  *kernel.Kernel // nil for a kernel with assembly
	values []value
	theta  float64 // the start of squared lengthscales
}

// value describes a sampled value.
type value struct {
	// name is "theta", or the name of a parameter of the kernel. column is the number of the value if the
	// parameter has several, and -1 otherwise.
	name   string
	column int
	start  float64
	prior  density
	// real is set if the value may be negative. squared is set if the value is the square of the parameter.
	real, squared bool
}

// shown returns the parameter for a sampled value.
func (v value) shown(x float64) float64 {
	if v.squared {
		return math.Sqrt(x)
	}
	return x
}

// newCorrelation returns the correlation of a bound kernel. theta and prior are the start and the prior of
// squared lengthscales.
func newCorrelation(k kernel.Kernel, theta float64, prior gamma) correlation {
	if s, is := k.Stationary(); is {
		length, given := k.GivenLengthscale()
		switch {
		case given && s == kernel.RBF:
			theta = 2 * length * length
		case given:
			theta = length * length
		}
		return correlation{fast: s, values: []value{{name: "theta", column: -1, start: theta, prior: prior}}}
	}
	c := correlation{other: &k, theta: theta}
	for _, u := range c.covariance().Unknowns() {
		v := value{name: u.Name, column: u.Column, start: *u.Value, prior: u.Prior, real: u.Prior.Real}
		if u.Lengthscale {
			v.squared, v.start, v.prior = true, *u.Value**u.Value, prior
		}
		c.values = append(c.values, v)
	}
	return c
}

// covariance returns the covariance of the other kernel at the start.
func (c correlation) covariance() *kernel.Covariance {
	out := kernel.NewCovariance(autodiff.NewTape(), *c.other, 1, false)
	out.Start(1, func(int) float64 { return math.Sqrt(c.theta) })
	return out
}

// at returns the covariance of the other kernel at the given values.
func (c correlation) at(values []float64) *kernel.Covariance {
	out := c.covariance()
	for i, u := range out.Unknowns() {
		*u.Value = c.values[i].shown(values[i])
	}
	return out
}

// set sets dst [n][p] to the correlations of different points a and b, [width][n] and [width][p].
func (c correlation) set(dst, a, b []float64, width int, values []float64) {
	n := len(a) / width
	rows := make([]float64, len(a))
	linalg.Transpose(rows, a, width, n)
	if c.other != nil {
		c.at(values).Kuf(dst, 0, rows, b)
		return
	}
	c.fast.Kuf(dst, rows, b, c.lengths(values, width), 1, make([]float64, width), n, width, len(b)/width)
}

// lengths returns the lengthscales of all inputs of a kernel with assembly.
func (c correlation) lengths(values []float64, width int) []float64 {
	length := math.Sqrt(values[0])
	if c.fast == kernel.RBF {
		length = math.Sqrt(values[0] / 2)
	}
	lengths := make([]float64, width)
	for i := range lengths {
		lengths[i] = length
	}
	return lengths
}

// among sets dst [n][n] to the correlations of points a, [width][n], with each other.
func (c correlation) among(dst, a []float64, width int, values []float64) {
	if c.other != nil {
		c.at(values).Kff(dst, 0, a)
		return
	}
	c.set(dst, a, a, width, values)
}

// diagonal sets dst [n] to the correlations of points a, [width][n], with themselves.
func (c correlation) diagonal(dst, a, values []float64) {
	if c.other != nil {
		c.at(values).Diagonal(dst, 0, a)
		return
	}
	for i := range dst {
		dst[i] = 1
	}
}

// factor sets root [n][n] to the lower factor of the correlations of inputs [width][n] plus nugget on
// the diagonal, and returns the number of rescues. It overwrites k [n][n].
func (c correlation) factor(
	root, k, inputs []float64, width int, values []float64, nugget float64, matrix string,
) (rescues int, err error) {
	n := len(inputs) / width
	if c.other != nil {
		c.among(k, inputs, width, values)
	} else {
		scratch := make([]float64, n*width+width)
		c.fast.Lower(k, inputs, c.lengths(values, width), 1, scratch, n, width)
	}
	for i := range n {
		k[i*n+i] += nugget
	}
	return linalg.Cholesky(root, k, n, matrix)
}

// residual returns v' K^-1 v for the lower factor root of K. It overwrites v by root^-1 v.
func residual(root, v []float64) (sum float64) {
	n := len(v)
	for i := range v { // A solve of a matrix with one column would pack the factor.
		row := root[i*n : i*n+i+1]
		v[i] = (v[i] - vec.Dot(row[:i], v[:i])) / row[i]
		sum += v[i] * v[i]
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
