package bnn

import (
	"math"

	"dgplab/models/stats"
)

// dense is a layer with independent Gaussian weights that propagates the moments of independent
// Gaussian inputs. The last input is the constant 1, and outputs are divided by the square root of
// the number of inputs including the constant (Hernández-Lobato, Adams, "Probabilistic
// Backpropagation for Scalable Learning of Bayesian Neural Networks", ICML 2015, arXiv:1502.05336,
// section 3.1).
type dense struct {
	outputs     int
	mean, vr    []float64 // of the weights, [outputs][inputs]
	dMean, dVar []float64 // derivatives with respect to the weights' moments

	inMean, inVar   []float64 // [inputs]
	dInMean, dInVar []float64
	outMean, outVar []float64 // before rectification, [outputs]
	dOut, dOutVar   []float64
}

// newDense returns a layer with the given number of inputs, not counting the constant.
func newDense(inputs, outputs int) *dense {
	list := func(n int) []float64 { return make([]float64, n) }
	inputs++
	d := &dense{outputs: outputs, mean: list(inputs * outputs), vr: list(inputs * outputs),
		dMean: list(inputs * outputs), dVar: list(inputs * outputs),
		inMean: list(inputs), inVar: list(inputs), dInMean: list(inputs), dInVar: list(inputs),
		outMean: list(outputs), outVar: list(outputs), dOut: list(outputs), dOutVar: list(outputs)}
	d.inMean[inputs-1] = 1
	return d
}

// row returns the row of an output in an array [outputs][inputs].
func (d *dense) row(of []float64, output int) []float64 {
	n := len(d.inMean)
	return of[output*n : (output+1)*n]
}

// forward computes the moments of the outputs from the moments of the inputs.
func (d *dense) forward() {
	n := float64(len(d.inMean))
	for o := range d.outputs {
		m := d.row(d.mean, o)
		v := d.row(d.vr, o)
		var mean, vr float64
		for i, a := range d.inMean {
			mean += m[i] * a
			vr += m[i]*m[i]*d.inVar[i] + v[i]*(a*a+d.inVar[i])
		}
		d.outMean[o], d.outVar[o] = mean/math.Sqrt(n), vr/n
	}
}

// backward backpropagates derivatives from the outputs to the weights and inputs.
func (d *dense) backward() {
	clear(d.dInMean)
	clear(d.dInVar)
	n := float64(len(d.inMean))
	for o := range d.outputs {
		m := d.row(d.mean, o)
		v := d.row(d.vr, o)
		dm := d.row(d.dMean, o)
		dv := d.row(d.dVar, o)
		gm, gv := d.dOut[o]/math.Sqrt(n), d.dOutVar[o]/n
		for i, a := range d.inMean {
			dm[i] = gm*a + 2*gv*m[i]*d.inVar[i]
			dv[i] = gv * (a*a + d.inVar[i])
			d.dInMean[i] += gm*m[i] + 2*gv*v[i]*a
			d.dInVar[i] += gv * (m[i]*m[i] + v[i])
		}
	}
}

// rectify sets the inputs of next to the rectified outputs of d.
func (d *dense) rectify(next *dense) {
	for o, m := range d.outMean {
		r := rectify(m, d.outVar[o])
		next.inMean[o], next.inVar[o] = r.mean, r.vr
	}
}

// unrectify backpropagates derivatives through the rectifier, from the inputs of next to the
// outputs of d.
func (d *dense) unrectify(next *dense) {
	for o, m := range d.outMean {
		r := rectify(m, d.outVar[o])
		gm, gv := next.dInMean[o], next.dInVar[o]
		d.dOut[o] = gm*r.above + gv*2*r.mean*r.below
		d.dOutVar[o] = gm*0.5*r.density + gv*(r.above-r.mean*r.density)
	}
}

// rectified holds moments and probabilities of max(0, x) for a Gaussian x.
type rectified struct {
	mean, vr     float64
	above, below float64 // P(x > 0) and P(x < 0)
	density      float64 // of x at 0
}

// rectify returns the moments for a Gaussian with the given mean and positive variance. With s the
// standard deviation, E+ the mean of max(0, x) and E- the mean of max(0, -x), the variance is s^2
// P(x > 0) - E+ E-, which avoids cancellation if x is far above 0.
func rectify(mean, vr float64) rectified {
	s := math.Sqrt(vr)
	z := mean / s
	r := rectified{above: stats.CDF(z), below: stats.CDF(-z), density: stats.PDF(z) / s}
	r.mean = max(mean*r.above+vr*r.density, 0)
	r.vr = max(vr*r.above-r.mean*max(vr*r.density-mean*r.below, 0), 0)
	return r
}
