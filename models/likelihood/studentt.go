package likelihood

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"dgplab/datasets/task"
	"dgplab/models/param"
	"dgplab/models/predictive"
)

var studentT = Declaration{
	Name: "student-t", Formula: "t(y; f, scale, nu)", Use: "real targets with outliers",
	Tasks: []task.Task{task.Regression},
	New:   func(s Setup) Likelihood { return observed{tDensity{noise: s.Noise}} },
}

// tDensity is Student's t distribution with location f, a scale and nu degrees of freedom (Jylänki,
// Vanhatalo, Vehtari, "Robust Gaussian Process Regression with a Student-t Likelihood", JMLR 2011).
// Its variance is scale^2 nu/(nu-2).
type tDensity struct {
	continuous
	noise float64 // the initial variance
}

// leastNu is the lower bound of nu, above which the variance exists; startNu is its initial value
// (GPyTorch's StudentTLikelihood).
const leastNu, startNu = 2, 7

// Parameters implements Likelihood.
func (d tDensity) Parameters() []Parameter {
	return []Parameter{
		{Name: "scale", Start: math.Sqrt(d.noise), Transform: param.Positive{Lower: positiveFloor}},
		{Name: "nu", Start: startNu, Transform: param.Positive{Lower: leastNu}},
	}
}

// Constants implements density. It returns the parts of the log density and of its derivative with
// respect to nu.
func (tDensity) Constants(_ float64, params []float64) constants {
	scale, nu := params[0], params[1]
	byNu := 0.5 * (mathext.Digamma(0.5*(nu+1)) - mathext.Digamma(0.5*nu) - 1/nu)
	return constants{logT(nu) - math.Log(scale), byNu}
}

// LogDensity implements density.
func (tDensity) LogDensity(
	dParams []float64, y, f float64, params []float64, c *constants,
) (value, first, second float64) {
	scale, nu := params[0], params[1]
	r := (y - f) / scale
	square := r * r
	log := math.Log1p(square / nu)
	value = c[0] - 0.5*(nu+1)*log
	share := (nu + 1) / (nu + square)
	dParams[0] = (share*square - 1) / scale
	dParams[1] = c[1] + 0.5*(share*square/nu-log)
	return value, share * r / scale, share * (square - nu) / (nu + square) / (scale * scale)
}

// logT returns the logarithm of the density at 0 for a scale of 1, log Gamma(x + 1/2) - log Gamma(x) -
// log(nu pi)/2 with x = nu/2, by Stirling's formula and its errors.
func logT(nu float64) float64 {
	x := 0.5 * nu
	return x*math.Log1p(0.5/x) - 0.5*(1+log2Pi) + stirling(x+0.5) - stirling(x)
}

// Peak implements density.
func (tDensity) Peak(y float64, _ []float64) float64 { return y }

// Kernel implements predictive.Observation. The target is Gaussian with the variance scale^2 x/G, where G is
// a Gamma variable with the shape x = nu/2.
func (tDensity) Kernel(k *predictive.Kernel, y float64, _, _, params []float64) {
	addInverseGamma(k, y, 0.5*params[1], params[0]*params[0])
}

// Moments implements predictive.Observation. The variance is infinite for nu of at most 2.
func (tDensity) Moments(mean, vr, params []float64) (float64, float64) {
	scale, nu := params[0], params[1]
	if nu <= 2 {
		return mean[0], math.Inf(1)
	}
	return mean[0], vr[0] + scale*scale*nu/(nu-2)
}

// Draw implements predictive.Observation.
func (tDensity) Draw(r *rand.Rand, f, params []float64) float64 {
	return distuv.StudentsT{Mu: f[0], Sigma: params[0], Nu: params[1], Src: r}.Rand()
}
